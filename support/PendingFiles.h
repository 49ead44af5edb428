// Unfinished files that a signal must not leave behind.
#ifndef ATTNRES_SUPPORT_PENDINGFILES_H
#define ATTNRES_SUPPORT_PENDINGFILES_H

#include <string>

namespace attnres {

/// From now on SIGINT, SIGTERM and SIGHUP remove the pending files before they
/// end the process as usual. Signals that are ignored stay so; whoever handles
/// them otherwise later has to do without.
void removePendingFilesOnSignals();

/// While it lives, the file or empty folder `path` is pending; an empty path
/// stands for none. Beyond a fixed number of files,
/// and for very long paths, it has no effect.
class PendingFile {
public:
  PendingFile() = default;
  explicit PendingFile(const std::string &path);
  PendingFile(PendingFile &&other) noexcept;
  PendingFile &operator=(PendingFile &&other) noexcept;
  ~PendingFile();

private:
  int slot = -1;
};

} // namespace attnres
#endif
