// Counters as a table and as JSON.

#include "runtime/emulator/Counters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attnres::emulator {

const char *instructionClassName(InstructionClass kind) {
  static const char *const names[] = {
      "integer", "logic",   "float32",  "float64", "half",      "special",
      "convert", "compare", "move",     "load",    "store",     "atomic",
      "control", "barrier", "exchange", "matrix",  "async_copy"};
  return names[static_cast<unsigned>(kind)];
}

static void addSpace(SpaceCounters &to, const SpaceCounters &from) {
  to.loadBytes += from.loadBytes;
  to.storeBytes += from.storeBytes;
  to.requests += from.requests;
  to.transactions += from.transactions;
  to.idealTransactions += from.idealTransactions;
}

void Counters::add(const Counters &other) {
  for (size_t i = 0; i < classes.size(); ++i) {
    classes[i].warpInstructions += other.classes[i].warpInstructions;
    classes[i].laneInstructions += other.classes[i].laneInstructions;
  }
  addSpace(global, other.global);
  addSpace(shared, other.shared);
  addSpace(local, other.local);
  addSpace(parameter, other.parameter);
  bankConflicts += other.bankConflicts;
  barriers += other.barriers;
  branches += other.branches;
  divergentBranches += other.divergentBranches;
  atomics += other.atomics;
  matrixInstructions += other.matrixInstructions;
  tensorMultiplyAdds += other.tensorMultiplyAdds;
  warpProductWork += other.warpProductWork;
  groupProductWork += other.groupProductWork;
  groupOperandBytes += other.groupOperandBytes;
  asyncCopyBytes += other.asyncCopyBytes;
  blocks += other.blocks;
  warps += other.warps;
}

uint64_t Counters::warpInstructions() const {
  uint64_t total = 0;
  for (const ClassCount &count : classes)
    total += count.warpInstructions;
  return total;
}

uint64_t Counters::laneInstructions() const {
  uint64_t total = 0;
  for (const ClassCount &count : classes)
    total += count.laneInstructions;
  return total;
}

double Counters::coalescingEfficiency() const {
  return global.transactions == 0
             ? 1.0
             : double(global.idealTransactions) / double(global.transactions);
}

double Counters::laneOccupancy() const {
  uint64_t warpsTotal = warpInstructions();
  return warpsTotal == 0
             ? 1.0
             : double(laneInstructions()) / (double(warpsTotal) * kWarpSize);
}

std::string Counters::table(const std::string &kernel) const {
  std::string text = fmt::format("kernel {}\n", kernel);
  auto row = [&](const char *name, uint64_t value) {
    text += fmt::format("  {:<28}{:>16}\n", name, value);
  };
  row("blocks", blocks);
  row("warps", warps);
  text += fmt::format("  {:<28}{:>16}{:>18}\n", "instructions", "warp", "lane");
  for (size_t i = 0; i < classes.size(); ++i)
    if (classes[i].warpInstructions != 0)
      text +=
          fmt::format("    {:<26}{:>16}{:>18}\n",
                      instructionClassName(static_cast<InstructionClass>(i)),
                      classes[i].warpInstructions, classes[i].laneInstructions);
  text += fmt::format("    {:<26}{:>16}{:>18}\n", "total", warpInstructions(),
                      laneInstructions());
  text += fmt::format("  {:<12}{:>14}{:>14}{:>12}{:>14}{:>12}\n", "memory",
                      "bytes loaded", "bytes stored", "requests",
                      "transactions", "ideal");
  auto space = [&](const char *name, const SpaceCounters &counts) {
    if (counts.requests != 0)
      text += fmt::format("    {:<10}{:>14}{:>14}{:>12}{:>14}{:>12}\n", name,
                          counts.loadBytes, counts.storeBytes, counts.requests,
                          counts.transactions, counts.idealTransactions);
  };
  space("global", global);
  space("shared", shared);
  space("local", local);
  space("param", parameter);
  text += fmt::format("  {:<28}{:>15.1f}%\n", "coalescing efficiency",
                      100 * coalescingEfficiency());
  text += fmt::format("  {:<28}{:>15.1f}%\n", "active lanes",
                      100 * laneOccupancy());
  row("bank conflicts", bankConflicts);
  row("barriers", barriers);
  row("branches", branches);
  row("divergent branches", divergentBranches);
  row("atomics", atomics);
  row("matrix instructions", matrixInstructions);
  row("tensor multiply-adds", tensorMultiplyAdds);
  row("async copy bytes", asyncCopyBytes);
  return text;
}

std::string Counters::json(const std::string &kernel) const {
  nlohmann::ordered_json out;
  out["kernel"] = kernel;
  out["blocks"] = blocks;
  out["warps"] = warps;
  for (size_t i = 0; i < classes.size(); ++i) {
    nlohmann::ordered_json one;
    one["warp"] = classes[i].warpInstructions;
    one["lane"] = classes[i].laneInstructions;
    out["instructions"]
       [instructionClassName(static_cast<InstructionClass>(i))] = one;
  }
  out["warp_instructions"] = warpInstructions();
  out["lane_instructions"] = laneInstructions();
  auto space = [&](const char *name, const SpaceCounters &counts) {
    out["memory"][name] = {{"load_bytes", counts.loadBytes},
                           {"store_bytes", counts.storeBytes},
                           {"requests", counts.requests},
                           {"transactions", counts.transactions},
                           {"ideal_transactions", counts.idealTransactions}};
  };
  space("global", global);
  space("shared", shared);
  space("local", local);
  space("param", parameter);
  out["coalescing_efficiency"] = coalescingEfficiency();
  out["lane_occupancy"] = laneOccupancy();
  out["bank_conflicts"] = bankConflicts;
  out["barriers"] = barriers;
  out["branches"] = branches;
  out["divergent_branches"] = divergentBranches;
  out["atomics"] = atomics;
  out["matrix_instructions"] = matrixInstructions;
  out["tensor_multiply_adds"] = tensorMultiplyAdds;
  out["warp_product_work"] = warpProductWork;
  out["group_product_work"] = groupProductWork;
  out["group_operand_bytes"] = groupOperandBytes;
  out["async_copy_bytes"] = asyncCopyBytes;
  return out.dump(2);
}

} // namespace attnres::emulator
