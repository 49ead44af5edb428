// The folder of a run, and who may write to it.
#ifndef ATTNRES_RUNTIME_TRAINING_RUNDIRECTORY_H
#define ATTNRES_RUNTIME_TRAINING_RUNDIRECTORY_H

#include "support/PendingFiles.h"
#include "support/Status.h"

#include <cstdint>
#include <string>

namespace attnres::runtime {

/// A run's folder while one process owns it. The kernel holds the lock, on
/// FOLDER/lock, so a process that dies in any way gives the folder back;
/// readers need no lock (see HeldCheckpoint).
class RunDirectory {
public:
  /// Creates the folder if there is none. Fails when another process owns it,
  /// and names that process.
  static Result<RunDirectory> own(const std::string &path);

  RunDirectory(RunDirectory &&other) noexcept;
  RunDirectory &operator=(RunDirectory &&) = delete;
  /// Gives the folder back. One that this object created goes, unless a run
  /// began in it.
  ~RunDirectory();

  const std::string &path() const { return folder; }
  /// Whether a second process would be refused. Some network file systems have
  /// no locks.
  bool isLocked() const { return locked; }

  /// Whether two paths name the same folder.
  static bool same(const std::string &a, const std::string &b);

private:
  RunDirectory(std::string folder, int fd, bool created)
      : folder(std::move(folder)), fd(fd), created(created) {}

  std::string folder;
  int fd;
  bool created, locked = true;
  /// What a signal that ends the process before the run begins removes.
  PendingFile pendingLock, pendingTokens, pendingFolder;
};

} // namespace attnres::runtime
#endif
