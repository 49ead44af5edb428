// A few fields of protocol buffers, written by hand.
#include "runtime/training/EventFile.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

// Numbers of fields in event.proto and summary.proto, and types on the wire.
namespace event {
constexpr int wallTime = 1, step = 2, fileVersion = 3, summary = 5,
              sessionLog = 7;
} // namespace event
constexpr int sessionStatus = 1, sessionStart = 1; // SessionLog.START
constexpr int summaryValue = 1, valueTag = 1, valueSimple = 2;
enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void addVarint(std::string &to, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

void addKey(std::string &to, int field, WireType type) {
  addVarint(to, static_cast<uint64_t>(field) << 3 | type);
}

void addInteger(std::string &to, int field, int64_t value) {
  addKey(to, field, Varint);
  addVarint(to, static_cast<uint64_t>(value));
}

void addBytes(std::string &to, int field, std::string_view bytes) {
  addKey(to, field, Bytes);
  addVarint(to, bytes.size());
  to += bytes;
}

template <typename T>
void addRaw(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// So that a CRC of bytes which hold CRCs is none of them.
uint32_t masked(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8; }

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

} // namespace

uint32_t crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    constexpr uint32_t reversed =
        0x82f63b78; // the polynomial, lowest bit first
    std::array<uint32_t, 256> entries{};
    for (uint32_t i = 0; i < 256; ++i) {
      entries[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        entries[i] = entries[i] >> 1 ^ (entries[i] & 1 ? reversed : 0);
    }
    return entries;
  }();
  uint32_t crc = ~uint32_t{0};
  for (char c : bytes)
    crc = table[(crc ^ static_cast<unsigned char>(c)) & 255] ^ crc >> 8;
  return ~crc;
}

Result<EventFile> EventFile::create(const std::string &folder,
                                    int64_t lastStep) {
  // Readers go by the time in the name: two processes of one run differ in it
  // or in their numbers.
  std::string path =
      concat(folder, "/events.out.tfevents.",
             static_cast<int64_t>(secondsNow()), ".attnres.", ::getpid());
  int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0)
    return ioError(path, ": cannot create: ", std::strerror(errno));
  EventFile file(path, fd);
  std::string version, start, log;
  addBytes(version, event::fileVersion, "brain.Event:2");
  if (Status status = file.write(0, version); !status.ok())
    return status;
  addInteger(start, sessionStatus, sessionStart);
  addBytes(log, event::sessionLog, start);
  if (Status status = file.write(lastStep + 1, log); !status.ok())
    return status;
  return file;
}

EventFile::EventFile(EventFile &&other) noexcept
    : path(std::move(other.path)), fd(std::exchange(other.fd, -1)) {}

EventFile::~EventFile() {
  if (fd >= 0)
    ::close(fd);
}

Status
EventFile::append(int64_t step,
                  const std::vector<std::pair<std::string, double>> &values) {
  std::string summary, content;
  for (const auto &[tag, number] : values) {
    std::string value;
    addBytes(value, valueTag, tag);
    addKey(value, valueSimple, Fixed32);
    addRaw(value, static_cast<float>(number));
    addBytes(summary, summaryValue, value);
  }
  addBytes(content, event::summary, summary);
  return write(step, content);
}

Status EventFile::write(int64_t step, std::string_view content) {
  std::string body;
  addKey(body, event::wallTime, Fixed64);
  addRaw(body, secondsNow());
  addInteger(body, event::step, step);
  body += content;
  std::string record;
  addRaw(record, uint64_t{body.size()});
  addRaw(record, masked(crc32c(record)));
  record += body;
  addRaw(record, masked(crc32c(body)));
  off_t size = ::lseek(fd, 0, SEEK_END);
  for (std::string_view rest = record; !rest.empty();) {
    ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Status status = ioError(path, ": cannot append: ", std::strerror(errno));
      (void)!::ftruncate(fd, size); // no half record
      return status;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

} // namespace attnres::runtime
