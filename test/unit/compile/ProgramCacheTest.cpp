// Compiled programs on disk.
#include "tools/compile/ProgramCache.h"
#include "machine/Isa.h"
#include "runtime/File.h"
#include "test/unit/runtime/TemporaryDirectory.h"

#include "gtest/gtest.h"

#include <cmath>
#include <filesystem>

using namespace attnres;
using runtime::Program;
using runtime::Result;
namespace fs = std::filesystem;

namespace {

class ProgramCacheTest : public testing::Test {
protected:
  /// A program that says what it was made for; counts how often it was.
  Program get(const std::string &model, const CompileOptions &options = {}) {
    Result<Program> program = cache.get(model, options, [&] {
      ++compiled;
      Program made;
      made.metadata["model"] = model;
      return Result<Program>(made);
    });
    EXPECT_TRUE(program.ok());
    EXPECT_EQ(program->metadata.at("model"), model);
    EXPECT_EQ(program->metadata.size(), 1u);
    return *std::move(program);
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto &file : fs::directory_iterator(directory.path / "cache"))
      result.push_back(file.path());
    return result;
  }

  TemporaryDirectory directory;
  ProgramCache cache{directory.file("cache")};
  int compiled = 0;
};

TEST_F(ProgramCacheTest, CompilesOnce) {
  get("a");
  get("a");
  EXPECT_EQ(compiled, 1);
  get("b");
  EXPECT_EQ(compiled, 2);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(ProgramCacheTest, EveryOptionCounts) {
  get("a");
  CompileOptions options;
  options.batch = 2;
  get("a", options);
  options = {};
  options.stages.weightDecay = 0.1 + 1e-18; // the same number
  get("a", options);
  EXPECT_EQ(compiled, 2);
  options.stages.weightDecay = std::nextafter(0.1, 1.0);
  get("a", options);
  options = {};
  // Another than the host's.
  bool isLeast = machine::hostIsa().isa.level == machine::IsaLevel::Generic;
  options.stages.isa = isLeast ? "avx2" : "generic";
  get("a", options);
  EXPECT_EQ(compiled, 4);
  options = {};
  options.compileThreads = 7;
  get("a", options);
  EXPECT_EQ(compiled, 4);
}

TEST_F(ProgramCacheTest, WhatIsDamagedIsCompiledAgain) {
  get("a");
  for (const char *content : {"", "not a program"}) {
    fs::path file = files().front();
    fs::remove(file);
    ASSERT_TRUE(runtime::writeFileAtomically(file, {content}).ok());
    get("a");
  }
  EXPECT_EQ(compiled, 3);
  get("a");
  EXPECT_EQ(compiled, 3);
}

/// The file of one program under the name of another: equal hashes.
TEST_F(ProgramCacheTest, ACollisionIsNotAHit) {
  get("a");
  fs::path a = files().front();
  get("b");
  for (const fs::path &file : files())
    if (file != a)
      fs::copy_file(a, file, fs::copy_options::overwrite_existing);
  get("b");
  EXPECT_EQ(compiled, 3);
}

TEST_F(ProgramCacheTest, AFolderThatCannotBeWrittenOnlyCostsTime) {
  cache = ProgramCache("/dev/null/cache");
  get("a");
  get("a");
  cache = ProgramCache("");
  get("a");
  EXPECT_EQ(compiled, 3);
}

TEST_F(ProgramCacheTest, FailuresAreNotKept) {
  for (int i = 0; i < 2; ++i) {
    Result<Program> program = cache.get(
        "a", {}, [] { return Result<Program>(runtime::unsupported("no")); });
    EXPECT_FALSE(program.ok());
  }
  get("a");
  EXPECT_EQ(compiled, 1);
}

} // namespace
