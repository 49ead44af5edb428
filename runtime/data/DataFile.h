// Files that samples are read from while a run goes on.
#ifndef ATTNRES_RUNTIME_DATA_DATAFILE_H
#define ATTNRES_RUNTIME_DATA_DATAFILE_H

#include "support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// What a file was when it was opened.
struct FileFingerprint {
  std::string path; ///< absolute
  int64_t bytes = 0;
  uint64_t hash = 0; ///< a ContentHash of all bytes

  bool sameContent(const FileFingerprint &other) const {
    return bytes == other.bytes && hash == other.hash;
  }
  /// "/a/text.txt (1234 bytes, 0123456789abcdef)"
  std::string describe() const;
};

/// A regular file that stays open and is read in pieces, not mapped: a file
/// that is cut while it is in use is an error, not a signal. Reads check that
/// the file still is what it was.
class DataFile {
public:
  /// Reads the file once for its fingerprint.
  static Result<std::shared_ptr<const DataFile>> open(const std::string &path);
  DataFile(const DataFile &) = delete;
  DataFile &operator=(const DataFile &) = delete;
  ~DataFile();

  /// The path as it was given.
  const std::string &path() const { return name; }
  int64_t size() const { return fingerprint_.bytes; }
  const FileFingerprint &fingerprint() const { return fingerprint_; }

  /// Copies `count` bytes from `offset` on; all of them are in [0, size()).
  /// Fails when the file holds something else than when it was opened. Calls
  /// must not overlap.
  Status read(int64_t offset, int64_t count, char *into) const;

private:
  /// What changes when somebody writes to the file.
  struct Times {
    int64_t bytes, modified[2], changed[2];
    bool operator==(const Times &other) const;
  };

  DataFile(std::string path, int fd) : name(std::move(path)), fd(fd) {}

  Result<Times> times() const;
  Status readAll(uint64_t &hash) const;
  Status readBytes(int64_t offset, int64_t count, char *into) const;

  std::string name;
  int fd;
  FileFingerprint fingerprint_;
  mutable Times known{}; ///< at which the content was that of the fingerprint
};

using DataFiles = std::vector<std::shared_ptr<const DataFile>>;

/// Opens all; an empty file is an error.
Result<DataFiles> openDataFiles(const std::vector<std::string> &paths);

/// "a, b and 3 more", for messages.
std::string joinNames(const std::vector<std::string> &names);
std::string joinNames(const DataFiles &files);

} // namespace attnres::runtime
#endif
