//===- MmaKdaForward.cpp - Kimi delta attention on tensor cores -----------===//
#include "passes/nvptx/MmaKdaChunk.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using llvm::divideCeil;

static constexpr int64_t kMostChannels = 256, kMostWarps = 8;

namespace {

class KdaForwardBuilder : KdaChunkCode {
public:
  KdaForwardBuilder(OpBuilder &builder, Location loc, const Kda &kda,
                    const KdaResults &results, int64_t warps, int64_t parts)
      : KdaChunkCode(builder, loc, kda, warps, parts,
                     results.output.pointer ? Queries::Forwards
                                            : Queries::None),
        results(results) {}

  void build();

private:
  const KdaResults &results;
};

} // namespace

void KdaForwardBuilder::build() {
  Int count = liveTokens();
  Registers state = runForwards(
      count, loadState(kda.state), [](Int, ValueRange) {},
      [&](Int chunk, ValueRange updates, MutableArrayRef<Value> outputs) {
        if (!results.output.pointer)
          return;
        addPairs(Registers(updates), layout.queryPairs, /*isExact=*/false,
                 outputs);
        storeTokens(results.output, ValueRange(outputs), chunk * kKdaChunk);
      });
  // Tokens behind the end.
  if (results.output.pointer && kda.length)
    code.loop((count + (kKdaChunk - 1)) / kKdaChunk,
              code.number(divideCeil(kda.tokens, kKdaChunk)), 1, {},
              [&](Int chunk, ValueRange) {
                storeTokens(results.output, Registers(8, code.f32(0)),
                            chunk * kKdaChunk);
                return Registers();
              });
  if (!results.newState)
    return;
  // It may lie over the state, of which threads without a place in it have read
  // some, too.
  code.barrier();
  storeState(state, results.newState);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Blocks that share a head.
static int64_t partsOf(const Kda &kda, int64_t warps) {
  return divideCeil(kda.valueDim, warps * kWarpColumns);
}

int64_t attnres::nvptx::chooseKdaWarps(const Kda &kda, int64_t processors) {
  // A power of two, as copies want it.
  int64_t warps = llvm::PowerOf2Ceil(std::clamp<int64_t>(
      divideCeil(kda.valueDim, kWarpColumns), 1, kMostWarps));
  // Few heads are cut further, though their keys are then read more than once.
  int64_t heads = kda.batch * kda.valueHeads;
  while (warps > 2 && heads * partsOf(kda, warps / 2) <= processors)
    warps /= 2;
  return warps;
}

bool attnres::nvptx::fitsKda(const Kda &kda, int64_t warps,
                             int64_t mostSharedBytes) {
  return kda.keyDim > 0 && kda.keyDim <= kMostChannels &&
         llvm::isPowerOf2_64(warps) && warps <= kMostWarps &&
         KdaLayout(kda, 0, 0).end <= mostSharedBytes;
}

GpuLaunch attnres::nvptx::buildKda(OpBuilder &builder, Location loc,
                                   const Kda &kda, const KdaResults &results,
                                   int64_t warps) {
  int64_t parts = partsOf(kda, warps);
  GpuLaunch launch;
  launch.grid[0] = kda.batch * kda.valueHeads * parts;
  launch.block[0] = 32 * warps;
  launch.sharedBytes = KdaLayout(kda, 0, 0).end;
  if (launch.grid[0] > 0)
    KdaForwardBuilder(builder, loc, kda, results, warps, parts).build();
  return launch;
}
