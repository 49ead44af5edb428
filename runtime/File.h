// Reading whole files, mapping them, and replacing them atomically.
#ifndef ATTNRES_RUNTIME_FILE_H
#define ATTNRES_RUNTIME_FILE_H

#include "runtime/Status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// The bytes of a regular file of at most `maxBytes`.
Result<std::string> readFile(const std::string &path, size_t maxBytes);

/// A regular file mapped read-only. Truncating the file while it is mapped is
/// undefined, which is why this project only ever replaces files whole.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);

  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  /// Valid as long as this object; starts on a page boundary.
  std::string_view bytes() const { return {data, size}; }

private:
  MappedFile(const char *data, size_t size) : data(data), size(size) {}

  const char *data;
  size_t size;
};

/// Makes `path` hold the concatenation of `chunks`, or leaves it as it was:
/// writes a new file beside it, flushes that to disk, renames it over `path`
/// and flushes the directory. Safe against a crash at any moment and against
/// other processes that replace the same file. A writer that is killed leaves
/// its unfinished PATH.tmp.* behind.
Status writeFileAtomically(const std::string &path,
                           const std::vector<std::string_view> &chunks);

/// Makes the names in a folder last through a crash of the system.
Status flushDirectory(const std::string &path);

} // namespace attnres::runtime
#endif
