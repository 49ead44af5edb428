// What the loops of matrix kernels cost, counted by the emulator: the
// difference of two sizes. The table of docs/performance.md is what this
// prints.
#include "test/unit/nvptx/EmulatedKernel.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

/// Of one multiprocessor and clock, see the sources beside the table.
struct Processor {
  nvptx::GpuTarget target;
  double multiplyAdds; ///< of bf16
};
Processor a100() { return {*nvptx::GpuTarget::forName("sm_80"), 1024}; }
Processor h200() { return {*nvptx::GpuTarget::forName("sm_90a"), 2048}; }

/// For a thousand multiply-adds of the loop.
struct LoopCost {
  double instructions, sharedPasses, specials;
  double tensorClocks;

  double issueShare() const { return instructions / 4 / tensorClocks; }
  double sharedShare() const { return sharedPasses / tensorClocks; }
  double specialShare() const { return specials * 32 / 16 / tensorClocks; }
};

emulator::Counters countersOf(const KernelText &text, const Processor &gpu,
                              const std::string &tiles,
                              uint64_t mostBankConflicts = 0) {
  EmulatedOptions options;
  options.mostBankConflicts = mostBankConflicts;
  options.target = gpu.target;
  options.checks = false;
  if (!tiles.empty())
    options.attributes = "attnres.tiles = array<i64: " + tiles + ">";
  OwningOpRef<ModuleOp> module = parseModule(text.function());
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  return runEmulated(text, storableInputs(main, 3, /*scaleWeights=*/false),
                     options)
      .counters;
}

/// `clocksOfTensorCores`: for a multiply-add, of one of bf16.
LoopCost costOf(const std::string &name, const KernelText &small,
                const KernelText &large, const Processor &gpu,
                double clocksOfTensorCores, const std::string &tiles = "") {
  emulator::Counters a = countersOf(small, gpu, tiles);
  emulator::Counters b = countersOf(large, gpu, tiles);
  double products = double(b.tensorMultiplyAdds - a.tensorMultiplyAdds) / 1000;
  auto passes = [&](const emulator::Counters &c) {
    return double(c.shared.transactions) +
           double(c.asyncCopyBytes + c.groupOperandBytes) / 128;
  };
  auto specials = [](const emulator::Counters &c) {
    return double(c.classes[size_t(emulator::InstructionClass::Special)]
                      .warpInstructions);
  };
  LoopCost cost{double(b.warpInstructions() - a.warpInstructions()) / products,
                (passes(b) - passes(a)) / products,
                (specials(b) - specials(a)) / products,
                1000 / gpu.multiplyAdds * clocksOfTensorCores};
  llvm::outs() << "| " << name << " | "
               << llvm::format("%.2f", cost.instructions) << " | "
               << llvm::format("%.2f", cost.sharedPasses) << " | "
               << llvm::format("%.2f", cost.issueShare()) << " | "
               << llvm::format("%.2f", cost.sharedShare()) << " | "
               << llvm::format("%.2f", cost.specialShare()) << " |\n";
  return cost;
}

KernelText product(int64_t rows, int64_t columns, int64_t depth,
                   const std::string &type) {
  auto tensor = [&](int64_t m, int64_t n) {
    return "tensor<" + std::to_string(m) + "x" + std::to_string(n) + "x" +
           type + ">";
  };
  KernelText text;
  text.arguments =
      "%a: " + tensor(rows, depth) + ", %b: " + tensor(columns, depth);
  text.body = "  %y = attnres.linear %a, %b : " + tensor(rows, depth) + ", " +
              tensor(columns, depth);
  text.results = "%y";
  text.types = tensor(rows, columns);
  return text;
}

KernelText attention(int64_t queries, int64_t keys, int64_t size,
                     bool isBackward) {
  auto tensor = [&](int64_t rows) {
    return "tensor<1x" + std::to_string(rows) + "x1x" + std::to_string(size) +
           "xbf16>";
  };
  std::string q = tensor(queries), k = tensor(keys);
  std::string lse = "tensor<1x" + std::to_string(queries) + "x1xf32>";
  KernelText text;
  text.arguments = "%q: " + q + ", %k: " + k + ", %v: " + k;
  if (isBackward) {
    text.arguments += ", %o: " + q + ", %l: " + lse + ", %g: " + q;
    text.body = "  %dq, %dk, %dv = attnres.attention_backward %q, %k, %v, %o, "
                "%l, %g : " +
                q + ", " + k + ", " + k + ", " + q + ", " + lse + ", " + q;
    text.results = "%dq, %dk, %dv";
    text.types = q + ", " + k + ", " + k;
    return text;
  }
  text.body =
      "  %o, %l = attnres.attention %q, %k, %v : " + q + ", " + k + ", " + k;
  text.results = "%o, %l";
  text.types = q + ", " + lse;
  return text;
}

} // namespace

TEST(MatrixCounters, Products) {
  LoopCost cost =
      costOf("product of bf16, A100", product(128, 256, 256, "bf16"),
             product(128, 256, 512, "bf16"), a100(), 1, "128, 256, 2, 4, 3, 1");
  EXPECT_LT(cost.issueShare(), 0.5);
  EXPECT_LT(cost.sharedShare(), 1);
  cost =
      costOf("product of bf16, H200", product(128, 256, 256, "bf16"),
             product(128, 256, 512, "bf16"), h200(), 1, "128, 256, 8, 1, 4, 1");
  EXPECT_LT(cost.issueShare(), 0.2);
  // Three products of tf32, at half the rate of bf16.
  cost =
      costOf("product of f32, A100", product(128, 128, 128, "f32"),
             product(128, 128, 256, "f32"), a100(), 2, "64, 128, 2, 4, 3, 1");
  EXPECT_LT(cost.issueShare(), 1);
}

TEST(MatrixCounters, Attention) {
  for (int64_t size : {64, 128}) {
    std::string head = ", head " + std::to_string(size);
    costOf("attention" + head + ", A100", attention(128, 256, size, false),
           attention(128, 512, size, false), a100(), 1);
    LoopCost cost =
        costOf("attention" + head + ", H200", attention(128, 384, size, false),
               attention(128, 768, size, false), h200(), 1);
    EXPECT_LT(cost.issueShare(), 1);
    costOf("attention backward" + head + ", A100",
           attention(128, 128, size, true), attention(256, 256, size, true),
           a100(), 1);
  }
}

/// Delta attention of heads of 128, for a token and head. The least bytes are
/// those of q, k, v, decay, beta and output: 4 x 256 + 512 + 2.
TEST(MatrixCounters, Kda) {
  auto kda = [](int64_t tokens) {
    std::string rows = "tensor<1x" + std::to_string(tokens) + "x1x128x";
    std::string q = rows + "bf16>", d = rows + "f32>";
    std::string b = "tensor<1x" + std::to_string(tokens) + "x1xbf16>";
    KernelText text;
    text.arguments =
        "%q: " + q + ", %k: " + q + ", %v: " + q + ", %d: " + d + ", %b: " + b;
    text.body = "  %o, %n = attnres.kda %q, %k, %v, %d, %b : " + q + ", " + q +
                ", " + q + ", " + d + ", " + b;
    text.results = "%o, %n";
    text.types = q + ", tensor<1x1x128x128xf32>";
    return text;
  };
  emulator::Counters a = countersOf(kda(64), h200(), "8", 64);
  emulator::Counters b = countersOf(kda(128), h200(), "8", 128);
  auto perToken = [&](auto number) {
    return (double(number(b)) - double(number(a))) / 64;
  };
  double instructions = perToken([](auto &c) { return c.warpInstructions(); });
  double passes = perToken([](auto &c) {
    return double(c.shared.transactions) + double(c.asyncCopyBytes) / 128;
  });
  double specials = perToken([](auto &c) {
    return c.classes[size_t(emulator::InstructionClass::Special)]
        .warpInstructions;
  });
  double bytes = perToken(
      [](auto &c) { return c.global.loadBytes + c.global.storeBytes; });
  double sectors = perToken([](auto &c) { return 32 * c.global.transactions; });
  llvm::outs() << "| KDA forward, head 128, H200 | "
               << llvm::format("%.0f | %.0f | %.0f | %.0f | %.1f |\n", bytes,
                               sectors, instructions, passes, specials);
  EXPECT_LT(bytes, 1.1 * 1538);
  EXPECT_LT(instructions, 714);
}
