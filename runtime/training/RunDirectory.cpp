// A lock that no crash leaves behind.
#include "runtime/training/RunDirectory.h"

#include "support/File.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres::runtime {

namespace fs = std::filesystem;

namespace {

std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// Says whose the lock is, for the message that another process prints.
void writeOwner(int fd) {
  std::string text = concat("process ", ::getpid(), " on ", hostName(), "\n");
  if (::ftruncate(fd, 0) == 0)
    (void)!::pwrite(fd, text.data(), text.size(), 0);
}

/// What the owner wrote. It may be about to.
std::string readOwner(int fd) {
  constexpr int tries = 20;
  constexpr useconds_t pause = 5000;
  char text[256];
  for (int i = 0; i < tries; ++i) {
    ssize_t got = ::pread(fd, text, sizeof text, 0);
    if (got > 1 && text[got - 1] == '\n') {
      std::string quoted = inQuotes({text, static_cast<size_t>(got - 1)});
      return quoted.substr(1, quoted.size() - 2);
    }
    ::usleep(pause);
  }
  return "another process";
}

bool isFile(int fd, const std::string &path) {
  struct stat open, named;
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

} // namespace

Result<RunDirectory> RunDirectory::own(const std::string &path) {
  std::string lock = path + "/lock";
  for (;;) {
    std::error_code error;
    bool created = fs::create_directories(path, error);
    if (error)
      return ioError(path, ": cannot create: ", error.message());
    int fd = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ENOENT)
      continue; // its last owner has just removed the folder
    if (fd < 0)
      return systemError(lock, "open");
    RunDirectory directory(path, fd, created);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      directory.created = false; // not ours to remove
      directory.locked = false;
      if (errno == EWOULDBLOCK)
        return ioError(path, ": in use by ", readOwner(fd),
                       "; wait for it, or choose another folder");
      // No locks on this file system.
      return directory;
    }
    if (!isFile(fd, lock)) {
      directory.created = directory.locked = false;
      continue; // the file was removed by its last owner
    }
    writeOwner(fd);
    if (created) {
      directory.pendingLock = PendingFile(lock);
      directory.pendingTokens = PendingFile(path + "/tokens.bin");
      directory.pendingFolder = PendingFile(path);
    }
    return directory;
  }
}

RunDirectory::RunDirectory(RunDirectory &&other) noexcept
    : folder(std::move(other.folder)), fd(std::exchange(other.fd, -1)),
      created(other.created), locked(other.locked),
      pendingLock(std::move(other.pendingLock)),
      pendingTokens(std::move(other.pendingTokens)),
      pendingFolder(std::move(other.pendingFolder)) {}

RunDirectory::~RunDirectory() {
  if (fd < 0)
    return;
  std::error_code error;
  if (created && !fs::exists(folder + "/run.json", error)) {
    // Nothing but the lock, and perhaps the tokens of a text.
    fs::remove(folder + "/tokens.bin", error);
    fs::remove(folder + "/lock", error);
    fs::remove(folder, error);
  } else if (locked) {
    (void)!::ftruncate(fd, 0);
  }
  ::close(fd);
}

bool RunDirectory::same(const std::string &a, const std::string &b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

} // namespace attnres::runtime
