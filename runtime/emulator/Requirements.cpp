// Modifiers, versions and targets that instructions need, as the manual of PTX
// 9.0 and its assembler have them.

#include "runtime/emulator/Requirements.h"

#include "runtime/emulator/Types.h"

#include <algorithm>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

using Parts = std::vector<std::string_view>;
using Names = std::initializer_list<std::string_view>;

bool has(const Parts &parts, std::string_view name) {
  return std::find(parts.begin() + 1, parts.end(), name) != parts.end();
}
bool hasAny(const Parts &parts, Names names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return has(parts, name); });
}
bool isOneOf(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool hasRounding(const Parts &parts) {
  return hasAny(parts, {"rn", "rz", "rm", "rp"});
}

// The types in the order of the text; None where there are fewer.
Type typeAt(const Parts &parts, size_t which) {
  for (size_t i = 1; i < parts.size(); ++i) {
    Type type = typeFromName(parts[i]);
    if (type != Type::None && which-- == 0)
      return type;
  }
  return Type::None;
}

bool isBits(Type type) { return type >= Type::B8 && type <= Type::B128; }
Status need(bool isThere, std::string_view what) {
  return isThere ? Status() : invalidData(fmt::format("expected {}", what));
}

Status checkConversion(const Parts &parts) {
  if (has(parts, "pack"))
    return {};
  Type to = typeAt(parts, 0);
  Type from = typeAt(parts, 1);
  bool rounds = hasRounding(parts) || hasAny(parts, {"rna", "rs"});
  bool toWhole = hasAny(parts, {"rni", "rzi", "rmi", "rpi"});
  auto isReal = [](Type type) {
    return type == Type::F16 || type == Type::BF16 || type == Type::F32 ||
           type == Type::F64;
  };
  if (isReal(to) && isInteger(from))
    return need(rounds, ".rn, .rz, .rm or .rp");
  if (isInteger(to) && isReal(from))
    return need(toWhole, ".rni, .rzi, .rmi or .rpi");
  if (!isReal(to) || !isReal(from))
    return {};
  if (typeBytes(to) < typeBytes(from))
    return need(rounds, ".rn, .rz, .rm or .rp");
  if (typeBytes(to) > typeBytes(from) && (rounds || toWhole))
    return invalidData("rounding of a conversion that is exact");
  return {};
}

Status checkComparison(const Parts &parts, Type type) {
  if (hasAny(parts, {"lo", "ls", "hi", "hs"}) && !isUnsigned(type))
    return invalidData("comparison of unsigned numbers on another type");
  if (hasAny(parts, {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) &&
      !isFloat(type))
    return invalidData("comparison of floating numbers on another type");
  if (isBits(type) && !hasAny(parts, {"eq", "ne"}))
    return invalidData("comparison of bits, expected .eq or .ne");
  return {};
}

// The first version and target that know something, where each name that is
// given stands in the opcode. `specific`: a target sm_90a or the like.
struct Rule {
  std::string_view base;
  std::string_view first, second;
  unsigned version, target;
  bool specific = false;
};

constexpr Rule rules[] = {
    // Types.
    {"", "bf16", "", 70, 80},
    {"", "bf16x2", "", 70, 80},
    {"", "tf32", "", 70, 80},
    {"", "b128", "", 83, 70},
    {"", "e4m3x2", "", 78, 89},
    {"", "e5m2x2", "", 78, 89},
    {"add", "bf16", "", 78, 90},
    {"add", "bf16x2", "", 78, 90},
    {"sub", "bf16", "", 78, 90},
    {"sub", "bf16x2", "", 78, 90},
    {"mul", "bf16", "", 78, 90},
    {"mul", "bf16x2", "", 78, 90},
    {"ex2", "bf16", "", 78, 90},
    {"ex2", "bf16x2", "", 78, 90},
    {"tanh", "bf16", "", 78, 90},
    {"tanh", "bf16x2", "", 78, 90},
    {"set", "bf16", "", 78, 90},
    {"set", "bf16x2", "", 78, 90},
    {"setp", "bf16", "", 78, 90},
    {"setp", "bf16x2", "", 78, 90},
    {"ex2", "f16", "", 70, 75},
    {"ex2", "f16x2", "", 70, 75},
    {"abs", "f16", "", 65, 53},
    {"abs", "f16x2", "", 65, 53},
    {"neg", "f16", "", 60, 53},
    {"neg", "f16x2", "", 60, 53},
    {"min", "f16", "", 70, 80},
    {"min", "f16x2", "", 70, 80},
    {"max", "f16", "", 70, 80},
    {"max", "f16x2", "", 70, 80},
    {"add", "f16", "", 42, 53},
    {"add", "f16x2", "", 42, 53},
    {"sub", "f16", "", 42, 53},
    {"sub", "f16x2", "", 42, 53},
    {"mul", "f16", "", 42, 53},
    {"mul", "f16x2", "", 42, 53},
    {"fma", "f16", "", 42, 53},
    {"fma", "f16x2", "", 42, 53},
    {"set", "f16", "", 42, 53},
    {"set", "f16x2", "", 42, 53},
    {"setp", "f16", "", 42, 53},
    {"setp", "f16x2", "", 42, 53},
    {"add", "u16x2", "", 80, 90},
    {"add", "s16x2", "", 80, 90},
    {"min", "u16x2", "", 80, 90},
    {"min", "s16x2", "", 80, 90},
    {"max", "u16x2", "", 80, 90},
    {"max", "s16x2", "", 80, 90},
    // Arithmetic.
    {"", "relu", "", 70, 0},
    {"min", "relu", "s32", 80, 90},
    {"max", "relu", "s32", 80, 90},
    {"min", "NaN", "", 70, 80},
    {"max", "NaN", "", 70, 80},
    {"min", "abs", "", 72, 86},
    {"max", "abs", "", 72, 86},
    {"min", "xorsign", "", 72, 86},
    {"max", "xorsign", "", 72, 86},
    {"tanh", "", "", 70, 75},
    {"dp4a", "", "", 50, 61},
    {"dp2a", "", "", 50, 61},
    {"bmsk", "", "", 76, 70},
    {"szext", "", "", 76, 70},
    {"lop3", "or", "", 82, 70},
    {"lop3", "and", "", 82, 70},
    {"cvt", "pack", "", 65, 72},
    {"cvt", "f16x2", "f32", 70, 80},
    {"cvt", "tf32", "rn", 78, 90},
    {"cvt", "tf32", "rz", 78, 90},
    {"cvt", "satfinite", "", 60, 70},
    // The warp.
    {"match", "", "", 60, 70},
    {"redux", "", "", 70, 80},
    {"redux", "f32", "", 86, 100, true},
    {"activemask", "", "", 62, 0},
    {"elect", "", "", 80, 90},
    {"barrier", "cta", "", 78, 0},
    {"barrier", "cluster", "", 78, 90},
    {"barrier", "acquire", "", 80, 90},
    {"barrier", "release", "", 80, 90},
    {"nanosleep", "", "", 63, 70},
    // Memory.
    {"", "acquire", "", 60, 70},
    {"", "release", "", 60, 70},
    {"", "acq_rel", "", 60, 70},
    {"", "relaxed", "", 60, 70},
    {"", "mmio", "", 82, 70},
    {"", "shared::cta", "", 78, 0},
    {"", "shared::cluster", "", 78, 90},
    {"", "L2::cache_hint", "", 74, 80},
    {"", "L1::no_allocate", "", 74, 70},
    {"", "L1::evict_first", "", 74, 70},
    {"", "L1::evict_last", "", 74, 70},
    {"", "L1::evict_normal", "", 74, 70},
    {"", "L1::evict_unchanged", "", 74, 70},
    {"", "L2::64B", "", 74, 75},
    {"", "L2::128B", "", 74, 75},
    {"", "L2::256B", "", 74, 80},
    {"", "v8", "", 88, 100},
    {"ld", "v4", "b64", 88, 100},
    {"ld", "v4", "u64", 88, 100},
    {"ld", "v4", "s64", 88, 100},
    {"ld", "v4", "f64", 88, 100},
    {"st", "v4", "b64", 88, 100},
    {"st", "v4", "u64", 88, 100},
    {"st", "v4", "s64", 88, 100},
    {"st", "v4", "f64", 88, 100},
    {"ld", "cluster", "", 78, 90},
    {"st", "cluster", "", 78, 90},
    {"atom", "cluster", "", 78, 90},
    {"red", "cluster", "", 78, 90},
    {"atom", "f64", "add", 50, 60},
    {"red", "f64", "add", 50, 60},
    {"atom", "f16x2", "", 62, 60},
    {"red", "f16x2", "", 62, 60},
    {"atom", "f16", "", 63, 70},
    {"red", "f16", "", 63, 70},
    {"atom", "bf16", "", 78, 90},
    {"red", "bf16", "", 78, 90},
    {"atom", "bf16x2", "", 78, 90},
    {"red", "bf16x2", "", 78, 90},
    {"atom", "b16", "", 63, 70},
    {"atom", "v2", "", 81, 90},
    {"atom", "v4", "", 81, 90},
    {"red", "v2", "", 81, 90},
    {"red", "v4", "", 81, 90},
    {"applypriority", "", "", 74, 80},
    {"discard", "", "", 74, 80},
    {"createpolicy", "", "", 74, 80},
    {"prefetch", "L2::evict_last", "", 74, 80},
    {"prefetch", "L2::evict_normal", "", 74, 80},
    {"prefetch", "tensormap", "", 80, 90},
    {"cvta", "param", "", 77, 70},
    {"isspacep", "param", "", 77, 70},
    {"mapa", "", "", 78, 90},
    {"getctarank", "", "", 78, 90},
    {"fence", "", "", 60, 70},
    {"fence", "cluster", "", 78, 90},
    {"fence", "proxy", "", 75, 70},
    {"fence", "async", "", 80, 90},
    {"fence", "async::generic", "", 86, 90},
    {"fence", "mbarrier_init", "", 80, 90},
    {"fence", "tensormap::generic", "", 83, 90},
    {"griddepcontrol", "", "", 78, 90},
    {"setmaxnreg", "", "", 80, 90, true},
    // Asynchronous copies.
    {"cp", "async", "", 70, 80},
    {"cp", "bulk", "", 80, 90},
    {"st", "async", "", 81, 90},
    {"red", "async", "", 81, 90},
    {"mbarrier", "", "", 70, 80},
    {"mbarrier", "parity", "", 71, 80},
    {"mbarrier", "try_wait", "", 78, 90},
    {"mbarrier", "expect_tx", "", 80, 90},
    {"mbarrier", "complete_tx", "", 80, 90},
    {"mbarrier", "shared::cluster", "", 80, 90},
    {"mbarrier", "cluster", "", 80, 90},
    {"tensormap", "replace", "", 83, 90, true},
    {"tensormap", "cp_fenceproxy", "", 83, 90},
    // Matrices.
    {"ldmatrix", "", "", 65, 75},
    {"stmatrix", "", "", 78, 90},
    {"movmatrix", "", "", 78, 75},
    {"mma", "", "", 64, 70},
    {"mma", "m16n8k8", "", 65, 75},
    {"mma", "m16n8k8", "tf32", 70, 80},
    {"mma", "m16n8k16", "", 70, 80},
    {"mma", "m8n8k16", "", 65, 75},
    {"mma", "m16n8k32", "", 70, 80},
    {"mma", "m16n8k4", "", 70, 80},
    {"mma", "f64", "", 70, 80},
    {"mma", "m16n8k4", "f64", 78, 90},
    {"mma", "m16n8k8", "f64", 78, 90},
    {"mma", "m16n8k16", "f64", 78, 90},
    {"mma", "e4m3", "", 84, 89},
    {"mma", "e5m2", "", 84, 89},
    {"wmma", "", "", 60, 70},
    {"wmma", "aligned", "", 63, 70},
    {"wmma", "s8", "", 63, 72},
    {"wmma", "u8", "", 63, 72},
    {"wmma", "f64", "", 70, 80},
    {"wgmma", "", "", 80, 90, true},
};

Status tooNew(const Module &module, unsigned version, unsigned target,
              bool specific, std::string_view what) {
  if (module.version < version)
    return invalidData(fmt::format(
        "{} needs PTX version {}.{} or later, the module has {}.{}", what,
        version / 10, version % 10, module.version / 10, module.version % 10));
  if (module.targetNumber < target)
    return invalidData(fmt::format("{} needs target sm_{} or later, the "
                                   "module has {}",
                                   what, target, module.target));
  if (specific && module.targetSuffix == 0)
    return invalidData(fmt::format("{} needs a target such as sm_{}a, the "
                                   "module has {}",
                                   what, target, module.target));
  return {};
}

// Conversions of bf16, which came in three steps.
Status checkBfloatConversion(const Module &module, const Parts &parts) {
  Type to = typeAt(parts, 0);
  Type from = typeAt(parts, 1);
  if (to != Type::BF16 && from != Type::BF16)
    return {};
  if (to == Type::BF16 && from == Type::F32)
    return {};
  bool widens = to == Type::F32 && from == Type::BF16;
  return tooNew(module, widens ? 71 : 78, widens ? 80 : 90, false,
                fmt::format(".{}.{}", typeName(to), typeName(from)));
}

// Operands that came later than their instruction.
Status checkOperands(const Module &module, const Function &function,
                     const Statement &statement, const Parts &parts) {
  const std::vector<Operand> &operands = statement.operands;
  if (isOneOf(parts[0], {"min", "max"}) && operands.size() == 4)
    return tooNew(module, 88, 100, false, "a third operand");
  if (parts[0] == "cp" && !has(parts, "bulk") && operands.size() > 3 &&
      operands[3].kind == Operand::Register &&
      function.registers[operands[3].reg].type == Type::Pred)
    return tooNew(module, 75, 80, false, "a predicate operand");
  if (parts[0] == "cp" && has(parts, "mbarrier::complete_tx::bytes") &&
      !has(parts, "shared::cluster"))
    return tooNew(module, 86, 90, false, "the destination .shared::cta");
  bool counts = operands.size() > 1 &&
                operands.back().kind != Operand::Address &&
                !has(parts, "expect_tx") && !has(parts, "noComplete");
  if (parts[0] == "mbarrier" && hasAny(parts, {"arrive", "arrive_drop"}) &&
      counts)
    return tooNew(module, 78, 90, false, "a count without .noComplete");
  return {};
}

Status checkSpecial(const Module &module, const std::string &name) {
  if (name.find("cluster") != std::string::npos)
    return tooNew(module, 78, 90, false, name);
  if (name == "%aggr_smem_size")
    return tooNew(module, 81, 90, false, name);
  if (name == "%current_graph_exec")
    return tooNew(module, 80, 50, false, name);
  if (name.compare(0, 14, "%reserved_smem") == 0)
    return tooNew(module, 76, 80, false, name);
  return {};
}

} // namespace

Status checkModifiers(const Parts &parts) {
  std::string_view base = parts[0];
  Type type = typeAt(parts, 0);
  bool isReal = isFloat(type);
  bool rounds = hasRounding(parts);
  bool approximates = has(parts, "approx");
  auto types = [&](bool isRight) {
    return isRight
               ? Status()
               : invalidData(fmt::format(
                     "type {} is not one of this instruction", typeName(type)));
  };
  if (base == "cvt")
    return checkConversion(parts);
  if (base == "setp" || base == "set")
    return checkComparison(parts, typeAt(parts, base == "set" ? 1 : 0));
  if (base == "fma" || (base == "mad" && isReal))
    return need(rounds, ".rn, .rz, .rm or .rp");
  if (base == "div" && type == Type::F32)
    return need(rounds || approximates || has(parts, "full"),
                ".approx, .full or a rounding");
  if (isOneOf(base, {"sqrt", "rcp"}) && type == Type::F32)
    return need(rounds || approximates, ".approx or a rounding");
  if (isOneOf(base, {"div", "sqrt", "rcp"}) && type == Type::F64)
    return need(rounds || (approximates && has(parts, "ftz")),
                ".rn, .rz, .rm or .rp");
  if (isOneOf(base, {"rsqrt", "sin", "cos", "lg2", "ex2", "tanh"}))
    return need(approximates, ".approx");
  if (isOneOf(base, {"abs", "neg"}))
    return types(!isUnsigned(type) && !isBits(type));
  if (isOneOf(base, {"and", "or", "xor", "not"}))
    return types(isBits(type) || type == Type::Pred);
  if (isOneOf(base, {"shl", "cnot"}))
    return types(isBits(type));
  if (isOneOf(base, {"add", "sub", "mul", "mad", "min", "max"}))
    return types(!isBits(type));
  return {};
}

Status checkRequirements(const Module &module, const Function &function,
                         const Statement &statement, const Parts &parts) {
  for (const Rule &rule : rules) {
    if ((!rule.base.empty() && rule.base != parts[0]) ||
        (!rule.first.empty() && !has(parts, rule.first)) ||
        (!rule.second.empty() && !has(parts, rule.second)))
      continue;
    std::string what = rule.first.empty() ? std::string(parts[0])
                                          : fmt::format(".{}", rule.first);
    if (Status status =
            tooNew(module, rule.version, rule.target, rule.specific, what);
        !status.ok())
      return status;
  }
  if (parts[0] == "cvt")
    return checkBfloatConversion(module, parts);
  if (parts[0] == "wgmma" && module.targetNumber != 90)
    return invalidData(fmt::format(
        "wgmma is of target sm_90a only, the module has {}", module.target));
  if (Status status = checkOperands(module, function, statement, parts);
      !status.ok())
    return status;
  for (const Operand &operand : statement.operands)
    if (operand.kind == Operand::Register &&
        function.registers[operand.reg].isSpecial)
      if (Status status =
              checkSpecial(module, function.registers[operand.reg].name);
          !status.ok())
        return status;
  return {};
}

} // namespace attnres::emulator
