// Ranks that are threads: they read each other's memory.
#include "runtime/distributed/LocalCommunicator.h"

#include <condition_variable>
#include <cstring>
#include <mutex>

namespace attnres::runtime {
namespace {

/// Where ranks show each other what they send.
class Board {
public:
  explicit Board(int size) : shown(static_cast<size_t>(size)) {}

  /// Waits until all ranks are here; false when the time is over.
  bool meet(std::chrono::milliseconds limit) {
    std::unique_lock<std::mutex> lock(mutex);
    uint64_t round = rounds;
    if (++arrived == shown.size()) {
      arrived = 0;
      ++rounds;
      changed.notify_all();
      return true;
    }
    return changed.wait_for(lock, limit, [&] { return rounds != round; });
  }

  std::vector<const std::vector<SentBytes> *> shown;

private:
  std::mutex mutex;
  std::condition_variable changed;
  size_t arrived = 0;
  uint64_t rounds = 0;
};

class LocalCommunicator final : public Communicator {
public:
  LocalCommunicator(int rank, int size, std::shared_ptr<Board> board)
      : Communicator(rank, size), board(std::move(board)) {}

private:
  Status transfer(const std::vector<SentBytes> &sent,
                  const std::vector<ReceivedBytes> &received) override {
    auto self = static_cast<size_t>(rank());
    board->shown[self] = &sent;
    if (!board->meet(timeLimit))
      return late();
    Status status;
    for (size_t r = 0; r < received.size(); ++r) {
      if (r == self)
        continue;
      const SentBytes &from = (*board->shown[r])[self];
      if (from.bytes != received[r].bytes)
        status = invalidArgument("rank ", r, " sends ", from.bytes,
                                 " bytes where rank ", self, " expects ",
                                 received[r].bytes);
      else if (from.bytes > 0)
        std::memcpy(received[r].data, from.data,
                    static_cast<size_t>(from.bytes));
    }
    if (!board->meet(timeLimit))
      return late();
    return status;
  }

  Status late() const {
    return ioError("a rank did not answer for ", timeLimit.count(), " ms");
  }

  std::shared_ptr<Board> board;
};

} // namespace

std::vector<std::unique_ptr<Communicator>> localCommunicators(int size) {
  auto board = std::make_shared<Board>(size);
  std::vector<std::unique_ptr<Communicator>> all;
  for (int rank = 0; rank < size; ++rank)
    all.push_back(std::make_unique<LocalCommunicator>(rank, size, board));
  return all;
}

} // namespace attnres::runtime
