//===- PanelPacking.cpp - the right operand of products as panels ---------===//

#include "passes/cpu/MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/cpu/VectorAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres::cpu;

/// Strided reads fetch this many rows ahead.
static constexpr int64_t kPanelPrefetchRows = 16;

MemRefType attnres::cpu::getPackedType(MLIRContext *context, int64_t n,
                                       int64_t k, const CpuTarget &target) {
  int64_t panels = llvm::divideCeil(n, target.tileColumns);
  return MemRefType::get({panels, k, target.tileColumns},
                         Float32Type::get(context));
}

namespace {

/// Emits the body of a pack kernel. Item (g, c) packs the panels of group g in
/// the k range of chunk c.
class PackEmitter {
public:
  PackEmitter(OpBuilder &builder, KernelFunction &kernel,
              const CpuTarget &target, bool transposed)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), target(target), transposed(transposed) {
    this->target.tileColumns = getMatrixShape(kernel.outputs[0]).columns;
    MatrixShape shape = getMatrixShape(kernel.inputs[0]);
    k = transposed ? shape.columns : shape.rows;
    n = transposed ? shape.rows : shape.columns;
  }

  void emit() {
    int64_t width = target.tileColumns;
    int64_t panels = llvm::divideCeil(n, width),
            chunks = llvm::divideCeil(k, kChunk);
    int64_t groups = llvm::divideCeil(panels, kGroup);
    if (k == 0) // nothing to write
      groups = 0;
    if (groups * chunks != 0) {
      source = flatten(builder, loc, kernel.inputs[0]);
      panelsOut = flatten(builder, loc, kernel.outputs[0]);
      forEachItem(builder, loc, kernel, [&](Value item) {
        Value chunkBegin = ix.mul(ix.rem(item, chunks), kChunk);
        Value chunkEnd = ix.min(ix.add(chunkBegin, kChunk), k);
        Value first = ix.mul(ix.div(item, chunks), kGroup);
        Value fullEnd = ix.min(ix.add(first, kGroup), n / width);
        if (transposed)
          forRange(builder, loc, first, fullEnd, ix.constant(1),
                   [&](Value p) { packTransposed(p, chunkBegin, chunkEnd); });
        else
          packRows(first, fullEnd, chunkBegin, chunkEnd);
        if (n % width != 0)
          packLastPanel(item, chunks, groups, chunkBegin, chunkEnd);
      });
    }
    finishKernel(kernel, groups * chunks);
  }

private:
  static constexpr int64_t kGroup = 4;
  static constexpr int64_t kChunk = 256;

  /// Offset of element (kk, 0) of panel p.
  Value panelOffset(Value p, Value kk) {
    int64_t width = target.tileColumns;
    return ix.add(ix.mul(p, k * width), ix.mul(kk, width));
  }

  /// B is [K,N]: pieces of rows are copied, those of all panels of the group
  /// together.
  void packRows(Value first, Value end, Value chunkBegin, Value chunkEnd) {
    int64_t lanes = target.lanes;
    forRange(builder, loc, chunkBegin, chunkEnd, ix.constant(1), [&](Value kk) {
      forRange(builder, loc, first, end, ix.constant(1), [&](Value p) {
        Value from = ix.add(ix.mul(kk, n), ix.mul(p, target.tileColumns));
        Value to = panelOffset(p, kk);
        for (int64_t j = 0; j < target.tileColumns; j += lanes) {
          prefetch(builder, loc, source,
                   ix.add(from, kPanelPrefetchRows * n + j));
          storeF32(builder, loc,
                   loadF32(builder, loc, source, ix.add(from, j), lanes),
                   panelsOut, ix.add(to, j));
        }
      });
    });
  }

  /// B is [N,K]: square blocks are transposed in registers, what is left of the
  /// chunk is copied one by one.
  void packTransposed(Value p, Value chunkBegin, Value chunkEnd) {
    int64_t lanes = target.lanes;
    Value row = ix.mul(p, target.tileColumns);
    Value rest = ix.rem(ix.sub(chunkEnd, chunkBegin), lanes);
    Value blocksEnd = ix.sub(chunkEnd, rest);
    forRange(builder, loc, chunkBegin, blocksEnd, ix.constant(lanes),
             [&](Value kk) {
               Value from = ix.add(ix.mul(row, k), kk);
               Value to = panelOffset(p, kk);
               for (int64_t j = 0; j < target.tileColumns; j += lanes) {
                 SmallVector<Value> block;
                 for (int64_t i = 0; i < lanes; ++i)
                   block.push_back(loadF32(builder, loc, source,
                                           ix.add(from, (j + i) * k), lanes));
                 transposeInRegisters(builder, loc, block);
                 for (int64_t i = 0; i < lanes; ++i)
                   storeF32(builder, loc, block[i], panelsOut,
                            ix.add(to, i * target.tileColumns + j));
               }
             });
    copyElements(p, target.tileColumns, blocksEnd, chunkEnd);
  }

  /// The panel of the last n % NR columns, with its padding.
  void packLastPanel(Value item, int64_t chunks, int64_t groups,
                     Value chunkBegin, Value chunkEnd) {
    Value isLast =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              ix.div(item, chunks), ix.constant(groups - 1));
    auto ifLast = scf::IfOp::create(builder, loc, isLast, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(ifLast.thenBlock()->getTerminator());
    copyElements(ix.constant(n / target.tileColumns), n % target.tileColumns,
                 chunkBegin, chunkEnd);
  }

  /// Copies the first `columns` columns of panel p for k in [begin, end) one by
  /// one and fills the rest with zeros.
  void copyElements(Value p, int64_t columns, Value begin, Value end) {
    Value row = ix.mul(p, target.tileColumns);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Value one = ix.constant(1);
    forRange(builder, loc, begin, end, one, [&](Value kk) {
      Value to = panelOffset(p, kk);
      forRange(builder, loc, ix.constant(0), ix.constant(columns), one,
               [&](Value j) {
                 Value nn = ix.add(row, j);
                 Value from = transposed ? ix.add(ix.mul(nn, k), kk)
                                         : ix.add(ix.mul(kk, n), nn);
                 Value value = loadScalarF32(builder, loc, source, from);
                 memref::StoreOp::create(builder, loc, value, panelsOut,
                                         ValueRange{ix.add(to, j)});
               });
      forRange(builder, loc, ix.constant(columns),
               ix.constant(target.tileColumns), one, [&](Value j) {
                 memref::StoreOp::create(builder, loc, zero, panelsOut,
                                         ValueRange{ix.add(to, j)});
               });
    });
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  CpuTarget target;
  bool transposed;
  int64_t k, n;
  Value source, panelsOut; // flat
};

} // namespace

void attnres::cpu::emitPack(OpBuilder &builder, KernelFunction &kernel,
                            const CpuTarget &target, bool transposed) {
  PackEmitter(builder, kernel, target, transposed).emit();
}
