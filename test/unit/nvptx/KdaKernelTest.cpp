// Kimi delta attention of GPUs on the emulator: around every size of a chunk,
// for odd heads, texts of several lengths, and decays from none to everything;
// as exact as the recurrence in the same precision.
#include "test/unit/nvptx/EmulatedKernel.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct KdaCase {
  int64_t tokens, heads = 1, valueHeads = 1, keyDim = 8, valueDim = 8;
  std::string extras = ""; ///< "state", "length", both or none
  std::string storage = "f32";
  /// Decays are exp(-|x| decayScale) of normal numbers x.
  double decayScale = 0.3;
  std::string target = "sm_80";
  std::string attributes = "";

  bool has(const char *extra) const {
    return extras.find(extra) != std::string::npos;
  }
};

constexpr int64_t kTexts = 3;

std::string tensor(ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

KernelText textOf(const KdaCase &c, bool backward = false) {
  std::string q = tensor({kTexts, c.tokens, c.heads, c.keyDim}, c.storage);
  std::string v =
      tensor({kTexts, c.tokens, c.valueHeads, c.valueDim}, c.storage);
  std::string decay = tensor({kTexts, c.tokens, c.valueHeads, c.keyDim}, "f32");
  std::string beta = tensor({kTexts, c.tokens, c.valueHeads}, c.storage);
  std::string states =
      tensor({kTexts, c.valueHeads, c.keyDim, c.valueDim}, "f32");
  KernelText text;
  text.arguments = "%q: " + q + ", %k: " + q + ", %v: " + v + ", %d: " + decay +
                   ", %b: " + beta;
  std::string types = q + ", " + q + ", " + v + ", " + decay + ", " + beta;
  std::string operands = "%q, %k, %v, %d, %b";
  if (backward) {
    text.arguments += ", %g: " + v + ", %t: " + states;
    types += ", " + v + ", " + states;
    operands += ", %g state_grad(%t)";
  }
  if (c.has("state")) {
    text.arguments += ", %s: " + states;
    types += ", " + states;
    operands += " state(%s)";
  }
  if (c.has("length")) {
    std::string length = tensor({kTexts}, "i64");
    text.arguments += ", %l: " + length;
    types += ", " + length;
    operands += " length(%l)";
  }
  if (backward) {
    text.results = "%dq, %dk, %dv, %dd, %db";
    text.types = q + ", " + q + ", " + v + ", " + decay + ", " + beta;
    if (c.has("state")) {
      text.results += ", %ds";
      text.types += ", " + states;
    }
    text.body = "  " + text.results + " = attnres.kda_backward " + operands +
                " : " + types;
    return text;
  }
  text.body = "  %o, %n = attnres.kda " + operands + " : " + types;
  text.results = "%o, %n";
  text.types = v + ", " + states;
  return text;
}

/// Keys and queries of length 1, decays at most 0, steps in (0, 1), and texts
/// of no, some and all tokens; rounded to storage.
std::vector<Tensor> inputsOf(const KdaCase &c, const KernelText &text) {
  OwningOpRef<ModuleOp> module = parseModule(text.function());
  auto main = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(main);
  SmallVector<Tensor> inputs = storableInputs(main, 1, /*scaleWeights=*/false);
  for (Tensor *rows : {&inputs[0], &inputs[1]})
    for (int64_t row = 0; row < rows->rows(); ++row) {
      double *x = rows->reals.data() + row * rows->width();
      double square = 0;
      for (int64_t i = 0; i < rows->width(); ++i)
        square += x[i] * x[i];
      for (int64_t i = 0; i < rows->width(); ++i)
        x[i] /= std::sqrt(square);
    }
  for (double &decay : inputs[3].reals)
    decay = -std::fabs(decay) * c.decayScale;
  for (double &beta : inputs[4].reals)
    beta = 1 / (1 + std::exp(-beta));
  for (Tensor &input : inputs)
    if (input.isInteger)
      input.integers = {c.tokens / 2, c.tokens, 0};
  for (auto [input, type] : llvm::zip_equal(inputs, main.getArgumentTypes()))
    input.roundTo(cast<RankedTensorType>(type).getElementType());
  return {inputs.begin(), inputs.end()};
}

/// The recurrence in f32; products of bf16 take a state and updates of bf16.
std::vector<Tensor> naive(const KdaCase &c, ArrayRef<Tensor> inputs) {
  MLIRContext &context = testContext();
  bool isBf16 = c.storage == "bf16";
  auto operand = [&](float x) -> float {
    return isBf16 ? roundToType(x, BFloat16Type::get(&context)) : x;
  };
  int64_t K = c.keyDim, V = c.valueDim;
  Tensor output =
      Tensor::ofReals({kTexts, c.tokens, c.valueHeads, c.valueDim}, 0.0);
  Tensor states = Tensor::ofReals({kTexts, c.valueHeads, K, V}, 0.0);
  for (int64_t b = 0; b < kTexts; ++b)
    for (int64_t h = 0; h < c.valueHeads; ++h) {
      std::vector<float> state(K * V, 0.0f);
      int64_t first = (b * c.valueHeads + h) * K * V;
      if (c.has("state"))
        for (int64_t i = 0; i < K * V; ++i)
          state[i] = inputs[5].reals[first + i];
      int64_t count = c.has("length") ? inputs.back().integers[b] : c.tokens;
      for (int64_t t = 0; t < count; ++t) {
        int64_t row = (b * c.tokens + t) * c.valueHeads + h;
        const double *q = &inputs[0].reals[((b * c.tokens + t) * c.heads +
                                            h / (c.valueHeads / c.heads)) *
                                           K];
        const double *k = q - inputs[0].reals.data() + inputs[1].reals.data();
        for (int64_t i = 0; i < K; ++i)
          for (int64_t j = 0; j < V; ++j)
            state[i * V + j] *= std::exp(float(inputs[3].reals[row * K + i]));
        for (int64_t j = 0; j < V; ++j) {
          float sum = 0;
          for (int64_t i = 0; i < K; ++i)
            sum += operand(state[i * V + j]) * float(k[i]);
          float update = float(inputs[4].reals[row]) *
                         (float(inputs[2].reals[row * V + j]) - sum);
          float out = 0;
          for (int64_t i = 0; i < K; ++i) {
            state[i * V + j] += float(k[i]) * operand(update);
            out += operand(state[i * V + j]) * float(q[i]);
          }
          output.reals[row * V + j] =
              operand(out / std::sqrt(static_cast<float>(K)));
        }
      }
      for (int64_t i = 0; i < K * V; ++i)
        states.reals[first + i] = state[i];
    }
  return {output, states};
}

/// Gradients by the recurrence from the last token to the first, in f32;
/// products of bf16 take states and updates of bf16.
std::vector<Tensor> naiveBackward(const KdaCase &c, ArrayRef<Tensor> inputs) {
  MLIRContext &context = testContext();
  bool isBf16 = c.storage == "bf16";
  auto operand = [&](float x) -> float {
    return isBf16 ? roundToType(x, BFloat16Type::get(&context)) : x;
  };
  int64_t K = c.keyDim, V = c.valueDim, HV = c.valueHeads;
  std::vector<Tensor> grads;
  for (size_t i = 0; i < 5; ++i)
    grads.push_back(Tensor::ofReals(inputs[i].shape, 0.0));
  if (c.has("state"))
    grads.push_back(Tensor::ofReals(inputs[6].shape, 0.0));
  float scale = 1 / std::sqrt(static_cast<float>(K));
  for (int64_t b = 0; b < kTexts; ++b)
    for (int64_t h = 0; h < HV; ++h) {
      int64_t first = (b * HV + h) * K * V;
      int64_t count = c.has("length") ? inputs.back().integers[b] : c.tokens;
      std::vector<std::vector<float>> states(count + 1);
      states[0].assign(K * V, 0.0f);
      if (c.has("state"))
        for (int64_t i = 0; i < K * V; ++i)
          states[0][i] = inputs[7].reals[first + i];
      auto row = [&](int64_t t) { return (b * c.tokens + t) * HV + h; };
      auto keyRow = [&](int64_t t) {
        return ((b * c.tokens + t) * c.heads + h / (HV / c.heads)) * K;
      };
      auto decayed = [&](int64_t t) {
        std::vector<float> state = states[t];
        for (int64_t i = 0; i < K * V; ++i)
          state[i] *= std::exp(float(inputs[3].reals[row(t) * K + i / V]));
        return state;
      };
      auto errorsOf = [&](int64_t t, const std::vector<float> &state) {
        std::vector<float> errors(V);
        for (int64_t j = 0; j < V; ++j) {
          float sum = 0;
          for (int64_t i = 0; i < K; ++i)
            sum += operand(state[i * V + j]) *
                   float(inputs[1].reals[keyRow(t) + i]);
          errors[j] = float(inputs[2].reals[row(t) * V + j]) - sum;
        }
        return errors;
      };
      for (int64_t t = 0; t < count; ++t) {
        states[t + 1] = decayed(t);
        std::vector<float> errors = errorsOf(t, states[t + 1]);
        for (int64_t i = 0; i < K * V; ++i)
          states[t + 1][i] +=
              float(inputs[1].reals[keyRow(t) + i / V]) *
              operand(float(inputs[4].reals[row(t)]) * errors[i % V]);
      }
      std::vector<float> D(K * V);
      for (int64_t i = 0; i < K * V; ++i)
        D[i] = inputs[6].reals[first + i];
      for (int64_t t = count - 1; t >= 0; --t) {
        const double *q = &inputs[0].reals[keyRow(t)];
        const double *k = &inputs[1].reals[keyRow(t)];
        const double *g = &inputs[5].reals[row(t) * V];
        float beta = inputs[4].reals[row(t)], betaGrad = 0;
        std::vector<float> before = decayed(t), errors = errorsOf(t, before);
        for (int64_t i = 0; i < K; ++i) {
          float sum = 0;
          for (int64_t j = 0; j < V; ++j) {
            D[i * V + j] += scale * float(q[i]) * float(g[j]);
            sum += operand(states[t + 1][i * V + j]) * float(g[j]);
          }
          grads[0].reals[keyRow(t) + i] += scale * sum;
        }
        std::vector<float> errorGrads(V);
        for (int64_t j = 0; j < V; ++j) {
          float sum = 0;
          for (int64_t i = 0; i < K; ++i)
            sum += operand(D[i * V + j]) * float(k[i]);
          betaGrad += sum * errors[j];
          errorGrads[j] = beta * sum;
          grads[2].reals[row(t) * V + j] = operand(errorGrads[j]);
        }
        grads[4].reals[row(t)] = operand(betaGrad);
        for (int64_t i = 0; i < K; ++i) {
          float key = 0, decay = 0;
          for (int64_t j = 0; j < V; ++j) {
            float &d = D[i * V + j];
            key += operand(d) * operand(beta * errors[j]) -
                   operand(before[i * V + j]) * operand(errorGrads[j]);
            d -= float(k[i]) * operand(errorGrads[j]);
            decay += operand(d) * operand(before[i * V + j]);
            d *= std::exp(float(inputs[3].reals[row(t) * K + i]));
          }
          grads[1].reals[keyRow(t) + i] += key;
          grads[3].reals[row(t) * K + i] = decay;
        }
      }
      if (c.has("state"))
        for (int64_t i = 0; i < K * V; ++i)
          grads[5].reals[first + i] = D[i];
    }
  for (size_t i : {0, 1})
    for (double &x : grads[i].reals)
      x = operand(x);
  return grads;
}

EmulatedRun expectKdaBackward(const KdaCase &c) {
  KernelText text = textOf(c, /*backward=*/true);
  SCOPED_TRACE(text.body);
  std::vector<Tensor> inputs = inputsOf(c, text);
  Expected expected = evaluateOn(text, inputs);
  EmulatedOptions options;
  options.target = *nvptx::GpuTarget::forName(c.target);
  options.mostBankConflicts = 1u << 20; // few, of rows that are transposed
  EmulatedRun run = runEmulated(text, inputs, options);
  EXPECT_EQ(run.results.size(), expected.results.size());
  if (run.results.size() != expected.results.size())
    return run;
  std::vector<Tensor> theirs = naiveBackward(c, inputs);
  // Products of chunks round gated rows to bf16, too.
  double most = c.storage == "bf16" ? 4 : 2;
  for (size_t i = 0; i < theirs.size(); ++i)
    EXPECT_LE(largestError(run.results[i], expected.results[i]),
              most * largestError(theirs[i], expected.results[i]) + 2e-6)
        << "result " << i;
  options.seed = 3;
  EmulatedRun shuffled = runEmulated(text, inputs, options);
  for (size_t i = 0; i < theirs.size(); ++i)
    EXPECT_TRUE(shuffled.results[i].reals == run.results[i].reals)
        << "depends on the order of warps";
  return run;
}

EmulatedRun expectKda(const KdaCase &c) {
  KernelText text = textOf(c);
  SCOPED_TRACE(text.body);
  std::vector<Tensor> inputs = inputsOf(c, text);
  Expected expected = evaluateOn(text, inputs);
  EmulatedOptions options;
  options.target = *nvptx::GpuTarget::forName(c.target);
  options.attributes = c.attributes;
  // A few of each chunk, of what the pairs of tokens leave in shared memory.
  options.mostBankConflicts = 16 * (c.tokens / 16 + 1) * kTexts * c.valueHeads;
  EmulatedRun run = runEmulated(text, inputs, options);
  EXPECT_EQ(run.results.size(), 2u);
  if (run.results.size() != 2)
    return run;
  std::vector<Tensor> theirs = naive(c, inputs);
  // Products of chunks round gated rows to bf16, too.
  double most = c.storage == "bf16" ? 3 : 2;
  for (size_t i = 0; i < 2; ++i)
    EXPECT_LE(largestError(run.results[i], expected.results[i]),
              most * largestError(theirs[i], expected.results[i]) + 1e-6)
        << "result " << i;
  options.seed = 3;
  EmulatedRun shuffled = runEmulated(text, inputs, options);
  for (size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(shuffled.results[i].reals == run.results[i].reals)
        << "depends on the order of warps";
  return run;
}

} // namespace

TEST(KdaKernel, AroundAChunk) {
  for (int64_t tokens : {0, 1, 16, 33})
    for (const char *storage : {"f32", "bf16"})
      expectKda({tokens, 1, 1, 16, 16, "state", storage});
}

TEST(KdaKernel, OddHeads) {
  for (const char *storage : {"f32", "bf16"}) {
    expectKda({19, 2, 2, 5, 7, "state", storage});
    expectKda({21, 2, 6, 12, 9, "state length", storage});
    expectKda({20, 1, 1, 33, 3, "", storage});
  }
}

TEST(KdaKernel, Lengths) {
  expectKda({37, 2, 2, 16, 16, "length"});
  expectKda({1, 2, 4, 16, 24, "state length", "bf16"});
}

TEST(KdaKernel, FromNoDecayToNothing) {
  for (double scale : {0.0, 5.0, 60.0, 1e4})
    for (const char *storage : {"f32", "bf16"})
      expectKda({40, 1, 1, 16, 16, "state", storage, scale});
}

TEST(KdaKernel, Gradients) {
  for (const char *storage : {"f32", "bf16"}) {
    expectKdaBackward({1, 1, 1, 16, 16, "", storage});
    expectKdaBackward({33, 1, 1, 16, 16, "state", storage});
    expectKdaBackward({21, 2, 6, 5, 9, "state length", storage});
  }
  expectKdaBackward({20, 1, 1, 16, 16, "state", "f32", 1e4});
}

/// Heads of K3, and the most channels. Numbers of bf16 fit the registers of
/// every generation but for two; the three terms of those of f32 do not.
TEST(KdaKernel, WideHeads) {
  for (const char *target : {"sm_80", "sm_90a", "sm_100a"})
    for (const char *storage : {"f32", "bf16"}) {
      EmulatedRun run = expectKda({18, 1, 1, 128, 128, "state", storage, 0.3,
                                   target, "attnres.tiles = array<i64: 8>"});
      if (storage == std::string("bf16"))
        expectAssembles(run.ptx, target, 65536 / run.launch.block[0],
                        /*mostSpilled=*/8);
    }
  expectKda({18, 1, 1, 256, 40, "", "f32"});
}
