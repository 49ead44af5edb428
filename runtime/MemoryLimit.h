// How much memory there is, and whether something fits into it.
//
// Memory of the system is given out before it exists: who asks for too much is
// not refused but killed later. So sizes are compared with the limits first.
#ifndef ATTNRES_RUNTIME_MEMORYLIMIT_H
#define ATTNRES_RUNTIME_MEMORYLIMIT_H

#include "support/Status.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attnres::runtime {

/// "12.3 MiB".
std::string formatBytes(int64_t bytes);

/// A bound on the memory of this process.
struct MemoryLimit {
  int64_t bytes;      ///< that it may use in all
  std::string origin; ///< "the machine has", "the cgroup allows", ...
};

/// The smallest of: the machine's memory and swap, the limits of the process's
/// cgroups (versions 1 and 2), and, less what is mapped already, those on its
/// address space and data (ulimit -v and -d). `root` is prepended to the names
/// of the system's files.
MemoryLimit memoryLimit(const std::string &root = "");

/// Bytes by what they are for. Sums stop at the largest number.
class MemoryNeed {
public:
  void add(const std::string &purpose, double bytes);
  int64_t total() const;
  /// "1.0 GiB: parameters 0.6 GiB, activations 0.4 GiB".
  std::string describe() const;

  /// Fails when `limit` is smaller: "WHAT needs 1.0 GiB: ..., the machine has
  /// 0.5 GiB".
  Status expectWithin(const MemoryLimit &limit, const std::string &what) const;

private:
  std::vector<std::pair<std::string, double>> parts;
};

} // namespace attnres::runtime
#endif
