//===- ScheduleTest.cpp - scheduling passes keep values and gradients -----===//
#include "test/unit/RandomProgram.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

constexpr StringRef kExpand = "func.func(attnres-expand-stack)";

size_t countOps(ModuleOp module, StringRef name) {
  size_t count = 0;
  module.walk(
      [&](Operation *op) { count += op->getName().getStringRef() == name; });
  return count;
}

/// Compares two modules whose functions @main have the same signature.
void expectSameResults(ModuleOp actual, ModuleOp expected, double tolerance,
                       uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  SmallVector<Tensor> inputs =
      randomInputs(expected.lookupSymbol<func::FuncOp>("main"), random);
  SmallVector<Tensor> want = evaluate(expected, inputs);
  SmallVector<Tensor> got = evaluate(actual, inputs);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i)
    ASSERT_TRUE(isClose(got[i], want[i], tolerance)) << "in result " << i;
}

/// A random program, its stacks written out.
OwningOpRef<ModuleOp> expandedProgram(uint64_t seed,
                                      const RandomProgramOptions &options) {
  OwningOpRef<ModuleOp> program = randomProgram(seed, options);
  EXPECT_TRUE(runPipeline(*program, kExpand));
  return program;
}

OwningOpRef<ModuleOp> programWithLoss(uint64_t seed) {
  RandomProgramOptions options;
  options.loss = true;
  return expandedProgram(seed, options);
}

class Schedule : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Schedule, ME4TwoPhaseKeepsTheMeaning) {
  OwningOpRef<ModuleOp> program = randomProgram(GetParam());
  ASSERT_TRUE(runPipeline(*program, kExpand));
  for (StringRef option : {"", "{group-size=2}", "{group-size=3}",
                           "{group-size=7}", "{group-size=1000}"})
    expectSameMeaning(*program,
                      ("func.func(attnres-two-phase" + option + ")").str(),
                      1e-10, GetParam());
}

TEST_P(Schedule, TwoPhaseKeepsTheGradients) {
  for (StringRef option : {"", "{group-size=3}"}) {
    OwningOpRef<ModuleOp> naive = programWithLoss(GetParam());
    OwningOpRef<ModuleOp> scheduled = naive->clone();
    ASSERT_TRUE(runPipeline(*naive, "attnres-differentiate"));
    ASSERT_TRUE(runPipeline(*scheduled, ("func.func(attnres-two-phase" +
                                         option + "),attnres-differentiate")
                                            .str()));
    expectSameResults(*scheduled, *naive, 1e-9, GetParam());
  }
}

// The same operations on the same operands: not a bit changes.
TEST_P(Schedule, RecomputeKeepsEveryBit) {
  OwningOpRef<ModuleOp> program = programWithLoss(GetParam());
  ASSERT_TRUE(runPipeline(
      *program, "func.func(attnres-two-phase),attnres-differentiate"));
  for (StringRef option : {"budget-bytes=-1", "budget-bytes=0",
                           "budget-bytes=2000", "budget-bytes=0 allow-matmul"})
    expectSameMeaning(
        *program, ("func.func(attnres-recompute{" + option + "},cse)").str(),
        /*tolerance=*/0, GetParam());
}

TEST_P(Schedule, FoldedAccumulationKeepsTheGradients) {
  OwningOpRef<ModuleOp> program = programWithLoss(GetParam());
  ASSERT_TRUE(runPipeline(
      *program, "func.func(attnres-two-phase),attnres-differentiate"));
  expectSameMeaning(*program, "func.func(attnres-fold-accumulation)", 1e-10,
                    GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Schedule, ::testing::Range<uint64_t>(0, 40));

// The tests above are about something: over all seeds groups, copies and
// accumulators appear.
TEST(ScheduleCoverage, PassesFindWork) {
  size_t merges = 0, recomputed = 0, beside = 0, accumulators = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    OwningOpRef<ModuleOp> program = programWithLoss(seed);
    size_t before = countOps(*program, "attnres.depth_merge");
    ASSERT_TRUE(
        runPipeline(*program, "func.func(attnres-two-phase{group-size=3})"));
    merges += countOps(*program, "attnres.depth_merge") - before;
    ASSERT_TRUE(runPipeline(*program, "attnres-differentiate"));
    OwningOpRef<ModuleOp> unlimited = program->clone();
    ASSERT_TRUE(runPipeline(*unlimited, "func.func(attnres-recompute)"));
    unlimited->walk(
        [&](Operation *op) { beside += op->hasAttr("attnres.recomputed"); });
    ASSERT_TRUE(runPipeline(*program,
                            "func.func(attnres-recompute{budget-bytes=0},"
                            "attnres-fold-accumulation)"));
    program->walk([&](Operation *op) {
      recomputed += op->hasAttr("attnres.recomputed");
      if (auto backward = dyn_cast<DepthAttentionBackwardOp>(op))
        accumulators += backward.getAccumulators().size();
      if (auto backward = dyn_cast<DepthMergeBackwardOp>(op))
        accumulators += backward.getAccumulators().size();
    });
  }
  EXPECT_GT(merges, 20u);
  EXPECT_GT(recomputed, 20u);
  EXPECT_GT(beside, 20u);
  EXPECT_GT(accumulators, 5u);
}

constexpr uint64_t kSelectionSeeds = 150;

/// A random program of which some tokens are selected.
OwningOpRef<ModuleOp> programWithSelections(uint64_t seed) {
  RandomProgramOptions options;
  options.selections = true;
  return expandedProgram(seed, options);
}

class Selections : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Selections, SE3KeepTheMeaningWhenHoisted) {
  OwningOpRef<ModuleOp> program = programWithSelections(GetParam());
  for (StringRef next : {"", ",canonicalize,cse,attnres-two-phase"})
    expectSameMeaning(*program,
                      ("func.func(attnres-hoist-selections" + next + ")").str(),
                      1e-10, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Selections,
                         ::testing::Range<uint64_t>(0, kSelectionSeeds));

// Over all seeds every kind of operation gets narrower.
TEST(SelectionsCoverage, OperationsGetNarrower) {
  llvm::StringMap<size_t> narrowed;
  auto count = [&](ModuleOp program, int64_t sign) {
    program.walk([&](Operation *op) {
      if (op->getNumResults() == 0)
        return;
      auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
      if (type && type.getRank() >= 3 && type.getDimSize(1) == 1)
        narrowed[op->getName().stripDialect()] += sign;
    });
  };
  for (uint64_t seed = 0; seed < kSelectionSeeds; ++seed) {
    OwningOpRef<ModuleOp> program = programWithSelections(seed);
    count(*program, -1);
    ASSERT_TRUE(
        runPipeline(*program, "func.func(attnres-hoist-selections,cse)"));
    count(*program, 1);
  }
  for (StringRef name :
       {"addf", "attention", "collapse_shape", "depth_attention", "depth_merge",
        "expand_shape", "gelu", "layer_norm", "linear", "merge_states",
        "rms_norm", "rope", "static_mix", "swiglu"})
    EXPECT_GT(narrowed[name], 0u) << name.str();
}

/// Every function of the lit tests before and after the pass. The near misses
/// are there too: what is not raised stays, so it agrees as well. Mixtures over
/// depth are DA-12.
TEST(RaiseAttention, SA7KeepsTheMeaningOfItsTests) {
  size_t raised = 0;
  for (StringRef name : {"", "-not-softmax", "-not-mask", "-not-operands",
                         "-integers", "-shapes", "-depth"}) {
    std::string path = (StringRef(ATTNRES_TEST_DIR) +
                        "/passes/attnres-raise-attention" + name + ".mlir")
                           .str();
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(buffer)) << path;
    SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----");
    for (StringRef part : parts) {
      OwningOpRef<ModuleOp> before = parseModule(part);
      ASSERT_TRUE(before);
      OwningOpRef<ModuleOp> after = before->clone();
      ASSERT_TRUE(runPipeline(*after, "attnres-raise-attention"));
      size_t found = countOps(*after, "attnres.attention") +
                     countOps(*after, "attnres.depth_attention");
      raised += found;
      if (found == 0)
        continue;
      for (auto function : before->getOps<func::FuncOp>()) {
        SCOPED_TRACE(function.getName().str());
        std::mt19937_64 random(7);
        SmallVector<Tensor> inputs = randomInputs(function, random);
        SmallVector<Tensor> want =
            evaluate(*before, inputs, {}, function.getName());
        SmallVector<Tensor> got =
            evaluate(*after, inputs, {}, function.getName());
        ASSERT_EQ(got.size(), want.size());
        for (size_t i = 0; i < want.size(); ++i)
          EXPECT_TRUE(isClose(got[i], want[i], 1e-10)) << "in result " << i;
      }
    }
  }
  EXPECT_EQ(raised, 35u);
}

/// The results of a function in two modules, for the same random inputs; every
/// other integer is `integer`, if there is one.
void expectSameFunction(ModuleOp actual, ModuleOp expected, StringRef name,
                        double tolerance,
                        std::optional<int64_t> integer = std::nullopt) {
  SCOPED_TRACE(name.str());
  std::mt19937_64 random(7);
  SmallVector<Tensor> inputs =
      randomInputs(expected.lookupSymbol<func::FuncOp>(name), random);
  if (integer)
    for (Tensor &input : inputs)
      for (size_t i = 0; i < input.integers.size(); i += 2)
        input.integers[i] = *integer;
  SmallVector<Tensor> want = evaluate(expected, inputs, {}, name);
  SmallVector<Tensor> got = evaluate(actual, inputs, {}, name);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_TRUE(isClose(got[i], want[i], tolerance)) << "in result " << i;
}

OwningOpRef<ModuleOp> parseTestFile(const Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(StringRef(ATTNRES_TEST_DIR) + path);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? parseModule((*buffer)->getBuffer()) : OwningOpRef<ModuleOp>();
}

constexpr StringRef kRaise =
    "attnres-flatten,func.func(attnres-raise-attention)";

/// What JAX exports (test/import/write_forms.py): how many functions have an
/// operation afterwards, each computing what it did.
void expectRaisedForms(StringRef kind, StringRef operation, size_t count,
                       double tolerance = 1e-10) {
  OwningOpRef<ModuleOp> before =
      parseTestFile("/import/Inputs/" + kind + ".mlir");
  ASSERT_TRUE(before);
  OwningOpRef<ModuleOp> after = before->clone();
  ASSERT_TRUE(runPipeline(*after, kRaise));
  size_t raised = 0;
  for (auto function : after->getOps<func::FuncOp>()) {
    bool isRaised = false;
    function.walk([&](Operation *op) {
      isRaised |= op->getName().getStringRef() == operation;
    });
    raised += isRaised;
    if (isRaised)
      expectSameFunction(*after, *before, function.getName(), tolerance);
  }
  EXPECT_EQ(raised, count) << operation.str();
}

TEST(RaiseAttention, SA7AttentionAsJaxExportsIt) {
  expectRaisedForms("attention", "attnres.attention", 33);
}

TEST(RaiseAttention, DA12MixturesAsJaxExportsThem) {
  expectRaisedForms("depth", "attnres.depth_attention", 14);
}

TEST(RaiseAttention, DA12WhatOnlyLooksAlikeStays) {
  for (StringRef operation : {"attnres.attention", "attnres.depth_attention"})
    expectRaisedForms("wrong", operation, 0);
}

TEST(RaiseLayers, MM8LayersAsJaxExportsThem) {
  expectRaisedForms("part", "attnres.rms_norm", 2);
  expectRaisedForms("part", "attnres.layer_norm", 3);
  expectRaisedForms("part", "attnres.swiglu", 2);
  expectRaisedForms("part", "attnres.linear", 1);
  expectRaisedForms("part", "attnres.embedding", 1);
  expectRaisedForms("part", "attnres.cross_entropy", 3);
  // The angles are those of constants in f32.
  expectRaisedForms("part", "attnres.rope", 3, 1e-6);
}

/// Every function of the lit tests before and after the pass.
TEST(RaiseLayers, MM8KeepsTheMeaningOfItsTests) {
  for (StringRef name : {"norms", "activations", "rotation", "loss"}) {
    OwningOpRef<ModuleOp> before =
        parseTestFile("/passes/attnres-raise-attention-" + name + ".mlir");
    ASSERT_TRUE(before);
    OwningOpRef<ModuleOp> after = before->clone();
    ASSERT_TRUE(runPipeline(*after, kRaise));
    // Square roots, shares and angles are those of constants in f32.
    double tolerance = name == "norms" ? 1e-10 : 1e-6;
    for (auto function : after->getOps<func::FuncOp>())
      expectSameFunction(*after, *before, function.getName(), tolerance);
    if (name == "loss") {
      // Tokens that count from the end, and targets that the module leaves out.
      expectSameFunction(*after, *before, "rows", tolerance, -1);
      expectSameFunction(*after, *before, "masked", tolerance, -100);
      expectSameFunction(*after, *before, "masked_of_all", tolerance, -100);
    }
  }
  auto buffer = llvm::MemoryBuffer::getFile(
      StringRef(ATTNRES_TEST_DIR) +
      "/passes/attnres-raise-attention-layers.mlir");
  ASSERT_TRUE(bool(buffer));
  SmallVector<StringRef> parts;
  (*buffer)->getBuffer().split(parts, "// -----");
  for (StringRef part : parts) {
    OwningOpRef<ModuleOp> module = parseModule(part);
    ASSERT_TRUE(module);
    expectSameMeaning(*module, "func.func(attnres-raise-attention)", 1e-10);
  }
}

} // namespace
