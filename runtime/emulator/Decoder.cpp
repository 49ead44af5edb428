// Decoding of a kernel: which functions and shared variables it reaches, the
// layout of shared memory, then every function in turn.

#include "runtime/emulator/Decoder.h"

#include "runtime/emulator/FunctionDecoder.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <utility>

namespace attnres::emulator {
namespace {

void forEachSymbol(const Operand &operand,
                   const std::function<void(const Operand &)> &visit) {
  if (operand.kind == Operand::Symbol)
    visit(operand);
  for (const Operand &element : operand.elements)
    forEachSymbol(element, visit);
}

bool isCall(const Statement &statement) {
  return statement.opcode.compare(0, 4, "call") == 0;
}

// The functions and variables that a kernel reaches.
class Reach {
public:
  explicit Reach(KernelDecoding &decoding) : decoding(decoding) {
    for (const Variable &variable : decoding.module.variables)
      variables.emplace(variable.name, &variable);
    for (const Function &function : decoding.module.functions)
      if (function.hasBody && !function.isEntry)
        functions.emplace(function.name, &function);
  }

  /// Fills the order of functions; `sharedVariables` are in the order of their
  /// first use.
  void follow(const Function &entry) {
    decoding.order.push_back(&entry);
    for (size_t i = 0; i < decoding.order.size(); ++i) {
      const Function &function = *decoding.order[i];
      for (const Variable &variable : function.variables)
        if (!variable.moduleName.empty())
          addName(variable.moduleName);
      for (const Statement &statement : function.statements) {
        for (const Operand &operand : statement.operands)
          forEachSymbol(operand, [&](const Operand &symbol) {
            if (symbol.local < 0)
              addName(symbol.symbol);
          });
        if (isCall(statement) && callsPointer(statement))
          addTaken();
      }
    }
  }

  std::vector<const Variable *> sharedVariables;

private:
  static bool callsPointer(const Statement &call) {
    return std::any_of(call.operands.begin(), call.operands.end(),
                       [](const Operand &operand) {
                         return operand.kind == Operand::Register;
                       });
  }

  void addName(const std::string &name) {
    if (!seen.insert(name).second)
      return;
    auto variable = variables.find(name);
    if (variable != variables.end()) {
      if (variable->second->space == Space::Shared)
        sharedVariables.push_back(variable->second);
      for (const auto &relocation : variable->second->relocations)
        addName(relocation.symbol);
      return;
    }
    auto function = functions.find(name);
    if (function == functions.end())
      return;
    decoding.functionIndex.emplace(name, decoding.order.size());
    decoding.order.push_back(function->second);
  }

  // Every function whose address is anywhere in the module: another kernel may
  // have put it into memory.
  void addTaken() {
    if (std::exchange(decoding.callsPointers, true))
      return;
    std::set<std::string> taken;
    for (const Variable &variable : decoding.module.variables)
      for (const auto &relocation : variable.relocations)
        taken.insert(relocation.symbol);
    for (const Function &function : decoding.module.functions)
      for (const Statement &statement : function.statements)
        if (!isCall(statement))
          for (const Operand &operand : statement.operands)
            forEachSymbol(operand, [&](const Operand &symbol) {
              if (symbol.local < 0)
                taken.insert(symbol.symbol);
            });
    for (const std::string &name : taken)
      if (functions.count(name))
        addName(name);
  }

  KernelDecoding &decoding;
  std::unordered_map<std::string, const Variable *> variables;
  std::unordered_map<std::string, const Function *> functions;
  std::set<std::string> seen;
};

// The local memory of the longest chain of calls from `function` on; false
// where a chain has no end.
bool deepest(const KernelDecoding &decoding, uint32_t function,
             std::vector<uint64_t> &bytes, std::vector<uint8_t> &state) {
  enum : uint8_t { New, Open, Done };
  if (state[function] != New)
    return state[function] == Done;
  state[function] = Open;
  uint64_t below = 0;
  for (auto call = decoding.calls.lower_bound({function, 0});
       call != decoding.calls.end() && call->first == function; ++call) {
    if (!deepest(decoding, call->second, bytes, state))
      return false;
    below = std::max(below, bytes[call->second]);
  }
  bytes[function] = below + decoding.kernel.functions[function].localBytes;
  state[function] = Done;
  return true;
}

void sizeStack(KernelDecoding &decoding) {
  KernelCode &kernel = decoding.kernel;
  std::vector<uint64_t> bytes(kernel.functions.size());
  std::vector<uint8_t> state(kernel.functions.size());
  kernel.isRecursive =
      decoding.callsPointers || !deepest(decoding, 0, bytes, state);
  uint64_t local = bytes[0];
  if (kernel.isRecursive) {
    local = 0;
    for (const FunctionCode &function : kernel.functions)
      local += function.localBytes;
  }
  kernel.localBytes = static_cast<uint32_t>(std::min<uint64_t>(local, 1 << 24));
}

Status layoutShared(KernelDecoding &decoding,
                    const std::vector<const Variable *> &variables) {
  uint64_t end = kSharedBase;
  auto place = [&](const Variable &variable) {
    end = (end + variable.align - 1) / variable.align * variable.align;
    uint64_t at = end;
    end += variable.bytes;
    return static_cast<uint32_t>(std::min<uint64_t>(at, UINT32_MAX));
  };
  uint64_t dynamicAlign = 16;
  for (const Variable *variable : variables) {
    if (variable->isExtern)
      dynamicAlign = std::max(dynamicAlign, variable->align);
    else
      decoding.sharedOffsets[variable->name] = place(*variable);
  }
  for (const Function *function : decoding.order)
    for (size_t i = 0; i < function->variables.size(); ++i)
      if (function->variables[i].space == Space::Shared)
        decoding.localSharedOffsets[{function, static_cast<int>(i)}] =
            place(function->variables[i]);
  constexpr uint64_t limit = kSharedBase + 227 * 1024;
  if (end > limit)
    return invalidData(
        fmt::format("line {}: kernel '{}' has {} bytes of static shared "
                    "memory, expected at most {}",
                    decoding.order[0]->line, decoding.kernel.name,
                    end - kSharedBase, limit - kSharedBase));
  decoding.kernel.staticSharedBytes = static_cast<uint32_t>(end - kSharedBase);
  end = (end + dynamicAlign - 1) / dynamicAlign * dynamicAlign;
  decoding.kernel.dynamicSharedOffset = static_cast<uint32_t>(end);
  for (const Variable *variable : variables)
    if (variable->isExtern)
      decoding.sharedOffsets[variable->name] = static_cast<uint32_t>(end);
  return {};
}

} // namespace

Result<std::unique_ptr<KernelCode>>
decodeKernel(const Module &module, const Function &entry,
             const ModuleAddresses &addresses, const DecodeOptions &options) {
  auto kernel = std::make_unique<KernelCode>();
  kernel->name = entry.name;
  std::copy_n(entry.maxThreads, 3, kernel->maxThreads);
  std::copy_n(entry.requiredThreads, 3, kernel->requiredThreads);
  std::copy_n(entry.requiredCluster, 3, kernel->requiredCluster);
  KernelDecoding decoding{module, options, addresses, *kernel, {},
                          {},     {},      {},        {},      false};
  Reach reach(decoding);
  reach.follow(entry);
  if (Status status = layoutShared(decoding, reach.sharedVariables);
      !status.ok())
    return status;
  kernel->functions.resize(decoding.order.size());
  for (size_t i = 0; i < decoding.order.size(); ++i) {
    FunctionDecoder decoder(decoding, *decoding.order[i],
                            static_cast<uint32_t>(i));
    if (Status status = decoder.decode(); !status.ok())
      return status;
    if (i != 0)
      kernel->functionsByAddress[addresses.functions.at(
          decoding.order[i]->name)] = static_cast<uint32_t>(i);
  }
  sizeStack(decoding);
  return kernel;
}

} // namespace attnres::emulator
