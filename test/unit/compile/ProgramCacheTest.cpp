// Compiled programs on disk.
#include "tools/compile/ProgramCache.h"
#include "support/File.h"
#include "support/machine/Isa.h"
#include "test/unit/support/TemporaryDirectory.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <filesystem>

using namespace attnres;
using runtime::Program;
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
  options.stages.target = isLeast ? "cpu:avx2" : "cpu:generic";
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
    ASSERT_TRUE(writeFileAtomically(file, {content}).ok());
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

/// Beyond its size the cache removes its own oldest programs and nothing else.
TEST_F(ProgramCacheTest, FilesOfOthersStay) {
  get("a");
  fs::path oldest = files().front();
  fs::path folder = directory.path / "cache";
  auto past = fs::file_time_type::clock::now() - std::chrono::hours(48);
  fs::last_write_time(oldest, past);
  // More than the limit, of which the disk holds nothing.
  constexpr uintmax_t large = uintmax_t{600} << 20;
  auto write = [&](const std::string &name, const std::string &content) {
    fs::path path = folder / name;
    EXPECT_TRUE(writeFileAtomically(path, {content}).ok());
    fs::resize_file(path, large);
    fs::last_write_time(path, past);
    return path;
  };
  std::string magic = "ATNRPROG";
  std::vector<fs::path> foreign = {
      write("mine.program", magic),
      write("0123456789abcdef.program.bak", magic),
      write("0123456789abcdef0.program", magic),
      write("0123456789ABCDEF.program", magic),
      write("0123456789abcdef.program", "not ours"),
      write("notes.txt", "text")};
  fs::path elsewhere = directory.path / "elsewhere";
  fs::copy_file(oldest, elsewhere);
  fs::create_symlink(elsewhere, folder / "1123456789abcdef.program");
  fs::create_directory(folder / "2123456789abcdef.program");
  foreign.push_back(folder / "1123456789abcdef.program");
  foreign.push_back(folder / "2123456789abcdef.program");
  get("b");
  EXPECT_TRUE(fs::exists(oldest)) << "foreign files do not count";
  fs::path ours = write("3123456789abcdef.program", magic);
  fs::path unfinished = write("3123456789abcdef.program.tmp.1.0", magic);
  get("c");
  EXPECT_FALSE(fs::exists(ours));
  EXPECT_FALSE(fs::exists(unfinished));
  for (const fs::path &path : foreign)
    EXPECT_TRUE(fs::exists(fs::symlink_status(path))) << path;
  compiled = 0;
  get("c");
  EXPECT_EQ(compiled, 0) << "the newest stays";
}

TEST_F(ProgramCacheTest, FailuresAreNotKept) {
  for (int i = 0; i < 2; ++i) {
    Result<Program> program =
        cache.get("a", {}, [] { return Result<Program>(unsupported("no")); });
    EXPECT_FALSE(program.ok());
  }
  get("a");
  EXPECT_EQ(compiled, 1);
}

} // namespace
