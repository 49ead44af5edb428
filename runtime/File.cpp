// POSIX implementation of whole-file operations.
#include "runtime/File.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres::runtime {
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

Status systemError(const std::string &path, const char *action) {
  return ioError(path, ": cannot ", action, ": ", std::strerror(errno));
}

/// Opens a regular file and returns its size; directories, pipes and devices
/// are refused before anything is read from them.
Result<size_t> regularFileSize(const std::string &path, int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return systemError(path, "stat");
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

/// Creates a file beside `path` that no other thread or process has open and
/// stores its name; returns the descriptor, or -1 with errno set.
int createBeside(const std::string &path, std::string &name) {
  static std::atomic<uint64_t> counter{0};
  int fd;
  do {
    name = concat(path, ".tmp.", ::getpid(), ".", counter++);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EEXIST);
  return fd;
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
  std::string aside;
  int fd = createBeside(path, aside);
  if (fd < 0)
    return systemError(path, "create a file beside it");
  return AtomicFileWriter(path, std::move(aside), fd);
}

AtomicFileWriter::AtomicFileWriter(AtomicFileWriter &&other) noexcept
    : pending(std::move(other.pending)), path(std::move(other.path)),
      aside(std::move(other.aside)), fd(std::exchange(other.fd, -1)) {}

AtomicFileWriter::~AtomicFileWriter() {
  if (fd < 0)
    return;
  ::close(fd);
  ::unlink(aside.c_str());
}

Status AtomicFileWriter::write(std::string_view bytes) {
  return writeAll(fd, bytes) ? Status() : systemError(path, "write");
}

Status AtomicFileWriter::commit() {
  bool flushed = ::fsync(fd) == 0;
  Descriptor file(std::exchange(fd, -1));
  if (!flushed || !file.close() || ::rename(aside.c_str(), path.c_str()) != 0) {
    Status status = systemError(path, "write");
    ::unlink(aside.c_str());
    return status;
  }
  return flushDirectory(directoryOf(path));
}

Status flushDirectory(const std::string &path) {
  Descriptor directory(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0 || ::fsync(directory.get()) != 0)
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

} // namespace attnres::runtime
