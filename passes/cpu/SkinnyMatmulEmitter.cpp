//===- SkinnyMatmulEmitter.cpp - Products of few rows ---------------------===//
//
// Decoding multiplies one to four rows by all weights: the time is that of
// reading the weights once, where they lie. More rows are taken four by four.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/MatmulEmitter.h"
#include "passes/cpu/VectorAccess.h"

using namespace mlir;
using namespace attnres::cpu;

namespace {

/// Emits C = A B for a B that is read in place, up to kMaxSkinnyRows rows
/// at once.
class SkinnyMatmulEmitter {
public:
  SkinnyMatmulEmitter(OpBuilder &builder, KernelFunction &kernel,
                      const CpuTarget &target, const MatmulOptions &options)
      : builder(builder), loc(kernel.function.getLoc()), ix(builder, loc),
        kernel(kernel), target(target), options(options) {
    MatrixShape shapeC = getMatrixShape(kernel.outputs[0]);
    m = shapeC.rows;
    n = shapeC.columns;
    MatrixShape shapeA = getMatrixShape(kernel.inputs[0]);
    k = options.transposedA ? shapeA.rows : shapeA.columns;
  }

  void emit() {
    bool isTransposed = options.right == RightOperand::Transposed;
    // Columns that are computed together, and columns of an item.
    int64_t group = isTransposed ? kDots : 4 * target.lanes;
    int64_t perItem = isTransposed ? kDots * kGroupsPerItem : group;
    int64_t grid = m == 0 ? 0 : (n + perItem - 1) / perItem;
    if (grid == 0)
      return finishKernel(kernel, 0);
    a = flatten(builder, loc, kernel.inputs[0]);
    b = flatten(builder, loc, kernel.inputs[1]);
    c = flatten(builder, loc, kernel.outputs[0]);
    if (options.hasBias)
      bias = flatten(builder, loc, kernel.inputs[2]);
    if (options.hasInit)
      init = flatten(builder, loc, kernel.inputs.back());

    auto emitChunk = [&](Value row, int64_t count, Value column,
                         int64_t columns) {
      rowBegin = row;
      rows = count;
      if (isTransposed)
        emitDots(column, columns);
      else
        emitRows(column, columns);
    };
    auto emitGroup = [&](Value column, int64_t columns) {
      int64_t rest = m % kMaxSkinnyRows;
      if (m > rest)
        forRange(builder, loc, ix.constant(0), ix.constant(m - rest),
                 ix.constant(kMaxSkinnyRows), [&](Value row) {
                   emitChunk(row, kMaxSkinnyRows, column, columns);
                 });
      if (rest != 0)
        emitChunk(ix.constant(m - rest), rest, column, columns);
    };
    forEachItem(builder, loc, kernel, [&](Value item) {
      Value begin = ix.mul(item, perItem);
      Value end = ix.min(ix.add(begin, perItem), n / group * group);
      if (n >= group)
        forRange(builder, loc, begin, end, ix.constant(group),
                 [&](Value column) { emitGroup(column, group); });
      if (n % group == 0)
        return;
      Value isLast = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, item, ix.constant(grid - 1));
      auto ifLast = scf::IfOp::create(builder, loc, isLast,
                                      /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(ifLast.thenBlock()->getTerminator());
      emitGroup(ix.constant(n / group * group), n % group);
    });
    finishKernel(kernel, grid);
  }

private:
  /// Dot products side by side: enough to hide the latency of additions.
  static constexpr int64_t kDots = 4;
  static constexpr int64_t kGroupsPerItem = 8;

  /// `width` elements of A from (rowBegin + i, kk) on along k.
  Value loadA(int64_t i, Value kk, int64_t width) {
    if (!options.transposedA)
      return loadF32(builder, loc, a, offsetA(i, kk), width);
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < width; ++lane)
      elements.push_back(loadScalarA(i, ix.add(kk, lane)));
    auto type = VectorType::get({width}, builder.getF32Type());
    return vector::FromElementsOp::create(builder, loc, type, elements);
  }
  Value loadScalarA(int64_t i, Value kk) {
    return loadScalarF32(builder, loc, a, offsetA(i, kk));
  }
  Value offsetA(int64_t i, Value kk) {
    Value row = ix.add(rowBegin, i);
    return options.transposedA ? ix.add(ix.mul(kk, m), row)
                               : ix.add(ix.mul(row, k), kk);
  }
  Value zeros(int64_t width) {
    auto type = VectorType::get({width}, builder.getF32Type());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, 0.0f));
  }
  Value add(Value x, Value y) {
    return arith::AddFOp::create(builder, loc, x, y);
  }

  /// B is [N,K]: `columns` dot products for each row.
  void emitDots(Value column, int64_t columns) {
    int64_t lanes = target.lanes, tail = k % lanes;
    auto step = [&](Value kk, int64_t width, ValueRange carried) {
      SmallVector<Value> rowsA, next;
      for (int64_t i = 0; i < rows; ++i)
        rowsA.push_back(loadA(i, kk, width));
      for (int64_t j = 0; j < columns; ++j) {
        Value weights = loadF32(
            builder, loc, b, ix.add(ix.mul(ix.add(column, j), k), kk), width);
        for (int64_t i = 0; i < rows; ++i)
          next.push_back(vector::FMAOp::create(builder, loc, rowsA[i], weights,
                                               carried[next.size()]));
      }
      return next;
    };
    SmallVector<Value> sums = forRange(
        builder, loc, ix.constant(0), ix.constant(k - tail), ix.constant(lanes),
        SmallVector<Value>(columns * rows, zeros(lanes)),
        [&](Value kk, ValueRange carried) { return step(kk, lanes, carried); });
    SmallVector<Value> tails;
    if (tail != 0)
      tails = step(ix.constant(k - tail), tail,
                   SmallVector<Value>(columns * rows, zeros(tail)));

    auto reduce = [&](Value vector) -> Value {
      return vector::ReductionOp::create(builder, loc,
                                         vector::CombiningKind::ADD, vector,
                                         arith::FastMathFlags::reassoc);
    };
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        Value sum = reduce(sums[j * rows + i]);
        if (tail != 0)
          sum = add(sum, reduce(tails[j * rows + i]));
        store(sum, i, ix.add(column, j));
      }
  }

  /// B is [K,N]: rows of B times elements of A.
  void emitRows(Value column, int64_t columns) {
    SmallVector<int64_t> widths;
    SmallVector<Value> initial;
    for (int64_t j = 0; j < columns; j += target.lanes)
      widths.push_back(std::min(target.lanes, columns - j));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t width : widths)
        initial.push_back(zeros(width));
    SmallVector<Value> sums = forRange(
        builder, loc, ix.constant(0), ix.constant(k), ix.constant(1), initial,
        [&](Value kk, ValueRange carried) {
          SmallVector<Value> rowB, next;
          for (auto [j, width] : llvm::enumerate(widths))
            rowB.push_back(
                loadF32(builder, loc, b,
                        ix.add(ix.add(ix.mul(kk, n), column), j * target.lanes),
                        width));
          for (int64_t i = 0; i < rows; ++i) {
            Value element = loadScalarA(i, kk);
            for (Value vectorB : rowB) {
              Value splat = vector::BroadcastOp::create(
                  builder, loc, vectorB.getType(), element);
              next.push_back(vector::FMAOp::create(builder, loc, splat, vectorB,
                                                   carried[next.size()]));
            }
          }
          return next;
        });
    for (int64_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < widths.size(); ++j)
        store(sums[i * widths.size() + j], i, ix.add(column, j * target.lanes));
  }

  /// Adds bias and init to a scalar or vector of sums and stores it.
  void store(Value sum, int64_t i, Value column) {
    Value offset = ix.add(ix.mul(ix.add(rowBegin, i), n), column);
    auto vector = dyn_cast<VectorType>(sum.getType());
    auto load = [&](Value memory, Value at) {
      return vector ? loadF32(builder, loc, memory, at, vector.getDimSize(0))
                    : loadScalarF32(builder, loc, memory, at);
    };
    if (options.hasInit)
      sum = add(sum, load(init, offset));
    if (options.hasBias)
      sum = add(sum, load(bias, column));
    storeF32(builder, loc, sum, c, offset);
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder ix;
  KernelFunction &kernel;
  const CpuTarget &target;
  const MatmulOptions &options;
  int64_t m, n, k;
  Value a, b, c, bias, init; // flat
  // The rows that are being emitted.
  Value rowBegin;
  int64_t rows;
};

} // namespace

void attnres::cpu::emitSkinnyMatmul(OpBuilder &builder, KernelFunction &kernel,
                                    const CpuTarget &target,
                                    const MatmulOptions &options) {
  SkinnyMatmulEmitter(builder, kernel, target, options).emit();
}
