//===- MeaningTest.cpp - passes keep the meaning of random programs -------===//
#include "test/unit/RandomProgram.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

class Meaning : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Meaning, ST9ExpandedStackIsTheStack) {
  RandomProgramOptions options;
  options.depthGraphs = false;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  expectSameMeaning(*program, "func.func(attnres-expand-stack)", 1e-12,
                    GetParam());
}

TEST_P(Meaning, ST12ExpandedVariantsAreThose) {
  RandomProgramOptions options;
  options.depthGraphs = false;
  options.variants = true;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  expectSameMeaning(*program, "func.func(attnres-expand-stack)", 1e-12,
                    GetParam());
}

// Constants of a decomposition, rotation frequencies above all, are f32.
TEST_P(Meaning, DecompositionComputesTheSame) {
  OwningOpRef<ModuleOp> program = randomProgram(GetParam());
  expectSameMeaning(*program,
                    "func.func(attnres-expand-stack),func.func(attnres-decompose)",
                    1e-5, GetParam());
}

TEST_P(Meaning, CanonicalizeAndCseKeepIt) {
  OwningOpRef<ModuleOp> program = randomProgram(GetParam());
  expectSameMeaning(
      *program,
      "func.func(canonicalize,cse,attnres-expand-stack,canonicalize,cse)", 1e-12,
      GetParam());
}

TEST_P(Meaning, GradientsDoNotChangeTheProgram) {
  RandomProgramOptions options;
  options.loss = true;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  expectSameMeaning(*program,
                    "func.func(attnres-expand-stack),attnres-differentiate",
                    1e-12, GetParam());
}

// Forward and backward operations at once, as plain linalg.
TEST_P(Meaning, DecomposedGradientsAreTheSame) {
  RandomProgramOptions options;
  options.loss = true;
  OwningOpRef<ModuleOp> program = randomProgram(GetParam(), options);
  if (!runPipeline(*program,
                   "func.func(attnres-expand-stack),attnres-differentiate"))
    return;
  expectSameMeaning(*program, "func.func(attnres-decompose)", 1e-4, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Meaning, ::testing::Range<uint64_t>(0, 40));

// The oracle has to notice a wrong result: a program that adds is not one that
// subtracts.
TEST(ExpectSameMeaning, NoticesADifference) {
  Tensor one = Tensor::ofReals({2}, 1.0), other = Tensor::ofReals({2}, 1.001);
  EXPECT_TRUE(isClose(one, one, 0));
  EXPECT_FALSE(isClose(other, one, 1e-6));
  Tensor infinite = Tensor::ofReals({2}, -INFINITY);
  EXPECT_FALSE(isClose(one, infinite, 1e6));
  EXPECT_TRUE(isClose(infinite, infinite, 0));
}

} // namespace
