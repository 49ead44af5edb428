// Attention of GPUs on the emulator: as exact as the naive one, whatever the
// sizes, without findings and bank conflicts, and assembled without spills.
#include "test/unit/nvptx/EmulatedKernel.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct AttentionCase {
  int64_t batch, queries, keys, heads, kvHeads, keyDim, valueDim;
  bool causal = true, isBf16 = true;
  double scale = 0; ///< 0: the default
  std::string tiles = "";

  std::string name() const {
    std::string text = isBf16 ? "bf16" : "f32";
    for (int64_t size :
         {batch, queries, keys, heads, kvHeads, keyDim, valueDim})
      text += " " + std::to_string(size);
    return text + (causal ? " causal" : "");
  }
  std::string tensor(int64_t rows, int64_t heads, int64_t size) const {
    return "tensor<" + std::to_string(batch) + "x" + std::to_string(rows) +
           "x" + std::to_string(heads) + "x" + std::to_string(size) +
           (isBf16 ? "xbf16>" : "xf32>");
  }
  std::string q() const { return tensor(queries, heads, keyDim); }
  std::string k() const { return tensor(keys, kvHeads, keyDim); }
  std::string v() const { return tensor(keys, kvHeads, valueDim); }
  std::string o() const { return tensor(queries, heads, valueDim); }
  std::string lse() const {
    return "tensor<" + std::to_string(batch) + "x" + std::to_string(queries) +
           "x" + std::to_string(heads) + "xf32>";
  }
  std::string attributes() const {
    std::string text;
    if (causal)
      text += "causal";
    if (scale != 0)
      text += (text.empty() ? "" : ", ") +
              ("scale = " + std::to_string(scale)) + " : f64";
    return text.empty() ? "" : " {" + text + "}";
  }
  double scaleValue() const {
    return scale != 0 ? scale : 1 / std::sqrt(double(keyDim));
  }
};

KernelText forwardOf(const AttentionCase &c, bool start = false) {
  KernelText text;
  text.arguments = "%q: " + c.q() + ", %k: " + c.k() + ", %v: " + c.v();
  std::string starts = "tensor<" + std::to_string(c.batch) + "xi64>";
  if (start)
    text.arguments += ", %s: " + starts;
  text.body = std::string("  %o, %l = attnres.attention %q, %k, %v") +
              (start ? " start(%s)" : "") + c.attributes() + " : " + c.q() +
              ", " + c.k() + ", " + c.v() + (start ? ", " + starts : "");
  text.results = "%o, %l";
  text.types = c.o() + ", " + c.lse();
  return text;
}

KernelText backwardOf(const AttentionCase &c, bool lseGrad = false) {
  KernelText text;
  std::string types = c.q() + ", " + c.k() + ", " + c.v() + ", " + c.o() +
                      ", " + c.lse() + ", " + c.o();
  text.arguments = "%q: " + c.q() + ", %k: " + c.k() + ", %v: " + c.v() +
                   ", %o: " + c.o() + ", %l: " + c.lse() + ", %g: " + c.o();
  if (lseGrad) {
    text.arguments += ", %m: " + c.lse();
    types += ", " + c.lse();
  }
  text.body = std::string("  %dq, %dk, %dv = attnres.attention_backward %q, "
                          "%k, %v, %o, %l, %g") +
              (lseGrad ? " lse_grad(%m)" : "") + c.attributes() + " : " + types;
  text.results = "%dq, %dk, %dv";
  text.types = c.q() + ", " + c.k() + ", " + c.v();
  return text;
}

/// The naive computation in f32, whose results are rounded to the storage type:
/// what is summed is stored as the type, too, where a kernel has it between two
/// products.
class Naive {
public:
  Naive(const AttentionCase &c, ArrayRef<Tensor> inputs)
      : c(c), q(inputs[0]), k(inputs[1]), v(inputs[2]) {}

  float rounded(float x) const {
    if (!c.isBf16)
      return x;
    Tensor tensor = Tensor::ofReals({1}, double(x));
    tensor.roundTo(BFloat16Type::get(&testContext()));
    return float(tensor.reals[0]);
  }
  size_t qAt(int64_t b, int64_t t, int64_t h) const {
    return ((b * c.queries + t) * c.heads + h) * c.keyDim;
  }
  size_t kAt(int64_t b, int64_t s, int64_t h, int64_t size) const {
    return ((b * c.keys + s) * c.kvHeads + h / (c.heads / c.kvHeads)) * size;
  }
  float score(int64_t b, int64_t t, int64_t s, int64_t h) const {
    float sum = 0;
    for (int64_t i = 0; i < c.keyDim; ++i)
      sum += float(q.reals[qAt(b, t, h) + i]) *
             float(k.reals[kAt(b, s, h, c.keyDim) + i]);
    return sum * float(c.scaleValue());
  }
  int64_t seen(int64_t b, int64_t t, const Tensor *start) const {
    if (start)
      return std::min(start->integers[b] + t + 1, c.keys);
    return c.causal ? std::clamp<int64_t>(t + c.keys - c.queries + 1, 0, c.keys)
                    : c.keys;
  }

  std::vector<Tensor> forward(const Tensor *start = nullptr) const {
    Tensor o = Tensor::ofReals({c.batch, c.queries, c.heads, c.valueDim}, 0.0);
    Tensor lse = Tensor::ofReals({c.batch, c.queries, c.heads}, 0.0);
    for (int64_t b = 0; b < c.batch; ++b)
      for (int64_t t = 0; t < c.queries; ++t)
        for (int64_t h = 0; h < c.heads; ++h) {
          int64_t keys = seen(b, t, start),
                  row = (b * c.queries + t) * c.heads + h;
          std::vector<float> scores;
          float max = -std::numeric_limits<float>::infinity(), sum = 0;
          for (int64_t s = 0; s < keys; ++s) {
            scores.push_back(score(b, t, s, h));
            max = std::max(max, scores.back());
          }
          for (float &x : scores)
            sum += x = std::exp(x - max);
          lse.reals[row] = keys ? max + std::log(sum) : max;
          for (int64_t i = 0; i < c.valueDim; ++i) {
            float out = 0;
            for (int64_t s = 0; s < keys; ++s)
              out += rounded(scores[s] / sum) *
                     float(v.reals[kAt(b, s, h, c.valueDim) + i]);
            o.reals[row * c.valueDim + i] = rounded(out);
          }
        }
    return {o, lse};
  }

  /// From output, lse, output gradient, and gradient of lse.
  std::vector<Tensor> backward(ArrayRef<Tensor> inputs) const {
    std::vector<Tensor> grads = {
        Tensor::ofReals({c.batch, c.queries, c.heads, c.keyDim}, 0.0),
        Tensor::ofReals({c.batch, c.keys, c.kvHeads, c.keyDim}, 0.0),
        Tensor::ofReals({c.batch, c.keys, c.kvHeads, c.valueDim}, 0.0)};
    std::vector<std::vector<float>> sums;
    for (const Tensor &grad : grads)
      sums.emplace_back(grad.size(), 0.0f);
    for (int64_t b = 0; b < c.batch; ++b)
      for (int64_t t = 0; t < c.queries; ++t)
        for (int64_t h = 0; h < c.heads; ++h) {
          int64_t row = (b * c.queries + t) * c.heads + h;
          float delta = 0;
          for (int64_t i = 0; i < c.valueDim; ++i)
            delta += float(inputs[3].reals[row * c.valueDim + i]) *
                     float(inputs[5].reals[row * c.valueDim + i]);
          if (inputs.size() > 6)
            delta -= float(inputs[6].reals[row]);
          for (int64_t s = 0; s < seen(b, t, nullptr); ++s) {
            float p = std::exp(score(b, t, s, h) - float(inputs[4].reals[row]));
            float dp = 0;
            for (int64_t i = 0; i < c.valueDim; ++i) {
              size_t at = kAt(b, s, h, c.valueDim) + i;
              float g = float(inputs[5].reals[row * c.valueDim + i]);
              dp += g * float(v.reals[at]);
              sums[2][at] += rounded(p) * g;
            }
            float ds = rounded(p * (dp - delta));
            for (int64_t i = 0; i < c.keyDim; ++i) {
              size_t qi = qAt(b, t, h) + i, ki = kAt(b, s, h, c.keyDim) + i;
              sums[0][qi] += ds * float(k.reals[ki]);
              sums[1][ki] += ds * float(q.reals[qi]);
            }
          }
        }
    for (size_t g = 0; g < 3; ++g)
      for (size_t i = 0; i < sums[g].size(); ++i)
        grads[g].reals[i] =
            rounded(g < 2 ? sums[g][i] * float(c.scaleValue()) : sums[g][i]);
    return grads;
  }

private:
  const AttentionCase &c;
  const Tensor &q, &k, &v;
};

EmulatedRun expectSame(const AttentionCase &c, const KernelText &text,
                       const Expected &expected, ArrayRef<Tensor> naive,
                       const nvptx::GpuTarget &target = {}) {
  EmulatedOptions options;
  options.target = target;
  if (!c.tiles.empty())
    options.attributes = "attnres.tiles = array<i64: " + c.tiles + ">";
  EmulatedRun run = runEmulated(text, expected.inputs, options);
  options.seed = 3;
  EmulatedRun shuffled = runEmulated(text, expected.inputs, options);
  if (run.results.size() != expected.results.size() ||
      shuffled.results.size() != expected.results.size())
    return run;
  for (size_t i = 0; i < run.results.size(); ++i) {
    double ours = largestError(run.results[i], expected.results[i]);
    double theirs = largestError(naive[i], expected.results[i]);
    EXPECT_LE(ours, 2 * theirs + 2e-7) << "in result " << i;
    EXPECT_TRUE(shuffled.results[i].reals == run.results[i].reals)
        << "result " << i << " depends on the order of warps";
  }
  return run;
}

EmulatedRun expectForward(const AttentionCase &c,
                          const nvptx::GpuTarget &target = {}) {
  SCOPED_TRACE(c.name());
  KernelText text = forwardOf(c);
  Expected expected = interpret(text, 5);
  if (expected.results.empty())
    return {};
  return expectSame(c, text, expected, Naive(c, expected.inputs).forward(),
                    target);
}

/// The backward pass of what forward computes.
EmulatedRun expectBackward(const AttentionCase &c, bool lseGrad = false,
                           const nvptx::GpuTarget &target = {},
                           const std::string &inplace = "") {
  SCOPED_TRACE(c.name());
  KernelText text = backwardOf(c, lseGrad);
  text.inplace = inplace;
  Expected expected = interpret(text, 5);
  if (expected.results.empty())
    return {};
  std::vector<Tensor> forward = Naive(c, expected.inputs).forward();
  expected.inputs[3] = forward[0];
  expected.inputs[4] = forward[1];
  expected = evaluateOn(text, expected.inputs);
  return expectSame(c, text, expected,
                    Naive(c, expected.inputs).backward(expected.inputs),
                    target);
}

} // namespace

TEST(AttentionForward, OneTile) {
  expectForward({1, 16, 16, 1, 1, 16, 16, false});
  expectForward({1, 16, 16, 1, 1, 16, 16, false, false});
  expectForward({1, 64, 64, 1, 1, 64, 64});
  expectForward({1, 64, 64, 1, 1, 64, 64, true, false});
}

TEST(AttentionForward, ManyTilesAndGroupedHeads) {
  expectForward({2, 150, 150, 4, 2, 32, 32});
  expectForward({2, 150, 150, 4, 2, 32, 32, true, false});
  expectForward({1, 70, 200, 2, 1, 64, 48, false});
}

/// Lengths that differ: later queries see more keys, and some see none.
TEST(AttentionForward, LengthsThatDiffer) {
  expectForward({1, 5, 133, 2, 2, 24, 40});
  expectForward({1, 133, 70, 2, 2, 24, 40});
  expectForward({1, 133, 70, 2, 2, 24, 40, true, false});
  expectForward({1, 1, 1, 1, 1, 8, 8});
}

TEST(AttentionForward, HeadSizes) {
  for (bool isBf16 : {true, false})
    for (int64_t size : {1, 7, 60, 72, 96, 104, 128, 192, 256})
      expectForward({1, 37, 45, 1, 1, size, size, true, isBf16});
  expectForward({1, 37, 45, 2, 1, 192, 128});
}

/// The output over the queries.
TEST(AttentionForward, InPlace) {
  for (int64_t queries : {1, 100}) {
    AttentionCase c{2, queries, 300, 4, 2, 24, 24};
    KernelText text = forwardOf(c);
    text.inplace = "0, -1";
    Expected expected = interpret(text, 5);
    ASSERT_FALSE(expected.results.empty());
    expectSame(c, text, expected, Naive(c, expected.inputs).forward());
  }
}

TEST(AttentionForward, Scales) {
  expectForward({1, 40, 40, 1, 1, 16, 16, true, true, 3.5});
  expectForward({1, 40, 40, 1, 1, 16, 16, true, false, -0.75});
}

/// A cache of which only a part is there: what is behind is never read.
TEST(AttentionForward, Cache) {
  for (int64_t queries : {1, 9}) {
    AttentionCase c{2, queries, 150, 4, 2, 32, 32};
    SCOPED_TRACE(c.name());
    KernelText text = forwardOf(c, /*start=*/true);
    Expected expected = interpret(text, 5);
    ASSERT_FALSE(expected.results.empty());
    std::vector<Tensor> inputs = expected.inputs;
    inputs[3] = Tensor::ofIntegers({2}, {3, 150 - queries});
    expected = evaluateOn(text, inputs);
    expectSame(c, text, expected, Naive(c, inputs).forward(&inputs[3]));
    // Not even when it is not a number.
    for (size_t tensor : {1, 2})
      for (int64_t key = 3 + queries; key < 150; ++key)
        for (int64_t i = 0; i < 64; ++i)
          inputs[tensor].reals[key * 64 + i] = NAN;
    EmulatedRun run = runEmulated(text, inputs);
    ASSERT_FALSE(run.results.empty());
    EXPECT_LT(largestError(run.results[0], expected.results[0]), 0.02);
  }
}

/// Keys split among blocks, whose states the last one merges.
TEST(AttentionForward, SplitKeys) {
  for (bool isBf16 : {true, false}) {
    AttentionCase c{2, 1, 700, 6, 2, 40, 24, true, isBf16};
    c.tiles = "1, 1, 32, 2, 5";
    SCOPED_TRACE(c.name());
    EmulatedRun run = expectForward(c);
    EXPECT_EQ(run.launch.grid[0], 2 * 2 * 5);
    KernelText text = forwardOf(c, /*start=*/true);
    Expected expected = interpret(text, 5);
    ASSERT_FALSE(expected.results.empty());
    // The second batch row leaves most splits without keys.
    expected.inputs[3] = Tensor::ofIntegers({2}, {611, 20});
    expected = evaluateOn(text, expected.inputs);
    expectSame(c, text, expected,
               Naive(c, expected.inputs).forward(&expected.inputs[3]));
  }
}

TEST(AttentionForward, WarpGroups) {
  nvptx::GpuTarget target = *nvptx::GpuTarget::forName("sm_90a");
  for (int64_t size : {24, 64, 128, 256}) {
    EmulatedRun run = expectForward({1, 200, 200, 2, 1, size, size}, target);
    EXPECT_NE(run.ptx.find("wgmma.mma_async"), std::string::npos);
    expectAssembles(run.ptx, "sm_90a", 65536 / run.launch.block[0]);
  }
  expectForward({1, 200, 70, 2, 2, 64, 40}, target);
  expectForward({1, 70, 300, 2, 2, 64, 40, false}, target);
}

TEST(AttentionForward, Tuned) {
  for (int64_t size : {64, 128, 256}) {
    EmulatedRun run = expectForward({1, 130, 130, 1, 1, size, size});
    expectAssembles(run.ptx, "sm_80", 65536 / run.launch.block[0]);
  }
  EmulatedRun run = expectForward({1, 130, 130, 1, 1, 64, 64, true, false});
  expectAssembles(run.ptx, "sm_80", 65536 / run.launch.block[0]);
}

TEST(AttentionBackward, OneTile) {
  expectBackward({1, 16, 16, 1, 1, 16, 16, false});
  expectBackward({1, 16, 16, 1, 1, 16, 16, false, false});
  expectBackward({1, 64, 64, 1, 1, 64, 64});
  expectBackward({1, 64, 64, 1, 1, 64, 64, true, false});
}

TEST(AttentionBackward, ManyTilesAndGroupedHeads) {
  expectBackward({2, 150, 150, 4, 2, 32, 32});
  expectBackward({2, 150, 150, 4, 2, 32, 32, true, false});
  expectBackward({1, 70, 200, 2, 1, 64, 48, false}, /*lseGrad=*/true);
}

TEST(AttentionBackward, LengthsThatDiffer) {
  expectBackward({1, 5, 133, 2, 2, 24, 40});
  expectBackward({1, 133, 70, 2, 2, 24, 40}, /*lseGrad=*/true);
  expectBackward({1, 133, 70, 2, 2, 24, 40, true, false});
  expectBackward({1, 1, 1, 1, 1, 8, 8});
}

TEST(AttentionBackward, HeadSizes) {
  for (bool isBf16 : {true, false})
    for (int64_t size : {1, 7, 60, 72, 96, 104, 128, 192, 256})
      expectBackward({1, 37, 45, 1, 1, size, size, true, isBf16});
  expectBackward({1, 37, 45, 2, 1, 192, 128});
}

/// All gradients over what they belong to.
TEST(AttentionBackward, InPlace) {
  expectBackward({2, 100, 150, 4, 2, 24, 40}, false, {}, "0, 1, 2");
  expectBackward({2, 100, 150, 4, 2, 5, 7}, false, {}, "0, 1, 2");
}

TEST(AttentionBackward, WarpGroups) {
  nvptx::GpuTarget target = *nvptx::GpuTarget::forName("sm_90a");
  for (int64_t size : {24, 64, 128}) {
    EmulatedRun run =
        expectBackward({1, 200, 200, 2, 1, size, size}, false, target);
    EXPECT_NE(run.ptx.find("wgmma.mma_async"), std::string::npos);
    expectAssembles(run.ptx, "sm_90a", 65536 / run.launch.block[0]);
  }
  expectBackward({1, 200, 70, 2, 2, 64, 40}, true, target);
  expectBackward({1, 70, 300, 2, 2, 64, 40, false}, false, target);
}

TEST(AttentionBackward, Tuned) {
  for (int64_t size : {64, 128, 256}) {
    EmulatedRun run = expectBackward({1, 130, 130, 1, 1, size, size});
    expectAssembles(run.ptx, "sm_80", 65536 / run.launch.block[0]);
  }
}
