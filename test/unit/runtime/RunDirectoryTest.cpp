// Who owns the folder of a run, also after processes that end badly.
#include "runtime/training/RunDirectory.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace attnres;
using namespace attnres::runtime;
namespace fs = std::filesystem;

namespace {

class RunDirectoryTest : public testing::Test {
protected:
  /// A process that owns the folder until it is killed.
  pid_t startOwner() {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
      auto owned = RunDirectory::own(run);
      char answer = owned.ok() ? 'y' : 'n';
      (void)!write(ready[1], &answer, 1);
      for (;;)
        pause();
    }
    char answer = 0;
    EXPECT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    close(ready[0]);
    close(ready[1]);
    return child;
  }

  TemporaryDirectory directory;
  std::string run = directory.file("runs/a");
};

TEST_F(RunDirectoryTest, FI9ASecondProcessIsToldWhoseItIs) {
  pid_t child = startOwner();
  auto second = RunDirectory::own(run);
  ASSERT_FALSE(second.ok());
  std::string start =
      run + ": in use by process " + std::to_string(child) + " on ";
  EXPECT_EQ(second.status().message().substr(0, start.size()), start);
  EXPECT_EQ(second.status().message().find('\n'), std::string::npos);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  // What it wrote is still there, and means nothing.
  EXPECT_GT(fs::file_size(run + "/lock"), 0u);
  EXPECT_TRUE(RunDirectory::own(run).ok());
}

TEST_F(RunDirectoryTest, FoldersInWhichNothingBeganGo) {
  {
    auto owned = RunDirectory::own(run);
    ASSERT_TRUE(owned.ok());
    EXPECT_TRUE(owned->isLocked());
    EXPECT_FALSE(RunDirectory::own(run).ok()) << "also in one process";
    directory.write("runs/a/tokens.bin", "cache");
  }
  EXPECT_FALSE(fs::exists(run));
  {
    auto owned = RunDirectory::own(run);
    directory.write("runs/a/run.json", "{}");
  }
  EXPECT_TRUE(fs::exists(run + "/run.json"));
  EXPECT_EQ(fs::file_size(run + "/lock"), 0u);
  // A folder that was there stays, with what is in it.
  fs::create_directories(directory.file("mine"));
  directory.write("mine/tokens.bin", "mine");
  { auto owned = RunDirectory::own(directory.file("mine")); }
  EXPECT_TRUE(fs::exists(directory.file("mine/tokens.bin")));
  EXPECT_EQ(RunDirectory::own(directory.write("file", "")).status().message(),
            directory.file("file") + ": cannot create: Not a directory");
}

/// Folders come and go under those who wait for them; one at a time owns one.
TEST_F(RunDirectoryTest, FI9OneOwnerAtATime) {
  std::atomic<int> owners{0}, turns{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 25;) {
        auto owned = RunDirectory::own(run);
        if (!owned.ok()) {
          std::this_thread::yield();
          continue;
        }
        EXPECT_EQ(++owners, 1);
        EXPECT_TRUE(fs::exists(run + "/lock"));
        ++turns;
        ++i;
        --owners;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(turns, 100);
}

TEST_F(RunDirectoryTest, FI9TheSameFolderUnderTwoNames) {
  fs::create_directories(run);
  fs::create_directory_symlink(run, directory.file("link"));
  EXPECT_TRUE(RunDirectory::same(run, run + "/../a/"));
  EXPECT_TRUE(RunDirectory::same(run, directory.file("link")));
  EXPECT_FALSE(RunDirectory::same(run, directory.path.string()));
  EXPECT_FALSE(RunDirectory::same(run, directory.file("none")));
}

} // namespace
