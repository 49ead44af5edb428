// The gradients of a batch whose leaves several ranks compute: partial sums of
// each rank become, at the one rank that owns a parameter, the sum of the whole
// batch, while the launches that make other gradients still run.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_GRADIENTREDUCTION_H
#define ATTNRES_RUNTIME_DISTRIBUTED_GRADIENTREDUCTION_H

#include "runtime/distributed/Communicator.h"
#include "runtime/distributed/ReductionPlan.h"
#include "runtime/distributed/SumTree.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace attnres::runtime {

/// A gradient in memory that the host shares with the device, and behind which
/// launch of a run it is complete; -1: it is from the start.
struct ReducedGradient {
  float *data = nullptr;
  int64_t count = 0;
  int64_t completeBehind = -1;
};

/// Memory of something that belongs to a gradient's parameter.
struct OwnedBytes {
  void *data = nullptr;
  int64_t bytes = 0;
};

class GradientReduction {
public:
  /// `leaves` of the batch, at least one for each rank.
  GradientReduction(Communicator &communicator,
                    std::vector<ReducedGradient> gradients, int64_t leaves,
                    int64_t bucketBytes = usualBucketBytes);
  /// Of ranks that are the stages of a pipeline: `owners` says which of them
  /// computes a gradient, of all leaves, so that sums are not sent.
  GradientReduction(Communicator &communicator,
                    std::vector<ReducedGradient> gradients, int64_t leaves,
                    std::vector<int> owners);
  ~GradientReduction();

  /// The rank that updates a gradient's parameter.
  bool owns(size_t gradient) const {
    return owners[gradient] == communicator.rank();
  }
  int owner(size_t gradient) const { return owners[gradient]; }
  const ReducedGradient &gradient(size_t index) const {
    return gradients[index];
  }

  const std::vector<ReductionBucket> &buckets() const { return buckets_; }

  // A step: addLeaf() for each leaf of this rank but the last, post() of all
  // buckets in order while the last one is computed, finish().

  /// The gradients are now those of the next leaf; they may be overwritten
  /// afterwards.
  void addLeaf();
  /// The gradients of the bucket are now those of the rank's last leaf, and
  /// belong to a thread of this object until finish().
  void post(size_t bucket);
  /// Waits for all. Gradients that this rank owns are those of the whole batch
  /// then, the others anything.
  Status finish();
  /// After finish(): the first rank that had something not finite for a
  /// gradient that this rank owns, or -1.
  int firstBadRank() const { return badRank; }

  /// Copies what owners have to all ranks; one entry for each gradient, of the
  /// same size everywhere.
  Status gather(const std::vector<OwnedBytes> &tensors);
  /// Begins to do that for groups of gradients, one after the other, beside the
  /// caller, who lets the tensors of a group be until awaitGather() says so.
  /// Nothing else may be said meanwhile but what post() says.
  void postGather(const std::vector<OwnedBytes> &tensors,
                  const std::vector<ReductionBucket> &groups);
  /// Waits for the first `count` groups of the last postGather().
  Status awaitGather(size_t count);
  /// The same to those ranks alone that want a gradient's tensor:
  /// wanted[gradient][rank].
  Status gatherTo(const std::vector<OwnedBytes> &tensors,
                  const std::vector<std::vector<bool>> &wanted);
  /// The same to rank 0 alone.
  Status gatherToFirst(const std::vector<OwnedBytes> &tensors);

private:
  void begin();
  void makeOrder();
  /// The first leaf of this rank in a step.
  int64_t firstLeaf() const;
  /// Whether this rank sums up a gradient.
  bool sums(size_t gradient) const { return !isPipeline || owns(gradient); }
  void work();
  Status reduce(const ReductionBucket &bucket);
  void combine(size_t gradient, const std::vector<const float *> &received);
  Status gatherGroup(
      const std::vector<OwnedBytes> &tensors, const std::vector<size_t> &group,
      const std::function<bool(size_t gradient, size_t rank)> &isWanted);
  float *slot(size_t depth, size_t gradient);

  Communicator &communicator;
  std::vector<ReducedGradient> gradients;
  int64_t leaves;
  bool isPipeline = false;
  std::vector<int> owners;
  std::vector<ReductionBucket> buckets_;

  /// The partial sums of one step, the last node of `sum` aside, which lies in
  /// the gradients themselves: all gradients in a row for each node.
  TreeSum sum;
  int64_t nextLeaf = 0;
  std::vector<std::vector<float>> slots;
  std::vector<int64_t> offsets; ///< of each gradient in a slot
  int64_t total = 0;
  int addedToLast = 0; ///< nodes that the last leaf of a step is added to

  /// Nodes of all ranks in the order of the leaves.
  struct Piece {
    int rank;
    size_t node; ///< among those of the rank
    int added;   ///< pieces before it that are added to it
  };
  std::vector<Piece> order;
  std::vector<size_t> nodesPerRank;

  std::vector<std::vector<char>> outgoing, incoming; ///< for each rank
  std::vector<std::vector<float>> stack;             ///< of combine()

  std::mutex mutex;
  std::condition_variable changed;
  /// What the thread does: a bucket leaves, or a group is gathered.
  struct Job {
    const ReductionBucket *bucket;
    bool isGather;
  };
  std::queue<Job> posted;
  size_t pending = 0, gathered = 0;
  std::vector<OwnedBytes> gatheredTensors;
  bool stopping = false;
  Status status;
  int badRank = -1;
  std::thread thread;
};

} // namespace attnres::runtime
#endif
