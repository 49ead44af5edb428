//===- DepthFormula.cpp - rows of attention over depth --------------------===//
#include "passes/rows/DepthFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

static constexpr int64_t kQueryBlock = 4;

DepthFormula::DepthFormula(RowKernel &k, ValueRange queries, ValueRange gains,
                           ValueRange sources, const APFloat &eps,
                           unsigned tables)
    : RowFormula(k), queries(k.group(queries)), gains(k.group(gains)),
      sources(k.group(sources)), eps(eps.convertToDouble()),
      width(this->sources.element.getShape().back()),
      softmax(OnlineSoftmax::natural(m)) {
  weights.memref = this->queries.list
                       ? m.listScratch(width)
                       : m.scratch(width * this->queries.members.size());
  bool isListed = this->sources.list || this->queries.list;
  int64_t slack = m.elementSlack();
  for (unsigned i = 0; i < tables; ++i)
    this->tables.push_back(
        {isListed
             ? m.listScratch(kQueryBlock + slack)
             : m.scratch(kQueryBlock * this->sources.members.size() + slack)});
}

void DepthFormula::prologue() {
  k.forMembersOf(queries, [&](Value q) {
    RowRef query = k.memberShared(queries, q), gain = k.memberShared(gains, q);
    m.mapColumns(width, [&](Chunk c) {
      m.store(weight(q), c, m.mul(m.load(query, c), m.load(gain, c)));
    });
  });
}

void DepthFormula::forQueryBlocks(function_ref<void(Block)> body) {
  if (!queries.list) {
    for (size_t q = 0; q < queries.members.size(); ++q)
      body({m.index.constant(q), 1});
    return;
  }
  Value count = k.count(queries);
  Value blocked = m.index.mul(m.index.div(count, kQueryBlock), kQueryBlock);
  m.forRange(m.index.constant(0), blocked, kQueryBlock, [&](Value first) {
    body({first, kQueryBlock});
  });
  m.forRange(blocked, count, 1, [&](Value first) { body({first, 1}); });
}

void DepthFormula::weigh(const RowRef &from, const RowRef &to,
                         ArrayRef<Value> shifts) {
  Value entries = m.index.mul(k.count(sources), shifts.size());
  m.mapElements(from, to, entries, shifts, [&](Value score, Value shift) {
    return softmax.weightOf(score, shift);
  });
}

SmallVector<Value> DepthFormula::sumEntries(const RowRef &table,
                                            const Block &block,
                                            ValueRange sums) {
  return k.forMembers(sources, sums, [&](Value i, RowRef, ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t q = 0; q < block.size; ++q)
      next.push_back(m.add(carried[q], loadEntry(table, i, block, q)));
    return next;
  });
}
