// Ranks that are threads: they leave each other copies of what they send.
#include "runtime/distributed/LocalCommunicator.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <queue>

namespace attnres::runtime {
namespace {

/// What ranks have sent each other and nobody has taken yet.
class Post {
public:
  explicit Post(int size)
      : size(static_cast<size_t>(size)), boxes(this->size * this->size) {}

  void put(size_t from, size_t to, const SentBytes &bytes) {
    const char *begin = static_cast<const char *>(bytes.data);
    std::lock_guard<std::mutex> lock(mutex);
    boxes[from * size + to].emplace(begin, begin + bytes.bytes);
    changed.notify_all();
  }

  /// The next message; nothing when the time is over.
  std::optional<std::vector<char>> take(size_t from, size_t to,
                                        std::chrono::milliseconds limit) {
    std::unique_lock<std::mutex> lock(mutex);
    std::queue<std::vector<char>> &box = boxes[from * size + to];
    if (!changed.wait_for(lock, limit, [&] { return !box.empty(); }))
      return std::nullopt;
    std::vector<char> message = std::move(box.front());
    box.pop();
    return message;
  }

private:
  size_t size;
  std::vector<std::queue<std::vector<char>>> boxes;
  std::mutex mutex;
  std::condition_variable changed;
};

class LocalCommunicator final : public Communicator {
public:
  LocalCommunicator(int rank, int size, std::shared_ptr<Post> post)
      : Communicator(rank, size), post(std::move(post)) {}

private:
  Status transfer(const std::vector<SentBytes> &sent,
                  const std::vector<ReceivedBytes> &received) override {
    auto self = static_cast<size_t>(rank());
    for (size_t r = 0; r < sent.size(); ++r)
      if (r != self && sent[r].bytes > 0)
        post->put(self, r, sent[r]);
    Status status;
    for (size_t r = 0; r < received.size(); ++r) {
      if (r == self || received[r].bytes == 0)
        continue;
      auto message = post->take(r, self, timeLimit);
      if (!message)
        return ioError("a rank did not answer for ", timeLimit.count(), " ms");
      auto bytes = static_cast<int64_t>(message->size());
      if (bytes != received[r].bytes)
        status =
            invalidArgument("rank ", r, " sends ", bytes, " bytes where rank ",
                            self, " expects ", received[r].bytes);
      else
        std::memcpy(received[r].data, message->data(), message->size());
    }
    return status;
  }

  std::shared_ptr<Post> post;
};

} // namespace

std::vector<std::unique_ptr<Communicator>> localCommunicators(int size) {
  auto post = std::make_shared<Post>(size);
  std::vector<std::unique_ptr<Communicator>> all;
  for (int rank = 0; rank < size; ++rank)
    all.push_back(std::make_unique<LocalCommunicator>(rank, size, post));
  return all;
}

} // namespace attnres::runtime
