// Whether the other ranks of a job live, beside what they compute: each rank is
// connected with rank 0 by a socket of its own, which the system closes when a
// process ends in whatever way, and over which it says that it is alive.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_RANKWATCH_H
#define ATTNRES_RUNTIME_DISTRIBUTED_RANKWATCH_H

#include "runtime/distributed/Communicator.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace attnres::runtime {

class RankWatch {
public:
  /// Told once, by a thread of the watch, which rank failed first and why.
  using OnFailure = std::function<void(int rank, const std::string &cause)>;

  struct Options {
    std::chrono::milliseconds pulse{1000};    ///< between signs of life
    std::chrono::milliseconds silence{15000}; ///< without one a rank is lost
    std::chrono::milliseconds connecting{20000};
  };

  /// Connects all ranks; every one calls it.
  static Result<std::unique_ptr<RankWatch>> start(Communicator &communicator,
                                                  const Options &options,
                                                  OnFailure onFailure);

  /// Says goodbye: that this rank is missing from now on is no failure.
  ~RankWatch();

  /// Tells all others that this rank ends and why.
  void fail(const std::string &cause);

private:
  struct Peer {
    int rank = 0;
    int socket = -1;
    bool left = false; ///< said goodbye, or was lost
    std::chrono::steady_clock::time_point heard;
    std::string received; ///< the beginning of a message
  };
  enum class Kind : uint32_t;

  RankWatch(int rank, const Options &options, OnFailure onFailure)
      : rank(rank), options(options), onFailure(std::move(onFailure)) {}

  Status connect(Communicator &communicator);
  Status acceptAll(int listener, uint64_t secret, int size);
  Status connectToFirst(const std::string &places, uint64_t secret);
  void watch();
  void read(Peer &peer);
  void takeMessages(Peer &peer);
  void lose(Peer &peer, const std::string &cause);
  void report(int failed, const std::string &cause);
  void send(const Peer &peer, Kind kind, int about, const std::string &text);

  int rank;
  Options options;
  OnFailure onFailure;
  std::vector<Peer> peers; ///< all others at rank 0, rank 0 elsewhere
  std::mutex sending;
  std::atomic<bool> stopping{false}, reported{false};
  std::thread thread;
};

} // namespace attnres::runtime
#endif
