//===- MmaTile.cpp - tiles of matrices in shared memory -------------------===//
#include "passes/nvptx/MmaTile.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

Int TileShape::offsetOf(Int row, Int piece) const {
  Int swizzle = reads == Reads::Quads ? row % 4 * 2 : row % 8;
  Int inPanel = row * kPanelBytes + (piece % 8 ^ swizzle) * kPieceBytes;
  if (columns * elementBytes == kPanelBytes)
    return inPanel;
  return inPanel + piece / 8 * panelBytes();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TileCopy::TileCopy(const MmaCode &code, const TileShape &tile,
                   const TileSource &source, bool checkRows, bool checkColumns)
    : code(code), tile(tile), source(source), checkRows(checkRows),
      checkColumns(checkColumns) {
  int64_t bytes = source.elementBytes();
  bool widens = bytes != tile.elementBytes;
  accessBytes = widens ? 8 : kPieceBytes;
  while ((source.stride * bytes) % accessBytes != 0 ||
         (source.columns * bytes) % accessBytes != 0)
    accessBytes /= 2;
  isAsync = !widens && accessBytes >= 4;
}

void TileCopy::issueOne(Value from, Value to, Value isPresent) const {
  if (isAsync) {
    Value present;
    if (isPresent)
      present = code.select(isPresent, code.number(accessBytes), code.number(0))
                    .value;
    return code.copyAsync(to, from, accessBytes, present);
  }
  int64_t count = accessBytes / 2;
  Type bits = code.builder.getI16Type();
  Type type = count == 1 ? bits : VectorType::get({count}, bits);
  auto read = [&] {
    return code.elementsOf(code.load(from, type, accessBytes));
  };
  Registers elements;
  if (isPresent)
    elements = code.ifElse(isPresent, SmallVector<Type>(count, bits), read,
                           [&] { return Registers(count, code.zero16()); });
  else
    elements = read();
  if (tile.elementBytes == 4)
    for (Value &element : elements)
      element = code.fromBf16(element);
  code.store(code.vectorOf(elements), to, count * tile.elementBytes);
}

void TileCopy::issue(Int firstRow, Int firstColumn, Value to,
                     std::optional<Int> rowLimit) const {
  int64_t elements = accessBytes / source.elementBytes();
  int64_t perRow = tile.columns / elements,
          bytes = elements * tile.elementBytes;
  int64_t rowStep = std::max<int64_t>(code.threads / perRow, 1);
  int64_t columnSteps = std::max<int64_t>(perRow / code.threads, 1);
  Int row = perRow > code.threads ? code.number(0) : code.thread / perRow;
  Int access = perRow > code.threads ? code.thread : code.thread % perRow;

  Value start = code.offsetWide(
      source.pointer,
      code.addWide(
          code.wide(firstRow + row, source.stride * source.elementBytes()),
          code.wide(firstColumn + access * elements, source.elementBytes())));
  auto columnsOf = [&](int64_t step) { return access + step * code.threads; };
  auto sharedOffset = [&](Int row, int64_t step) {
    Int byte = columnsOf(step) * bytes;
    return tile.offsetOf(row, byte / kPieceBytes) + byte % kPieceBytes;
  };
  for (int64_t step = 0; step < columnSteps; ++step) {
    Value inColumns;
    if (checkColumns)
      inColumns = code.isLess(firstColumn + columnsOf(step) * elements,
                              code.number(source.columns));
    Value toColumn = code.offset(to, sharedOffset(row, step));
    for (int64_t first = 0; first < tile.rows; first += rowStep) {
      Int tileRow = row + first;
      Value isPresent = inColumns;
      if (checkRows || rowLimit)
        isPresent = code.both(
            isPresent,
            code.isLess(firstRow + tileRow,
                        rowLimit ? *rowLimit : code.number(source.rows)));
      Value from = code.offset(
          start, (first * source.stride + step * code.threads * elements) *
                     source.elementBytes());
      // Rows that differ by multiples of 8 have their pieces at equal places.
      Value place = rowStep % 8 == 0
                        ? code.offset(toColumn, first * kPanelBytes)
                        : code.offset(to, sharedOffset(tileRow, step));
      // Some threads have no row of the last ones.
      Value hasRow;
      if (first + rowStep > tile.rows)
        hasRow = code.isLess(tileRow, code.number(tile.rows));
      code.ifTrue(hasRow, [&] { issueOne(from, place, isPresent); });
    }
  }
}

TileCopy::Rows TileCopy::gather(Int count,
                                function_ref<Int(Int place)> rowOf) const {
  int64_t elements = accessBytes / source.elementBytes();
  int64_t perRow = tile.columns / elements;
  assert(perRow <= code.threads);
  Int row = code.thread / perRow, access = code.thread % perRow;
  Value inRow = code.wide(access, accessBytes);
  Rows rows;
  for (int64_t first = 0; first < tile.rows; first += code.threads / perRow) {
    Int place = row + first;
    Int sourceRow = rowOf(code.min(place, count - 1));
    rows.starts.push_back(code.offsetWide(
        source.pointer,
        code.addWide(
            code.wide(sourceRow, source.stride * source.elementBytes()),
            inRow)));
    rows.present.push_back(code.isLess(place, count));
  }
  return rows;
}

void TileCopy::issue(const Rows &rows, Int firstColumn, Value to) const {
  int64_t elements = accessBytes / source.elementBytes();
  int64_t perRow = tile.columns / elements;
  Int row = code.thread / perRow, access = code.thread % perRow;
  Int byte = access * (elements * tile.elementBytes);
  Value inColumns;
  if (checkColumns)
    inColumns = code.isLess(firstColumn + access * elements,
                            code.number(source.columns));
  Value along = code.wide(firstColumn, source.elementBytes());
  int64_t rowStep = code.threads / perRow, first = 0;
  for (auto [start, present] : llvm::zip_equal(rows.starts, rows.present)) {
    Int tileRow = row + first;
    Value place = code.offset(to, tile.offsetOf(tileRow, byte / kPieceBytes) +
                                      byte % kPieceBytes);
    Value hasRow;
    if (first + rowStep > tile.rows)
      hasRow = code.isLess(tileRow, code.number(tile.rows));
    code.ifTrue(hasRow, [&] {
      issueOne(code.offsetWide(start, along), place,
               code.both(inColumns, present));
    });
    first += rowStep;
  }
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// The two 16-byte halves of a step, or pairs of eight rows of a group.
static constexpr int64_t kHalves = 2;

TileFragments::TileFragments(const MmaCode &code, const TileShape &tile,
                             Side side, bool alongDepth, Int first,
                             int64_t count)
    : code(code), tile(tile), side(side), alongDepth(alongDepth) {
  Int lane = code.lane;
  // Which of the four matrices of loadMatrices this lane has a row of. The left
  // operand takes its rows first, the right one its depth.
  Int inner = lane / 8 % 2, outer = lane / 16, eighth = lane % 8;
  bool isLeft = side == Side::Left;
  Int rowHalf = isLeft ? inner : outer, depthHalf = isLeft ? outer : inner;
  if (alongDepth) {
    Int row = first + rowHalf * 8 + eighth;
    for (int64_t step = 0; step < kPanelBytes / (kHalves * kPieceBytes); ++step)
      offsets.push_back(tile.offsetOf(row, depthHalf + step * kHalves));
    return;
  }
  groups = count;
  int64_t inPanel = kPanelBytes / (kGroupSize * tile.elementBytes);
  if (auto constant = getConstantIntValue(first.value);
      constant && *constant % (inPanel * kGroupSize) == 0)
    groups = std::min(count, inPanel);
  if (tile.reads == TileShape::Reads::Rows) {
    Int depth = depthHalf * 8 + eighth;
    for (int64_t group = 0; group < groups; ++group)
      offsets.push_back(
          tile.offsetOf(depth, first / 8 + rowHalf + group * kHalves));
    return;
  }
  // Single f32: lane 4 g + t has row g, and of the depth place t and t + 4.
  bool isEven = tile.reads == TileShape::Reads::EvenQuads;
  for (int64_t half = 0; half < groups * kHalves; ++half)
    for (int64_t place = 0; place < 2; ++place) {
      Int depth = isEven ? lane % 4 * 2 + place : lane % 4 + place * 4;
      Int column = first + lane / 4 + half * 8;
      offsets.push_back(tile.offsetOf(depth, column / 4) + column % 4 * 4);
    }
}

MmaOperand TileFragments::load(Value tileBegin, int64_t group,
                               int64_t step) const {
  return code.operand(loadBits(tileBegin, group, step), tile.elementBytes == 2);
}

Registers TileFragments::loadBits(Value tileBegin, int64_t group,
                                  int64_t step) const {
  if (alongDepth) {
    Value pointer = code.offset(tileBegin, offsets[step % offsets.size()]);
    int64_t panel = step / static_cast<int64_t>(offsets.size());
    return code.loadMatrices(code.offset(pointer, panel * tile.panelBytes() +
                                                      group * 16 * kPanelBytes),
                             /*transposed=*/false);
  }
  int64_t panel = group / groups * tile.panelBytes();
  group %= groups;
  if (tile.reads == TileShape::Reads::Rows) {
    Value pointer = code.offset(tileBegin, offsets[group]);
    return code.loadMatrices(
        code.offset(pointer, panel + step * 16 * kPanelBytes),
        /*transposed=*/true);
  }
  auto element = [&](int64_t half, int64_t place) {
    Value pointer =
        code.offset(tileBegin, offsets[(group * kHalves + half) * 2 + place]);
    return code.load(code.offset(pointer, panel + step * 8 * kPanelBytes),
                     code.i32(), 4);
  };
  if (side == Side::Left)
    return {element(0, 0), element(1, 0), element(0, 1), element(1, 1)};
  return {element(0, 0), element(0, 1), element(1, 0), element(1, 1)};
}

void attnres::nvptx::multiplyTiles(
    const MmaCode &code, int64_t rows, int64_t columns, int64_t steps,
    function_ref<MmaOperand(int64_t row, int64_t step)> left,
    function_ref<MmaOperand(int64_t column, int64_t step)> right,
    MutableArrayRef<Value> sums) {
  // The operands of the side that has fewer stay in registers for a step.
  bool keepsLeft = rows <= columns;
  for (int64_t step = 0; step < steps; ++step) {
    SmallVector<MmaOperand> kept;
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
      kept.push_back(keepsLeft ? left(i, step) : right(i, step));
    for (int64_t i = 0; i < std::max(rows, columns); ++i) {
      MmaOperand other = keepsLeft ? right(i, step) : left(i, step);
      for (auto [j, operand] : llvm::enumerate(kept)) {
        int64_t row = keepsLeft ? j : i, column = keepsLeft ? i : j;
        code.multiplyAdd(keepsLeft ? operand : other,
                         keepsLeft ? other : operand,
                         sums.slice(8 * (row * columns + column), 8));
      }
    }
  }
}
