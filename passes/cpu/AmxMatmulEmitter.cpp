//===- AmxMatmulEmitter.cpp - Matrix products on AMX tiles ----------------===//
//
// One instruction adds the product of a tile of A and a tile of B, both bf16
// (AmxPacking.h), to a tile of 16x16 sums in f32. Four tiles of sums make a
// block of 32x32 of C; the other four hold two tiles of A and two of B. For
// operands in f32, six such products of their pieces make up one.
//
//===----------------------------------------------------------------------===//

#include "passes/cpu/BlockMatmulEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace attnres::cpu;

bool attnres::cpu::usesAmx(const CpuTarget &target, Type a, Type b, int64_t m,
                           int64_t k) {
  Type element = getElementTypeOrSelf(a);
  if (!target.hasAmx || element != getElementTypeOrSelf(b) || k == 0)
    return false;
  return element.isBF16()
             ? m > kMaxSkinnyRows
             : element.isF32() && m >= target.tiles.pairs.fewestAmxRowsOfF32;
}

namespace {

class AmxMatmulEmitter : public BlockMatmulEmitter {
public:
  using BlockMatmulEmitter::BlockMatmulEmitter;

private:
  BlockCosts getCosts() const override {
    return {pieces == 1 ? tiles.sliceSteps : tiles.sliceStepsOfPieces,
            tiles.amxItemBytes, /*multiplication=*/0};
  }
  void emitBegin() override;
  void emitEnd() override { callTile("tilerelease", {}); }
  void emitBlock(Value rowBlock, Value columnBlock, Value bytesOfSums) override;
  void emitStep(Value rowBlock, Value columnBlock, Value step);
  void storeBlock(Value row, int64_t rows, Value column, int64_t columns,
                  Value bytesOfSums);
  Lines findLinesOfB(Value bytesB);

  Value addressOf(Value memref);
  void callTile(StringRef name, ArrayRef<int64_t> tiles,
                ValueRange operands = {});
  /// Loads or stores a tile at `bytes` behind an address, rows `stride` bytes
  /// apart.
  void moveTile(StringRef name, int64_t tile, Value address, Value bytes,
                int64_t stride);
  /// Loads or stores the four tiles of sums at `bytes` behind their address.
  void moveSums(StringRef name, Value bytes) {
    for (int64_t tile = 0; tile < 4; ++tile)
      moveTile(name, tile, addressSums, ix.add(bytes, tile * kTileBytes),
               kTileRowBytes);
  }

  Value addressA, addressB, addressC, addressSums;
};

/// By the intrinsics on numbered tiles. The tiles of the amx dialect are values
/// that LLVM allocates and configures where it likes; here all eight are in use
/// for the whole kernel, which configures them once.
void AmxMatmulEmitter::callTile(StringRef name, ArrayRef<int64_t> tiles,
                                ValueRange operands) {
  SmallVector<Value> arguments;
  for (int64_t tile : tiles)
    arguments.push_back(arith::ConstantIntOp::create(builder, loc, tile, 8));
  llvm::append_range(arguments, operands);
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.x86." + name), arguments);
}

void AmxMatmulEmitter::moveTile(StringRef name, int64_t tile, Value address,
                                Value bytes, int64_t stride) {
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bytes);
  Value sum = arith::AddIOp::create(builder, loc, address, offset);
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), sum);
  callTile(name, {tile},
           {pointer,
            arith::ConstantIntOp::create(builder, loc, stride, /*width=*/64)});
}

Value AmxMatmulEmitter::addressOf(Value memref) {
  Value index =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

/// Eight tiles of 16 rows of 64 bytes.
void AmxMatmulEmitter::emitBegin() {
  Value config = allocateScratch(builder, loc, kernel,
                                 MemRefType::get({64}, builder.getI8Type()));
  SmallVector<int8_t> bytes(64, 0);
  bytes[0] = 1; // the only palette
  for (int64_t tile = 0; tile < 8; ++tile) {
    bytes[16 + 2 * tile] = kTileRowBytes; // 16 bits
    bytes[48 + tile] = kTile;
  }
  auto type = VectorType::get({64}, builder.getI8Type());
  Value value = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  vector::StoreOp::create(builder, loc, value, config,
                          ValueRange{ix.constant(0)});
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      addressOf(config));
  callTile("ldtilecfg", {}, pointer);
  addressA = addressOf(getMemoryOfA());
  addressB = addressOf(packedB.memory);
  addressC = addressOf(c);
  addressSums = addressOf(sums);
}

void AmxMatmulEmitter::emitBlock(Value rowBlock, Value columnBlock,
                                 Value bytesOfSums) {
  emitIf(
      isEqual(sliceBegin, ix.constant(0)),
      [&] {
        for (int64_t tile = 0; tile < 4; ++tile)
          callTile("tilezero", {tile});
      },
      [&] { moveSums("tileloadd64", bytesOfSums); });
  forRange(builder, loc, sliceBegin, sliceEnd, ix.constant(1),
           [&](Value step) { emitStep(rowBlock, columnBlock, step); });
  emitIf(
      isEqual(sliceEnd, ix.constant(depthSteps)),
      [&] {
        forExtent(rowBlock, columnBlock,
                  [&](Value row, int64_t rows, Value column, int64_t columns) {
                    storeBlock(row, rows, column, columns, bytesOfSums);
                  });
      },
      [&] { moveSums("tilestored64", bytesOfSums); });
}

/// Adds one step of k to one block of C, and meanwhile fetches what comes next,
/// a line or two with every multiplication: in one go they would hold it up.
void AmxMatmulEmitter::emitStep(Value rowBlock, Value columnBlock, Value step) {
  Value bytesA = getBytesOfA(rowBlock, step);
  Value bytesB = getBytesOfB(columnBlock, step);
  Value all = ix.constant(0);
  Lines lines[] = {findLinesOfB(bytesB),
                   findLinesOfC(rowBlock, columnBlock, step, all, 1),
                   findLinesOfSources(rowBlock, columnBlock, step, all, 1)};
  // Pieces of A and B whose product counts, in an order that loads few tiles
  // again and adds the greatest last.
  static constexpr std::pair<int64_t, int64_t> kTerms[] = {
      {2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 0}};
  auto terms = ArrayRef(kTerms).take_back(pieces == 1 ? 1 : 6);
  size_t products = 0;
  std::pair<int64_t, int64_t> held(-1, -1);
  for (auto term : terms) {
    for (int64_t half = 0; half < 2; ++half) {
      if (term.first != held.first)
        moveTile(
            "tileloadd64", 4 + half, addressA,
            ix.add(bytesA, 2 * term.first * kTileBytes + half * getHalfOfA()),
            getStrideOfA());
      if (term.second != held.second)
        moveTile("tileloadd64", 6 + half, addressB,
                 ix.add(bytesB, (2 * term.second + half) * kTileBytes),
                 kTileRowBytes);
    }
    held = term;
    for (int64_t tile = 0; tile < 4; ++tile) {
      callTile("tdpbf16ps", {tile, 4 + tile / 2, 6 + tile % 2});
      for (const Lines &fetched : lines)
        fetchShare(fetched, products, 4 * terms.size());
      ++products;
    }
  }
}

/// The tiles of B of the next step, or of the next block's first. The core does
/// not look that far ahead.
AmxMatmulEmitter::Lines AmxMatmulEmitter::findLinesOfB(Value bytesB) {
  Lines lines;
  Value next = ix.div(ix.add(bytesB, getStepBytes()), 2);
  for (int64_t i = 0; i < getStepBytes() / 2; i += kAlignment / 2)
    lines.push_back({packedB.memory, ix.add(next, i), /*level=*/1});
  return lines;
}

/// C = sums + bias + init for the block in tiles 0 to 3.
void AmxMatmulEmitter::storeBlock(Value row, int64_t rows, Value column,
                                  int64_t columns, Value bytesOfSums) {
  bool isWhole = rows == kBlock && columns == kBlock;
  if (!isWhole || !storesSums()) {
    moveSums("tilestored64", bytesOfSums);
    storeWithAddends(row, rows, column, columns, ix.div(bytesOfSums, 4));
    return;
  }
  Value bytes = ix.mul(ix.add(ix.mul(row, n), column), 4);
  for (int64_t tile = 0; tile < 4; ++tile)
    moveTile("tilestored64", tile, addressC,
             ix.add(bytes, (tile / 2 * n + tile % 2) * kTile * 4), n * 4);
}

} // namespace

void attnres::cpu::emitAmxMatmul(OpBuilder &builder, KernelFunction &kernel,
                                 const CpuTarget &target,
                                 const MatmulOptions &options) {
  AmxMatmulEmitter(builder, kernel, target.tiles.pairs, options).emit();
}
