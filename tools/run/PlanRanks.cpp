// What a training step on several ranks would take.
#include "tools/run/PlanRanks.h"

#include "runtime/distributed/ReductionPlan.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace attnres::run {

using runtime::Binding;
using runtime::Launch;
using runtime::Program;
using runtime::Role;

double secondsOf(const Program &program, const Launch &launch,
                 const RankRates &rates) {
  const runtime::Kernel &kernel =
      program.kernels[static_cast<size_t>(launch.kernel)];
  auto bytes = static_cast<double>(kernel.bytesRead + kernel.bytesWritten);
  return std::max(static_cast<double>(kernel.flops) / rates.flops,
                  bytes / rates.memory);
}

namespace {

/// The parameters that are learned, as the trainer numbers their gradients.
struct Gradients {
  std::vector<int64_t> counts, completeBehind;
  std::vector<double> momentBytes;
  std::map<std::string, size_t> indices; ///< by the parameter's name

  Gradients(const Program &backward, const Program &update) {
    for (const Binding &binding : update.bindings) {
      if (binding.updates >= 0 || binding.role != Role::GradientSum)
        continue;
      indices[nameOf(update, binding.parameter)] = counts.size();
      counts.push_back(binding.bytes() / int64_t{sizeof(float)});
    }
    completeBehind.assign(counts.size(), -1);
    momentBytes.assign(counts.size(), 0);
    for (const Binding &binding : update.bindings)
      if (binding.updates < 0 && (binding.role == Role::FirstMoment ||
                                  binding.role == Role::SecondMoment))
        momentBytes[indices.at(nameOf(update, binding.parameter))] +=
            static_cast<double>(binding.bytes());
    for (size_t i = 0; i < backward.launches.size(); ++i)
      for (int64_t parameter : backward.launches[i].completes)
        if (auto found = indices.find(nameOf(backward, parameter));
            found != indices.end())
          completeBehind[found->second] = static_cast<int64_t>(i);
  }

  static const std::string &nameOf(const Program &program, int64_t binding) {
    return program.bindings[static_cast<size_t>(binding)].name;
  }
};

/// Seconds in which every rank sends `sent` bytes to all others together.
double secondsToSend(double sent, int64_t ranks, const RankRates &rates) {
  if (ranks == 1)
    return 0;
  return static_cast<double>(ranks - 1) * rates.message + sent / rates.network;
}

/// The most that one rank has of a sum over its tensors.
template <typename Value>
double mostOf(const std::vector<int> &owners, int64_t ranks, Value value) {
  std::vector<double> load(static_cast<size_t>(ranks));
  for (size_t g = 0; g < owners.size(); ++g)
    load[static_cast<size_t>(owners[g])] += value(g);
  return *std::max_element(load.begin(), load.end());
}

} // namespace

RankPlan planRanks(const Program &backward, const Program &update,
                   int64_t parts, int64_t ranks, const RankRates &rates) {
  Gradients gradients(backward, update);
  std::vector<int> owners =
      runtime::assignOwners(gradients.counts, static_cast<int>(ranks));
  auto bytes = [&](size_t g) {
    return static_cast<double>(gradients.counts[g]) * sizeof(float);
  };
  RankPlan plan;
  plan.ranks = ranks;
  plan.parts = (parts + ranks - 1) / ranks;
  double total = 0;
  for (size_t g = 0; g < owners.size(); ++g)
    total += bytes(g);
  double most = mostOf(owners, ranks, bytes);
  plan.ownedShare = most / total;
  plan.momentBytes =
      mostOf(owners, ranks, [&](size_t g) { return gradients.momentBytes[g]; });

  // When each launch of the last part is over.
  std::vector<double> over;
  double part = 0;
  for (const Launch &launch : backward.launches)
    over.push_back(part += secondsOf(backward, launch, rates));
  plan.compute = static_cast<double>(plan.parts) * part;
  double before = plan.compute - part, free = 0;
  for (const runtime::ReductionBucket &bucket :
       runtime::makeBuckets(gradients.counts, gradients.completeBehind,
                            runtime::usualBucketBytes)) {
    double sum = 0;
    std::vector<double> received(static_cast<size_t>(ranks));
    for (size_t g : bucket.gradients) {
      sum += bytes(g);
      received[static_cast<size_t>(owners[g])] += bytes(g);
    }
    // The one who owns most of it receives that from all others; who owns
    // nothing of it sends it all.
    double least = *std::min_element(received.begin(), received.end());
    double busiest = std::max(
        sum - least, *std::max_element(received.begin(), received.end()) *
                         static_cast<double>(ranks - 1));
    double seconds = secondsToSend(ranks == 1 ? 0 : busiest, ranks, rates);
    auto launch = bucket.completeBehind;
    double ready =
        before + (launch < 0 ? 0 : over[static_cast<size_t>(launch)]);
    free = std::max(free, ready) + seconds;
    plan.communication += seconds;
  }
  plan.exposed = std::max(0.0, free - plan.compute);

  std::vector<double> own(static_cast<size_t>(ranks));
  double shared = 0;
  for (const Launch &launch : update.launches) {
    double seconds = secondsOf(update, launch, rates);
    auto found =
        launch.owner < 0
            ? gradients.indices.end()
            : gradients.indices.find(Gradients::nameOf(update, launch.owner));
    if (found == gradients.indices.end())
      shared += seconds;
    else
      own[static_cast<size_t>(owners[found->second])] += seconds;
  }
  plan.update = shared + *std::max_element(own.begin(), own.end());
  double others = static_cast<double>(ranks - 1);
  plan.gather = secondsToSend(most * others, ranks, rates);
  plan.sentBytes =
      ranks == 1 ? 0
                 : total - total / static_cast<double>(ranks) + most * others;
  return plan;
}

namespace {

/// Two positive numbers with a comma between them.
bool parsePair(const std::string &text, double &first, double &second) {
  const char *end = text.data() + text.size();
  auto one = std::from_chars(text.data(), end, first);
  if (one.ec != std::errc() || one.ptr == end || *one.ptr != ',')
    return false;
  auto two = std::from_chars(one.ptr + 1, end, second);
  return two.ec == std::errc() && two.ptr == end && first > 0 && second >= 0;
}

} // namespace

Status parseNetwork(const std::string &text, RankRates &rates) {
  double gigabytes, microseconds;
  if (!parsePair(text, gigabytes, microseconds))
    return invalidArgument("--network: expected GB/s,us such as 12.5,3, got ",
                           inQuotes(text));
  rates.network = gigabytes * 1e9;
  rates.message = microseconds * 1e-6;
  return {};
}

Status parseMachine(const std::string &text, RankRates &rates) {
  double gigaflops, gigabytes;
  if (!parsePair(text, gigaflops, gigabytes) || gigabytes == 0)
    return invalidArgument(
        "--machine: expected GFLOP/s,GB/s such as 100,20, got ",
        inQuotes(text));
  rates.flops = gigaflops * 1e9;
  rates.memory = gigabytes * 1e9;
  return {};
}

} // namespace attnres::run
