//===- GroupedMatmul.cpp - products of rows with chosen matrices ----------===//
//
// An item is one matrix and a block of columns (of `grouped_linear`) or of rows
// (of `grouped_weight_grad`) of it. It lists the choices of its matrix in the
// order of the rows and then runs register tiles over what they read: nothing
// is sorted in memory, and the order of sums depends on the choices alone. The
// items of a block of all matrices follow each other, so that threads share
// every matrix, whoever chooses it.
//
// A block of columns is packed in panels once for all rows that it is
// multiplied by; a few rows at a time pass all of its panels. Of a weight
// gradient, parts of the chosen rows are gathered, a block of choices at a
// time.
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

/// Bytes of the panels of an item, at most, of a second-level cache; and
/// panels.
constexpr int64_t kPanelBytes = 256 << 10, kMostPanels = 16;
/// Register tiles of rows that pass the panels of an item together, and of the
/// rows of an item.
constexpr int64_t kBlockTiles = 8;
/// Choices whose parts of rows are gathered together.
constexpr int64_t kDepth = 128;

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
  /// Columns `column` and on of the transposed matrix, or of the matrix itself
  /// of which `valid` are there, to panel `place` of `panels`.
  void packTransposed(Value weight, Value matrix, Value column, int64_t columns,
                      Value panels, Value place);
  void packRows(Value weight, Value matrix, Value column, int64_t valid,
                Value panels, Value place);
  /// `valid` elements of the row of each of `count` choices from the one at
  /// `place` on, beginning with `column`, to rows of `target`.
  void gather(const ChoiceRows &rows, Value place, Value count, Value column,
              int64_t valid, Value target);

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
    body(index.rem(item, matrices), index.div(item, matrices));
  });
  finishKernel(kernel, matrices * blocks);
}

//===----------------------------------------------------------------------===//
// Rows times matrices
//===----------------------------------------------------------------------===//

void GroupedBuilder::packTransposed(Value weight, Value matrix, Value column,
                                    int64_t columns, Value panels,
                                    Value place) {
  int64_t perPanel = t.columns / t.lanes;
  int64_t depth = cast<MemRefType>(panels.getType()).getShape()[1];
  t.forRange(perPanel, [&](Value group) {
    Value first = index.add(column, index.mul(group, t.lanes));
    t.packTransposed(
        weight,
        [&](int64_t i) -> SmallVector<Value> {
          // Columns beyond the last repeat it; they are not stored.
          return {matrix, index.min(index.add(first, i), columns - 1)};
        },
        depth, panels, index.add(index.mul(place, perPanel), group));
  });
}

void GroupedBuilder::packRows(Value weight, Value matrix, Value column,
                              int64_t valid, Value panels, Value place) {
  int64_t depth = cast<MemRefType>(panels.getType()).getShape()[1];
  t.forRange(depth, [&](Value k) {
    t.store(t.load(weight, {matrix, k, column}, t.columns, valid), panels,
            {place, k, index.constant(0)});
  });
}

void GroupedBuilder::buildLinear(const ChoiceRows &x, Value weight,
                                 bool transpose, Value result) {
  int64_t depth = x.width;
  int64_t columns = cast<MemRefType>(result.getType()).getShape().back();
  if (numChoices == 0 || columns == 0)
    return finishKernel(kernel, 0);
  int64_t panels = llvm::divideCeil(columns, t.columns);
  int64_t most = std::clamp<int64_t>(
      kPanelBytes / (4 * t.columns * std::max<int64_t>(depth, 1)), 1,
      kMostPanels);
  // At least two blocks, and blocks as even as can be.
  int64_t blocks =
      std::min(panels, std::max<int64_t>(llvm::divideCeil(panels, most), 2));
  int64_t perBlock = llvm::divideCeil(panels, blocks);
  blocks = llvm::divideCeil(panels, perBlock);
  // The last panel may be cut; its lanes are then stored by pieces.
  int64_t whole = columns / t.columns, rest = columns % t.columns;
  Value out = flatten(t.builder, t.loc, result);
  Value packed = t.scratch({perBlock, std::max<int64_t>(depth, 1), t.columns});
  Value zero = index.constant(0);

  auto pack = [&](Value matrix, Value panel, Value place, int64_t valid) {
    Value column = index.mul(panel, t.columns);
    if (depth == 0)
      return;
    if (transpose)
      packRows(weight, matrix, column, valid, packed, place);
    else
      packTransposed(weight, matrix, column, columns, packed, place);
  };
  auto runTile = [&](Value first, Value count, Value panel, Value place,
                     int64_t valid) {
    SmallVector<Value> starts, targets;
    for (int64_t r = 0; r < t.rows; ++r) {
      // Rows beyond the last repeat it, and write the same again.
      Value at =
          index.min(index.add(first, r), index.sub(count, index.constant(1)));
      Value choice = choiceAt(at);
      starts.push_back(rowStart(x, choice));
      targets.push_back(
          index.add(index.mul(choice, columns), index.mul(panel, t.columns)));
    }
    SmallVector<Value> sums = t.product(
        t.zeroTile(t.columns), zero, index.constant(depth),
        [&](int64_t r, Value k) {
          return loadScalar(x.memory, index.add(starts[r], k));
        },
        [&](Value k) {
          return t.load(packed, {place, k, zero}, t.columns);
        });
    for (int64_t r = 0; r < t.rows; ++r)
      t.store(sums[r], out, {targets[r]}, valid);
  };
  forBlocks(blocks, [&](Value matrix, Value block) {
    Value count = listChoices(matrix);
    Value begin = index.mul(block, perBlock);
    Value end = index.min(index.add(begin, perBlock), whole);
    /// Calls body(panel, its place in the block, its columns).
    auto forPanels = [&](function_ref<void(Value, Value, int64_t)> body) {
      t.forRange(begin, end, 1, [&](Value panel) {
        body(panel, index.sub(panel, begin), t.columns);
      });
      if (rest)
        t.ifTrue(t.equal(block, index.constant(blocks - 1)), [&] {
          Value panel = index.constant(whole);
          body(panel, index.sub(panel, begin), rest);
        });
    };
    t.ifTrue(t.less(zero, count), [&] {
      forPanels([&](Value panel, Value place, int64_t valid) {
        pack(matrix, panel, place, valid);
      });
      t.forRange(zero, count, kBlockTiles * t.rows, [&](Value firstRow) {
        Value lastRow =
            index.min(index.add(firstRow, kBlockTiles * t.rows), count);
        forPanels([&](Value panel, Value place, int64_t valid) {
          t.forRange(firstRow, lastRow, t.rows, [&](Value first) {
            runTile(first, count, panel, place, valid);
          });
        });
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Weight gradients
//===----------------------------------------------------------------------===//

void GroupedBuilder::gather(const ChoiceRows &rows, Value place, Value count,
                            Value column, int64_t valid, Value target) {
  t.forRange(index.constant(0), count, 1, [&](Value i) {
    Value from =
        index.add(rowStart(rows, choiceAt(index.add(place, i))), column);
    for (int64_t first = 0; first < valid; first += t.lanes)
      t.store(t.load(rows.memory, {index.add(from, first)}, t.lanes,
                     std::min(t.lanes, valid - first)),
              target, {i, index.constant(first)});
  });
}

void GroupedBuilder::buildWeightGrad(const ChoiceRows &lhs,
                                     const ChoiceRows &rhs, Value result) {
  int64_t rows = lhs.width, columns = rhs.width;
  if (rows == 0 || columns == 0)
    return finishKernel(kernel, 0);
  int64_t blockRows = std::min(kBlockTiles * t.rows, rows);
  int64_t blocks = llvm::divideCeil(rows, blockRows);
  int64_t lastRows = rows - (blocks - 1) * blockRows;
  int64_t whole = columns / t.columns, rest = columns % t.columns;
  int64_t leftWidth = llvm::alignTo(blockRows, t.lanes);
  Value left = t.scratch({kDepth, leftWidth});
  Value right = t.scratch({kDepth, t.columns});
  Value zero = index.constant(0);

  /// Adds the part of `depth` choices from `place` on to a panel of columns of
  /// the rows [begin, end).
  auto runPanel = [&](Value matrix, Value begin, Value end, Value place,
                      Value depth, Value column, int64_t valid) {
    gather(rhs, place, depth, column, valid, right);
    t.forRange(begin, end, t.rows, [&](Value first) {
      SmallVector<Value> at, sums;
      for (int64_t r = 0; r < t.rows; ++r) {
        // Rows beyond the last repeat it, and write the same again.
        at.push_back(
            index.min(index.add(first, r), index.sub(end, index.constant(1))));
        sums.push_back(
            t.load(result, {matrix, at.back(), column}, t.columns, valid));
      }
      sums = t.product(
          sums, zero, depth,
          [&](int64_t r, Value k) -> Value {
            return memref::LoadOp::create(
                t.builder, t.loc, left, ValueRange{k, index.sub(at[r], begin)});
          },
          [&](Value k) {
            return t.load(right, {k, zero}, t.columns);
          });
      for (int64_t r = 0; r < t.rows; ++r)
        t.store(sums[r], result, {matrix, at[r], column}, valid);
    });
  };
  auto forPanels = [&](function_ref<void(Value column, int64_t valid)> body) {
    t.forRange(whole, [&](Value panel) {
      body(index.mul(panel, t.columns), t.columns);
    });
    if (rest)
      body(index.constant(whole * t.columns), rest);
  };
  forBlocks(blocks, [&](Value matrix, Value block) {
    Value count = listChoices(matrix);
    Value begin = index.mul(block, blockRows);
    Value end = index.min(index.add(begin, blockRows), rows);
    t.forRange(begin, end, 1, [&](Value row) {
      forPanels([&](Value column, int64_t valid) {
        t.store(t.splat(0.0f, t.columns), result, {matrix, row, column}, valid);
      });
    });
    t.forRange(zero, count, kDepth, [&](Value place) {
      Value depth = index.min(index.sub(count, place), kDepth);
      auto gatherLeft = [&](int64_t valid) {
        gather(lhs, place, depth, begin, valid, left);
      };
      if (lastRows == blockRows)
        gatherLeft(blockRows);
      else
        t.ifElse(
            t.equal(block, index.constant(blocks - 1)),
            [&] { gatherLeft(lastRows); }, [&] { gatherLeft(blockRows); });
      forPanels([&](Value column, int64_t valid) {
        runPanel(matrix, begin, end, place, depth, column, valid);
      });
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
