// Decoding of a kernel: which functions and shared variables it reaches, the
// layout of shared memory, then every function in turn.

#include "runtime/emulator/Decoder.h"

#include "runtime/emulator/FunctionDecoder.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace attnres::emulator {
namespace {

const Function *findFunction(const Module &module, const std::string &name) {
  for (const Function &function : module.functions)
    if (function.name == name && function.hasBody && !function.isEntry)
      return &function;
  return nullptr;
}

const Variable *findShared(const Module &module, const std::string &name) {
  for (const Variable &variable : module.variables)
    if (variable.name == name && variable.space == Space::Shared)
      return &variable;
  return nullptr;
}

void forEachSymbol(const Operand &operand,
                   const std::function<void(const Operand &)> &visit) {
  if (operand.kind == Operand::Symbol)
    visit(operand);
  for (const Operand &element : operand.elements)
    forEachSymbol(element, visit);
}

// Fills the order of functions and returns the shared variables in the order
// of their first use.
std::vector<const Variable *> reach(KernelDecoding &decoding,
                                    const Function &entry) {
  std::vector<const Variable *> sharedVariables;
  std::set<const Variable *> seen;
  decoding.order.push_back(&entry);
  for (size_t i = 0; i < decoding.order.size(); ++i) {
    for (const Statement &statement : decoding.order[i]->statements)
      for (const Operand &operand : statement.operands)
        forEachSymbol(operand, [&](const Operand &symbol) {
          if (symbol.local >= 0)
            return;
          if (const Variable *variable =
                  findShared(decoding.module, symbol.symbol)) {
            if (seen.insert(variable).second)
              sharedVariables.push_back(variable);
            return;
          }
          const Function *callee = findFunction(decoding.module, symbol.symbol);
          if (callee && decoding.functionIndex
                            .emplace(symbol.symbol, decoding.order.size())
                            .second)
            decoding.order.push_back(callee);
        });
  }
  return sharedVariables;
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
    if (variable->isExtern || variable->bytes == 0)
      dynamicAlign = std::max(dynamicAlign, variable->align);
    else
      decoding.sharedOffsets[variable->name] = place(*variable);
  }
  for (const Function *function : decoding.order)
    for (size_t i = 0; i < function->variables.size(); ++i)
      if (function->variables[i].space == Space::Shared)
        decoding.localSharedOffsets[{function, static_cast<int>(i)}] =
            place(function->variables[i]);
  constexpr uint64_t limit = 1 << 20;
  if (end > limit)
    return Status::error(fmt::format(
        "kernel '{}' has {} bytes of static shared memory, expected at most {}",
        decoding.kernel.name, end - kSharedBase, limit - kSharedBase));
  decoding.kernel.staticSharedBytes = static_cast<uint32_t>(end - kSharedBase);
  end = (end + dynamicAlign - 1) / dynamicAlign * dynamicAlign;
  decoding.kernel.dynamicSharedOffset = static_cast<uint32_t>(end);
  for (const Variable *variable : variables)
    if (variable->isExtern || variable->bytes == 0)
      decoding.sharedOffsets[variable->name] = static_cast<uint32_t>(end);
  return {};
}

} // namespace

Result<std::unique_ptr<KernelCode>>
decodeKernel(const Module &module, const Function &entry,
             const std::unordered_map<std::string, uint64_t> &addresses,
             const DecodeOptions &options) {
  auto kernel = std::make_unique<KernelCode>();
  kernel->name = entry.name;
  std::copy_n(entry.maxThreads, 3, kernel->maxThreads);
  std::copy_n(entry.requiredThreads, 3, kernel->requiredThreads);
  std::copy_n(entry.requiredCluster, 3, kernel->requiredCluster);
  KernelDecoding decoding{module, options, addresses, *kernel, {}, {}, {}, {}};
  std::vector<const Variable *> variables = reach(decoding, entry);
  if (Status status = layoutShared(decoding, variables); !status)
    return status;
  kernel->functions.resize(decoding.order.size());
  for (size_t i = 0; i < decoding.order.size(); ++i) {
    FunctionDecoder decoder(decoding, *decoding.order[i],
                            static_cast<uint32_t>(i));
    if (Status status = decoder.decode(); !status)
      return status;
  }
  // Every call chain without recursion fits; recursion gets a fixed depth.
  uint64_t local = 0;
  for (const FunctionCode &function : kernel->functions)
    local += function.localBytes;
  if (kernel->functions.size() > 1)
    local *= 8;
  kernel->localBytes =
      static_cast<uint32_t>(std::min<uint64_t>(local, 1 << 24));
  return kernel;
}

} // namespace attnres::emulator
