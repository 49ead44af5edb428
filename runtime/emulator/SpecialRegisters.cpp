// The table of special registers.

#include "runtime/emulator/SpecialRegisters.h"

namespace attnres::emulator {

static const SpecialRegister registers[] = {
    {"%tid.x", Special::TidX, Type::U32, false},
    {"%tid.y", Special::TidY, Type::U32, false},
    {"%tid.z", Special::TidZ, Type::U32, false},
    {"%ntid.x", Special::NtidX, Type::U32, false},
    {"%ntid.y", Special::NtidY, Type::U32, false},
    {"%ntid.z", Special::NtidZ, Type::U32, false},
    {"%ctaid.x", Special::CtaidX, Type::U32, false},
    {"%ctaid.y", Special::CtaidY, Type::U32, false},
    {"%ctaid.z", Special::CtaidZ, Type::U32, false},
    {"%nctaid.x", Special::NctaidX, Type::U32, false},
    {"%nctaid.y", Special::NctaidY, Type::U32, false},
    {"%nctaid.z", Special::NctaidZ, Type::U32, false},
    {"%laneid", Special::LaneId, Type::U32, false},
    {"%warpid", Special::WarpId, Type::U32, false},
    {"%nwarpid", Special::NwarpId, Type::U32, false},
    {"%smid", Special::SmId, Type::U32, false},
    {"%nsmid", Special::NsmId, Type::U32, false},
    {"%gridid", Special::GridId, Type::U64, false},
    {"%lanemask_eq", Special::MaskEq, Type::U32, false},
    {"%lanemask_le", Special::MaskLe, Type::U32, false},
    {"%lanemask_lt", Special::MaskLt, Type::U32, false},
    {"%lanemask_ge", Special::MaskGe, Type::U32, false},
    {"%lanemask_gt", Special::MaskGt, Type::U32, false},
    {"%dynamic_smem_size", Special::DynamicShared, Type::U32, false},
    {"%total_smem_size", Special::TotalShared, Type::U32, false},
    {"%aggr_smem_size", Special::TotalShared, Type::U32, false},
    {"%clusterid.x", Special::ClusterIdX, Type::U32, false},
    {"%clusterid.y", Special::ClusterIdY, Type::U32, false},
    {"%clusterid.z", Special::ClusterIdZ, Type::U32, false},
    {"%nclusterid.x", Special::NclusterIdX, Type::U32, false},
    {"%nclusterid.y", Special::NclusterIdY, Type::U32, false},
    {"%nclusterid.z", Special::NclusterIdZ, Type::U32, false},
    {"%cluster_ctaid.x", Special::ClusterCtaX, Type::U32, false},
    {"%cluster_ctaid.y", Special::ClusterCtaY, Type::U32, false},
    {"%cluster_ctaid.z", Special::ClusterCtaZ, Type::U32, false},
    {"%cluster_nctaid.x", Special::ClusterNctaX, Type::U32, false},
    {"%cluster_nctaid.y", Special::ClusterNctaY, Type::U32, false},
    {"%cluster_nctaid.z", Special::ClusterNctaZ, Type::U32, false},
    {"%cluster_ctarank", Special::ClusterRank, Type::U32, false},
    {"%cluster_nctarank", Special::ClusterSize, Type::U32, false},
    {"%is_explicit_cluster", Special::ExplicitCluster, Type::Pred, false},
    {"%clock", Special::Clock, Type::U32, true},
    {"%clock64", Special::Clock64, Type::U64, true},
    {"%clock_hi", Special::ClockHigh, Type::U32, true},
    {"%globaltimer", Special::GlobalTimer, Type::U64, true},
    {"%globaltimer_lo", Special::GlobalTimerLow, Type::U32, true},
    {"%globaltimer_hi", Special::GlobalTimerHigh, Type::U32, true},
    {"%reserved_smem_offset_begin", Special::ReservedBegin, Type::U32, false},
    {"%reserved_smem_offset_end", Special::ReservedEnd, Type::U32, false},
    {"%reserved_smem_offset_cap", Special::ReservedCap, Type::U32, false},
    {"%reserved_smem_offset_0", Special::ReservedBegin, Type::U32, false},
    {"%reserved_smem_offset_1", Special::ReservedBegin, Type::U32, false},
    {"%current_graph_exec", Special::Zero, Type::U64, false},
    {"%tid.w", Special::Zero, Type::U32, false},
    {"%ntid.w", Special::Zero, Type::U32, false},
    {"%ctaid.w", Special::Zero, Type::U32, false},
    {"%nctaid.w", Special::Zero, Type::U32, false},
};

// %envreg0 to 31, %pm0 to 7, %pm0_64 to 7_64.
static const SpecialRegister *findNumbered(std::string_view name) {
  static const SpecialRegister zero = {"", Special::Zero, Type::U32, false};
  static const SpecialRegister wide = {"", Special::Zero, Type::U64, false};
  static const SpecialRegister workspace[] = {
      {"", Special::GridWorkspaceHigh, Type::U32, false},
      {"", Special::GridWorkspaceLow, Type::U32, false}};
  auto number = [](std::string_view digits) {
    bool isNumber = !digits.empty() && digits.size() < 3 &&
                    digits.find_first_not_of("0123456789") == digits.npos &&
                    (digits.size() == 1 || digits[0] != '0');
    unsigned value = 0;
    for (char c : digits)
      value = 10 * value + static_cast<unsigned>(c - '0');
    return isNumber ? value : 100u;
  };
  if (name.substr(0, 7) == "%envreg") {
    unsigned which = number(name.substr(7));
    return which == 1 || which == 2 ? &workspace[which - 1]
           : which < 32             ? &zero
                                    : nullptr;
  }
  if (name.substr(0, 3) != "%pm")
    return nullptr;
  bool isWide = name.size() > 6 && name.substr(name.size() - 3) == "_64";
  std::string_view digits = name.substr(3);
  if (isWide)
    digits.remove_suffix(3);
  return number(digits) < 8 ? (isWide ? &wide : &zero) : nullptr;
}

const SpecialRegister *findSpecialRegister(std::string_view name) {
  for (const SpecialRegister &each : registers)
    if (name == each.name)
      return &each;
  return findNumbered(name);
}

} // namespace attnres::emulator
