// The tables of PTX versions and targets.

#include "runtime/emulator/Targets.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace attnres::emulator {
namespace {

struct TargetInfo {
  unsigned number;
  /// The first version of the plain target, of `a` and of `f`; 0 for none.
  unsigned plain, specific, family;
};

// Before 6.0, all that were there then.
constexpr TargetInfo targets[] = {
    {10, 10, 0, 0},    {11, 10, 0, 0},    {12, 10, 0, 0},    {13, 10, 0, 0},
    {20, 20, 0, 0},    {21, 20, 0, 0},    {30, 30, 0, 0},    {32, 40, 0, 0},
    {35, 31, 0, 0},    {37, 41, 0, 0},    {50, 40, 0, 0},    {52, 41, 0, 0},
    {53, 42, 0, 0},    {60, 50, 0, 0},    {61, 50, 0, 0},    {62, 50, 0, 0},
    {70, 60, 0, 0},    {72, 61, 0, 0},    {75, 63, 0, 0},    {80, 70, 0, 0},
    {82, 82, 0, 0},    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 90, 0, 0},
    {89, 78, 0, 0},    {90, 78, 80, 0},   {100, 86, 86, 88}, {101, 86, 86, 88},
    {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88}};

std::string versionText(unsigned version) {
  return fmt::format("{}.{}", version / 10, version % 10);
}

} // namespace

bool isPtxVersion(unsigned version) {
  static constexpr unsigned last[] = {65, 78, 88, 91};
  return std::any_of(std::begin(last), std::end(last), [&](unsigned end) {
    return version >= end / 10 * 10 && version <= end;
  });
}

Status readTarget(std::string_view name, unsigned version, Target &target) {
  auto unknown = [&] {
    return invalidData(
        fmt::format("unknown target '{}', expected sm_80 or the like", name));
  };
  std::string_view digits = name;
  if (digits.substr(0, 3) == "sm_")
    digits.remove_prefix(3);
  else if (digits.substr(0, 8) == "compute_")
    digits.remove_prefix(8);
  else
    return unknown();
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) {
    target.suffix = digits.back();
    digits.remove_suffix(1);
  }
  target.number = 0;
  if (digits.empty() || digits.size() > 3 || digits[0] == '0')
    return unknown();
  for (char c : digits) {
    if (c < '0' || c > '9')
      return unknown();
    target.number = 10 * target.number + static_cast<unsigned>(c - '0');
  }
  for (const TargetInfo &info : targets) {
    if (info.number != target.number)
      continue;
    unsigned first = target.suffix == 'a'   ? info.specific
                     : target.suffix == 'f' ? info.family
                                            : info.plain;
    if (first == 0)
      return unknown();
    if (version < first)
      return invalidData(fmt::format(
          "target '{}' needs PTX version {} or later, the module has {}", name,
          versionText(first), versionText(version)));
    return {};
  }
  return unknown();
}

bool isTargetOption(std::string_view name) {
  return name == "texmode_unified" || name == "texmode_independent" ||
         name == "debug";
}

} // namespace attnres::emulator
