// What the stages of a pipeline pass on, and when.
#include "runtime/distributed/Pipeline.h"

#include "support/PipelineNames.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>
#include <string_view>

namespace attnres::runtime {
namespace {

/// The number behind the prefix of a name; negative for other names.
int64_t numberOf(const std::string &name, std::string_view prefix) {
  if (name.compare(0, prefix.size(), prefix) != 0)
    return -1;
  int64_t number = -1;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(),
                  number);
  return number;
}

/// Bytes of what a program receives, by number.
using Needs = std::map<int64_t, int64_t>;

Needs needsOf(const Program &program, std::string_view prefix) {
  Needs needs;
  for (const Binding &binding : program.bindings)
    if (int64_t number = numberOf(binding.name, prefix); number >= 0)
      needs[number] = binding.bytes();
  return needs;
}

std::string toText(const Needs &needs) {
  std::ostringstream text;
  for (auto [number, bytes] : needs)
    text << number << ' ' << bytes << '\n';
  return text.str();
}

Needs toNeeds(const std::string &text) {
  std::istringstream stream(text);
  Needs needs;
  for (int64_t number, bytes; stream >> number >> bytes;)
    needs[number] = bytes;
  return needs;
}

} // namespace

bool isPipelineStage(const Program &program) {
  return std::any_of(program.bindings.begin(), program.bindings.end(),
                     [](const Binding &binding) {
                       return numberOf(binding.name, names::fromPrevious) >=
                                  0 ||
                              numberOf(binding.name, names::toNext) >= 0;
                     });
}

std::vector<bool> usedBindings(const Program &program) {
  std::vector<bool> used(program.bindings.size());
  auto add = [&](const Arg &arg) {
    if (arg.kind == Arg::Kind::Binding)
      used[static_cast<size_t>(arg.binding)] = true;
  };
  for (const Launch &launch : program.launches)
    for (const Arg &arg : launch.args) {
      add(arg);
      std::for_each(arg.elements.begin(), arg.elements.end(), add);
    }
  // An output that updates an input is that input.
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i] && program.bindings[i].updates >= 0)
      used[static_cast<size_t>(program.bindings[i].updates)] = true;
  return used;
}

int64_t Pipeline::slotsOf(int rank, int size, int64_t parts) {
  return std::max<int64_t>(std::min<int64_t>(size - rank, parts), 1);
}

Result<std::unique_ptr<Pipeline>>
Pipeline::connect(Communicator &ranks, Device &device, const Program &program,
                  const std::vector<Memories> &slots) {
  std::unique_ptr<Pipeline> pipeline(new Pipeline(ranks));
  pipeline->numSlots = static_cast<int64_t>(slots.size());
  // Ranks fail together.
  Status found = pipeline->findPorts(device, program, slots);
  Result<std::vector<std::string>> failures = ranks.allGather(found.message());
  if (!failures.ok())
    return failures.status();
  for (size_t r = 0; r < failures->size(); ++r)
    if (!(*failures)[r].empty())
      return invalidArgument("rank ", r, ": ", (*failures)[r]);
  return pipeline;
}

Status Pipeline::findPorts(Device &device, const Program &program,
                           const std::vector<Memories> &slots) {
  Needs previous = needsOf(program, names::fromPrevious),
        next = needsOf(program, names::fromNext);
  Result<std::vector<std::string>> previousOfAll =
      ranks.allGather(toText(previous));
  if (!previousOfAll.ok())
    return previousOfAll.status();
  Result<std::vector<std::string>> nextOfAll = ranks.allGather(toText(next));
  if (!nextOfAll.ok())
    return nextOfAll.status();

  // The tensors of a port; of each number, that of the first prefix that has
  // it.
  auto fill = [&](Port &port, const Needs &needs,
                  std::initializer_list<const char *> prefixes) -> Status {
    port.resize(slots.size());
    for (auto [number, bytes] : needs)
      for (size_t s = 0; s < slots.size(); ++s) {
        const DeviceMemory *memory = nullptr;
        for (const char *prefix : prefixes) {
          auto found = slots[s].find(concat(prefix, number));
          if (!memory && found != slots[s].end())
            memory = &found->second;
        }
        if (!memory || memory->bytes != bytes)
          return invalidArgument("this stage has no value ", number, " of ",
                                 bytes, " bytes, which another reads");
        Result<void *> data = hostAddress(device, *memory);
        if (!data.ok())
          return data.status();
        port[s].push_back({*data, bytes});
      }
    return {};
  };
  auto self = static_cast<size_t>(ranks.rank());
  Needs nothing;
  Needs wantedByNext = isLast() ? nothing : toNeeds((*previousOfAll)[self + 1]);
  Needs wantedByPrevious =
      isFirst() ? nothing : toNeeds((*nextOfAll)[self - 1]);
  // What only passes through goes on as it came.
  for (Status status :
       {fill(fromPrevious, previous, {names::fromPrevious}),
        fill(fromNext, next, {names::fromNext}),
        fill(toNext, wantedByNext, {names::toNext, names::fromPrevious}),
        fill(toPrevious, wantedByPrevious,
             {names::toPrevious, names::fromNext})})
    if (!status.ok())
      return status;
  return {};
}

int64_t Pipeline::bytesOf(const Port &port) {
  int64_t bytes = 0;
  for (const Range &range : port.front())
    bytes += range.bytes;
  return bytes;
}

Status Pipeline::exchange(const Port &out, int to, int64_t outSlot,
                          const Port &in, int from, int64_t inSlot) {
  std::vector<SentBytes> sent(static_cast<size_t>(ranks.size()));
  std::vector<ReceivedBytes> received(sent.size());
  if (outSlot >= 0 && bytesOf(out) > 0) {
    outgoing.resize(static_cast<size_t>(bytesOf(out)));
    char *place = outgoing.data();
    for (const Range &range : out[static_cast<size_t>(outSlot)]) {
      std::memcpy(place, range.data, static_cast<size_t>(range.bytes));
      place += range.bytes;
    }
    sent[static_cast<size_t>(to)] = {outgoing.data(), bytesOf(out)};
  }
  if (inSlot >= 0 && bytesOf(in) > 0) {
    incoming.resize(static_cast<size_t>(bytesOf(in)));
    received[static_cast<size_t>(from)] = {incoming.data(), bytesOf(in)};
  }
  if (Status status = ranks.exchange(sent, received); !status.ok())
    return status;
  if (inSlot < 0)
    return {};
  const char *place = incoming.data();
  for (const Range &range : in[static_cast<size_t>(inSlot)]) {
    std::memcpy(range.data, place, static_cast<size_t>(range.bytes));
    place += range.bytes;
  }
  return {};
}

Status Pipeline::run(int64_t parts,
                     const std::function<Status(PipelineStep, int64_t part,
                                                int64_t slot)> &compute) {
  int rank = ranks.rank();
  int64_t ahead = std::min<int64_t>(ranks.size() - 1 - rank, parts);
  constexpr int64_t none = -1;
  Status status;
  auto slot = [&](int64_t part) { return part % numSlots; };
  auto forward = [&](int64_t part) {
    if (status.ok())
      status = compute(PipelineStep::Forward, part, slot(part));
  };
  auto backward = [&](int64_t part) {
    if (status.ok())
      status = compute(PipelineStep::Backward, part, slot(part));
  };
  // Both neighbours do the other half of each of these at the same time.
  auto withNext = [&](int64_t sentPart, int64_t receivedPart) {
    if (status.ok() && !isLast())
      status = exchange(toNext, rank + 1, sentPart < 0 ? none : slot(sentPart),
                        fromNext, rank + 1,
                        receivedPart < 0 ? none : slot(receivedPart));
  };
  auto withPrevious = [&](int64_t sentPart, int64_t receivedPart) {
    if (status.ok() && !isFirst())
      status = exchange(toPrevious, rank - 1,
                        sentPart < 0 ? none : slot(sentPart), fromPrevious,
                        rank - 1, receivedPart < 0 ? none : slot(receivedPart));
  };

  for (int64_t part = 0; part < ahead; ++part) {
    withPrevious(none, part);
    forward(part);
    withNext(part, none);
  }
  if (ahead < parts)
    withPrevious(none, ahead);
  for (int64_t part = 0; part < parts - ahead; ++part) {
    int64_t newest = ahead + part;
    forward(newest);
    withNext(newest, part);
    backward(part);
    withPrevious(part, newest + 1 < parts ? newest + 1 : none);
  }
  for (int64_t part = parts - ahead; part < parts; ++part) {
    withNext(none, part);
    backward(part);
    withPrevious(part, none);
  }
  return status;
}

Status Pipeline::runForward(const std::function<Status()> &compute) {
  int rank = ranks.rank();
  if (!isFirst())
    if (Status status =
            exchange({}, rank, -1, fromPrevious, rank - 1, /*inSlot=*/0);
        !status.ok())
      return status;
  if (Status status = compute(); !status.ok())
    return status;
  if (isLast())
    return {};
  return exchange(toNext, rank + 1, /*outSlot=*/0, {}, rank, -1);
}

} // namespace attnres::runtime
