// What processes that train one model tell each other: bytes, which arrive as
// they were sent. Sums are not among it: they are made in an order that a
// library might not keep (see SumTree.h).
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_COMMUNICATOR_H
#define ATTNRES_RUNTIME_DISTRIBUTED_COMMUNICATOR_H

#include "support/Status.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace attnres::runtime {

/// Bytes that go to a process, or have room for what comes from it.
struct SentBytes {
  const void *data = nullptr;
  int64_t bytes = 0;
};
struct ReceivedBytes {
  void *data = nullptr;
  int64_t bytes = 0;
};

/// The processes of a job, each with a number from 0 on. All of them call the
/// same operations in the same order, each from one thread at a time; only an
/// exchange is a matter of those who have something for each other. An
/// operation that some process does not come to fails in the others after the
/// time limit; after a failure nothing more can be said.
class Communicator {
public:
  virtual ~Communicator() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// For people, where there are several: "rank 2".
  std::string name() const { return concat("rank ", rank_); }

  void setTimeLimit(std::chrono::milliseconds limit) { timeLimit = limit; }

  /// Sends sent[r] to every rank r, while received[r] comes from it, whose
  /// sender says the same number of bytes. What a rank has for itself is
  /// copied. Ranges neither overlap nor change meanwhile.
  Status exchange(const std::vector<SentBytes> &sent,
                  const std::vector<ReceivedBytes> &received);

  /// Writes the `bytes` bytes of each rank, in their order, to `all`.
  Status allGather(const void *own, int64_t bytes, void *all);
  template <typename T>
  Result<std::vector<T>> allGather(const T &own) {
    std::vector<T> all(static_cast<size_t>(size()));
    if (Status status = allGather(&own, sizeof(T), all.data()); !status.ok())
      return status;
    return all;
  }
  /// The texts of all ranks, which may differ in length.
  Result<std::vector<std::string>> allGather(const std::string &own);
  /// Makes the bytes of all ranks those of `root`.
  Status broadcast(int root, void *data, int64_t bytes);
  Status broadcast(int root, std::string &text);
  /// Waits until every rank is here.
  Status barrier();

  /// Bytes that this rank sent to others so far.
  int64_t bytesSent() const { return sent_; }

protected:
  Communicator(int rank, int size) : rank_(rank), size_(size) {}

  /// exchange() between different ranks; those without bytes say nothing.
  virtual Status transfer(const std::vector<SentBytes> &sent,
                          const std::vector<ReceivedBytes> &received) = 0;

  std::chrono::milliseconds timeLimit = std::chrono::minutes(10);

private:
  int rank_, size_;
  int64_t sent_ = 0;
};

} // namespace attnres::runtime
#endif
