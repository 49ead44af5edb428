//===- Rotation.cpp - rows of rotary position embedding -------------------===//
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// The table of angles is an argument; see `--attnres-rope-tables`.
class Rope : public FormulaOf<RopeOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    auto type = cast<RankedTensorType>(op.getX().getType());
    int64_t heads = type.getDimSize(2), half = type.getDimSize(3) / 2;
    RowRef x = k.row(op.getX()), output = k.destination(op.getResult());
    // With starts every row has angles of its own.
    Value token =
        op.getStart() ? m.row : m.index.rem(m.row, type.getDimSize(1));
    if (op.getDocuments()) {
      Value first =
          m.index.clamp(k.stat(op.getDocuments()), type.getDimSize(1) - 1);
      token = m.index.sub(token, m.index.min(first, token));
    }
    RowRef cosines = k.rowAt(op.getTable(), token, 2 * half), sines = cosines;
    sines.offset = m.index.constant(half);
    m.forRange(
        m.index.constant(0), m.index.constant(heads), 1, [&](Value head) {
          Value begin = m.index.mul(head, 2 * half);
          auto part = [&](RowRef ref, int64_t offset) {
            ref.offset = m.index.add(begin, offset);
            return ref;
          };
          m.mapColumns(half, [&](Chunk c) {
            // Both of a pair before one is written: the result may lie over x.
            Value a = m.load(part(x, 0), c), b = m.load(part(x, half), c);
            Value cos = m.load(cosines, c), sin = m.load(sines, c);
            if (op.getInverse())
              sin = m.neg(sin);
            Value first = m.sub(m.mul(a, cos), m.mul(b, sin));
            Value second = m.add(m.mul(b, cos), m.mul(a, sin));
            m.store(part(output, 0), c, first);
            m.store(part(output, half), c, second);
          });
        });
  }
};

struct RopeModel : RowFormulaOpInterface::ExternalModel<RopeModel, RopeOp> {
  bool hasRowFormula(Operation *op) const {
    return static_cast<bool>(cast<RopeOp>(op).getTable());
  }
  std::unique_ptr<RowFormula> makeRowFormula(Operation *op,
                                             RowKernel &kernel) const {
    return std::make_unique<Rope>(kernel, cast<RopeOp>(op));
  }
};

} // namespace

void attnres::rows::attachRotationFormulas(MLIRContext &context) {
  RopeOp::attachInterface<RopeModel>(context);
}
