// Files are replaced whole or not at all, even when the writer is killed.
#include "support/File.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>


using namespace attnres;

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
            path + ": is a folder, expected a file");
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

TEST(File, WritesWhereLinksLead) {
  TemporaryDirectory directory;
  std::string target = directory.file("target"), link = directory.file("link");
  ASSERT_EQ(symlink("target", link.c_str()), 0);
  for (const char *text : {"first", "second"}) { // absent, then there
    ASSERT_TRUE(writeFileAtomically(link, {text}).ok());
    EXPECT_EQ(*readFile(target, 10), text);
  }
  struct stat info;
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  std::string loop = directory.file("loop");
  ASSERT_EQ(symlink("loop", loop.c_str()), 0);
  EXPECT_EQ(writeFileAtomically(loop, {"x"}).message(),
            loop + ": cannot write: Too many levels of symbolic links");
}

TEST(File, WritesThroughDevicesAndDescriptors) {
  TemporaryDirectory directory;
  std::string device = directory.file("device");
  ASSERT_EQ(symlink("/dev/null", device.c_str()), 0);
  EXPECT_TRUE(writeFileAtomically(device, {"x"}).ok());
  EXPECT_EQ(writeFileAtomically("/dev/full", {"x"}).message(),
            "/dev/full: cannot write: No space left on device");
  struct stat info;
  ASSERT_EQ(stat(device.c_str(), &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
  // A file that is open somewhere goes on where it is.
  std::string path = directory.file("f");
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(fd, "ab", 2), 2);
  std::string name = "/dev/fd/" + std::to_string(fd);
  ASSERT_TRUE(writeFileAtomically(name, {"cd"}).ok());
  ASSERT_EQ(write(fd, "ef", 2), 2);
  close(fd);
  EXPECT_EQ(*readFile(path, 10), "abcdef");
  EXPECT_EQ(writeFileAtomically(name, {"x"}).code(), StatusCode::IoError);
}

TEST(File, KeepsPermissionsAndRefusesFolders) {
  TemporaryDirectory directory;
  std::string path = directory.write("f", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(writeFileAtomically(path, {"new"}).ok());
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  std::string folder = directory.path.string();
  EXPECT_EQ(writeFileAtomically(folder, {"x"}).message(),
            folder + ": is a folder, expected the name of a file");
  EXPECT_FALSE(writeFileAtomically(folder + "/", {"x"}).ok());
  EXPECT_FALSE(writeFileAtomically(folder + "/absent/", {"x"}).ok());
  EXPECT_FALSE(writeFileAtomically("", {"x"}).ok());
  EXPECT_EQ(directory.numFiles(), 1u);
}

TEST(File, WhatCannotBeWrittenIsKnownBefore) {
  TemporaryDirectory directory;
  std::string folder = directory.path.string();
  std::string pipe = directory.file("pipe"), link = directory.file("link");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(symlink("new", link.c_str()), 0);
  for (const std::string &path :
       {folder + "/new", link, pipe, std::string("/dev/null"),
        std::string("/dev/stdout")})
    EXPECT_TRUE(checkWritable(path).ok()) << path; // and waits for no reader
  for (const std::string &path : {folder, folder + "/absent/new",
                                  std::string("/dev/fd/999"), std::string()})
    EXPECT_FALSE(checkWritable(path).ok()) << path;
  EXPECT_EQ(directory.numFiles(), 2u);
}

TEST(File, LinesOfOtherSystems) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(splitLines(""), Lines{});
  EXPECT_EQ(splitLines("a"), Lines{"a"});
  EXPECT_EQ(splitLines("a\n\nb\n"), (Lines{"a", "", "b"}));
  EXPECT_EQ(splitLines("\xef\xbb\xbf"
                       "a\r\nb\r\r\n\r\n"),
            (Lines{"a", "b\r", ""}));
  EXPECT_EQ(withoutByteOrderMark("\xef\xbb"), "\xef\xbb");
  EXPECT_TRUE(isUtf16(std::string_view("\xff\xfe"
                                       "a\0",
                                       4)));
  EXPECT_FALSE(isUtf16("\xff"));
}

TEST(File, FI8ConcurrentWritersLeaveOneWholeFile) {
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

TEST(File, FI8SurvivesKilledWriters) {
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
