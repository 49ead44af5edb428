//===- FlashAttentionTest.cpp - Attention kernels against float64 ---------===//

#include "passes/cpu/FlashAttention.h"
#include "JitKernel.h"
#include "dialect/Attnres.h"
#include "passes/cpu/LowerToLLVM.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

using namespace attnres::cpu;

namespace {

struct Case {
  const char *name;
  AttentionShape shape;
  bool bf16 = false;
  /// Standard deviation of q and k: the logits have about its square.
  float amplitude = 1;
  bool lseGradient = true;
};

/// Test names.
void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

uint16_t toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

float fromBf16(uint16_t value) {
  uint32_t bits = uint32_t(value) << 16;
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}

/// Elements in their storage type, with a guard behind the last one.
struct Tensor {
  bool bf16;
  size_t count;
  std::vector<uint8_t> bytes;

  /// Poisoned with NaN.
  Tensor(size_t count, bool bf16)
      : bf16(bf16), count(count), bytes((count + 1) * (bf16 ? 2 : 4), 0xff) {}

  void *data() { return bytes.data(); }
  float operator[](size_t i) const {
    if (bf16) {
      uint16_t half;
      std::memcpy(&half, &bytes[2 * i], 2);
      return fromBf16(half);
    }
    float value;
    std::memcpy(&value, &bytes[4 * i], 4);
    return value;
  }
  void set(size_t i, float value) {
    if (bf16) {
      uint16_t half = toBf16(value);
      std::memcpy(&bytes[2 * i], &half, 2);
    } else {
      std::memcpy(&bytes[4 * i], &value, 4);
    }
  }
  void randomize(std::mt19937 &random, float deviation) {
    std::normal_distribution<float> normal(0, deviation);
    for (size_t i = 0; i < count; ++i)
      set(i, normal(random));
  }
  bool guardIntact() const {
    return std::all_of(bytes.end() - (bf16 ? 2 : 4), bytes.end(),
                       [](uint8_t byte) { return byte == 0xff; });
  }
};

/// All operands and results of attention and its backward pass.
template <typename T>
struct Values {
  std::vector<T> q, k, v, o, lse, dO, dlse, dq, dk, dv;
};

struct Tensors {
  Tensor q, k, v, o, lse, dO, dlse, dq, dk, dv;

  explicit Tensors(const Case &c)
      : q(sizeQ(c.shape), c.bf16), k(sizeK(c.shape), c.bf16),
        v(sizeV(c.shape), c.bf16), o(sizeO(c.shape), c.bf16),
        lse(sizeLse(c.shape), false), dO(sizeO(c.shape), c.bf16),
        dlse(sizeLse(c.shape), false), dq(sizeQ(c.shape), c.bf16),
        dk(sizeK(c.shape), c.bf16), dv(sizeV(c.shape), c.bf16) {
    std::mt19937 random(42);
    q.randomize(random, c.amplitude);
    k.randomize(random, c.amplitude);
    v.randomize(random, 1);
    dO.randomize(random, 1);
    dlse.randomize(random, 1);
  }

  static size_t sizeQ(const AttentionShape &s) {
    return s.batch * s.queries * s.heads * s.keyDim;
  }
  static size_t sizeK(const AttentionShape &s) {
    return s.batch * s.keys * s.kvHeads * s.keyDim;
  }
  static size_t sizeV(const AttentionShape &s) {
    return s.batch * s.keys * s.kvHeads * s.valueDim;
  }
  static size_t sizeO(const AttentionShape &s) {
    return s.batch * s.queries * s.heads * s.valueDim;
  }
  static size_t sizeLse(const AttentionShape &s) {
    return s.batch * s.queries * s.heads;
  }
};

//===----------------------------------------------------------------------===//
// The naive computation, in float or double
//===----------------------------------------------------------------------===//

template <typename T>
void computeNaive(const Case &c, const Tensors &tensors, Values<T> &x) {
  const AttentionShape &s = c.shape;
  auto copy = [](const Tensor &tensor, std::vector<T> &values) {
    values.resize(tensor.count);
    for (size_t i = 0; i < tensor.count; ++i)
      values[i] = tensor[i];
  };
  copy(tensors.q, x.q), copy(tensors.k, x.k), copy(tensors.v, x.v);
  copy(tensors.dO, x.dO), copy(tensors.dlse, x.dlse);
  x.o.assign(tensors.o.count, 0), x.lse.assign(tensors.lse.count, 0);
  x.dq.assign(tensors.q.count, 0), x.dk.assign(tensors.k.count, 0);
  x.dv.assign(tensors.v.count, 0);
  T scale = s.scale;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t t = 0; t < s.queries; ++t) {
        int64_t g = h / (s.heads / s.kvHeads);
        int64_t row = (b * s.queries + t) * s.heads + h;
        auto kvRow = [&](int64_t j) {
          return (b * s.keys + j) * s.kvHeads + g;
        };
        int64_t visible = s.causal
                              ? std::max<int64_t>(t + s.keys - s.queries + 1, 0)
                              : s.keys;
        std::vector<T> scores(visible), p;
        T maximum = -std::numeric_limits<T>::infinity();
        for (int64_t j = 0; j < visible; ++j) {
          T dot = 0;
          for (int64_t d = 0; d < s.keyDim; ++d)
            dot += x.q[row * s.keyDim + d] * x.k[kvRow(j) * s.keyDim + d];
          scores[j] = dot * scale;
          maximum = std::max(maximum, scores[j]);
        }
        p = scores;
        T sum = 0;
        for (T &value : p)
          sum += value = std::exp(value - maximum);
        x.lse[row] = visible ? maximum + std::log(sum) : maximum;
        T delta = c.lseGradient ? -x.dlse[row] : 0;
        for (int64_t d = 0; d < s.valueDim; ++d) {
          T dot = 0;
          for (int64_t j = 0; j < visible; ++j)
            dot += p[j] / sum * x.v[kvRow(j) * s.valueDim + d];
          x.o[row * s.valueDim + d] = dot;
          delta += x.dO[row * s.valueDim + d] * dot;
        }
        for (int64_t j = 0; j < visible; ++j) {
          // From lse, as the operation is defined.
          T probability = std::exp(scores[j] - x.lse[row]), dp = 0;
          for (int64_t d = 0; d < s.valueDim; ++d) {
            T dO = x.dO[row * s.valueDim + d];
            dp += dO * x.v[kvRow(j) * s.valueDim + d];
            x.dv[kvRow(j) * s.valueDim + d] += probability * dO;
          }
          T ds = probability * (dp - delta) * scale;
          for (int64_t d = 0; d < s.keyDim; ++d) {
            x.dq[row * s.keyDim + d] += ds * x.k[kvRow(j) * s.keyDim + d];
            x.dk[kvRow(j) * s.keyDim + d] += ds * x.q[row * s.keyDim + d];
          }
        }
      }
}

/// The kernel may be twice as far from float64 as the naive computation in the
/// same precision is, in root mean square; in the largest element, which is a
/// matter of luck, three times.
void expectClose(const char *name, const Tensor &actual,
                 const std::vector<double> &exact,
                 const std::vector<float> &naive) {
  ASSERT_TRUE(actual.guardIntact()) << name << " written behind its end";
  double square = 0, naiveSquare = 0, error = 0, naiveError = 0, largest = 0;
  for (size_t i = 0; i < actual.count; ++i) {
    if (std::isinf(exact[i])) {
      ASSERT_EQ(actual[i], exact[i]) << name << " at " << i;
      continue;
    }
    ASSERT_FALSE(std::isnan(actual[i])) << name << " at " << i;
    double rounded = actual.bf16 ? fromBf16(toBf16(naive[i])) : naive[i];
    double difference = std::abs(actual[i] - exact[i]);
    double naiveDifference = std::abs(rounded - exact[i]);
    square += difference * difference;
    naiveSquare += naiveDifference * naiveDifference;
    error = std::max(error, difference);
    naiveError = std::max(naiveError, naiveDifference);
    largest = std::max(largest, std::abs(exact[i]));
  }
  // With few elements the naive computation may be exact by chance.
  double rounding = largest * (actual.bf16 ? 0x1p-9 : 0x1p-24);
  EXPECT_LE(error, std::max(3 * naiveError, 2 * rounding)) << name;
  double count = std::max<size_t>(actual.count, 1);
  EXPECT_LE(std::sqrt(square / count),
            std::max(2 * std::sqrt(naiveSquare / count), rounding))
      << name;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The arguments of a kernel in order, dlse being optional.
AttentionForwardMemory attentionForwardMemory(const KernelFunction &kernel) {
  return {kernel.inputs[0], kernel.inputs[1], kernel.inputs[2],
          kernel.outputs[0], kernel.outputs[1]};
}

AttentionBackwardMemory attentionBackwardMemory(const KernelFunction &kernel) {
  mlir::Value lseGrad = kernel.inputs.size() > 6 ? kernel.inputs[6] : nullptr;
  return {kernel.inputs[0], kernel.inputs[1],  kernel.inputs[2],
          kernel.inputs[3], kernel.inputs[4],  kernel.inputs[5],
          lseGrad,          kernel.outputs[0], kernel.outputs[1],
          kernel.outputs[2]};
}

std::unique_ptr<JitModule> compileAttention(const Case &c,
                                            const CpuTarget &target) {
  const AttentionShape &s = c.shape;
  mlir::MLIRContext context;
  loadCpuDialects(context);
  context.loadDialect<attnres::AttnresDialect>();
  mlir::OpBuilder builder(&context);
  mlir::Location loc = builder.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  mlir::Type element = builder.getF32Type();
  auto tensor = [&](std::initializer_list<int64_t> dims) -> mlir::Type {
    return mlir::MemRefType::get(dims, element);
  };
  mlir::Type lse = tensor({s.batch, s.queries, s.heads});
  if (c.bf16)
    element = builder.getBF16Type();
  mlir::Type q = tensor({s.batch, s.queries, s.heads, s.keyDim});
  mlir::Type k = tensor({s.batch, s.keys, s.kvHeads, s.keyDim});
  mlir::Type v = tensor({s.batch, s.keys, s.kvHeads, s.valueDim});
  mlir::Type o = tensor({s.batch, s.queries, s.heads, s.valueDim});

  builder.setInsertionPointToEnd(module->getBody());
  KernelFunction forward =
      createKernel(builder, loc, "forward", {q, k, v}, {o, lse});
  if (q == o)
    forward.function.setInplace(std::vector<int64_t>{0, -1});
  buildAttentionForward(builder, loc, forward, attentionForwardMemory(forward),
                        s, target);

  builder.setInsertionPointToEnd(module->getBody());
  std::vector<mlir::Type> inputs = {q, k, v, o, lse, o};
  if (c.lseGradient)
    inputs.push_back(lse);
  KernelFunction backward =
      createKernel(builder, loc, "backward", inputs, {q, k, v});
  backward.function.setInplace(std::vector<int64_t>{0, 1, 2});
  buildAttentionBackward(builder, loc, backward,
                         attentionBackwardMemory(backward), s, target);
  return JitModule::compile(*module, target);
}

/// Runs `kernel` in several partitions of its items into fresh copies of
/// `outputs` and expects the same bits from all; they end in `outputs`.
void runPartitions(const JitKernel &kernel, std::vector<const void *> inputs,
                   std::vector<Tensor *> outputs) {
  std::vector<std::vector<uint8_t>> first;
  for (int64_t parts : {int64_t(1), int64_t(2), int64_t(3), kernel.grid}) {
    std::vector<const void *> args = inputs;
    for (Tensor *output : outputs) {
      std::fill(output->bytes.begin(), output->bytes.end(), 0xff);
      args.push_back(output->data());
    }
    kernel.run(args, parts);
    for (auto [i, output] : llvm::enumerate(outputs)) {
      if (parts == 1)
        first.push_back(output->bytes);
      else
        EXPECT_EQ(output->bytes, first[i]) << parts << " parts, output " << i;
    }
  }
}

class FlashAttentionTest
    : public ::testing::TestWithParam<std::tuple<CpuTarget, Case>> {};

TEST_P(FlashAttentionTest, SA6MatchesNaive) {
  auto [target, c] = GetParam();
  auto module = compileAttention(c, target);
  ASSERT_TRUE(module);
  Tensors x(c);
  Values<double> exact;
  Values<float> naive;
  computeNaive(c, x, exact);
  computeNaive(c, x, naive);
  runPartitions((*module)["forward"], {x.q.data(), x.k.data(), x.v.data()},
                {&x.o, &x.lse});
  expectClose("o", x.o, exact.o, naive.o);
  expectClose("lse", x.lse, exact.lse, naive.lse);

  std::vector<const void *> inputs = {x.q.data(), x.k.data(),   x.v.data(),
                                      x.o.data(), x.lse.data(), x.dO.data()};
  if (c.lseGradient)
    inputs.push_back(x.dlse.data());
  runPartitions((*module)["backward"], inputs, {&x.dq, &x.dk, &x.dv});
  expectClose("dq", x.dq, exact.dq, naive.dq);
  expectClose("dk", x.dk, exact.dk, naive.dk);
  expectClose("dv", x.dv, exact.dv, naive.dv);

  // The output in the place of q, and the gradients in those of q, k and v.
  if (c.shape.keyDim == c.shape.valueDim) {
    Tensor inPlace = x.q;
    const JitKernel &forward = (*module)["forward"];
    forward.run(
        {inPlace.data(), x.k.data(), x.v.data(), inPlace.data(), x.lse.data()},
        forward.grid);
    EXPECT_EQ(inPlace.bytes, x.o.bytes);
  }
  inputs.insert(inputs.end(), {x.q.data(), x.k.data(), x.v.data()});
  const JitKernel &backward = (*module)["backward"];
  backward.run(inputs, backward.grid);
  EXPECT_EQ(x.q.bytes, x.dq.bytes);
  EXPECT_EQ(x.k.bytes, x.dk.bytes);
  EXPECT_EQ(x.v.bytes, x.dv.bytes);
}

AttentionShape shape(int64_t batch, int64_t queries, int64_t keys,
                     int64_t heads, int64_t kvHeads, int64_t keyDim,
                     int64_t valueDim, bool causal,
                     std::optional<double> scale = {}) {
  return {batch,    queries, keys,
          heads,    kvHeads, keyDim,
          valueDim, causal,  scale.value_or(1 / std::sqrt(double(keyDim)))};
}

const Case cases[] = {
    {"one_by_one", shape(1, 1, 1, 1, 1, 8, 8, true)},
    {"no_queries", shape(2, 0, 5, 2, 2, 16, 16, true)},
    {"no_keys", shape(2, 5, 0, 2, 2, 16, 16, false)},
    {"no_batch", shape(0, 5, 5, 2, 2, 16, 16, true)},
    {"decode", shape(3, 1, 77, 4, 2, 32, 32, true)},
    {"causal", shape(2, 61, 61, 3, 3, 64, 64, true)},
    {"full", shape(1, 45, 67, 2, 2, 64, 64, false)},
    {"longer_keys", shape(1, 37, 151, 2, 1, 64, 32, true)},
    {"longer_queries", shape(1, 151, 37, 2, 1, 32, 64, true)},
    {"grouped", shape(2, 70, 70, 6, 2, 32, 32, true)},
    {"head_8", shape(1, 50, 50, 2, 2, 8, 8, true)},
    {"head_20", shape(1, 50, 50, 2, 2, 20, 20, true)},
    {"head_60", shape(1, 50, 50, 2, 2, 60, 60, true)},
    {"head_72", shape(1, 50, 50, 2, 2, 72, 72, false)},
    {"head_96", shape(1, 50, 50, 2, 2, 96, 96, true)},
    {"head_104", shape(1, 50, 50, 2, 2, 104, 104, true)},
    {"head_192_128", shape(1, 50, 50, 2, 2, 192, 128, true)},
    {"head_256", shape(1, 50, 50, 2, 1, 256, 256, true)},
    {"several_blocks", shape(1, 300, 599, 1, 1, 16, 20, true)},
    {"several_blocks_full", shape(1, 33, 777, 1, 1, 20, 8, false)},
    {"several_chunks", shape(1, 601, 601, 1, 1, 16, 16, true)},
    {"several_panels", shape(1, 421, 2100, 2, 1, 104, 96, true)},
    {"large_logits", shape(1, 90, 90, 2, 2, 32, 32, true), false, 9},
    {"negative_scale", shape(1, 40, 40, 1, 1, 16, 16, true, -0.7)},
    {"zero_scale", shape(1, 40, 40, 1, 1, 16, 16, true, 0.0)},
    {"bf16", shape(1, 61, 83, 4, 2, 64, 64, true), true},
    {"bf16_odd", shape(2, 61, 50, 2, 2, 60, 20, true), true},
    {"no_lse_gradient", shape(1, 61, 61, 2, 1, 40, 24, true), false, 1, false},
};

INSTANTIATE_TEST_SUITE_P(
    Levels, FlashAttentionTest,
    ::testing::Combine(::testing::ValuesIn(getRunnableTargets()),
                       ::testing::ValuesIn(cases)),
    [](const auto &info) {
      std::string name = std::get<0>(info.param).name.str() + "_" +
                         std::get<1>(info.param).name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
          '_');
      return name;
    });

} // namespace
