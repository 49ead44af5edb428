// POSIX implementation of whole-file operations.
#include "support/File.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres {

Status systemError(const std::string &path, const char *action) {
  return ioError(path, ": cannot ", action, ": ", std::strerror(errno));
}

namespace {

/// Closes on destruction; close() reports late write errors.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  bool close() { return ::close(std::exchange(fd, -1)) == 0; }
  int get() const { return fd; }

private:
  int fd;
};

/// The size of an open regular file; directories, pipes and devices are refused
/// before anything is read from them.
Result<size_t> regularFileSize(const std::string &path, int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return systemError(path, "stat");
  if (S_ISDIR(info.st_mode))
    return ioError(path, ": is a folder, expected a file");
  if (!S_ISREG(info.st_mode))
    return ioError(path, ": not a regular file");
  return static_cast<size_t>(info.st_size);
}

int openForReading(const std::string &path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::string directoryOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string nameOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Creates a file beside `path` that no other thread or process has open and
/// stores its name; returns the descriptor, or -1 with errno set.
int createBeside(const std::string &path, std::string &name) {
  static std::atomic<uint64_t> counter{0};
  constexpr size_t longest = 200; // names have at most 255 bytes
  size_t nameBegin = path.size() - nameOf(path).size();
  std::string begin = path.substr(0, nameBegin + longest);
  int fd;
  do {
    name = concat(begin, ".tmp.", ::getpid(), ".", counter++);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EEXIST);
  return fd;
}

/// For a file that cannot be created beside `target`, which `path` stands for.
Status cannotCreate(const std::string &path, const std::string &target) {
  if (errno == ENOENT)
    return ioError(path, ": cannot create: there is no folder ",
                   inQuotes(directoryOf(target)));
  return systemError(path, "create a file beside it");
}

// ------------------------------------------------------- where bytes belong

/// What writing to a path means.
struct Destination {
  std::string path;     ///< with links resolved
  bool through = false; ///< a pipe, a device, or an open descriptor
  int descriptor = -1;  ///< to write through, if it was to be opened
  bool exists = false;
  struct stat info = {}; ///< when it exists
};

/// Whether `path` is a link in a folder of descriptors, such as /dev/fd or
/// /proc/self/fd. These are no paths to follow: they lead to pipes, to files
/// without a name, or to files that are open at a position.
bool isDescriptorLink(const std::string &path, bool &ofThisProcess) {
  char *real = ::realpath(directoryOf(path).c_str(), nullptr);
  std::string folder = real ? real : "";
  std::free(real);
  ofThisProcess = folder == concat("/proc/", ::getpid(), "/fd");
  return folder.compare(0, 6, "/proc/") == 0;
}

int openDescriptorLink(const std::string &path, bool ofThisProcess) {
  if (!ofThisProcess)
    return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  int number = std::atoi(nameOf(path).c_str());
  if (number == STDOUT_FILENO)
    std::fflush(stdout); // what was printed before comes before
  return ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/// Where the bytes for `given` belong; what they go through is opened on
/// request, which waits for the reader of a pipe.
Result<Destination> findDestination(const std::string &given, bool open) {
  constexpr int maxLinks = 40;
  if (given.empty())
    return ioError("cannot write to a file without a name");
  Destination result;
  result.path = given;
  for (int links = 0; links <= maxLinks; ++links) {
    if (::lstat(result.path.c_str(), &result.info) != 0) {
      int reason = errno;
      bool ofThisProcess = false;
      if (reason == ENOENT && isDescriptorLink(result.path, ofThisProcess))
        reason = EBADF;
      errno = reason;
      if (reason != ENOENT || result.path.back() == '/')
        return systemError(given, "write");
      return result; // to be created
    }
    mode_t mode = result.info.st_mode;
    if (S_ISLNK(mode)) {
      bool ofThisProcess = false;
      if (isDescriptorLink(result.path, ofThisProcess)) {
        result.through = true;
        if (open)
          result.descriptor = openDescriptorLink(result.path, ofThisProcess);
        if (open ? result.descriptor < 0
                 : ::access(result.path.c_str(), F_OK) != 0)
          return systemError(given, "write");
        return result;
      }
      char link[4096];
      ssize_t size = ::readlink(result.path.c_str(), link, sizeof link);
      if (size <= 0 || size == sizeof link)
        return systemError(given, "follow the link");
      std::string next(link, static_cast<size_t>(size));
      result.path =
          next[0] == '/' ? next : directoryOf(result.path) + "/" + next;
      continue;
    }
    if (S_ISDIR(mode))
      return ioError(given, ": is a folder, expected the name of a file");
    if (S_ISBLK(mode))
      return ioError(given, ": is a block device, which is not overwritten");
    result.exists = true;
    if (S_ISREG(mode)) {
      if (::faccessat(AT_FDCWD, result.path.c_str(), W_OK, AT_EACCESS) != 0)
        return systemError(given, "write");
      return result;
    }
    result.through = true;
    if (open)
      result.descriptor = ::open(result.path.c_str(), O_WRONLY | O_CLOEXEC);
    if (open
            ? result.descriptor < 0
            : ::faccessat(AT_FDCWD, result.path.c_str(), W_OK, AT_EACCESS) != 0)
      return systemError(given, "write");
    return result;
  }
  errno = ELOOP;
  return systemError(given, "write");
}

} // namespace

Result<std::string> readFile(const std::string &path, size_t maxBytes) {
  Descriptor file(openForReading(path));
  if (file.get() < 0)
    return systemError(path, "open");
  Result<size_t> size = regularFileSize(path, file.get());
  if (!size.ok())
    return size.status();
  if (*size > maxBytes)
    return invalidData(path, ": ", *size, " bytes, limit is ", maxBytes);
  std::string content(*size, '\0');
  size_t have = 0;
  while (have < content.size()) {
    ssize_t got =
        ::read(file.get(), content.data() + have, content.size() - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(path, "read");
    if (got == 0)
      break; // it shrank meanwhile
    have += static_cast<size_t>(got);
  }
  content.resize(have);
  return content;
}

Result<MappedFile> MappedFile::open(const std::string &path) {
  Descriptor file(openForReading(path));
  if (file.get() < 0)
    return systemError(path, "open");
  Result<size_t> size = regularFileSize(path, file.get());
  if (!size.ok())
    return size.status();
  if (*size == 0)
    return MappedFile(nullptr, 0);
  void *data = ::mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED)
    return systemError(path, "map");
  return MappedFile(static_cast<const char *>(data), *size);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : data(std::exchange(other.data, nullptr)),
      size(std::exchange(other.size, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(data, other.data);
  std::swap(size, other.size);
  return *this;
}

MappedFile::~MappedFile() {
  if (data)
    ::munmap(const_cast<char *>(data), size);
}

Result<AtomicFileWriter> AtomicFileWriter::create(const std::string &path) {
  Result<Destination> found = findDestination(path, /*open=*/true);
  if (!found.ok())
    return found.status();
  if (found->through)
    return AtomicFileWriter(path, "", "", found->descriptor);
  std::string aside;
  int fd = createBeside(found->path, aside);
  if (fd < 0)
    return cannotCreate(path, found->path);
  if (found->exists) {
    // Giving the file to its old owner is for the privileged.
    (void)!::fchown(fd, found->info.st_uid, found->info.st_gid);
    (void)!::fchmod(fd, found->info.st_mode & 0777);
  }
  return AtomicFileWriter(path, found->path, std::move(aside), fd);
}

AtomicFileWriter::AtomicFileWriter(AtomicFileWriter &&other) noexcept
    : pending(std::move(other.pending)), path(std::move(other.path)),
      target(std::move(other.target)), aside(std::move(other.aside)),
      fd(std::exchange(other.fd, -1)) {}

AtomicFileWriter::~AtomicFileWriter() {
  if (fd < 0)
    return;
  ::close(fd);
  if (!aside.empty())
    ::unlink(aside.c_str());
}

Status checkWritable(const std::string &path) {
  Result<Destination> found = findDestination(path, /*open=*/false);
  if (!found.ok())
    return found.status();
  if (!found->through && ::faccessat(AT_FDCWD, directoryOf(found->path).c_str(),
                                     W_OK | X_OK, AT_EACCESS) != 0)
    return cannotCreate(path, found->path);
  return {};
}

Status AtomicFileWriter::write(std::string_view bytes) {
  return writeAll(fd, bytes) ? Status() : systemError(path, "write");
}

Status AtomicFileWriter::commit() {
  if (aside.empty()) // nothing to flush in a pipe or a terminal
    return ::close(std::exchange(fd, -1)) == 0 ? Status()
                                               : systemError(path, "write");
  bool flushed = ::fsync(fd) == 0;
  Descriptor file(std::exchange(fd, -1));
  if (!flushed || !file.close() ||
      ::rename(aside.c_str(), target.c_str()) != 0) {
    Status status = systemError(path, "write");
    ::unlink(aside.c_str());
    return status;
  }
  return flushDirectory(directoryOf(target));
}

Status flushDirectory(const std::string &path) {
  Descriptor directory(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  bool flushed = directory.get() >= 0 && ::fsync(directory.get()) == 0;
  // Folders that one may write but not read, and file systems that flush on
  // their own.
  if (!flushed && errno != EACCES && errno != EINVAL)
    return systemError(path, "flush the directory");
  return {};
}

Status writeFileAtomically(const std::string &path,
                           const std::vector<std::string_view> &chunks) {
  Result<AtomicFileWriter> writer = AtomicFileWriter::create(path);
  if (!writer.ok())
    return writer.status();
  for (std::string_view chunk : chunks)
    if (Status status = writer->write(chunk); !status.ok())
      return status;
  return writer->commit();
}

Result<std::string> readStandardInput(size_t maxBytes) {
  std::string content;
  char piece[1 << 16];
  while (true) {
    ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("standard input", "read");
    if (got == 0)
      return content;
    content.append(piece, static_cast<size_t>(got));
    if (content.size() > maxBytes)
      return invalidData("standard input: more than ", maxBytes, " bytes");
  }
}

std::string_view withoutByteOrderMark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

bool isUtf16(std::string_view text) {
  return text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff";
}

std::vector<std::string> splitLines(std::string_view text) {
  text = withoutByteOrderMark(text);
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

} // namespace attnres
