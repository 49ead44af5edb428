// Row kernels of GPUs on the emulator: they compute what the float64
// interpreter says, write everything, and keep to the rules of memory that the
// emulator checks.
#include "runtime/device/BoundProgram.h"
#include "runtime/device/EmulatedDevice.h"
#include "test/unit/compile/CompiledCode.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

/// Compares the results of @main on the emulator with those of the interpreter.
/// Returns the PTX.
static std::string expectEmulated(llvm::StringRef text) {
  OwningOpRef<ModuleOp> module = parseModule(text);
  if (!module)
    return "";
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  SmallVector<Tensor> inputs = storableInputs(main, 11, /*scaleWeights=*/false);
  SmallVector<Tensor> expected = evaluate(*module, inputs);
  StageOptions options;
  options.target = "sm_80";
  expectCompiled(*module, options, inputs, expected, expected.size());
  auto program = compileStages(*module, stagesTo(Stage::Nvptx), options);
  return program ? program->blobs.front() : "";
}

TEST(WarpRows, RmsNormOfBf16ReadsSixteenBytes) {
  std::string ptx = expectEmulated(R"(
func.func @main(%x: tensor<9x512xbf16>, %w: tensor<512xf32>) -> tensor<9x512xbf16> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<9x512xbf16>, tensor<512xf32>
  return %y : tensor<9x512xbf16>
})");
  // Eight bf16 to a lane, or four words.
  EXPECT_NE(ptx.find("ld.global.nc.v4.b32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("shfl.sync.bfly"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("ld.global.nc.b16"), std::string::npos) << ptx;
}

TEST(WarpRows, RmsNormOfAnyWidth) {
  for (const char *width : {"1", "5", "37", "96", "160", "260"}) {
    SCOPED_TRACE(width);
    std::string type = std::string("tensor<7x") + width + "xf32>";
    std::string weight = std::string("tensor<") + width + "xf32>";
    expectEmulated("func.func @main(%x: " + type + ", %w: " + weight + ") -> " +
                   type +
                   " {\n"
                   "  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : " +
                   type + ", " + weight + "\n  return %y : " + type + "\n}");
  }
}

/// A chain: the sum stays in scratch.
TEST(WarpRows, AdditionAndNormInOneKernel) {
  expectEmulated(R"(
func.func @main(%x: tensor<5x3x72xf32>, %u: tensor<5x3x72xf32>, %w: tensor<72xf32>)
    -> (tensor<5x3x72xf32>) {
  %s = arith.addf %x, %u : tensor<5x3x72xf32>
  %y = attnres.rms_norm %s, %w {eps = 1.0e-6 : f64} : tensor<5x3x72xf32>, tensor<72xf32>
  return %y : tensor<5x3x72xf32>
})");
}

TEST(WarpRows, Swiglu) {
  expectEmulated(R"(
func.func @main(%g: tensor<11x96xf32>, %u: tensor<11x96xf32>) -> tensor<11x96xf32> {
  %y = attnres.swiglu %g, %u : tensor<11x96xf32>
  return %y : tensor<11x96xf32>
})");
}

/// One query, a list of sources.
TEST(WarpRows, DepthAttention) {
  expectEmulated(R"(
func.func @main(%q: tensor<64xf32>, %g: tensor<64xf32>, %a: tensor<6x64xf32>, %b: tensor<6x64xf32>,
                %c: tensor<6x64xf32>) -> (tensor<6x64xf32>, tensor<6xf32>) {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64}
    : tensor<6x64xf32>
  return %h, %lse : tensor<6x64xf32>, tensor<6xf32>
})");
}

/// Six queries over five sources: a block of four and two single ones.
TEST(WarpRows, DepthAttentionOfManyQueries) {
  expectEmulated(R"(
func.func @main(%q0: tensor<40xf32>, %q1: tensor<40xf32>, %q2: tensor<40xf32>, %q3: tensor<40xf32>,
                %q4: tensor<40xf32>, %q5: tensor<40xf32>, %g: tensor<40xf32>, %a: tensor<3x40xbf16>,
                %b: tensor<3x40xbf16>, %c: tensor<3x40xbf16>, %d: tensor<3x40xbf16>, %e: tensor<3x40xbf16>)
    -> (tensor<3x40xbf16>, tensor<3x40xbf16>, tensor<3xf32>) {
  %h:6, %l:6 = attnres.depth_attention queries(%q0, %q1, %q2, %q3, %q4, %q5)
    gains(%g, %g, %g, %g, %g, %g) sources(%a, %b, %c, %d, %e) {eps = 1.0e-8 : f64} : tensor<3x40xbf16>
  return %h#0, %h#5, %l#4 : tensor<3x40xbf16>, tensor<3x40xbf16>, tensor<3xf32>
})");
}

/// Weights that all lanes read, each written by one.
TEST(WarpRows, StaticMixture) {
  expectEmulated(R"(
func.func @main(%x: tensor<4x50xf32>, %a: tensor<4x50xf32>, %w: tensor<2xf32>) -> tensor<4x50xf32> {
  %m = attnres.static_mix %w, %x, %a : tensor<4x50xf32>
  return %m : tensor<4x50xf32>
})");
}

/// Rows wider than the registers of a warp are shared by the warps of a block.
TEST(WarpRows, WideRows) {
  for (const char *width : {"1500", "4096", "6161"}) {
    SCOPED_TRACE(width);
    std::string row = std::string("tensor<3x") + width + "xf32>";
    std::string column = std::string("tensor<") + width + "xf32>";
    expectEmulated(
        "func.func @main(%x: " + row + ", %u: " + row + ", %w: " + column +
        ") -> " + row + " {\n  %s = arith.addf %x, %u : " + row +
        "\n  %y = attnres.rms_norm %s, %w {eps = 1.0e-6 : f64} : " + row +
        ", " + column + "\n  return %y : " + row + "\n}");
  }
}

/// What the kernels of @main load from global memory on the emulator.
static int64_t loadedBytes(llvm::StringRef text) {
  OwningOpRef<ModuleOp> module = parseModule(text);
  nameBindings(module->lookupSymbol<func::FuncOp>("main"));
  StageOptions options;
  options.target = "sm_80";
  auto program = compileStages(*module, stagesTo(Stage::Nvptx), options);
  if (!program)
    return 0;
  runtime::EmulatedDevice device;
  auto bound = runtime::BoundProgram::create(device, program);
  EXPECT_TRUE(bound.ok()) << bound.status().message();
  Status ran = bound->executable().run();
  EXPECT_TRUE(ran.ok()) << ran.message();
  for (const runtime::DeviceCounter &counter : device.counters())
    if (counter.name == "global_load_bytes")
      return counter.value;
  return 0;
}

/// Every source is read once: by one warp, and by several.
TEST(WarpRows, DepthAttentionReadsSourcesOnce) {
  for (int64_t width : {512, 2048}) {
    SCOPED_TRACE(width);
    std::string row = "tensor<5x" + std::to_string(width) + "xbf16>";
    std::string query = "tensor<" + std::to_string(width) + "xf32>";
    std::string text =
        "func.func @main(%q: " + query + ", %g: " + query + ", %a: " + row +
        ", %b: " + row + ", %c: " + row + ") -> (" + row +
        ", tensor<5xf32>) {\n  %h, %l = attnres.depth_attention queries(%q) "
        "gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : " +
        row + "\n  return %h, %l : " + row + ", tensor<5xf32>\n}";
    expectEmulated(text);
    // Query and gain are read by each of the five groups of warps.
    EXPECT_EQ(loadedBytes(text), 3 * 5 * width * 2 + 5 * 2 * width * 4);
  }
}
