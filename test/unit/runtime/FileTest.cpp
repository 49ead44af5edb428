// Files are replaced whole or not at all, even when the writer is killed.
#include "runtime/File.h"

#include "TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace attnres::runtime;

namespace {

TEST(File, WritesAndReads) {
  TemporaryDirectory directory;
  std::string path = directory.file("f");
  ASSERT_TRUE(writeFileAtomically(path, {"ab", "", "cde"}).ok());
  auto text = readFile(path, 5);
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "abcde");
  EXPECT_EQ(readFile(path, 4).status().message(),
            path + ": 5 bytes, limit is 4");
  auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  EXPECT_EQ(mapped->bytes(), "abcde");
  // A mapping keeps what it showed when the file is replaced.
  ASSERT_TRUE(writeFileAtomically(path, {"other"}).ok());
  EXPECT_EQ(mapped->bytes(), "abcde");
  ASSERT_TRUE(writeFileAtomically(path, {}).ok());
  EXPECT_EQ(*readFile(path, 0), "");
  EXPECT_EQ(MappedFile::open(path)->bytes(), "");
  EXPECT_EQ(directory.numFiles(), 1u);
}

TEST(File, RefusesWhatIsNoFile) {
  TemporaryDirectory directory;
  std::string path = directory.path.string();
  EXPECT_EQ(readFile(path, 10).status().message(),
            path + ": not a regular file");
  EXPECT_EQ(readFile("/dev/zero", 10).status().message(),
            "/dev/zero: not a regular file");
  std::string pipe = directory.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(pipe).status().message(),
            pipe + ": not a regular file");
}

TEST(File, ReportsRefusedWrites) {
  EXPECT_EQ(writeFileAtomically("/proc/f", {"x"}).code(), StatusCode::IoError);
}

TEST(File, ConcurrentWritersLeaveOneWholeFile) {
  TemporaryDirectory directory;
  std::string path = directory.file("f");
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c)
    writers.emplace_back([&, c] {
      for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(writeFileAtomically(path, {std::string(10'000, c)}).ok());
    });
  for (std::thread &writer : writers)
    writer.join();
  std::string text = readBytes(path);
  EXPECT_EQ(text, std::string(10'000, text[0]));
  EXPECT_EQ(directory.numFiles(), 1u);
}

TEST(File, SurvivesKilledWriters) {
  TemporaryDirectory directory;
  std::string path = directory.file("f");
  constexpr size_t size = 300'000;
  ASSERT_TRUE(writeFileAtomically(path, {std::string(size, '0')}).ok());
  for (int round = 0; round < 20; ++round) {
    pid_t child = fork();
    if (child == 0) {
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1))
        (void)writeFileAtomically(path, {std::string(size, c)});
    }
    ASSERT_GT(child, 0);
    usleep(static_cast<useconds_t>(1000 + 1700 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::string text = readBytes(path);
    ASSERT_EQ(text.size(), size);
    ASSERT_EQ(text, std::string(size, text[0]));
  }
}

} // namespace
