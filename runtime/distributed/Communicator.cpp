// What every way of communication makes of an exchange of bytes.
#include "runtime/distributed/Communicator.h"

#include <cstring>

namespace attnres::runtime {

Status Communicator::exchange(const std::vector<SentBytes> &sent,
                              const std::vector<ReceivedBytes> &received) {
  auto self = static_cast<size_t>(rank_);
  if (sent[self].bytes != received[self].bytes)
    return invalidArgument("a rank sends itself ", sent[self].bytes,
                           " bytes and expects ", received[self].bytes);
  if (sent[self].bytes > 0)
    std::memcpy(received[self].data, sent[self].data,
                static_cast<size_t>(sent[self].bytes));
  if (size_ == 1)
    return {};
  for (size_t r = 0; r < sent.size(); ++r)
    if (r != self)
      sent_ += sent[r].bytes;
  return transfer(sent, received);
}

Status Communicator::allGather(const void *own, int64_t bytes, void *all) {
  auto count = static_cast<size_t>(size_);
  std::vector<SentBytes> sent(count, {own, bytes});
  std::vector<ReceivedBytes> received(count);
  for (size_t r = 0; r < count; ++r)
    received[r] = {static_cast<char *>(all) + static_cast<int64_t>(r) * bytes,
                   bytes};
  return exchange(sent, received);
}

Result<std::vector<std::string>>
Communicator::allGather(const std::string &own) {
  Result<std::vector<int64_t>> sizes =
      allGather(static_cast<int64_t>(own.size()));
  if (!sizes.ok())
    return sizes.status();
  std::vector<std::string> all(sizes->size());
  std::vector<SentBytes> sent(all.size(),
                              {own.data(), static_cast<int64_t>(own.size())});
  std::vector<ReceivedBytes> received;
  for (size_t r = 0; r < all.size(); ++r) {
    all[r].resize(static_cast<size_t>((*sizes)[r]));
    received.push_back({all[r].data(), (*sizes)[r]});
  }
  if (Status status = exchange(sent, received); !status.ok())
    return status;
  return all;
}

Status Communicator::broadcast(int root, void *data, int64_t bytes) {
  std::vector<SentBytes> sent(static_cast<size_t>(size_));
  std::vector<ReceivedBytes> received(sent.size());
  if (rank_ != root) {
    received[static_cast<size_t>(root)] = {data, bytes};
    return exchange(sent, received);
  }
  for (size_t r = 0; r < sent.size(); ++r)
    if (static_cast<int>(r) != root)
      sent[r] = {data, bytes};
  return exchange(sent, received);
}

Status Communicator::broadcast(int root, std::string &text) {
  auto size = static_cast<int64_t>(text.size());
  if (Status status = broadcast(root, &size, sizeof size); !status.ok())
    return status;
  text.resize(static_cast<size_t>(size));
  return broadcast(root, text.data(), size);
}

Status Communicator::barrier() {
  char nothing = 0;
  std::string all(static_cast<size_t>(size_), 0);
  return allGather(&nothing, 1, all.data());
}

} // namespace attnres::runtime
