//===- TwoPhase.cpp - share the sources of several depth attentions -------===//
//
// Derives the two-phase form of attention over depth from the source lists and
// the order of operations alone. The queries of consecutive depth attentions
// read the sources that all of them share in one batched operation; what a
// member reads besides is merged into its state where the member stood.
//
// Candidates are depth attentions of one query in one block that agree in
// source type and eps. A group of consecutive candidates, in program order, is
// legal when
//
//   1. at least one source is in the list of every member. Such a source is
//      defined before the first member, because the first member reads it;
//   2. the query and the gain of every member are defined before the first
//      member.
//
// A source that a list names several times counts several times: the softmax
// runs over a multiset, and the shared part is the intersection of multisets.
//
// Cost model, in bytes moved for each token (row), with R = D times the size of
// an element for one source row and 4 bytes for one log-sum-exp:
//
//   a member alone, n sources        n R + (R + 4)
//   a group, S members, m shared     m R + S (R + 4)
//     and each member with k > 0
//     sources of its own             (R + 4) + k R + (R + 4)
//
// and where the backward operations count too, with the source gradients read,
// added to and written:
//
//   a member alone                   3 n R + (R + 4)
//   a group                          3 m R + S (R + 8)
//     and each merge                 (R + 4) + 3 k R + (R + 4) + (R + 4)
//
// Dynamic programming over the sequence finds the partition of least cost. In
// block mode with S sublayers in a block, a group saves (S - 1)(m - 2) rows, so
// blocks that see one or two sources stay as they are; with the backward
// operations it is (S - 1)(4 m - 5), and only one source stays. In full mode a
// group that starts at n sources comes out with about sqrt(2 n) members.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"

#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace attnres {
#define GEN_PASS_DEF_TWOPHASE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// How often each value occurs in a source list, in order of first occurrence.
using SourceCounts = llvm::MapVector<Value, unsigned>;

/// A run of consecutive members of a sequence and what they share. One member
/// alone stays as it is.
struct Group {
  size_t begin = 0, end = 0;
  SourceCounts shared;
  size_t numShared = 0; ///< with their counts
  /// The last member that surely has all of `shared`.
  size_t sharedUntil = 0;
  // Of the members: all their sources, the fewest sources of one, and how many
  // have so few.
  size_t numSources = 0, fewest = 0, numFewest = 0;

  size_t size() const { return end - begin; }
};

/// Bytes moved for each token by depth attentions over one type of source.
class CostModel {
public:
  CostModel(RankedTensorType source, bool countBackward)
      : row(source.getShape().back() * (source.getElementTypeBitWidth() / 8)),
        countBackward(countBackward) {}

  int64_t alone(int64_t sources) const {
    int64_t forward = sources * row + state();
    int64_t backward = 3 * sources * row + state();
    return forward + (countBackward ? backward : 0);
  }

  int64_t batched(int64_t shared, int64_t members) const {
    int64_t forward = shared * row + members * state();
    int64_t backward = 3 * shared * row + members * (state() + kLse);
    return forward + (countBackward ? backward : 0);
  }

  /// Merges of one source or more, `sources` together, into states.
  int64_t merges(int64_t count, int64_t sources) const {
    int64_t forward = sources * row + 2 * count * state();
    int64_t backward = 3 * sources * row + 3 * count * state();
    return forward + (countBackward ? backward : 0);
  }

private:
  static constexpr int64_t kLse = 4;

  /// A mixture and its log-sum-exp.
  int64_t state() const { return row + kLse; }

  int64_t row;
  bool countBackward;
};

size_t total(const SourceCounts &counts) {
  size_t sum = 0;
  for (auto &[source, count] : counts)
    sum += count;
  return sum;
}

/// The multiset intersection, in the order of `lhs`.
SourceCounts intersection(const SourceCounts &lhs, const SourceCounts &rhs) {
  SourceCounts both;
  for (auto &[source, count] : lhs)
    if (unsigned common = std::min(count, rhs.lookup(source)))
      both.insert({source, common});
  return both;
}

/// Whether `value`, which `op`'s block can use, is defined before `op`.
bool isDefinedBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  return !definition || definition->getBlock() != op->getBlock() ||
         definition->isBeforeInBlock(op);
}

/// Depth attentions of one block that agree in source type and eps, in order.
class Sequence {
public:
  Sequence(const CostModel &cost, ArrayRef<DepthAttentionOp> ops)
      : cost(cost), members(ops) {
    for (DepthAttentionOp op : ops) {
      SourceCounts &listed = counts.emplace_back();
      for (Value value : op.getSources())
        ++listed[value];
    }
    findRuns();
  }

  /// The partition of least cost; among equals, the one whose last groups are
  /// smallest.
  SmallVector<Group> cheapestPartition() const {
    constexpr int64_t unreached = std::numeric_limits<int64_t>::max();
    SmallVector<int64_t> best(members.size() + 1, unreached);
    SmallVector<size_t> bestBegin(members.size() + 1, 0);
    best[0] = 0;
    for (size_t begin = 0; begin < members.size(); ++begin) {
      Group group = startingAt(begin);
      do {
        int64_t bytes = best[begin] + bytesAfter(group);
        if (bytes <= best[group.end]) {
          best[group.end] = bytes;
          bestBegin[group.end] = begin;
        }
      } while (extend(group));
    }
    SmallVector<Group> groups;
    for (size_t end = members.size(); end > 0; end = bestBegin[end])
      groups.push_back(*between(bestBegin[end], end));
    std::reverse(groups.begin(), groups.end());
    return groups;
  }

  /// Groups of `size` from the first member on, the last one taking the
  /// remainder. Where no legal group exists the members stay alone.
  SmallVector<Group> fixedPartition(size_t size) const {
    SmallVector<Group> groups;
    for (size_t begin = 0; begin < members.size(); begin += size) {
      size_t end = std::min(begin + size, members.size());
      if (std::optional<Group> group = between(begin, end)) {
        groups.push_back(*group);
        continue;
      }
      for (size_t i = begin; i < end; ++i)
        groups.push_back(startingAt(i));
    }
    return groups;
  }

  int64_t bytesBefore(const Group &group) const {
    int64_t bytes = 0;
    for (size_t i = group.begin; i < group.end; ++i)
      bytes += cost.alone(member(i).getSources().size());
    return bytes;
  }

  /// Takes no time that grows with the group: there are as many groups to look
  /// at as pairs of members.
  int64_t bytesAfter(const Group &group) const {
    if (group.size() == 1)
      return bytesBefore(group);
    size_t shared = group.numShared;
    size_t unmerged = group.fewest == shared ? group.numFewest : 0;
    return cost.batched(shared, group.size()) +
           cost.merges(group.size() - unmerged,
                       group.numSources - group.size() * shared);
  }

  /// Where the batched operation of the group goes.
  Location location(const Group &group) const {
    return member(group.begin).getLoc();
  }

  /// Emits the batched operation and the merges; erases the members.
  void rewrite(const Group &group) const {
    SmallVector<Value> queries, gains, sources;
    SmallVector<Location> locations;
    for (size_t i = group.begin; i < group.end; ++i) {
      queries.push_back(query(i));
      gains.push_back(gain(i));
      locations.push_back(member(i).getLoc());
    }
    for (auto &[source, count] : group.shared)
      sources.append(count, source);
    DepthAttentionOp first = member(group.begin);
    OpBuilder builder(first);
    auto batched =
        DepthAttentionOp::create(builder, builder.getFusedLoc(locations),
                                 queries, gains, sources, first.getEpsAttr());
    for (auto [index, output, lse] :
         llvm::enumerate(batched.getOutputs(), batched.getLses()))
      replace(group.begin + index, output, lse, group.shared);
  }

private:
  Group startingAt(size_t begin) const {
    Group group;
    group.begin = group.end = begin;
    share(group, counts[begin]);
    add(group);
    return group;
  }

  /// Makes `shared` what the members and the next one share.
  void share(Group &group, SourceCounts shared) const {
    group.shared = std::move(shared);
    group.numShared = total(group.shared);
    group.sharedUntil = members.size();
    for (auto &[source, count] : group.shared)
      group.sharedUntil =
          std::min(group.sharedUntil, runs[group.end].lookup(source));
  }

  /// Counts the next member in.
  void add(Group &group) const {
    size_t sources = member(group.end++).getSources().size();
    group.numSources += sources;
    if (group.size() == 1 || sources < group.fewest) {
      group.fewest = sources;
      group.numFewest = 0;
    }
    group.numFewest += sources == group.fewest;
  }

  /// For each member and each of its sources the last of the members behind it
  /// that have the source, each at least as often as the one before.
  void findRuns() {
    runs.resize(members.size());
    for (size_t i = members.size(); i-- > 0;)
      for (auto &[source, count] : counts[i])
        runs[i][source] =
            i + 1 < members.size() && counts[i + 1].lookup(source) >= count
                ? runs[i + 1].lookup(source)
                : i;
  }

  /// Takes the next member in when the result is legal.
  bool extend(Group &group) const {
    if (group.end == members.size())
      return false;
    Operation *first = member(group.begin);
    if (!isDefinedBefore(query(group.end), first) ||
        !isDefinedBefore(gain(group.end), first))
      return false;
    if (group.end > group.sharedUntil) {
      SourceCounts shared = intersection(group.shared, counts[group.end]);
      if (shared.empty())
        return false;
      share(group, std::move(shared));
    }
    add(group);
    return true;
  }

  std::optional<Group> between(size_t begin, size_t end) const {
    Group group = startingAt(begin);
    while (group.end < end)
      if (!extend(group))
        return std::nullopt;
    return group;
  }

  /// `sources` less one occurrence for each in `shared`.
  static SmallVector<Value> withoutShared(ValueRange sources,
                                          SourceCounts shared) {
    SmallVector<Value> rest;
    for (Value source : sources) {
      auto entry = shared.find(source);
      if (entry != shared.end() && entry->second > 0)
        --entry->second;
      else
        rest.push_back(source);
    }
    return rest;
  }

  /// Replaces member `index` by the state over `shared`, with the rest of its
  /// sources merged into it.
  void replace(size_t index, Value state, Value lse,
               const SourceCounts &shared) const {
    DepthAttentionOp op = member(index);
    SmallVector<Value> rest = withoutShared(op.getSources(), shared);
    if (!rest.empty()) {
      OpBuilder builder(op);
      auto merged =
          DepthMergeOp::create(builder, op.getLoc(), state, lse, query(index),
                               gain(index), rest, op.getEpsAttr());
      state = merged.getOutput();
      lse = merged.getLse();
    }
    op.getOutputs().front().replaceAllUsesWith(state);
    op.getLses().front().replaceAllUsesWith(lse);
    op.erase();
  }

  DepthAttentionOp member(size_t index) const { return members[index]; }
  Value query(size_t index) const { return member(index).getQueries().front(); }
  Value gain(size_t index) const { return member(index).getGains().front(); }

  CostModel cost;
  SmallVector<DepthAttentionOp> members;
  SmallVector<SourceCounts, 0> counts;
  std::vector<DenseMap<Value, size_t>> runs; ///< see findRuns()
};

/// The type of the sources when `op` can be in a group.
RankedTensorType candidateType(DepthAttentionOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSources().front().getType());
  if (op.getQueries().size() != 1 || !type ||
      ShapedType::isDynamic(type.getShape().back()) ||
      // Costs of rows that long would overflow.
      type.getShape().back() >= int64_t(1) << 40 ||
      isa<ListType>(op.getQueries().front().getType()) ||
      llvm::any_of(op.getSources().getTypes(), llvm::IsaPred<ListType>))
    return nullptr;
  return type;
}

struct TwoPhasePass : attnres::impl::TwoPhaseBase<TwoPhasePass> {
  using TwoPhaseBase::TwoPhaseBase;

  void runOnOperation() override {
    getOperation()->walk([&](Block *block) {
      if (mayHaveSSADominance(*block->getParent()))
        runOnBlock(*block);
    });
  }

  void runOnBlock(Block &block) {
    llvm::MapVector<std::pair<Type, Attribute>, SmallVector<DepthAttentionOp>>
        sequences;
    for (auto op : block.getOps<DepthAttentionOp>())
      if (RankedTensorType type = candidateType(op))
        sequences[{type, op.getEpsAttr()}].push_back(op);
    for (auto &[key, ops] : sequences) {
      CostModel cost(cast<RankedTensorType>(key.first), countBackward);
      Sequence sequence(cost, ops);
      schedule(sequence, ops.front().getLoc());
    }
  }

  void schedule(const Sequence &sequence, Location location) {
    int64_t before = 0, after = 0;
    SmallVector<Group> groups = groupSize == 0
                                    ? sequence.cheapestPartition()
                                    : sequence.fixedPartition(groupSize);
    for (const Group &group : groups) {
      before += sequence.bytesBefore(group);
      after += sequence.bytesAfter(group);
      if (group.size() == 1)
        continue;
      remark::passed(sequence.location(group), remarkNamed("Group"))
          << remark::metric("Queries", group.size())
          << remark::metric("SharedSources", total(group.shared))
          << remark::metric("BytesPerTokenBefore", sequence.bytesBefore(group))
          << remark::metric("BytesPerTokenAfter", sequence.bytesAfter(group));
      numGroups += 1;
      numQueries += group.size();
    }
    remark::analysis(location, remarkNamed("Total"))
        << remark::metric("BytesPerTokenBefore", before)
        << remark::metric("BytesPerTokenAfter", after);
    bytesBefore += before;
    bytesAfter += after;
    // A member may read the result of an earlier member, so the last group
    // goes first.
    for (const Group &group : llvm::reverse(groups))
      if (group.size() > 1)
        sequence.rewrite(group);
  }

  static remark::RemarkOpts remarkNamed(StringRef name) {
    return remark::RemarkOpts::name(name).category("attnres-two-phase");
  }
};

} // namespace
