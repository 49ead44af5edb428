//===- Lookup.cpp - rows chosen by an integer -----------------------------===//
//
// Nothing is read or written outside a table or cache, whatever the integer.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Elements of one token of x [B, T, ...].
int64_t tokenWidth(Value x) {
  return llvm::product_of(shapeOf(x).drop_front(2));
}

void copyRow(RowMachine &m, const RowRef &from, const RowRef &to,
             int64_t width) {
  m.mapColumns(width, [&](Chunk c) { m.store(to, c, m.load(from, c)); });
}

class Embedding : public FormulaOf<EmbeddingOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    ArrayRef<int64_t> table = shapeOf(op.getWeight());
    Value token = m.index.within(k.stat(op.getTokens()), table[0]);
    copyRow(m, k.rowAt(op.getWeight(), token, table[1]),
            k.destination(op.getResult()), table[1]);
  }
};

/// A row is the one token of a batch row.
class SelectToken : public FormulaOf<SelectTokenOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t tokens = shapeOf(op.getX())[1], width = tokenWidth(op.getX());
    Value token = m.index.clamp(k.stat(op.getAt()), tokens - 1);
    Value place = m.index.add(m.index.mul(m.row, tokens), token);
    copyRow(m, k.rowAt(op.getX(), place, width), k.destination(op.getResult()),
            width);
  }
};

/// Writes the row to its position. Where the result has memory of its own, the
/// rows of a batch row also copy the cache's other positions, each its share.
class CacheWrite : public FormulaOf<CacheWriteOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t positions = shapeOf(op.getCache())[1];
    int64_t tokens = shapeOf(op.getX())[1], width = tokenWidth(op.getX());
    Value token = m.index.rem(m.row, tokens);
    Value batchRow = m.index.div(m.row, tokens);
    Value start = m.index.clamp(
        m.loadElement(k.shared(op.getStart()), batchRow), positions - tokens);
    Value firstRow = m.index.mul(batchRow, positions);
    auto at = [&](Value cache, Value position) {
      return k.rowAt(cache, m.index.add(firstRow, position), width);
    };
    Value position = m.index.add(start, token);
    auto write = [&] {
      copyRow(m, k.row(op.getX()), at(op.getResult(), position), width);
    };
    if (op.getLength()) {
      Value length = m.index.clamp(
          m.loadElement(k.shared(op.getLength()), batchRow), tokens);
      m.ifTrue(m.index.isLess(token, length), write);
      // Behind the last new row stays what was there.
      m.ifTrue(m.index.isLess(length, m.index.add(token, 1)), [&] {
        copyRow(m, at(op.getCache(), position), at(op.getResult(), position),
                width);
      });
    } else {
      write();
    }

    // Share `token` of the positions outside [start, start + tokens), counted
    // as if those did not exist.
    int64_t others = positions - tokens;
    int64_t share = (others + tokens - 1) / tokens;
    m.ifTrue(k.isElsewhere(op.getCache(), op.getResult()), [&] {
      Value begin = m.index.min(m.index.mul(token, share), others);
      Value end = m.index.min(m.index.add(begin, share), others);
      m.forRange(begin, end, 1, [&](Value other) {
        Value kept = m.index.select(m.index.isLess(other, start), other,
                                    m.index.add(other, tokens));
        copyRow(m, at(op.getCache(), kept), at(op.getResult(), kept), width);
      });
    });
  }
};

} // namespace

void attnres::rows::attachLookupFormulas(MLIRContext &context) {
  attachFormula<EmbeddingOp, Embedding>(context);
  attachFormula<SelectTokenOp, SelectToken>(context);
  attachFormula<CacheWriteOp, CacheWrite>(context);
}
