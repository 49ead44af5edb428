//===- Dropout.cpp - rows of dropout --------------------------------------===//
//
// Four columns share the words of a counter, a quarter of the row apart, so
// that a chunk of each quarter is done with the words of one chunk of counters.
//
//===----------------------------------------------------------------------===//
#include "dialect/RandomWords.h"
#include "passes/rows/RowFormula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

class Dropout : public FormulaOf<DropoutOp> {
public:
  using FormulaOf::FormulaOf;

  void prologue() override {
    RowRef random = k.shared(op.getRandom());
    Value seed = m.loadElement(random, m.index.constant(0));
    key = {word(seed), word(seed, 32)};
    run = word(m.loadElement(random, m.index.constant(1)));
    site = word(m.index.integer(static_cast<int64_t>(op.getSite())));
  }

  void row() override {
    int64_t width = rowWidth(op.getX()), quarter = width / 4;
    RowRef x = k.row(op.getX()), output = k.destination(op.getResult());
    Value row = word(m.index.toInteger(m.row));
    auto wordsOf = [&](Chunk c, int64_t firstCounter) {
      auto splat = [&](Value value) { return m.splatWord(value, c); };
      Value counter = m.columnWords(c);
      if (firstCounter > 0)
        counter =
            arith::AddIOp::create(m.builder, m.loc, counter,
                                  splat(word(m.index.integer(firstCounter))));
      return emitPhilox(m.builder, m.loc,
                        {counter, splat(row), splat(run), splat(site)},
                        {splat(key[0]), splat(key[1])});
    };
    auto keep = [&](Chunk c, int64_t offset, Value words) {
      auto part = [&](RowRef ref) {
        if (offset > 0)
          ref.offset = m.index.constant(offset);
        return ref;
      };
      Value kept =
          m.mul(m.load(part(x), c),
                m.splat(keptFactor(op.getRate().convertToDouble()), c));
      m.store(part(output), c,
              m.select(isKept(words, c), kept, m.splat(0.0, c)));
    };
    if (quarter > 0)
      m.mapColumns(
          quarter,
          [&](Chunk c) {
            RandomWords words = wordsOf(c, 0);
            for (int64_t j = 0; j < 4; ++j)
              keep(c, j * quarter, words[j]);
          },
          Live::Many);
    if (width > 4 * quarter)
      m.mapColumns(
          width - 4 * quarter,
          [&](Chunk c) { keep(c, 4 * quarter, wordsOf(c, quarter)[0]); },
          Live::Many);
  }

private:
  Value word(Value integer, unsigned shift = 0) {
    return emitWord(m.builder, m.loc, integer, shift);
  }

  Value isKept(Value words, const Chunk &c) {
    Value least = m.splatWord(
        word(m.index.integer(leastKept(op.getRate().convertToDouble()))), c);
    return arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::uge,
                                 words, least);
  }

  std::array<Value, 2> key;
  Value run, site;
};

} // namespace

void attnres::rows::attachDropoutFormulas(MLIRContext &context) {
  attachFormula<DropoutOp, Dropout>(context);
}
