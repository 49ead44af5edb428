// Decoding of calls: what is called, and its arguments against its parameters.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"

#include <algorithm>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

std::string shapeOf(const Variable &variable) {
  std::string array =
      isArray(variable)
          ? fmt::format("[{}]",
                        variable.bytes / std::max(1u, typeBytes(variable.type)))
          : "";
  return fmt::format("{}{}", typeName(variable.type), array);
}

// Whether a value of one type may stand for one of the other.
bool matches(const Variable &actual, const Variable &formal) {
  if (isArray(actual) || isArray(formal))
    return isArray(actual) && isArray(formal) &&
           (formal.isUnsized || actual.bytes == formal.bytes) &&
           actual.align == formal.align;
  return actual.bytes == formal.bytes &&
         areCompatible(actual.type, formal.type);
}

} // namespace

uint32_t FunctionDecoder::placeInFrame(uint64_t bytes, uint64_t align) {
  uint64_t at = (frameEnd + align - 1) / align * align;
  frameEnd = at + bytes;
  return static_cast<uint32_t>(at);
}

// A .param variable of the caller, or a register or constant, which gets one
// that has no name.
Status FunctionDecoder::callVariable(CallValue &value) {
  const Operand &operand = *value.operand;
  const Variable &formal = *value.formal;
  bool isVariable = operand.kind == Operand::Symbol && operand.local >= 0;
  if (isVariable) {
    const Variable &variable = function.variables[operand.local];
    if (variable.space != Space::Param || operand.offset != 0 ||
        (function.isEntry && isFormalParameter(operand.local)))
      return fail(fmt::format("'{}' is not a .param variable of the caller",
                              operand.symbol));
    if (!matches(variable, formal))
      return fail(fmt::format("'{}' has type {} and alignment {}, parameter "
                              "'{}' type {} and alignment {}",
                              operand.symbol, shapeOf(variable), variable.align,
                              formal.name, shapeOf(formal), formal.align));
    value.offset = frameOffsets.at(operand.local);
    return {};
  }
  if (isArray(formal) ||
      (operand.kind != Operand::Register &&
       operand.kind != Operand::Immediate && operand.kind != Operand::Sink))
    return fail("expected a .param variable of the caller");
  value.isHidden = true;
  value.offset = placeInFrame(formal.bytes, formal.align);
  return {};
}

Status FunctionDecoder::callValues(const Operand *list,
                                   const std::vector<const Variable *> &formals,
                                   const char *what,
                                   std::vector<CallValue> &values) {
  size_t count = list ? list->elements.size() : 0;
  bool isVariadic = !formals.empty() && formals.back()->isUnsized;
  if (count != formals.size() && !(isVariadic && count + 1 == formals.size()))
    return fail(fmt::format("{} {}, expected {}", count, what, formals.size()));
  for (size_t i = 0; i < count; ++i) {
    CallValue value;
    value.operand = &list->elements[i];
    value.formal = formals[i];
    if (Status status = callVariable(value); !status.ok())
      return status;
    values.push_back(value);
  }
  return {};
}

// Between a register or constant and the variable that stands for it.
Status FunctionDecoder::moveHidden(const CallValue &value, bool isResult) {
  if (!value.isHidden || value.operand->kind == Operand::Sink)
    return isResult || !value.isHidden ? Status()
                                       : fail("'_' is not an argument");
  auto *memory = addExtra<MemoryExtra>();
  memory->space = Space::Local;
  memory->frameRelative = true;
  memory->isParameter = true;
  memory->offset = value.offset;
  memory->type = value.formal->type;
  memory->elementBytes = static_cast<uint8_t>(typeBytes(memory->type));
  memory->isSigned = isSigned(memory->type);
  if (Status status = memoryRegisters(*value.operand, *memory, 1, isResult);
      !status.ok())
    return status;
  emitAt(isResult ? executeLoad : executeStore,
         isResult ? InstructionClass::Load : InstructionClass::Store, memory,
         0);
  return {};
}

// The table says what the functions behind a pointer take.
Status
FunctionDecoder::pointedCallee(const Operand *table,
                               std::vector<const Variable *> &returns,
                               std::vector<const Variable *> &parameters) {
  if (!table || table->kind != Operand::Symbol)
    return fail("expected a prototype or a list of targets");
  auto add = [](const std::vector<Variable> &from,
                std::vector<const Variable *> &to) {
    for (const Variable &variable : from)
      to.push_back(&variable);
  };
  for (int scope = statement->scope; scope >= 0;
       scope = function.scopeParent[scope]) {
    auto prototype = function.prototypes.find({scope, table->symbol});
    if (prototype != function.prototypes.end()) {
      add(prototype->second.returns, returns);
      add(prototype->second.parameters, parameters);
      return {};
    }
    auto targets = function.callTargets.find({scope, table->symbol});
    if (targets == function.callTargets.end() || targets->second.empty())
      continue;
    for (const Function &each : shared.module.functions)
      if (each.name == targets->second.front()) {
        for (int index : each.returns)
          returns.push_back(&each.variables[index]);
        for (int index : each.parameters)
          parameters.push_back(&each.variables[index]);
      }
    return {};
  }
  return fail(fmt::format("unknown prototype '{}'", table->symbol));
}

Status FunctionDecoder::callee(const Operand &operand, const Operand *table,
                               CallExtra &call,
                               std::vector<const Variable *> &returns,
                               std::vector<const Variable *> &parameters) {
  if (operand.kind == Operand::Register) {
    call.indirect = true;
    return pointedCallee(table, returns, parameters);
  }
  if (operand.kind != Operand::Symbol)
    return fail("expected a function");
  if (table)
    return fail("prototype at a call that names its function");
  static const std::pair<const char *, CallExtra::System> systems[] = {
      {"vprintf", CallExtra::Printf},
      {"__assertfail", CallExtra::Assert},
      {"malloc", CallExtra::Malloc},
      {"free", CallExtra::Free}};
  for (const Function &each : shared.module.functions)
    if (each.name == operand.symbol && each.isEntry)
      return fail(fmt::format("'{}' is a kernel, expected a device function",
                              each.name));
  auto found = shared.functionIndex.find(operand.symbol);
  if (found != shared.functionIndex.end()) {
    call.function = found->second;
    shared.calls.emplace(index, found->second);
  } else {
    for (const auto &[name, system] : systems)
      if (operand.symbol == name)
        call.system = system;
    if (call.system == CallExtra::None)
      return fail(fmt::format("function '{}' has no body", operand.symbol));
    shared.kernel.usesHeap |=
        call.system == CallExtra::Malloc || call.system == CallExtra::Free;
  }
  for (const Function &each : shared.module.functions) {
    if (each.name != operand.symbol)
      continue;
    for (int result : each.returns)
      returns.push_back(&each.variables[result]);
    for (int parameter : each.parameters)
      parameters.push_back(&each.variables[parameter]);
  }
  return {};
}

// call (results), function, (arguments), prototype;
Status FunctionDecoder::decodeCall() {
  take("uni");
  if (Status status = operandCount(1, 4); !status.ok())
    return status;
  size_t at = 0;
  auto next = [&](bool isList) -> const Operand * {
    if (at >= operands().size() ||
        (operands()[at].kind == Operand::List) != isList)
      return nullptr;
    return &operands()[at++];
  };
  const Operand *results = next(true);
  const Operand *what = next(false);
  const Operand *arguments = next(true);
  const Operand *table = next(false);
  if (!what || at != operands().size())
    return fail("expected (results), function, (arguments)");
  auto *call = addExtra<CallExtra>();
  std::vector<const Variable *> returns;
  std::vector<const Variable *> parameters;
  std::vector<CallValue> into;
  std::vector<CallValue> from;
  int32_t pointer = 0;
  Status status = callee(*what, table, *call, returns, parameters);
  if (status.ok())
    status = callValues(results, returns, "results", into);
  if (status.ok())
    status = callValues(arguments, parameters, "arguments", from);
  if (status.ok() && call->indirect)
    status = source(*what, Type::U64, pointer);
  for (const CallValue &value : from)
    if (status.ok())
      status = moveHidden(value, false);
  if (!status.ok())
    return status;
  auto add = [](const CallValue &value, auto &list) {
    list.emplace_back(value.offset, static_cast<uint32_t>(value.formal->bytes));
  };
  for (const CallValue &value : into)
    add(value, call->results);
  for (const CallValue &value : from)
    add(value, call->arguments);
  emitAt(executeCall, InstructionClass::Control, call, pointer);
  for (const CallValue &value : into)
    if (status.ok())
      status = moveHidden(value, true);
  return status;
}

} // namespace attnres::emulator
