//===- DotMatmulEmitter.cpp - Products of bf16 on vectors -----------------===//
//
// vdpbf16ps adds to each of sixteen sums in f32 the products of a pair of bf16:
// sixteen columns of a pair of k, which are a row of a tile of B
// (AmxPacking.h), times a pair of one row of A. A strip of 8x32 sums takes 16
// registers; for 16 such instructions it loads two vectors of B and eight pairs
// of A, so that a processor that loads as often as it multiplies has room. Four
// strips make a block.
//
// The instruction takes denormals for zero and rounds to nearest, each product
// of a pair in turn.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/BlockMatmulEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace attnres::cpu;

bool attnres::cpu::usesDots(const CpuTarget &target, Type a, Type b, int64_t m,
                            int64_t k) {
  return target.usesDots && getElementTypeOrSelf(a).isBF16() &&
         getElementTypeOrSelf(b).isBF16() && k != 0 && m > kMaxSkinnyRows;
}

namespace {

/// Rows of a strip, strips of a block, pairs of k in a step.
constexpr int64_t kStripRows = 8;
constexpr int64_t kStrips = kBlock / kStripRows;
constexpr int64_t kPairs = kTileDepth / 2;

class DotMatmulEmitter : public BlockMatmulEmitter {
public:
  using BlockMatmulEmitter::BlockMatmulEmitter;

private:
  BlockCosts getCosts() const override {
    return {tiles.sliceSteps, tiles.dotItemBytes, tiles.dotCost};
  }
  /// Pairs are broadcast one by one, from either order.
  Order getOrderOfTransposedA() const override { return Order::DepthOuter; }
  void emitBlock(Value rowBlock, Value columnBlock, Value bytesOfSums) override;
  void emitStrip(Value rowBlock, Value columnBlock, Value strip,
                 Value offsetSums);
  SmallVector<Value> emitStep(Value rowBlock, Value columnBlock, Value strip,
                              Value step, ValueRange sums);
  SmallVector<Value> emitFirstSums(Value offset);
  Value emitDot(Value sum, Value x, Value y);

  /// Where the sums of row i of a strip for one half of the columns are.
  static int64_t offsetInSums(int64_t i, int64_t half) {
    return half * kTile * kTile + i * kTile;
  }
};

void DotMatmulEmitter::emitBlock(Value rowBlock, Value columnBlock,
                                 Value bytesOfSums) {
  // Strips of rows that exist.
  Value end = ix.constant(kStrips);
  if (m % kBlock != 0)
    end = ix.min(ix.div(ix.sub(ix.constant(m + kStripRows - 1),
                               ix.mul(rowBlock, kBlock)),
                        kStripRows),
                 kStrips);
  Value offsetSums = ix.div(bytesOfSums, 4);
  forRange(builder, loc, ix.constant(0), end, ix.constant(1), [&](Value strip) {
    emitStrip(rowBlock, columnBlock, strip, offsetSums);
  });
  emitIf(
      isEqual(sliceEnd, ix.constant(depthSteps)),
      [&] {
        forExtent(rowBlock, columnBlock,
                  [&](Value row, int64_t rows, Value column, int64_t columns) {
                    storeWithAddends(row, rows, column, columns, offsetSums);
                  });
      },
      [] {});
}

/// Adds one slice of k to the sums of one strip.
void DotMatmulEmitter::emitStrip(Value rowBlock, Value columnBlock, Value strip,
                                 Value offsetSums) {
  // Two strips go through the rows of a tile.
  Value offset =
      ix.add(offsetSums, ix.add(ix.mul(ix.div(strip, 2), 2 * kTile * kTile),
                                ix.mul(ix.rem(strip, 2), kStripRows * kTile)));
  SmallVector<Value> result =
      forRange(builder, loc, sliceBegin, sliceEnd, ix.constant(1),
               emitFirstSums(offset), [&](Value step, ValueRange sums) {
                 return emitStep(rowBlock, columnBlock, strip, step, sums);
               });
  for (int64_t i = 0; i < kStripRows; ++i)
    for (int64_t half = 0; half < 2; ++half)
      storeF32(builder, loc, result[2 * i + half], sums,
               ix.add(offset, offsetInSums(i, half)));
}

/// Zeros in the first slice, then what the last one left.
SmallVector<Value> DotMatmulEmitter::emitFirstSums(Value offset) {
  auto type = VectorType::get({kTile}, builder.getF32Type());
  SmallVector<Type> types(2 * kStripRows, type);
  auto ifOp = scf::IfOp::create(builder, loc, types,
                                isEqual(sliceBegin, ix.constant(0)),
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  Value zero = arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, 0.0f));
  scf::YieldOp::create(builder, loc, SmallVector<Value>(2 * kStripRows, zero));
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < kStripRows; ++i)
    for (int64_t half = 0; half < 2; ++half)
      loaded.push_back(loadF32(builder, loc, sums,
                               ix.add(offset, offsetInSums(i, half)), kTile));
  scf::YieldOp::create(builder, loc, loaded);
  return llvm::to_vector_of<Value>(ifOp.getResults());
}

/// Adds one step of k, and meanwhile fetches what comes next.
SmallVector<Value> DotMatmulEmitter::emitStep(Value rowBlock, Value columnBlock,
                                              Value strip, Value step,
                                              ValueRange sums) {
  Lines lines[] = {
      findLinesOfC(rowBlock, columnBlock, step, strip, kStrips),
      findLinesOfSources(rowBlock, columnBlock, step, strip, kStrips)};
  Value offsetB = ix.div(getBytesOfB(columnBlock, step), 2);
  // Bytes from one row of A, and from one pair of k, to the next.
  int64_t rowStep = isDepthOuterA() ? 4 : getStrideOfA();
  int64_t pairStep = isDepthOuterA() ? kTileRowBytes : 4;
  Value bytesA = ix.add(getBytesOfA(rowBlock, step),
                        ix.add(ix.mul(ix.div(strip, 2), getHalfOfA()),
                               ix.mul(ix.rem(strip, 2), kStripRows * rowStep)));
  Value offsetA = ix.div(bytesA, 2);
  auto word = VectorType::get({1}, builder.getI32Type());
  auto words = VectorType::get({kTile}, builder.getI32Type());
  SmallVector<Value> next = llvm::to_vector(sums);
  for (int64_t pair = 0; pair < kPairs; ++pair) {
    Value columns[2];
    for (int64_t half = 0; half < 2; ++half)
      columns[half] = vector::BitCastOp::create(
          builder, loc, words,
          vector::LoadOp::create(
              builder, loc,
              VectorType::get({kTileDepth}, builder.getBF16Type()),
              packedB.memory,
              ValueRange{
                  ix.add(offsetB, (half * kPairs + pair) * kTileDepth)}));
    for (int64_t i = 0; i < kStripRows; ++i) {
      Value loaded = vector::LoadOp::create(
          builder, loc, VectorType::get({2}, builder.getBF16Type()),
          getMemoryOfA(),
          ValueRange{ix.add(offsetA, (i * rowStep + pair * pairStep) / 2)});
      Value row = vector::BroadcastOp::create(
          builder, loc, words,
          vector::ExtractOp::create(
              builder, loc,
              vector::BitCastOp::create(builder, loc, word, loaded), 0));
      for (int64_t half = 0; half < 2; ++half) {
        Value &sum = next[2 * i + half];
        sum = emitDot(sum, row, columns[half]);
      }
    }
    for (const Lines &fetched : lines)
      fetchShare(fetched, pair, kPairs);
  }
  return next;
}

/// `x` and `y` are pairs of bf16 as words.
Value DotMatmulEmitter::emitDot(Value sum, Value x, Value y) {
  auto halves = VectorType::get({kTileDepth}, builder.getBF16Type());
  return x86vector::DotBF16Op::create(
      builder, loc, sum, vector::BitCastOp::create(builder, loc, halves, x),
      vector::BitCastOp::create(builder, loc, halves, y));
}

} // namespace

void attnres::cpu::emitDotMatmul(OpBuilder &builder, KernelFunction &kernel,
                                 const CpuTarget &target,
                                 const MatmulOptions &options) {
  DotMatmulEmitter(builder, kernel, target.tiles.pairs, options).emit();
}
