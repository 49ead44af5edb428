// Reading by position, and noticing that somebody else writes.
#include "runtime/data/DataFile.h"

#include "support/ContentHash.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres::runtime {

std::string FileFingerprint::describe() const {
  return concat(path, " (", bytes, " bytes, ", showHash(hash), ")");
}

bool DataFile::Times::operator==(const Times &other) const {
  return bytes == other.bytes && modified[0] == other.modified[0] &&
         modified[1] == other.modified[1] && changed[0] == other.changed[0] &&
         changed[1] == other.changed[1];
}

DataFile::~DataFile() { ::close(fd); }

namespace {

int openForReading(const std::string &path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/// Allows as many open files as a process may allow itself.
bool raiseFileLimit() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
      limit.rlim_cur == limit.rlim_max)
    return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

} // namespace

Result<std::shared_ptr<const DataFile>>
DataFile::open(const std::string &path) {
  int fd = openForReading(path);
  // Data may be in thousands of files, which all stay open.
  if (fd < 0 && errno == EMFILE && raiseFileLimit())
    fd = openForReading(path);
  if (fd < 0 && errno == EMFILE)
    return ioError(path, ": cannot open: ", std::strerror(errno),
                   "; join the files, or raise the limit (ulimit -n)");
  if (fd < 0)
    return ioError(path, ": cannot open: ", std::strerror(errno));
  std::shared_ptr<DataFile> file(new DataFile(path, fd));
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return ioError(path, ": cannot stat: ", std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return ioError(path, ": not a regular file");
  Result<Times> before = file->times();
  if (!before.ok())
    return before.status();
  std::error_code error;
  file->known = *before;
  file->fingerprint_.path = std::filesystem::absolute(path, error);
  file->fingerprint_.bytes = before->bytes;
  if (Status status = file->readAll(file->fingerprint_.hash); !status.ok())
    return status;
  return std::shared_ptr<const DataFile>(std::move(file));
}

Result<DataFile::Times> DataFile::times() const {
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return ioError(name, ": cannot stat: ", std::strerror(errno));
  return Times{info.st_size,
               {info.st_mtim.tv_sec, info.st_mtim.tv_nsec},
               {info.st_ctim.tv_sec, info.st_ctim.tv_nsec}};
}

Status DataFile::readAll(uint64_t &hash) const {
  constexpr int64_t piece = 1 << 20;
  std::string buffer(static_cast<size_t>(std::min(piece, size())), '\0');
  ContentHash content;
  for (int64_t offset = 0; offset < size(); offset += piece) {
    int64_t count = std::min(piece, size() - offset);
    if (Status status = readBytes(offset, count, buffer.data()); !status.ok())
      return status;
    content.add({buffer.data(), static_cast<size_t>(count)});
  }
  hash = content.value();
  return {};
}

Status DataFile::readBytes(int64_t offset, int64_t count, char *into) const {
  while (count > 0) {
    ssize_t got = ::pread(fd, into, static_cast<size_t>(count), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ioError(name, ": cannot read: ", std::strerror(errno));
    if (got == 0)
      return ioError(name, ": was cut while it was in use; it had ", size(),
                     " bytes and ends before byte ", offset + 1);
    into += got;
    offset += got;
    count -= got;
  }
  return {};
}

Status DataFile::read(int64_t offset, int64_t count, char *into) const {
  if (Status status = readBytes(offset, count, into); !status.ok())
    return status;
  // After reading, so that nothing that was written before goes unseen.
  Result<Times> now = times();
  if (!now.ok())
    return now.status();
  if (*now == known)
    return {};
  if (now->bytes != size())
    return ioError(name, ": was changed while it was in use; it had ", size(),
                   " bytes and has ", now->bytes);
  // Touching a file, or giving it another name, changes nothing that counts.
  uint64_t hash;
  if (Status status = readAll(hash); !status.ok())
    return status;
  if (hash != fingerprint_.hash)
    return ioError(name,
                   ": was changed while it was in use; its content had "
                   "the hash ",
                   showHash(fingerprint_.hash), " and has ", showHash(hash));
  known = *now;
  return {};
}

Result<DataFiles> openDataFiles(const std::vector<std::string> &paths) {
  DataFiles files;
  for (const std::string &path : paths) {
    Result<std::shared_ptr<const DataFile>> file = DataFile::open(path);
    if (!file.ok())
      return file.status();
    if ((*file)->size() == 0)
      return invalidData(path, ": the file is empty");
    files.push_back(*std::move(file));
  }
  return files;
}

std::string joinNames(const std::vector<std::string> &names) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? ", " : "") + names[i];
  return names.size() > most
             ? concat(text, " and ", names.size() - most, " more")
             : text;
}

std::string joinNames(const DataFiles &files) {
  std::vector<std::string> names;
  for (const auto &file : files)
    names.push_back(file->path());
  return joinNames(names);
}

} // namespace attnres::runtime
