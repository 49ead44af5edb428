// The table of one instruction-set level.

#include "runtime/emulator/lane/LaneSupport.h"

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

LaneFn find(const LaneKey &key) {
  switch (key.op) {
  case LaneOp::Cvt:
  case LaneOp::CvtPack:
    return findConvert(key);
  case LaneOp::Rsqrt:
  case LaneOp::Sin:
  case LaneOp::Cos:
  case LaneOp::Lg2:
  case LaneOp::Ex2:
  case LaneOp::Tanh:
    return findApprox(key);
  default:
    break;
  }
  if (key.op >= LaneOp::Mov && key.op <= LaneOp::SetpNan)
    return findCompare(key);
  if (key.flags & kApprox)
    return findApprox(key);
  switch (key.type) {
  case Type::F32:
  case Type::F64:
    return findFloat(key);
  case Type::F16:
  case Type::F16x2:
  case Type::BF16:
  case Type::BF16x2:
    return findHalf(key);
  default:
    return findInteger(key);
  }
}

} // namespace

extern const LaneTable table;
const LaneTable table = {ATTNRES_LANE_NAME, find,           mma16x8,
                         mmaWide,           mmaHalf16,      mmaBfloat16,
                         halvesToFloats,    bfloatsToFloats};

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
