// Reading whole files, mapping them, and replacing them atomically.
#ifndef ATTNRES_RUNTIME_FILE_H
#define ATTNRES_RUNTIME_FILE_H

#include "runtime/PendingFiles.h"
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

/// Writes a new file beside `path`; commit() flushes it to disk, renames it
/// over `path` and flushes the directory. Without a commit `path` stays as it
/// was and the new file is removed. Safe against a crash at any moment and
/// against other processes that replace the same file; a writer that is killed
/// leaves its unfinished PATH.tmp.* behind, but see
/// removePendingFilesOnSignals.
class AtomicFileWriter {
public:
  static Result<AtomicFileWriter> create(const std::string &path);

  AtomicFileWriter(AtomicFileWriter &&other) noexcept;
  AtomicFileWriter &operator=(AtomicFileWriter &&) = delete;
  ~AtomicFileWriter();

  /// Appends. Not buffered: callers pass large pieces.
  Status write(std::string_view bytes);
  /// At most once, after the last write.
  Status commit();

private:
  AtomicFileWriter(std::string path, std::string aside, int fd)
      : pending(aside), path(std::move(path)), aside(std::move(aside)), fd(fd) {
  }

  PendingFile pending; ///< the file aside
  std::string path, aside;
  int fd; ///< -1 after commit()
};

/// Makes `path` hold the concatenation of `chunks`, or leaves it as it was, by
/// an AtomicFileWriter.
Status writeFileAtomically(const std::string &path,
                           const std::vector<std::string_view> &chunks);

/// Makes the names in a folder last through a crash of the system.
Status flushDirectory(const std::string &path);

} // namespace attnres::runtime
#endif
