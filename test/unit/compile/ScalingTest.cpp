// What programs need may grow with their sizes, but not faster than it has to:
// logits, launches, constants, kernels. And what is refused before compiling
// would have been too large afterwards.
#include "tools/compile/MemoryEstimate.h"
#include "tools/compile/PlanReport.h"

#include <gtest/gtest.h>

namespace {

using namespace attnres;

constexpr int64_t MiB = int64_t{1} << 20;

CompileOptions trainingOptions(int64_t batch, int64_t seqLen) {
  CompileOptions options;
  options.batch = batch;
  options.seqLen = seqLen;
  options.logits = false;
  options.stages.gradients = options.stages.optimizer = true;
  // Any machine plans the same.
  options.stages.target = "cpu:generic";
  options.stages.threads = 4;
  return options;
}

ModelConfig smallModel(int64_t vocabulary) {
  ModelConfig config;
  config.vocabSize = vocabulary;
  config.hiddenSize = 64;
  config.numHiddenLayers = 2;
  return config;
}

PlanReport plan(const ModelConfig &config, CompileOptions options) {
  options.fuseLoss = wantsFusedLoss(config, options);
  Result<PlanReport> report = planModel(config, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? *report : PlanReport();
}

//===----------------------------------------------------------------------===//
// Losses in chunks
//===----------------------------------------------------------------------===//

/// Bytes of the largest live set that are there for the vocabulary, less those
/// of the gradients of the embedding and of the output projection.
int64_t bytesForLogits(int64_t vocabulary, int64_t batch, int64_t seqLen,
                       bool bf16 = false) {
  CompileOptions options = trainingOptions(batch, seqLen);
  options.bf16 = bf16;
  ModelConfig large = smallModel(vocabulary);
  int64_t gradients = 2 * vocabulary * large.hiddenSize * 4;
  return plan(large, options).liveBytes - gradients -
         plan(smallModel(16), options).liveBytes;
}

TEST(ChunkedLoss, EL7LogitsOfOneChunkAreLive) {
  // 524 MB of logits, where a chunk has 32 MiB. Its packed weights take V D.
  EXPECT_LT(bytesForLogits(32000, 8, 512), 56 * MiB);
  EXPECT_GT(bytesForLogits(32000, 8, 512), 24 * MiB); // there is a chunk
  EXPECT_LT(bytesForLogits(32000, 8, 512, /*bf16=*/true), 64 * MiB);
}

TEST(ChunkedLoss, EL7TwiceTheTokensNeedNoMoreLogits) {
  int64_t once = bytesForLogits(32000, 8, 512);
  int64_t twice = bytesForLogits(32000, 16, 512);
  EXPECT_LT(twice, once + 8 * MiB);
}

TEST(ChunkedLoss, EL7LaunchesStayInTheHundreds) {
  for (int64_t vocabulary : {32000, 262144}) {
    PlanReport report = plan(smallModel(vocabulary), trainingOptions(64, 2048));
    EXPECT_LT(report.launches, 1000) << vocabulary;
    EXPECT_GT(report.launches, 300) << vocabulary; // it is cut into chunks
  }
}

TEST(ChunkedLoss, EvaluationsToo) {
  CompileOptions options = trainingOptions(64, 2048);
  options.stages.gradients = options.stages.optimizer = false;
  PlanReport report = plan(smallModel(262144), options);
  EXPECT_LT(report.launches, 500);
  EXPECT_LT(report.workspaceBytes, 3 * 1024 * MiB); // all logits have 128 GiB
}

//===----------------------------------------------------------------------===//
// Lengths and depths
//===----------------------------------------------------------------------===//

TEST(Constants, DoNotGrowWithTheLength) {
  CompileOptions options;
  options.loss = false;
  options.seqLen = 1000;
  int64_t bytes = plan(smallModel(256), options).constantBytes;
  options.seqLen = 10000000;
  EXPECT_EQ(plan(smallModel(256), options).constantBytes, bytes);
}

TEST(Kernels, DoNotGrowWithTheDepth) {
  for (AttnResMode mode :
       {AttnResMode::Off, AttnResMode::Block, AttnResMode::Full}) {
    ModelConfig config = smallModel(256);
    config.attnres = mode;
    if (mode == AttnResMode::Block)
      config.attnresBlockSize = 2;
    config.numHiddenLayers = 16;
    size_t kernels = plan(config, trainingOptions(2, 16)).kernels.size();
    config.numHiddenLayers = 32;
    size_t deeper = plan(config, trainingOptions(2, 16)).kernels.size();
    EXPECT_LE(deeper, kernels + 4) << toString(mode);
  }
}

/// A step with `experts` experts of which each token takes two, and its plan.
PlanReport planExperts(int64_t experts) {
  ModelConfig config = smallModel(256);
  config.hiddenAct = HiddenAct::Situ;
  config.numExperts = experts;
  config.numExpertsPerTok = 2;
  config.numSharedExperts = 1;
  config.moeIntermediateSize = 24;
  config.moeLatentSize = 16;
  return plan(config, trainingOptions(2, 16));
}

TEST(Kernels, DoNotGrowWithTheExperts) {
  // Numbers that are no other size of the model: equal shapes share kernels.
  PlanReport few = planExperts(7), many = planExperts(67);
  EXPECT_EQ(many.kernels.size(), few.kernels.size());
  EXPECT_EQ(many.launches, few.launches);
  int64_t bytes = 4 * 3 * 24 * 16; // of an expert
  EXPECT_GT(many.argumentBytes, few.argumentBytes + 60 * bytes);
}

/// What one more decoder block of every kind adds to the program, wherever it
/// stands.
TEST(Launches, GrowWithTheDepthAlone) {
  auto launches = [](int64_t periods) {
    ModelConfig config = *ModelConfig::preset("k3-geometry");
    std::vector<LayerType> period(config.layerTypes.begin(),
                                  config.layerTypes.begin() + 4);
    config.layerTypes.clear();
    for (int64_t i = 0; i < periods; ++i)
      config.layerTypes.insert(config.layerTypes.end(), period.begin(),
                               period.end());
    config.numHiddenLayers = 4 * periods;
    config.attnres = AttnResMode::Off;
    return plan(config, trainingOptions(1, 16)).launches;
  };
  int64_t two = launches(2), three = launches(3);
  EXPECT_EQ(launches(6), three + 3 * (three - two));
}

//===----------------------------------------------------------------------===//
// Estimates
//===----------------------------------------------------------------------===//

int64_t plannedBytes(const PlanReport &report) {
  return report.argumentBytes + report.resultBytes + report.constantBytes +
         report.workspaceBytes;
}

/// The estimate is a bound from below, and at least `share` of the plan.
void expectBound(const ModelConfig &config, CompileOptions options,
                 double share) {
  options.fuseLoss = wantsFusedLoss(config, options);
  int64_t estimate = estimateMemory(config, options).total();
  int64_t planned = plannedBytes(plan(config, options));
  EXPECT_LE(estimate, planned) << toString(config.attnres);
  EXPECT_GE(static_cast<double>(estimate), share * static_cast<double>(planned))
      << toString(config.attnres);
}

TEST(MemoryEstimate, FI12IsABoundFromBelow) {
  for (AttnResMode mode : {AttnResMode::Off, AttnResMode::Block,
                           AttnResMode::Full, AttnResMode::Static})
    for (bool bf16 : {false, true})
      for (HiddenAct act : {HiddenAct::Silu, HiddenAct::Gelu}) {
        ModelConfig config = smallModel(500);
        config.attnres = mode;
        config.hiddenAct = act;
        config.numHiddenLayers = 6;
        config.numKeyValueHeads = 2;
        if (mode == AttnResMode::Block)
          config.attnresBlockSize = 2;
        CompileOptions training = trainingOptions(8, 256);
        training.bf16 = bf16;
        expectBound(config, training, 0.4);
        CompileOptions forward;
        forward.batch = 8;
        forward.seqLen = 256;
        forward.bf16 = bf16;
        expectBound(config, forward, 0.2);
        CompileOptions decode;
        decode.capacity = 4096;
        decode.batch = 2;
        decode.bf16 = bf16;
        decode.loss = false;
        expectBound(config, decode, 0.5);
      }
}

TEST(MemoryEstimate, ProductsBeyond64BitsStayLarge) {
  ModelConfig config = smallModel(256);
  CompileOptions options = trainingOptions(int64_t{1} << 40, int64_t{1} << 40);
  EXPECT_EQ(estimateMemory(config, options).total(), INT64_MAX);
  EXPECT_TRUE(wantsFusedLoss(config, options));
}

TEST(MemoryEstimate, FI12IsComparedBeforeCompiling) {
  ModelConfig config = smallModel(256);
  CompileOptions options = trainingOptions(1 << 20, 1 << 20);
  Result<runtime::Program> program = compileModel(config, options);
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.status().message().find("the program needs "),
            std::string::npos)
      << program.status().message();
}

TEST(MemoryEstimate, OfModulesInText) {
  auto message = [](const std::string &type) {
    Result<runtime::Program> program = compileText(
        "func.func @main(%x: " + type + " {attnres.name = \"x\"}) -> (" + type +
            " {attnres.name = \"y\"}) {\n  %y = arith.addf %x, %x : " + type +
            "\n  return %y : " + type + "\n}\n",
        CompileOptions());
    return program.ok() ? "" : program.status().message();
  };
  EXPECT_EQ(message("tensor<4xf32>"), "");
  EXPECT_EQ(message("tensor<1099511627776x1099511627776xf32>"),
            "a tensor of type tensor<1099511627776x1099511627776xf32> has more "
            "bytes than can be counted");
  EXPECT_NE(message("tensor<1099511627776xf32>")
                .find("the program needs 8.0 TiB: arguments 4.0 TiB, results "
                      "4.0 TiB; "),
            std::string::npos);
}

TEST(Compilation, CanBeCancelled) {
  CompileOptions options;
  int asked = 0;
  options.isCancelled = [&] { return ++asked > 3; };
  Result<runtime::Program> program = compileModel(smallModel(16), options);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message(), "compiling was interrupted");
  EXPECT_EQ(asked, 4);
}

} // namespace
