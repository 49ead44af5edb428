// A process that a signal ends while it writes leaves nothing unfinished.
#include "support/PendingFiles.h"
#include "support/File.h"
#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace {


using namespace attnres;

/// The signal that ends a process which writes a file and gets it, or 0.
int endWhileWriting(const std::string &path, int signal, bool handled) {
  pid_t child = ::fork();
  if (child == 0) {
    std::signal(signal, SIG_DFL);
    if (handled)
      removePendingFilesOnSignals();
    auto first = AtomicFileWriter::create(path);
    auto second = AtomicFileWriter::create(path + "2");
    if (!first.ok() || !second.ok() || !first->write("half").ok())
      ::_exit(3);
    AtomicFileWriter moved = *std::move(first);
    ::raise(signal);
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(PendingFiles, AreRemovedBySignals) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    TemporaryDirectory directory;
    EXPECT_EQ(endWhileWriting(directory.file("x"), signal, true), signal);
    EXPECT_EQ(directory.numFiles(), 0u);
  }
}

TEST(PendingFiles, StayWithoutTheHandler) {
  TemporaryDirectory directory;
  EXPECT_EQ(endWhileWriting(directory.file("x"), SIGTERM, false), SIGTERM);
  EXPECT_EQ(directory.numFiles(), 2u); // so the test above tests something
}

TEST(PendingFiles, FinishedFilesStay) {
  TemporaryDirectory directory;
  pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, SIG_DFL);
    removePendingFilesOnSignals();
    // More files than are remembered, one after the other.
    for (int i = 0; i < 100; ++i)
      if (!writeFileAtomically(directory.file(std::to_string(i)), {"x"}).ok())
        ::_exit(3);
    ::raise(SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(directory.numFiles(), 100u);
}

TEST(PendingFiles, ManyAtOnce) {
  TemporaryDirectory directory;
  std::vector<PendingFile> files;
  for (int i = 0; i < 100; ++i)
    files.emplace_back(directory.file("none"));
  files.clear();
  PendingFile again(directory.file("none"));
}

} // namespace
