//===- GroupedMatmul.cpp - products of rows with chosen matrices ----------===//
//
// An item is one matrix and a block of columns (of `grouped_linear`) or of rows
// (of `grouped_weight_grad`) of it. It lists the choices of its matrix in the
// order of the rows and then runs register tiles over what they read: nothing
// is sorted in memory, and the order of sums depends on the choices alone. A
// matrix [N, K] that is multiplied by rows is packed transposed, a tile of
// columns at a time, once for all of its rows.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/cpu/FlashTiles.h"
#include "passes/cpu/OperationKernel.h"
#include "passes/cpu/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace attnres {
#define GEN_PASS_DEF_GROUPEDMATMUL
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

/// Rows of a register tile.
constexpr int64_t kRowTile = 4;
/// Register tiles of columns, and rows, of an item's block.
constexpr int64_t kBlockTiles = 4;
constexpr int64_t kBlockRows = 32;

/// Rows of [..., J, D] or [..., D] by the number of a choice of [..., J].
struct ChoiceRows {
  Value memory;   ///< flat
  int64_t width;  ///< D
  int64_t shared; ///< choices that read one row
};

class GroupedBuilder {
public:
  GroupedBuilder(OpBuilder &builder, Location loc, KernelFunction &kernel,
                 const CpuTarget &target, Value experts, int64_t matrices)
      : t(builder, loc, kernel, target), index(t.index), kernel(kernel),
        matrices(matrices),
        numChoices(cast<MemRefType>(experts.getType()).getNumElements()),
        choices(flatten(builder, loc, experts)),
        listed(allocateScratch(
            builder, loc, kernel,
            MemRefType::get({numChoices + 1}, builder.getI32Type()))) {}

  ChoiceRows rowsOf(Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    int64_t width = type.getShape().back();
    int64_t rows = width ? type.getNumElements() / width : 0;
    return {flatten(t.builder, t.loc, memory), width,
            rows ? numChoices / rows : 1};
  }

  void buildLinear(const ChoiceRows &x, Value weight, bool transpose,
                   Value result);
  void buildWeightGrad(const ChoiceRows &lhs, const ChoiceRows &rhs,
                       Value result);

private:
  /// Lists the choices of `matrix`; returns how many there are.
  Value listChoices(Value matrix);
  /// The choice at `place` of the list.
  Value choiceAt(Value place);
  /// Where the row of `choice` begins.
  Value rowStart(const ChoiceRows &rows, Value choice) {
    return index.mul(index.div(choice, rows.shared), rows.width);
  }
  Value loadScalar(Value memory, Value offset) {
    return loadScalarF32(t.builder, t.loc, memory, offset);
  }
  /// Calls body(matrix, block) for the items, `blocks` for each matrix.
  void forBlocks(int64_t blocks,
                 function_ref<void(Value matrix, Value block)> body);
  /// [K][tile] of the columns `column` and on of the transposed matrix.
  void packColumns(Value weight, Value matrix, Value column, int64_t depth,
                   int64_t columns, Value panel);

  TileBuilder t;
  IndexBuilder &index;
  KernelFunction &kernel;
  int64_t matrices, numChoices;
  Value choices; ///< flat
  Value listed;  ///< i32, one more than there are choices
};

} // namespace

Value GroupedBuilder::listChoices(Value matrix) {
  Value last = index.constant(matrices - 1);
  return t
      .forRange(
          index.constant(0), index.constant(numChoices), 1, {index.constant(0)},
          [&](Value i, ValueRange count) -> SmallVector<Value> {
            Value choice = memref::LoadOp::create(t.builder, t.loc, choices,
                                                  ValueRange{i});
            choice = arith::IndexCastOp::create(
                t.builder, t.loc, t.builder.getIndexType(), choice);
            choice = index.min(t.positive(choice), last);
            Value number = arith::IndexCastOp::create(
                t.builder, t.loc, t.builder.getI32Type(), i);
            memref::StoreOp::create(t.builder, t.loc, number, listed, count);
            Value isChosen = t.equal(choice, matrix);
            return {
                t.select(isChosen, index.add(count.front(), 1), count.front())};
          })
      .front();
}

Value GroupedBuilder::choiceAt(Value place) {
  Value number =
      memref::LoadOp::create(t.builder, t.loc, listed, ValueRange{place});
  return arith::IndexCastOp::create(t.builder, t.loc, t.builder.getIndexType(),
                                    number);
}

void GroupedBuilder::forBlocks(int64_t blocks,
                               function_ref<void(Value, Value)> body) {
  t.forRange(kernel.begin, kernel.end, 1, [&](Value item) {
    body(index.div(item, blocks), index.rem(item, blocks));
  });
  finishKernel(kernel, matrices * blocks);
}

void GroupedBuilder::packColumns(Value weight, Value matrix, Value column,
                                 int64_t depth, int64_t columns, Value panel) {
  t.forRange(
      index.constant(0), index.constant(t.columns / t.lanes), 1,
      [&](Value group) {
        Value first = index.add(column, index.mul(group, t.lanes));
        t.packTransposed(
            weight,
            [&](int64_t i) -> SmallVector<Value> {
              // Columns beyond the last repeat it; they are not stored.
              return {matrix, index.min(index.add(first, i), columns - 1)};
            },
            depth, panel, group);
      });
}

void GroupedBuilder::buildLinear(const ChoiceRows &x, Value weight,
                                 bool transpose, Value result) {
  int64_t depth = x.width;
  int64_t columns = cast<MemRefType>(result.getType()).getShape().back();
  int64_t tiles = llvm::divideCeil(columns, t.columns);
  int64_t blocks = llvm::divideCeil(tiles, kBlockTiles);
  if (numChoices == 0 || columns == 0)
    return finishKernel(kernel, 0);
  Value out = flatten(t.builder, t.loc, result);
  Value panel = t.scratch({1, std::max<int64_t>(depth, 1), t.columns});
  Value zero = index.constant(0);
  // The last tile of columns may be cut; its lanes are then stored by pieces.
  int64_t whole = columns / t.columns, rest = columns % t.columns;

  auto runTile = [&](Value matrix, Value count, Value column, int64_t valid) {
    if (!transpose)
      packColumns(weight, matrix, column, depth, columns, panel);
    t.forRange(zero, count, kRowTile, [&](Value place) {
      SmallVector<Value> starts, targets;
      for (int64_t r = 0; r < kRowTile; ++r) {
        // Rows beyond the last repeat it, and write the same again.
        Value at =
            index.min(index.add(place, r), index.sub(count, index.constant(1)));
        Value choice = choiceAt(at);
        starts.push_back(rowStart(x, choice));
        targets.push_back(index.add(index.mul(choice, columns), column));
      }
      SmallVector<Value> sums(kRowTile, t.splat(0.0f, t.columns));
      sums = t.product(
          sums, zero, index.constant(depth),
          [&](int64_t r, Value k) {
            return loadScalar(x.memory, index.add(starts[r], k));
          },
          [&](Value k) {
            if (!transpose)
              return t.load(panel, {zero, k, zero}, t.columns);
            return t.load(weight, {matrix, k, column}, t.columns, valid);
          });
      for (int64_t r = 0; r < kRowTile; ++r)
        t.store(sums[r], out, {targets[r]}, valid);
    });
  };
  forBlocks(blocks, [&](Value matrix, Value block) {
    Value count = listChoices(matrix);
    Value first = index.mul(block, kBlockTiles);
    Value last = index.min(index.add(first, kBlockTiles), whole);
    t.ifTrue(t.less(zero, count), [&] {
      t.forRange(first, last, 1, [&](Value tile) {
        runTile(matrix, count, index.mul(tile, t.columns), t.columns);
      });
      if (rest)
        t.ifTrue(t.equal(block, index.constant(blocks - 1)), [&] {
          runTile(matrix, count, index.constant(whole * t.columns), rest);
        });
    });
  });
}

void GroupedBuilder::buildWeightGrad(const ChoiceRows &lhs,
                                     const ChoiceRows &rhs, Value result) {
  int64_t rows = lhs.width, columns = rhs.width;
  int64_t blocks = llvm::divideCeil(rows, kBlockRows);
  if (rows == 0 || columns == 0)
    return finishKernel(kernel, 0);
  int64_t whole = columns / t.columns, rest = columns % t.columns;
  Value zero = index.constant(0);
  auto runTile = [&](Value matrix, Value count, Value first, Value column,
                     int64_t valid) {
    SmallVector<Value> at;
    for (int64_t r = 0; r < kRowTile; ++r)
      // Rows beyond the last repeat it, and write the same again.
      at.push_back(index.min(index.add(first, r), rows - 1));
    SmallVector<Value> sums(kRowTile, t.splat(0.0f, t.columns));
    sums = t.product(
        sums, zero, count,
        [&](int64_t r, Value place) {
          Value start = rowStart(lhs, choiceAt(place));
          return loadScalar(lhs.memory, index.add(start, at[r]));
        },
        [&](Value place) {
          Value start = rowStart(rhs, choiceAt(place));
          return t.load(rhs.memory, {index.add(start, column)}, t.columns,
                        valid);
        });
    for (int64_t r = 0; r < kRowTile; ++r)
      t.store(sums[r], result, {matrix, at[r], column}, valid);
  };
  forBlocks(blocks, [&](Value matrix, Value block) {
    Value count = listChoices(matrix);
    Value begin = index.mul(block, kBlockRows);
    Value end = index.min(index.add(begin, kBlockRows), rows);
    t.forRange(begin, end, kRowTile, [&](Value first) {
      t.forRange(whole, [&](Value tile) {
        runTile(matrix, count, first, index.mul(tile, t.columns), t.columns);
      });
      if (rest)
        runTile(matrix, count, first, index.constant(whole * t.columns), rest);
    });
  });
}

namespace {

struct GroupedMatmulPass : attnres::impl::GroupedMatmulBase<GroupedMatmulPass> {
  using GroupedMatmulBase::GroupedMatmulBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      Operation *op = getSoleOperation(function);
      if (isa_and_nonnull<GroupedLinearOp, GroupedWeightGradOp>(op))
        lower(function, op, *target);
    }
  }

private:
  static void lower(KernelOp function, Operation *op, const CpuTarget &target) {
    OpBuilder builder(function);
    KernelFunction kernel = createKernel(builder, function);
    KernelMemory memory(function, kernel);
    if (auto linear = dyn_cast<GroupedLinearOp>(op)) {
      GroupedBuilder grouped(builder, op->getLoc(), kernel, target,
                             memory.of(linear.getExperts()),
                             linear.getWeight().getType().getDimSize(0));
      grouped.buildLinear(grouped.rowsOf(memory.of(linear.getX())),
                          memory.of(linear.getWeight()), linear.getTranspose(),
                          memory.of(cast<OpResult>(linear.getResult())));
    } else {
      auto grad = cast<GroupedWeightGradOp>(op);
      GroupedBuilder grouped(builder, op->getLoc(), kernel, target,
                             memory.of(grad.getExperts()), grad.getMatrices());
      grouped.buildWeightGrad(grouped.rowsOf(memory.of(grad.getLhs())),
                              grouped.rowsOf(memory.of(grad.getRhs())),
                              memory.of(cast<OpResult>(grad.getResult())));
    }
    function.erase();
  }
};

} // namespace
