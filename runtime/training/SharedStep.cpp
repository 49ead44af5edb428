// The steps of a trainer that shares them with others: each rank runs its parts
// of the batch and updates the parameters that it owns.
#include "runtime/training/Trainer.h"

#include "runtime/data/Dataset.h"
#include "runtime/training/Interrupt.h"
#include "support/BindingNames.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <sys/mman.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

bool reads(const Launch &launch, const std::vector<bool> &bindings) {
  auto isOne = [&](const Arg &arg) {
    return arg.kind == Arg::Kind::Binding &&
           bindings[static_cast<size_t>(arg.binding)];
  };
  return std::any_of(
      launch.args.begin(), launch.args.end(), [&](const Arg &arg) {
        return isOne(arg) ||
               std::any_of(arg.elements.begin(), arg.elements.end(), isOne);
      });
}

/// The memory becomes zero, and the system has it until it is used.
void release(const OwnedBytes &tensor) {
  auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto begin = reinterpret_cast<uintptr_t>(tensor.data);
  uintptr_t end = (begin + static_cast<uintptr_t>(tensor.bytes)) / page * page;
  begin = (begin + page - 1) / page * page;
  if (begin < end)
    ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}

} // namespace

Status Trainer::share(Communicator &ranks, int64_t parts) {
  if (parts < ranks.size())
    return invalidArgument("a batch of ", parts, " parts has none for some of ",
                           ranks.size(), " ranks");
  Result<std::vector<ReducedGradient>> reduced = findGradients();
  if (!reduced.ok())
    return reduced.status();
  leaves = parts;
  ranks_ = &ranks;
  reduction = std::make_unique<GradientReduction>(ranks, *reduced, parts);
  if (Status status = findShares(update->program()); !status.ok())
    return status;
  findFirstUses();
  return {};
}

/// The gradient sums, and behind which launches they are complete.
Result<std::vector<ReducedGradient>> Trainer::findGradients() {
  if (!update)
    return invalidArgument("steps of several ranks need an update program");
  const Program &program = update->program();
  // The bindings of parameters, by name, in the order of the sums.
  std::map<std::string, size_t> gradientOf;
  std::vector<ReducedGradient> reduced;
  for (const DeviceTensor &sum : sums) {
    if (sum.dtype != DType::F32)
      return invalidArgument("the sum ", inQuotes(sum.name), " is not f32");
    Result<void *> data = hostAddress(device_, sum.memory);
    if (!data.ok())
      return data.status();
    int64_t binding = program.findBinding(sum.name, Direction::Input);
    int64_t parameter =
        program.bindings[static_cast<size_t>(binding)].parameter;
    gradientOf[program.bindings[static_cast<size_t>(parameter)].name] =
        reduced.size();
    reduced.push_back({static_cast<float *>(*data),
                       sum.memory.bytes / int64_t{sizeof(float)}, -1});
  }
  const Program &backward = gradients->program();
  for (size_t i = 0; i < backward.launches.size(); ++i)
    for (int64_t parameter : backward.launches[i].completes) {
      auto found = gradientOf.find(
          backward.bindings[static_cast<size_t>(parameter)].name);
      if (found != gradientOf.end())
        reduced[found->second].completeBehind = static_cast<int64_t>(i);
    }
  return reduced;
}

/// When a step needs which parameters.
void Trainer::findFirstUses() {
  const Program &program = gradients->program();
  auto never = static_cast<int64_t>(program.launches.size());
  std::vector<int64_t> counts, uses;
  for (size_t g = 0; g < sums.size(); ++g) {
    const Program &last = update->program();
    int64_t sum = last.findBinding(sums[g].name, Direction::Input);
    int64_t parameter = last.bindings[static_cast<size_t>(sum)].parameter;
    int64_t binding = program.findBinding(
        last.bindings[static_cast<size_t>(parameter)].name, Direction::Input);
    std::vector<bool> isIt(program.bindings.size());
    if (binding >= 0)
      isIt[static_cast<size_t>(binding)] = true;
    auto use =
        std::find_if(program.launches.begin(), program.launches.end(),
                     [&](const Launch &launch) { return reads(launch, isIt); });
    uses.push_back(std::min<int64_t>(use - program.launches.begin(), never));
    counts.push_back(sharedParameters[g].bytes / int64_t{sizeof(float)});
  }
  gatherGroups = makeBuckets(counts, uses, usualBucketBytes);
  for (const ReductionBucket &group : gatherGroups)
    firstUses.push_back(uses[group.gradients.front()]);
  groupsAwaited = gatherGroups.size();
}

Status Trainer::settle() {
  if (!ranks_ || groupsAwaited == gatherGroups.size())
    return {};
  groupsAwaited = gatherGroups.size();
  return reduction->awaitGather(groupsAwaited);
}

/// What belongs to whom in the update.
Status Trainer::findShares(const Program &program) {
  for (auto *list :
       {&sharedParameters, &sharedSquares, &sharedFirst, &sharedSecond})
    list->assign(sums.size(), {});
  std::vector<int64_t> gradientOf(program.bindings.size(), -1);
  for (size_t g = 0; g < sums.size(); ++g) {
    int64_t binding = program.findBinding(sums[g].name, Direction::Input);
    int64_t parameter =
        program.bindings[static_cast<size_t>(binding)].parameter;
    gradientOf[static_cast<size_t>(parameter)] = static_cast<int64_t>(g);
  }
  std::vector<bool> isSquares(program.bindings.size());
  for (size_t i = 0; i < program.bindings.size(); ++i) {
    const Binding &binding = program.bindings[i];
    isSquares[i] = binding.role == Role::GradientSquares;
    if (binding.updates >= 0)
      continue;
    bool isParameter = binding.role == Role::Parameter;
    if (!isParameter && !belongsToParameter(binding.role))
      continue;
    int64_t g =
        gradientOf[isParameter ? i : static_cast<size_t>(binding.parameter)];
    if (g < 0)
      continue; // frozen
    Result<void *> data =
        hostAddress(device_, buffers.at(binding.name).memory());
    if (!data.ok())
      return data.status();
    OwnedBytes bytes = {*data, binding.bytes()};
    auto index = static_cast<size_t>(g);
    if (isParameter)
      sharedParameters[index] = bytes;
    else if (isSquares[i])
      sharedSquares[index] = bytes;
    else if (binding.role == Role::FirstMoment)
      sharedFirst[index] = bytes;
    else if (binding.role == Role::SecondMoment)
      sharedSecond[index] = bytes;
  }
  isOwnLaunch.clear();
  launchesBeforeNorm = launchesBeforeUpdate;
  for (size_t i = 0; i < program.launches.size(); ++i) {
    const Launch &launch = program.launches[i];
    auto number = static_cast<int64_t>(i);
    int64_t g =
        launch.owner < 0 ? -1 : gradientOf[static_cast<size_t>(launch.owner)];
    isOwnLaunch.push_back(g < 0 || reduction->owns(static_cast<size_t>(g)));
    if (number >= launchesBeforeUpdate || !reads(launch, isSquares))
      continue;
    if (g < 0)
      launchesBeforeNorm = std::min(launchesBeforeNorm, number);
    else if (launchesBeforeNorm < number)
      return invalidArgument("the training program needs squares of gradients "
                             "before all of them are known");
  }
  return {};
}

std::pair<int64_t, int64_t> Trainer::ownParts(int64_t parts) const {
  if (!ranks_ || pipeline)
    return {0, parts};
  return leavesOf(ranks_->rank(), ranks_->size(), parts);
}

Result<StepResult> Trainer::stepShared(int64_t step, const int64_t *tokens,
                                       const int64_t *targets) {
  auto [first, last] = ownParts(leaves);
  int64_t perPart = batch * tokensPerRow;
  std::vector<double> live(static_cast<size_t>(leaves)), losses(live.size());
  for (int64_t leaf = first; leaf < last; ++leaf) {
    const int64_t *begin = targets + (leaf - first) * perPart;
    live[static_cast<size_t>(leaf)] = static_cast<double>(
        perPart - std::count(begin, begin + perPart, ignoredTarget));
  }
  if (Status status = pipeline
                          ? runStageOfParts(step, tokens, targets, live, losses)
                          : runParts(step, tokens, targets, live, losses);
      !status.ok())
    return status;
  if (Status status = reduction->finish(); !status.ok())
    return status;
  if (pipeline) {
    if (Status status = ranks_->broadcast(
            ranks_->size() - 1, losses.data(),
            static_cast<int64_t>(losses.size() * sizeof(double)));
        !status.ok())
      return status;
  } else {
    for (std::vector<double> *values : {&live, &losses})
      if (Status status = gatherLeaves(*values); !status.ok())
        return status;
  }
  Result<std::vector<int>> signals = ranks_->allGather(interruptSignal());
  if (!signals.ok())
    return signals.status();
  StepResult result;
  for (int signal : *signals)
    if (result.signal == 0)
      result.signal = signal;
  // Parts are weighted by their live targets over a constant, so that none
  // has to know those of the others before all are done.
  double all = std::max(std::accumulate(live.begin(), live.end(), 0.0), 1.0);
  scaleOwnSums(static_cast<float>(static_cast<double>(perPart) / all));
  for (size_t leaf = 0; leaf < losses.size(); ++leaf)
    result.loss += live[leaf] / all * losses[leaf];
  // Squares of own gradients, those of the others, and the norm of all.
  if (Status status = runOwned(0, launchesBeforeNorm); !status.ok())
    return status;
  if (Status status = reduction->gather(sharedSquares); !status.ok())
    return status;
  if (Status status = runOwned(launchesBeforeNorm, launchesBeforeUpdate);
      !status.ok())
    return status;
  Result<StepResult> done = finish(*update, result);
  if (!done.ok() || done->failure.empty() || ranks_->size() == 1 || pipeline)
    return done; // which stage was first, activations say
  Result<std::string> name = nameBadRank(losses);
  if (!name.ok())
    return name.status();
  done->failure = *name + done->failure;
  return done;
}

Status Trainer::runParts(int64_t step, const int64_t *tokens,
                         const int64_t *targets,
                         const std::vector<double> &live,
                         std::vector<double> &losses) {
  auto [first, last] = ownParts(leaves);
  int64_t perPart = batch * tokensPerRow;
  for (int64_t leaf = first; leaf < last; ++leaf) {
    auto index = static_cast<size_t>(leaf);
    int64_t from = (leaf - first) * perPart;
    Result<double> mean =
        runPart((step - 1) * leaves + leaf, tokens + from, targets + from,
                live[index] / static_cast<double>(perPart), leaf + 1 == last);
    if (!mean.ok())
      return mean.status();
    losses[index] = *mean;
  }
  return {};
}

/// The gradients of one part, and its loss. While the last one runs, what is
/// complete leaves.
Result<double> Trainer::runPart(int64_t number, const int64_t *tokens,
                                const int64_t *targets, double weight,
                                bool isLast) {
  for (const DeviceTensor &sum : sums)
    if (Status status = device_.fill(sum.memory, 0); !status.ok())
      return status;
  if (Status status = uploadBatch(number, tokens, targets); !status.ok())
    return status;
  if (Status status = setScalar(names::lossWeight, weight); !status.ok())
    return status;
  int64_t next = 0;
  auto runTo = [&](int64_t end) {
    Status status = runGradients(next, end);
    next = std::max(next, end);
    return status;
  };
  const auto &buckets = reduction->buckets();
  for (size_t i = 0; isLast && i < buckets.size(); ++i) {
    if (Status status = runTo(buckets[i].completeBehind + 1); !status.ok())
      return status;
    reduction->post(i);
  }
  if (Status status =
          runTo(static_cast<int64_t>(gradients->program().launches.size()));
      !status.ok())
    return status;
  if (Status status = settle(); !status.ok()) // what no launch reads
    return status;
  if (!isLast)
    reduction->addLeaf();
  return scalar(loss);
}

/// Runs launches [begin, end), each once the parameters that it reads are here.
Status Trainer::runGradients(int64_t begin, int64_t end) {
  while (begin < end) {
    while (groupsAwaited < firstUses.size() &&
           firstUses[groupsAwaited] <= begin)
      if (Status status = reduction->awaitGather(++groupsAwaited); !status.ok())
        return status;
    int64_t stop = groupsAwaited < firstUses.size()
                       ? std::min(end, firstUses[groupsAwaited])
                       : end;
    if (Status status = run(*gradients, begin, stop); !status.ok())
      return status;
    begin = stop;
  }
  return {};
}

void Trainer::scaleOwnSums(float factor) {
  for (size_t g = 0; g < sums.size(); ++g) {
    if (!reduction->owns(g))
      continue;
    const ReducedGradient &sum = reduction->gradient(g);
    for (int64_t i = 0; i < sum.count; ++i)
      sum.data[i] *= factor;
  }
}

/// Makes the values of all leaves known to all ranks.
Status Trainer::gatherLeaves(std::vector<double> &values) const {
  auto count = static_cast<size_t>(ranks_->size());
  std::vector<SentBytes> sent(count);
  std::vector<ReceivedBytes> received(count);
  auto range = [&](int rank) {
    auto [first, last] = leavesOf(rank, ranks_->size(), leaves);
    return std::make_pair(values.data() + first,
                          (last - first) * int64_t{sizeof(double)});
  };
  for (int r = 0; r < ranks_->size(); ++r) {
    if (r == ranks_->rank())
      continue;
    auto [own, ownBytes] = range(ranks_->rank());
    auto [other, otherBytes] = range(r);
    sent[static_cast<size_t>(r)] = {own, ownBytes};
    received[static_cast<size_t>(r)] = {other, otherBytes};
  }
  return ranks_->exchange(sent, received);
}

/// "rank 2: " for the first rank from which something not finite came.
Result<std::string> Trainer::nameBadRank(const std::vector<double> &losses) {
  auto bad = std::find_if_not(losses.begin(), losses.end(),
                              [](double loss) { return std::isfinite(loss); });
  if (bad != losses.end()) {
    for (int r = 0; r < ranks_->size(); ++r)
      if (bad - losses.begin() < leavesOf(r, ranks_->size(), leaves).second)
        return concat("rank ", r, ": ");
  }
  Result<std::vector<int>> found = ranks_->allGather(reduction->firstBadRank());
  if (!found.ok())
    return found.status();
  int first = -1;
  for (int rank : *found)
    if (rank >= 0 && (first < 0 || rank < first))
      first = rank;
  return first < 0 ? std::string() : concat("rank ", first, ": ");
}

Status Trainer::runOwned(int64_t begin, int64_t end) {
  auto isOwn = [&](int64_t i) { return isOwnLaunch[static_cast<size_t>(i)]; };
  while (begin < end) {
    int64_t stop = begin;
    while (stop < end && isOwn(stop))
      ++stop;
    if (stop > begin)
      if (Status status = run(*update, begin, stop); !status.ok())
        return status;
    begin = stop;
    while (begin < end && !isOwn(begin))
      ++begin;
  }
  return {};
}

Status Trainer::gatherState() {
  if (Status status = gatherParameters(); !status.ok())
    return status;
  if (Status status = reduction->gatherToFirst(sharedFirst); !status.ok())
    return status;
  return reduction->gatherToFirst(sharedSecond);
}

void Trainer::releaseState() {
  for (size_t g = 0; g < sums.size(); ++g) {
    if (pipeline && !readers[g][static_cast<size_t>(ranks_->rank())])
      release(sharedParameters[g]);
    if (!reduction->owns(g)) {
      release(sharedFirst[g]);
      release(sharedSecond[g]);
    }
  }
}

} // namespace attnres::runtime
