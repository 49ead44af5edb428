// A warp: its splits (groups of lanes at different places), frames and the
// loop that executes instructions. Among the splits that can run, the one in
// the deepest call at the lowest address goes first, so lanes that branched
// apart meet again where their paths join; .sync instructions wait for the
// lanes they name, which makes the order a matter of speed only.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

// A split that keeps others waiting for so long is set aside for a while, so
// that lanes spinning on what another lane must do let it happen.
constexpr uint64_t patience = 100000;

} // namespace

Warp::Warp(Block &block, uint32_t index, uint32_t lanes)
    : block(block), index(index), present(lanes), alive(lanes) {
  const KernelCode &kernel = *block.launch.kernel;
  code = kernel.code.data();
  // Never empty, so that pointers into it are valid.
  localBytes = std::max(kernel.localBytes, 16u);
  local.resize(size_t(localBytes) * kWarpSize);
  localInit.resize(local.size());
  Split split;
  split.lanes = lanes;
  split.pc = kernel.functions[0].entry;
  split.frame = newFrame(kernel.functions[0], nullptr);
  split.frame->lanes = lanes;
  splits.push_back(split);
  load(0);
}

Frame *Warp::newFrame(const FunctionCode &function, Frame *parent) {
  std::unique_ptr<Frame> made;
  if (freeFrames.empty()) {
    made = std::make_unique<Frame>();
  } else {
    made = std::move(freeFrames.back());
    freeFrames.pop_back();
  }
  Frame *result = made.get();
  frames.push_back(std::move(made));
  result->parent = parent;
  result->function = &function;
  size_t bytes = size_t(function.slotCount) * kSlotBytes;
  // A 128-byte overhang: a 64-bit read of the last slot stays inside.
  result->registers.assign(bytes + 64 + 2 * kSlotBytes, 0);
  uintptr_t start = reinterpret_cast<uintptr_t>(result->registers.data());
  result->aligned = result->registers.data() + ((64 - start % 64) % 64);
  bool checked = block.launch.checks.registers;
  result->init.assign(function.slotCount, checked ? 0u : kFullMask);
  result->partial.clear();
  result->stackUsed = 0;
  if (!function.constants.empty())
    std::memcpy(result->aligned + size_t(function.firstConstant) * kSlotBytes,
                function.constants.data(), function.constants.size());
  result->init[0] = kFullMask;
  for (int32_t constant : function.constantSlots)
    result->init[constant] = kFullMask;
  result->depth = parent ? parent->depth + 1 : 0;
  result->localBase =
      parent ? parent->localBase + parent->function->localBytes : 0;
  fillSpecials(*result);
  return result;
}

void Warp::freeFrame(Frame *freed) {
  for (std::unique_ptr<Frame> &owned : frames)
    if (owned.get() == freed) {
      freeFrames.push_back(std::move(owned));
      owned = std::move(frames.back());
      frames.pop_back();
      return;
    }
}

void Warp::save() {
  if (chosen >= splits.size())
    return;
  if (active == 0) {
    splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(chosen));
    lastProgress = executed;
  } else {
    splits[chosen].pc = pc;
    splits[chosen].lanes = active;
    splits[chosen].frame = frame;
  }
  chosen = splits.size();
}

void Warp::load(size_t split) {
  chosen = split;
  Split &from = splits[split];
  pc = from.pc;
  active = from.lanes;
  frame = from.frame;
  registers = frame->aligned;
  init = frame->init.data();
  updateLimit();
}

void Warp::updateLimit() {
  limit = UINT32_MAX;
  for (size_t i = 0; i < splits.size(); ++i) {
    const Split &other = splits[i];
    if (i != chosen && other.frame == frame && other.pc > pc &&
        (other.state == Split::Runnable || other.state == Split::Converging))
      limit = std::min(limit, other.pc);
  }
}

// Splits at the same place in the same frame become one.
void Warp::merge() {
  auto canMerge = [](const Split &split) {
    return split.state == Split::Runnable || split.state == Split::Converging;
  };
  for (size_t i = 0; i < splits.size(); ++i)
    for (size_t j = splits.size() - 1; j > i; --j) {
      if (splits[i].pc != splits[j].pc || splits[i].frame != splits[j].frame ||
          !canMerge(splits[i]) || !canMerge(splits[j]))
        continue;
      splits[i].lanes |= splits[j].lanes;
      splits[i].state = Split::Runnable;
      splits[i].parkedUntil = 0;
      splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
      lastProgress = executed;
    }
}

bool Warp::schedule() {
  if (splits.size() > 1)
    merge();
  auto best = splits.size();
  auto parked = splits.size();
  auto converging = splits.size();
  bool atBarrier = false;
  size_t runnable = 0;
  auto goesBefore = [&](const Split &a, const Split &b) {
    if (a.frame->depth != b.frame->depth)
      return a.frame->depth > b.frame->depth;
    return a.pc < b.pc;
  };
  for (size_t i = 0; i < splits.size(); ++i) {
    const Split &split = splits[i];
    size_t *place = nullptr;
    if (split.state == Split::Runnable) {
      ++runnable;
      place = split.parkedUntil > executed ? &parked : &best;
    } else if (split.state == Split::Converging) {
      place = &converging;
    } else {
      atBarrier = true;
      continue;
    }
    if (*place == splits.size() || goesBefore(split, splits[*place]))
      *place = i;
  }
  if (best < splits.size() && runnable > 1 &&
      executed - lastProgress > patience) {
    splits[best].parkedUntil = executed + patience;
    lastProgress = executed;
    return schedule();
  }
  if (best == splits.size())
    best = parked;
  if (best == splits.size() && converging < splits.size() &&
      (!atBarrier || forceRequested)) {
    best = converging;
    splits[best].state = Split::Runnable;
    forced = true;
    forceRequested = false;
  }
  if (best == splits.size()) {
    limit = 0;
    return false;
  }
  load(best);
  return true;
}

Warp::Outcome Warp::run(WorkerState &state, uint64_t budget) {
  worker = &state;
  yielding = false;
  polling = false;
  if (alive == 0)
    return Outcome::Done;
  if (!schedule())
    return Outcome::Blocked;
  uint64_t end = executed + budget;
  WorkerState::Execution *counts = worker->executions.data();
  while (true) {
    const Instruction &inst = code[pc];
    current = pc;
    uint32_t mask = active;
    if (inst.guard != 0) {
      require(inst.guard, mask);
      uint32_t guard = predicate(inst.guard);
      mask &= inst.guardNegated ? ~guard : guard;
    }
    ++counts[pc].warps;
    counts[pc].lanes += static_cast<unsigned>(__builtin_popcount(mask));
    ++pc;
    ++executed;
    if (mask != 0)
      inst.handler(*this, inst, mask);
    if (pc < limit && executed < end)
      continue;
    save();
    if (alive == 0)
      return Outcome::Done;
    if (yielding)
      return polling ? Outcome::Polling : Outcome::Yielded;
    if (executed >= end)
      return Outcome::Yielded;
    if (!schedule())
      return Outcome::Blocked;
  }
}

void Warp::splitOff(uint32_t lanesThere) {
  Split other;
  other.pc = pc;
  other.lanes = lanesThere;
  other.frame = frame;
  splits.push_back(other);
  active &= ~lanesThere;
  limit = 0;
}

void Warp::fork(uint32_t target, uint32_t lanesThere) {
  uint32_t next = pc;
  pc = target;
  splitOff(lanesThere);
  pc = next;
}

void Warp::call(const CallExtra &call, const FunctionCode &callee,
                uint32_t mask) {
  if (active & ~mask)
    splitOff(active & ~mask);
  Frame *caller = frame;
  uint32_t base = caller->localBase + caller->function->localBytes;
  uint32_t stack = caller->stackUsed + callee.stackBytes;
  if (block.launch.kernel->isRecursive && stack > block.launch.stackBytes) {
    report(FindingKind::InvalidOperation, __builtin_ctz(mask), 0,
           fmt::format("call of '{}' at depth {} needs more than the {} bytes "
                       "of stack that a thread has",
                       callee.name, caller->depth + 1,
                       block.launch.stackBytes));
    block.launch.abort("the stack of a thread is used up");
    exitLanes(mask);
    return;
  }
  growLocal(base + callee.localBytes);
  Frame *made = newFrame(callee, caller);
  made->stackUsed = stack;
  made->call = &call;
  made->returnPc = pc;
  made->lanes = mask;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    size_t start = size_t(lane) * localBytes;
    std::memset(localInit.data() + start + base, 0, callee.localBytes);
    for (size_t i = 0;
         i < call.arguments.size() && i < callee.parameters.size(); ++i) {
      size_t bytes =
          std::min(call.arguments[i].second, callee.parameters[i].bytes);
      size_t from = start + caller->localBase + call.arguments[i].first;
      size_t to = start + base + callee.parameters[i].offset;
      std::memcpy(local.data() + to, local.data() + from, bytes);
      std::memcpy(localInit.data() + to, localInit.data() + from, bytes);
    }
  }
  frame = made;
  registers = made->aligned;
  init = made->init.data();
  pc = callee.entry;
  limit = splits.size() > 1 ? 0 : UINT32_MAX;
}

// Room for so many bytes of local memory per lane.
void Warp::growLocal(uint32_t bytes) {
  if (bytes <= localBytes)
    return;
  uint32_t wider = std::max(bytes, 2 * localBytes);
  auto spread = [&](std::vector<uint8_t> &memory) {
    std::vector<uint8_t> moved(size_t(wider) * kWarpSize);
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      std::copy_n(memory.data() + lane * localBytes, localBytes,
                  moved.data() + lane * wider);
    memory = std::move(moved);
  };
  spread(local);
  spread(localInit);
  localBytes = wider;
}

void Warp::returnLanes(uint32_t mask) {
  if (active & ~mask)
    splitOff(active & ~mask);
  Frame *callee = frame;
  Frame *caller = callee->parent;
  const CallExtra &call = *callee->call;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    size_t start = size_t(lane) * localBytes;
    const std::vector<ParameterLayout> &returns = callee->function->returns;
    for (size_t i = 0; i < call.results.size() && i < returns.size(); ++i) {
      size_t bytes = std::min(call.results[i].second, returns[i].bytes);
      size_t from = start + callee->localBase + returns[i].offset;
      size_t to = start + caller->localBase + call.results[i].first;
      std::memcpy(local.data() + to, local.data() + from, bytes);
      std::memcpy(localInit.data() + to, localInit.data() + from, bytes);
    }
  }
  pc = callee->returnPc;
  callee->lanes &= ~mask;
  if (callee->lanes == 0)
    freeFrame(callee);
  frame = caller;
  registers = frame->aligned;
  init = frame->init.data();
  limit = splits.size() > 1 ? 0 : UINT32_MAX;
}

void Warp::exitLanes(uint32_t mask) {
  publishWaits(mask);
  joinClocks(block.endClocks, clocks(), block.cluster.agentCount);
  alive &= ~mask;
  active &= ~mask;
  limit = 0;
  for (Frame *each = frame; each; each = each->parent)
    each->lanes &= ~mask;
  if (alive == 0 && !block.ended &&
      std::all_of(block.warps.begin(), block.warps.end(),
                  [](const auto &warp) { return warp->done(); }))
    block.end();
  block.checkBarriers();
  block.cluster.checkClusterBarrier();
  block.cluster.progress();
}

void Warp::uncount(uint32_t mask) {
  --worker->executions[current].warps;
  worker->executions[current].lanes -=
      static_cast<unsigned>(__builtin_popcount(mask));
}

void Warp::retryLater(uint32_t mask) {
  uncount(mask);
  pc = current;
  yield(true);
}

bool Warp::isWhole(uint32_t mask, const char *what) {
  if (!converged(mask, alive, false))
    return false;
  if (mask != kFullMask)
    report(FindingKind::MismatchedLanes, __builtin_ctz(mask), 0,
           fmt::format("{} executed by lanes {:#x}", what, mask));
  return true;
}

bool Warp::converged(uint32_t mask, uint32_t members, bool isBarrier) {
  uint32_t missing = members & alive & ~mask;
  if (missing == 0) {
    forced = false;
    return true;
  }
  if (forced) {
    forced = false;
    if (isBarrier)
      report(FindingKind::DivergentBarrier, __builtin_ctz(mask), 0,
             fmt::format("lanes {:#x} of the warp are at the barrier, lanes "
                         "{:#x} are elsewhere",
                         mask, missing));
    else
      report(FindingKind::MismatchedLanes, __builtin_ctz(mask), 0,
             fmt::format("lanes {:#x} wait for lanes {:#x}, which never come",
                         mask, missing));
    return true;
  }
  // It is executed again when the others have come.
  uncount(mask);
  if (active & ~mask)
    splitOff(active & ~mask);
  pc = current;
  splits[chosen].state = Split::Converging;
  limit = 0;
  return false;
}

void Warp::waitAtBarrier(uint32_t barrier, const Instruction *inst,
                         uint32_t mask, bool isCluster) {
  if (active & ~mask)
    splitOff(active & ~mask);
  Split &split = splits[chosen];
  split.state = isCluster ? Split::AtClusterBarrier : Split::AtBarrier;
  split.barrier = barrier;
  split.waiting = inst;
  split.lanes = active;
  split.frame = frame;
  limit = 0;
}

void Warp::releaseBarrier(uint32_t barrier, bool isCluster,
                          uint32_t reduction) {
  Split::State state = isCluster ? Split::AtClusterBarrier : Split::AtBarrier;
  for (Split &split : splits) {
    if (split.state != state || split.barrier != barrier)
      continue;
    split.state = Split::Runnable;
    const Instruction *inst = split.waiting;
    if (!inst || inst->dst == 0)
      continue;
    uint32_t *values = reinterpret_cast<uint32_t *>(
        split.frame->aligned + size_t(inst->dst) * kSlotBytes);
    split.frame->init[inst->dst] |= split.lanes;
    if (inst->destBytes == 0) {
      values[0] = (values[0] & ~split.lanes) | (reduction ? split.lanes : 0);
      continue;
    }
    for (uint32_t lane = 0; lane < kWarpSize; ++lane)
      if ((split.lanes >> lane) & 1)
        values[lane] = reduction;
  }
}

bool Warp::isAtBarrier(uint32_t barrier) const {
  return std::any_of(splits.begin(), splits.end(), [&](const Split &split) {
    return split.state == Split::AtBarrier && split.barrier == barrier;
  });
}

bool Warp::isAtClusterBarrier() const {
  return std::any_of(splits.begin(), splits.end(), [](const Split &split) {
    return split.state == Split::AtClusterBarrier;
  });
}

bool Warp::hasConverging() const {
  return std::any_of(splits.begin(), splits.end(), [](const Split &split) {
    return split.state == Split::Converging;
  });
}

const Instruction *Warp::barrierInstruction(uint32_t barrier) const {
  for (const Split &split : splits)
    if (split.state == Split::AtBarrier && split.barrier == barrier &&
        split.waiting && split.waiting->dst != 0)
      return split.waiting;
  return nullptr;
}

void Warp::reportStuck() {
  for (const Split &split : splits) {
    // The finding belongs to the instruction that waits.
    current = split.pc;
    std::string why = "polls a barrier that nobody completes";
    if (split.state == Split::AtBarrier) {
      current = split.pc - 1;
      why = fmt::format("waits at barrier {}, which other warps never reach",
                        split.barrier);
    } else if (split.state == Split::AtClusterBarrier) {
      current = split.pc - 1;
      why = "waits at the cluster's barrier, which other warps never reach";
    }
    report(FindingKind::Deadlock, __builtin_ctz(split.lanes), 0, why);
  }
}

void Warp::reportLimit() {
  report(FindingKind::Deadlock, __builtin_ctz(alive ? alive : 1), 0,
         fmt::format("executed {} instructions, the limit is {}", executed,
                     block.launch.instructionLimit));
}

void Warp::report(FindingKind kind, uint32_t lane, uint64_t where,
                  const std::string &message, uint32_t otherLine) {
  reportAt(line(), kind, lane, where, message, otherLine);
}

void Warp::reportAt(uint32_t lineNumber, FindingKind kind, uint32_t lane,
                    uint64_t where, const std::string &message,
                    uint32_t otherLine) {
  const LaunchState &launch = block.launch;
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch.kernel->name;
  finding.line = lineNumber;
  finding.otherLine = otherLine;
  finding.block = block.position;
  uint32_t thread = index * kWarpSize + lane;
  finding.thread = {thread % launch.block.x,
                    thread / launch.block.x % launch.block.y,
                    thread / (launch.block.x * launch.block.y)};
  finding.address = where;
  finding.message = message;
  uint64_t blockIndex =
      (uint64_t(block.position.z) * launch.grid.y + block.position.y) *
          launch.grid.x +
      block.position.x;
  launch.findings->add(std::move(finding), blockIndex, thread);
}

} // namespace attnres::emulator
