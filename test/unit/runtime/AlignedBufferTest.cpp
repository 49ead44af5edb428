// Memory for tensors: alignment, zeros, no overlap.
#include "runtime/AlignedBuffer.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace attnres;
using namespace attnres::runtime;

namespace {

AlignedBuffer allocate(size_t bytes) {
  Result<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
  EXPECT_TRUE(buffer.ok());
  return *std::move(buffer);
}

TEST(AlignedBufferTest, Empty) {
  AlignedBuffer buffer = allocate(0);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.bytes(), 0u);
}

/// Sizes that share a mapping, that fill one, and that have their own.
TEST(AlignedBufferTest, ZeroAndApart) {
  std::vector<AlignedBuffer> buffers;
  for (int round = 0; round < 3; ++round)
    for (size_t bytes :
         {size_t{1}, size_t{63}, size_t{64}, size_t{4097},
          (size_t{4} << 20) - 1, size_t{4} << 20, (size_t{33} << 20) + 5})
      buffers.push_back(allocate(bytes));
  for (size_t i = 0; i < buffers.size(); ++i) {
    AlignedBuffer &buffer = buffers[i];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer.data()[0], std::byte{0});
    EXPECT_EQ(buffer.data()[buffer.bytes() - 1], std::byte{0});
    std::memset(buffer.data(), static_cast<int>(i + 1), buffer.bytes());
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(buffers[i].data()[0], static_cast<std::byte>(i + 1));
    EXPECT_EQ(buffers[i].data()[buffers[i].bytes() - 1],
              static_cast<std::byte>(i + 1));
  }
}

/// Memory given back is never handed out with what was in it.
TEST(AlignedBufferTest, ZeroAfterRelease) {
  for (int round = 0; round < 200; ++round) {
    AlignedBuffer buffer = allocate(300000);
    for (size_t i = 0; i < buffer.bytes(); i += 1000)
      ASSERT_EQ(buffer.data()[i], std::byte{0});
    std::memset(buffer.data(), 0xff, buffer.bytes());
  }
}

/// A buffer outlives the others of its mapping, and a move empties the source.
TEST(AlignedBufferTest, Lifetime) {
  AlignedBuffer kept;
  {
    AlignedBuffer first = allocate(1000), second = allocate(1000);
    second.data()[999] = std::byte{7};
    kept = std::move(second);
  }
  EXPECT_EQ(kept.data()[999], std::byte{7});
  AlignedBuffer moved = std::move(kept);
  EXPECT_EQ(kept.data(), nullptr);
  EXPECT_EQ(moved.bytes(), 1000u);
}

TEST(AlignedBufferTest, TooLarge) {
  EXPECT_FALSE(AlignedBuffer::allocate(size_t{1} << 60).ok());
}

} // namespace
