// The standard streams, in POSIX.
#include "support/Streams.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace attnres {

void openStandardStreams() {
  // In this order: open() returns the smallest number that is free. The other
  // direction than that of use makes every use an error.
  const int directions[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int fd = 0; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)!::open("/dev/null", directions[fd]);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Why something did not get to standard output, as far as that is known.
static int lostReason = 0;

void flushStandardOutput() {
  bool good = std::cout.good();
  if (good)
    errno = 0;
  if ((!std::cout.flush() || std::fflush(stdout) != 0) && lostReason == 0)
    lostReason = errno;
}

int closeStandardOutput(const char *program, int exitCode) {
  flushStandardOutput();
  bool lost = !std::cout || std::ferror(stdout);
  // Some file systems report a full disk only here.
  if (!lost && ::close(STDOUT_FILENO) != 0) {
    lost = true;
    lostReason = errno;
  }
  if (!lost)
    return exitCode;
  std::fflush(stderr);
  std::fprintf(stderr, "%s: cannot write to standard output%s%s\n", program,
               lostReason ? ": " : "",
               lostReason ? std::strerror(lostReason) : "");
  return exitCode == 0 ? 1 : exitCode;
}

} // namespace attnres
