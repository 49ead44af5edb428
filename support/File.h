// Reading whole files, mapping them, and writing them where they belong.
#ifndef ATTNRES_SUPPORT_FILE_H
#define ATTNRES_SUPPORT_FILE_H

#include "support/PendingFiles.h"
#include "support/Status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attnres {

/// "PATH: cannot ACTION: " and what the system says about errno.
Status systemError(const std::string &path, const char *action);

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

/// The one way in which this project writes a file that someone named.
///
/// A regular file, or one that does not exist yet, is written beside its final
/// place; commit() flushes it to disk, renames it over the old one, whose
/// permissions it gets, and flushes the directory. Without a commit the old one
/// stays as it was and the new one is removed. Safe against a crash at any
/// moment and against other processes that replace the same file; a writer that
/// is killed leaves its unfinished FILE.tmp.* behind, but see
/// removePendingFilesOnSignals.
///
/// Symbolic links are followed to the file that they stand for, and stay.
/// Pipes, character devices and open descriptors (/dev/stdout, /dev/fd/N) are
/// written through. Folders, block devices and files that one may not write are
/// refused.
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
  AtomicFileWriter(std::string path, std::string target, std::string aside,
                   int fd)
      : pending(aside), path(std::move(path)), target(std::move(target)),
        aside(std::move(aside)), fd(fd) {}

  PendingFile pending; ///< the file aside
  std::string path;    ///< as it was given, for messages
  std::string target;  ///< what commit() renames to
  std::string aside;   ///< the new file; empty when it is written through
  int fd;              ///< -1 after commit()
};

/// Whether an AtomicFileWriter of `path` could be created now: asked before
/// long work whose result goes there. Opens and creates nothing.
Status checkWritable(const std::string &path);

/// Makes `path` hold the concatenation of `chunks`, or leaves it as it was, by
/// an AtomicFileWriter.
Status writeFileAtomically(const std::string &path,
                           const std::vector<std::string_view> &chunks);

/// All of standard input, of at most `maxBytes`.
Result<std::string> readStandardInput(size_t maxBytes);

/// `text` without the byte order mark that some editors begin UTF-8 with.
std::string_view withoutByteOrderMark(std::string_view text);

/// Whether `text` begins with the byte order mark of UTF-16, which programs on
/// Windows write unless told otherwise.
bool isUtf16(std::string_view text);

/// The lines of a text, without their ends (\n or \r\n) and without a byte
/// order mark. The last one need not have an end.
std::vector<std::string> splitLines(std::string_view text);

/// Makes the names in a folder last through a crash of the system.
Status flushDirectory(const std::string &path);

} // namespace attnres
#endif
