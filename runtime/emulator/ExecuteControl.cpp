// Branches, calls and the end of threads.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {

void executeBranch(Warp &warp, const Instruction &inst, uint32_t mask) {
  ++warp.worker->counters.branches;
  if (mask == warp.active) {
    warp.jump(inst.target);
    return;
  }
  ++warp.worker->counters.divergentBranches;
  warp.fork(inst.target, mask);
}

void executeBranchTable(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &table = static_cast<const BranchTableExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  const uint32_t *choices = warp.lanes<uint32_t>(inst.src[0]);
  ++warp.worker->counters.branches;
  uint32_t left = mask;
  bool wholeWarp = mask == warp.active;
  while (left != 0) {
    uint32_t choice = choices[__builtin_ctz(left)];
    uint32_t same = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (((left >> lane) & 1) && choices[lane] == choice)
        same |= 1u << lane;
    if (choice >= table.targets.size()) {
      warp.report(FindingKind::InvalidOperation, __builtin_ctz(same), 0,
                  fmt::format("branch to entry {} of a table of {}", choice,
                              table.targets.size()));
      choice = 0;
      if (table.targets.empty()) {
        warp.exitLanes(same);
        left &= ~same;
        continue;
      }
    }
    left &= ~same;
    if (left == 0 && wholeWarp) {
      // The last group takes the current split along.
      warp.jump(table.targets[choice]);
      return;
    }
    ++warp.worker->counters.divergentBranches;
    warp.fork(table.targets[choice], same);
  }
}

// A pointer may lead to a function of another shape than the prototype's.
static bool takesArguments(const FunctionCode &callee, const CallExtra &call) {
  auto agree = [](const std::vector<ParameterLayout> &layout,
                  const std::vector<std::pair<uint32_t, uint32_t>> &values) {
    return std::equal(layout.begin(), layout.end(), values.begin(),
                      values.end(), [](const auto &formal, const auto &actual) {
                        return formal.bytes == actual.second;
                      });
  };
  return agree(callee.parameters, call.arguments) &&
         agree(callee.returns, call.results);
}

void executeCall(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  if (call.system != CallExtra::None) {
    executeSystemCall(warp, call, mask);
    return;
  }
  const KernelCode &kernel = *warp.block.launch.kernel;
  if (!call.indirect) {
    warp.call(call, kernel.functions[call.function], mask);
    return;
  }
  warp.require(inst.src[0], mask);
  // One callee at a time; the other lanes come back to this instruction.
  const uint64_t *pointers = warp.lanes<uint64_t>(inst.src[0]);
  uint64_t pointer = pointers[__builtin_ctz(mask)];
  uint32_t same = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (((mask >> lane) & 1) && pointers[lane] == pointer)
      same |= 1u << lane;
  auto found = kernel.functionsByAddress.find(pointer);
  if (found == kernel.functionsByAddress.end()) {
    warp.report(FindingKind::InvalidOperation, __builtin_ctz(mask), pointer,
                "call of something that is not a function of the module");
    if (same != mask)
      warp.fork(warp.current, mask & ~same);
    warp.exitLanes(same);
    return;
  }
  const FunctionCode &callee = kernel.functions[found->second];
  if (!takesArguments(callee, call)) {
    warp.report(FindingKind::InvalidOperation, __builtin_ctz(mask), pointer,
                fmt::format("call of '{}' with other arguments or results "
                            "than it has",
                            callee.name));
    if (same != mask)
      warp.fork(warp.current, mask & ~same);
    warp.exitLanes(same);
    return;
  }
  if (same != mask)
    warp.fork(warp.current, mask & ~same);
  warp.call(call, callee, same);
}

void executeReturn(Warp &warp, const Instruction &, uint32_t mask) {
  warp.returnLanes(mask);
}

void executeExit(Warp &warp, const Instruction &, uint32_t mask) {
  warp.exitLanes(mask);
}

void executeTrap(Warp &warp, const Instruction &, uint32_t mask) {
  warp.report(FindingKind::Trap, __builtin_ctz(mask), 0,
              "the kernel executed a trap");
  warp.block.launch.abort("the kernel executed a trap");
  warp.exitLanes(mask);
}

} // namespace attnres::emulator
