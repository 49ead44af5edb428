// Partial sums of gradients from many ranks to one.
#include "runtime/distributed/GradientReduction.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace attnres::runtime {
namespace {

/// Elements that are added at a time, so that all operands stay in the cache.
constexpr int64_t blockElements = 2048;

bool isFinite(const float *values, int64_t count) {
  uint32_t bad = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, values + i, sizeof bits);
    bad |= (bits & 0x7f800000u) == 0x7f800000u;
  }
  return !bad;
}

/// to += from, in this order.
void addTo(float *__restrict to, const float *__restrict from, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] + to[i];
}

size_t bytesOf(int64_t elements) {
  return static_cast<size_t>(elements) * sizeof(float);
}

bool wantAll(size_t, size_t) { return true; }
bool wantFirst(size_t, size_t rank) { return rank == 0; }

} // namespace

static std::vector<int64_t>
countsOf(const std::vector<ReducedGradient> &gradients) {
  std::vector<int64_t> counts;
  for (const ReducedGradient &gradient : gradients)
    counts.push_back(gradient.count);
  return counts;
}

GradientReduction::GradientReduction(Communicator &communicator,
                                     std::vector<ReducedGradient> given,
                                     int64_t leaves, int64_t bucketBytes)
    : communicator(communicator), gradients(std::move(given)), leaves(leaves),
      owners(assignOwners(countsOf(gradients), communicator.size())),
      sum(leaves), outgoing(static_cast<size_t>(communicator.size())),
      incoming(outgoing.size()) {
  std::vector<int64_t> completeBehind;
  for (const ReducedGradient &gradient : gradients)
    completeBehind.push_back(gradient.completeBehind);
  buckets_ = makeBuckets(countsOf(gradients), completeBehind, bucketBytes);
  makeOrder();
  begin();
}

GradientReduction::GradientReduction(Communicator &communicator,
                                     std::vector<ReducedGradient> given,
                                     int64_t leaves, std::vector<int> owners)
    : communicator(communicator), gradients(std::move(given)), leaves(leaves),
      isPipeline(true), owners(std::move(owners)), sum(leaves),
      outgoing(static_cast<size_t>(communicator.size())),
      incoming(outgoing.size()) {
  // Nothing leaves: all at once.
  buckets_.resize(1);
  for (size_t g = 0; g < gradients.size(); ++g)
    if (sums(g)) {
      buckets_[0].gradients.push_back(g);
      buckets_[0].completeBehind =
          std::max(buckets_[0].completeBehind, gradients[g].completeBehind);
    }
  begin();
}

void GradientReduction::begin() {
  for (size_t g = 0; g < gradients.size(); ++g) {
    offsets.push_back(total);
    total += sums(g) ? gradients[g].count : 0;
  }
  nextLeaf = firstLeaf();
  thread = std::thread([this] { work(); });
}

int64_t GradientReduction::firstLeaf() const {
  return isPipeline
             ? 0
             : leavesOf(communicator.rank(), communicator.size(), leaves).first;
}

GradientReduction::~GradientReduction() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void GradientReduction::makeOrder() {
  TreeSum all(leaves);
  for (int rank = 0; rank < communicator.size(); ++rank) {
    std::vector<TreeNode> nodes = nodesOf(rank, communicator.size(), leaves);
    nodesPerRank.push_back(nodes.size());
    for (size_t node = 0; node < nodes.size(); ++node)
      order.push_back({rank, node, all.push(nodes[node])});
  }
}

float *GradientReduction::slot(size_t depth, size_t gradient) {
  while (slots.size() <= depth)
    slots.emplace_back(static_cast<size_t>(total));
  return slots[depth].data() + offsets[gradient];
}

void GradientReduction::addLeaf() {
  size_t before = sum.nodes().size();
  auto added = static_cast<size_t>(sum.push({0, nextLeaf++}));
  for (size_t g = 0; g < gradients.size(); ++g) {
    if (!sums(g))
      continue;
    float *data = gradients[g].data;
    int64_t count = gradients[g].count;
    for (size_t k = 1; k <= added; ++k)
      addTo(data, slot(before - k, g), count);
    std::copy(data, data + count, slot(before - added, g));
  }
}

void GradientReduction::post(size_t bucket) {
  std::lock_guard<std::mutex> lock(mutex);
  if (bucket == 0) {
    badRank = -1;
    addedToLast = sum.push({0, nextLeaf});
  }
  posted.push({&buckets_[bucket], false});
  ++pending;
  changed.notify_all();
}

void GradientReduction::postGather(const std::vector<OwnedBytes> &tensors,
                                   const std::vector<ReductionBucket> &groups) {
  std::lock_guard<std::mutex> lock(mutex);
  gatheredTensors = tensors;
  gathered = 0;
  for (const ReductionBucket &group : groups)
    posted.push({&group, true});
  pending += groups.size();
  changed.notify_all();
}

Status GradientReduction::awaitGather(size_t count) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return gathered >= count; });
  return status;
}

Status GradientReduction::finish() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return pending == 0; });
  sum = TreeSum(leaves);
  nextLeaf = firstLeaf();
  return status;
}

void GradientReduction::work() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return stopping || !posted.empty(); });
    if (stopping)
      return;
    Job job = posted.front();
    posted.pop();
    Status done = status;
    lock.unlock();
    if (done.ok())
      done = job.isGather
                 ? gatherGroup(gatheredTensors, job.bucket->gradients, wantAll)
                 : reduce(*job.bucket);
    lock.lock();
    status = done;
    --pending;
    gathered += job.isGather;
    changed.notify_all();
  }
}

Status GradientReduction::reduce(const ReductionBucket &bucket) {
  auto self = static_cast<size_t>(communicator.rank());
  // The node of the last leaf, which stays in the gradients.
  size_t kept = isPipeline ? 0 : nodesPerRank[self] - 1;
  for (size_t g : bucket.gradients)
    for (int k = 0; k < addedToLast; ++k)
      addTo(gradients[g].data,
            slot(kept + static_cast<size_t>(addedToLast - 1 - k), g),
            gradients[g].count);

  if (communicator.size() == 1 || isPipeline)
    return {};

  std::vector<SentBytes> sent(outgoing.size());
  std::vector<ReceivedBytes> received(incoming.size());
  int64_t own = 0;
  for (std::vector<char> &bytes : outgoing)
    bytes.clear();
  for (size_t g : bucket.gradients) {
    auto owner = static_cast<size_t>(owners[g]);
    if (owner == self) {
      own += gradients[g].count;
      continue;
    }
    for (size_t node = 0; node <= kept; ++node) {
      const float *from = node < kept ? slot(node, g) : gradients[g].data;
      const char *bytes = reinterpret_cast<const char *>(from);
      outgoing[owner].insert(outgoing[owner].end(), bytes,
                             bytes + bytesOf(gradients[g].count));
    }
  }
  for (size_t r = 0; r < sent.size(); ++r) {
    if (r == self)
      continue;
    sent[r] = {outgoing[r].data(), static_cast<int64_t>(outgoing[r].size())};
    incoming[r].resize(bytesOf(own) * nodesPerRank[r]);
    received[r] = {incoming[r].data(),
                   static_cast<int64_t>(incoming[r].size())};
  }
  if (Status status = communicator.exchange(sent, received); !status.ok())
    return status;

  std::vector<int64_t> place(incoming.size()); // in elements
  for (size_t g : bucket.gradients) {
    if (!owns(g))
      continue;
    std::vector<const float *> pieces;
    for (const Piece &piece : order) {
      auto r = static_cast<size_t>(piece.rank);
      if (r == self) {
        pieces.push_back(piece.node < kept ? slot(piece.node, g)
                                           : gradients[g].data);
        continue;
      }
      pieces.push_back(reinterpret_cast<const float *>(incoming[r].data()) +
                       place[r]);
      place[r] += gradients[g].count;
    }
    combine(g, pieces);
  }
  return {};
}

/// Adds the pieces of all ranks in their order.
void GradientReduction::combine(size_t gradient,
                                const std::vector<const float *> &pieces) {
  const ReducedGradient &to = gradients[gradient];
  for (int64_t begin = 0; begin < to.count; begin += blockElements) {
    int64_t count = std::min(blockElements, to.count - begin);
    size_t depth = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (stack.size() <= depth)
        stack.emplace_back(static_cast<size_t>(blockElements));
      float *top = stack[depth].data();
      const float *from = pieces[i] + begin;
      if (!isFinite(from, count) && (badRank < 0 || order[i].rank < badRank))
        badRank = order[i].rank;
      std::copy(from, from + count, top);
      for (int k = 0; k < order[i].added; ++k) {
        --depth;
        // The left one is where the sum is to be.
        float *left = stack[depth].data();
        const float *right = stack[depth + 1].data();
        for (int64_t j = 0; j < count; ++j)
          left[j] = left[j] + right[j];
      }
      ++depth;
    }
    std::copy(stack[0].data(), stack[0].data() + count, to.data + begin);
  }
}

static std::vector<size_t> allOf(const std::vector<OwnedBytes> &tensors) {
  std::vector<size_t> all(tensors.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

Status GradientReduction::gather(const std::vector<OwnedBytes> &tensors) {
  return gatherGroup(tensors, allOf(tensors), wantAll);
}

Status
GradientReduction::gatherTo(const std::vector<OwnedBytes> &tensors,
                            const std::vector<std::vector<bool>> &wanted) {
  return gatherGroup(tensors, allOf(tensors),
                     [&](size_t gradient, size_t rank) -> bool {
                       return wanted[gradient][rank];
                     });
}

Status
GradientReduction::gatherToFirst(const std::vector<OwnedBytes> &tensors) {
  // One by one: what is sent and received is there twice.
  for (size_t g = 0; g < tensors.size(); ++g)
    if (Status status = gatherGroup(tensors, {g}, wantFirst); !status.ok())
      return status;
  return {};
}

Status GradientReduction::gatherGroup(
    const std::vector<OwnedBytes> &tensors, const std::vector<size_t> &group,
    const std::function<bool(size_t gradient, size_t rank)> &isWanted) {
  if (communicator.size() == 1)
    return {};
  auto self = static_cast<size_t>(communicator.rank());
  std::vector<SentBytes> sent(outgoing.size());
  std::vector<ReceivedBytes> received(incoming.size());
  // The tensors of this rank that another one wants, which are often all.
  auto pack = [&](std::vector<char> &to, size_t rank) {
    to.clear();
    for (size_t g : group) {
      const char *bytes = static_cast<const char *>(tensors[g].data);
      if (owns(g) && (rank == self || isWanted(g, rank)))
        to.insert(to.end(), bytes, bytes + tensors[g].bytes);
    }
  };
  auto wantsAll = [&](size_t rank) {
    return std::all_of(group.begin(), group.end(),
                       [&](size_t g) { return !owns(g) || isWanted(g, rank); });
  };
  outgoing[self].clear();
  for (size_t r = 0; r < sent.size(); ++r) {
    if (r == self)
      continue;
    bool all = wantsAll(r);
    if (!all || outgoing[self].empty())
      pack(outgoing[all ? self : r], all ? self : r);
    const std::vector<char> &out = outgoing[all ? self : r];
    sent[r] = {out.data(), static_cast<int64_t>(out.size())};
    int64_t size = 0;
    for (size_t g : group)
      if (static_cast<size_t>(owners[g]) == r && isWanted(g, self))
        size += tensors[g].bytes;
    incoming[r].resize(static_cast<size_t>(size));
    received[r] = {incoming[r].data(), size};
  }
  if (Status status = communicator.exchange(sent, received); !status.ok())
    return status;
  std::vector<size_t> place(incoming.size());
  for (size_t g : group) {
    auto owner = static_cast<size_t>(owners[g]);
    if (owner == self || !isWanted(g, self))
      continue;
    auto bytes = static_cast<size_t>(tensors[g].bytes);
    std::memcpy(tensors[g].data, incoming[owner].data() + place[owner], bytes);
    place[owner] += bytes;
  }
  return {};
}

} // namespace attnres::runtime
