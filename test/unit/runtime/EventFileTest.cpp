// Event files, read back by a reader of their own.
#include "runtime/training/EventFile.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

using namespace attnres;
using namespace attnres::runtime;

namespace {

TEST(Crc32c, KnownValues) {
  // RFC 3720, B.4, and the usual check value.
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

/// The fields of a message, in order.
struct Field {
  int number;
  uint64_t value; ///< of numbers, bit by bit
  std::string bytes;
};

uint64_t takeVarint(std::string_view &from) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    auto byte = static_cast<unsigned char>(from.at(0));
    from.remove_prefix(1);
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128)
      return value;
  }
}

std::vector<Field> fieldsOf(std::string_view message) {
  std::vector<Field> fields;
  while (!message.empty()) {
    uint64_t key = takeVarint(message);
    Field field{static_cast<int>(key >> 3), 0, ""};
    size_t width = 0;
    switch (key & 7) {
    case 0:
      field.value = takeVarint(message);
      break;
    case 1:
      width = 8;
      break;
    case 2: {
      auto length = static_cast<size_t>(takeVarint(message));
      field.bytes = message.substr(0, length);
      message.remove_prefix(length);
      break;
    }
    case 5:
      width = 4;
      break;
    default:
      ADD_FAILURE() << "wire type " << (key & 7);
      return fields;
    }
    std::memcpy(&field.value, message.data(), width ? width : 0);
    message.remove_prefix(width);
    fields.push_back(field);
  }
  return fields;
}

uint32_t unmask(uint32_t crc) {
  uint32_t rotated = crc - 0xa282ead8;
  return rotated << 15 | rotated >> 17;
}

std::vector<std::vector<Field>> readEvents(const std::string &path) {
  std::string bytes = readBytes(path);
  std::vector<std::vector<Field>> events;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t length;
    uint32_t crc;
    std::memcpy(&length, bytes.data() + at, 8);
    std::memcpy(&crc, bytes.data() + at + 8, 4);
    EXPECT_EQ(unmask(crc), crc32c(bytes.substr(at, 8)));
    std::string body = bytes.substr(at + 12, length);
    std::memcpy(&crc, bytes.data() + at + 12 + length, 4);
    EXPECT_EQ(unmask(crc), crc32c(body));
    events.push_back(fieldsOf(body));
    at += 16 + length;
  }
  return events;
}

TEST(EventFile, ReadsBack) {
  TemporaryDirectory directory;
  {
    auto file = EventFile::create(directory.path.string(), 300);
    ASSERT_TRUE(file.ok()) << file.status().message();
    ASSERT_TRUE(file->append(301, {{"train/loss", 2.5}, {"b", -1e-3}}).ok());
    ASSERT_TRUE(file->append(int64_t{1} << 40, {{"c", 7}}).ok());
  }
  std::string path =
      std::filesystem::directory_iterator(directory.path)->path().string();
  EXPECT_NE(path.find("/events.out.tfevents."), std::string::npos);
  auto events = readEvents(path);
  ASSERT_EQ(events.size(), 4u);
  for (const auto &event : events) {
    ASSERT_EQ(event.size(), 3u);
    EXPECT_EQ(event[0].number, 1);
    double time;
    std::memcpy(&time, &event[0].value, sizeof time);
    EXPECT_GT(time, 1.6e9);
    EXPECT_EQ(event[1].number, 2);
  }
  EXPECT_EQ(events[0][2].number, 3);
  EXPECT_EQ(events[0][2].bytes, "brain.Event:2");
  // What was beyond step 300 counts no more.
  EXPECT_EQ(events[1][1].value, 301u);
  EXPECT_EQ(events[1][2].number, 7);
  EXPECT_EQ(events[1][2].bytes, "\x08\x01");
  EXPECT_EQ(events[2][1].value, 301u);
  EXPECT_EQ(events[2][2].number, 5);
  auto values = fieldsOf(events[2][2].bytes);
  ASSERT_EQ(values.size(), 2u);
  auto expectValue = [](const Field &value, const std::string &tag,
                        float expected) {
    EXPECT_EQ(value.number, 1);
    auto fields = fieldsOf(value.bytes);
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0].number, 1);
    EXPECT_EQ(fields[0].bytes, tag);
    EXPECT_EQ(fields[1].number, 2);
    float number;
    std::memcpy(&number, &fields[1].value, sizeof number);
    EXPECT_EQ(number, expected);
  };
  expectValue(values[0], "train/loss", 2.5f);
  expectValue(values[1], "b", -1e-3f);
  EXPECT_EQ(events[3][1].value, uint64_t{1} << 40);
}

} // namespace
