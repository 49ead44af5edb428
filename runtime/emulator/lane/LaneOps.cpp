// Chooses the lane loops for the host.

#include "support/machine/Isa.h"
#include "runtime/emulator/lane/LaneOps.h"

namespace attnres::emulator {

namespace baseline {
extern const LaneTable table;
} // namespace baseline
#ifdef ATTNRES_LANE_X86
namespace avx2 {
extern const LaneTable table;
} // namespace avx2
namespace avx512 {
extern const LaneTable table;
} // namespace avx512
#endif

static std::vector<const LaneTable *> available() {
  std::vector<const LaneTable *> tables = {&baseline::table};
#ifdef ATTNRES_LANE_X86
  machine::IsaLevel level = machine::hostIsa().isa.level;
  if (level >= machine::IsaLevel::Avx2)
    tables.push_back(&avx2::table);
  if (level >= machine::IsaLevel::Avx512)
    tables.push_back(&avx512::table);
#endif
  return tables;
}

const std::vector<const LaneTable *> &laneTables() {
  static const std::vector<const LaneTable *> tables = available();
  return tables;
}

const LaneTable &laneTable() {
  static const LaneTable &best = *laneTables().back();
  return best;
}

} // namespace attnres::emulator
