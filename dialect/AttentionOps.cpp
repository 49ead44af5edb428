//===- AttentionOps.cpp - verifiers of sequence attention -----------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

/// SA-1: q [B, T, H, Dk], k [B, S, Hkv, Dk], v [B, S, Hkv, Dv], Hkv divides H.
static LogicalResult verifyAttention(Operation *op, Value q, Value k, Value v,
                                     std::optional<APFloat> scale) {
  auto qt = tensorOf(q.getType()), kt = tensorOf(k.getType()),
       vt = tensorOf(v.getType());
  for (auto [name, type] : {std::pair<StringRef, RankedTensorType>{"q", qt},
                            {"k", kt},
                            {"v", vt}}) {
    if (type.getRank() != 4)
      return op->emitOpError("expected ") << name << " of rank 4, got " << type;
    if (!type.hasStaticShape())
      return op->emitOpError("expected ")
             << name << " with a static shape, got " << type;
    if (type.getElementType() != qt.getElementType())
      return op->emitOpError("expected ")
             << name << " of element type " << qt.getElementType() << ", got "
             << type.getElementType();
  }
  int64_t heads = qt.getDimSize(2), kvHeads = kt.getDimSize(2);
  if (failed(expectShape(
          op, "k", k,
          {qt.getDimSize(0), kt.getDimSize(1), kvHeads, qt.getDimSize(3)})) ||
      failed(expectShape(
          op, "v", v,
          {qt.getDimSize(0), kt.getDimSize(1), kvHeads, vt.getDimSize(3)})))
    return failure();
  if (kvHeads < 1 || heads % kvHeads != 0)
    return op->emitOpError("expected the number of key heads to divide the "
                           "number of query heads, got ")
           << kvHeads << " and " << heads;
  if (qt.getDimSize(3) < 1)
    return op->emitOpError("expected a head size of at least 1, got ")
           << qt.getDimSize(3);
  // SA-2.
  if (scale && !scale->isFinite())
    return op->emitOpError("expected a finite scale");
  return success();
}

double attnres::scaleValue(std::optional<APFloat> scale, Value q) {
  if (scale)
    return scale->convertToDouble();
  return 1.0 / std::sqrt(static_cast<double>(
                   cast<RankedTensorType>(q.getType()).getShape().back()));
}

double AttentionOp::getScaleValue() { return scaleValue(getScale(), getQ()); }
double AttentionBackwardOp::getScaleValue() {
  return scaleValue(getScale(), getQ());
}

/// SA-8, RO-4, CA-1: one start for each batch row, and room for `tokens` among
/// `positions`.
static LogicalResult verifyStart(Operation *op, Value start, int64_t batch,
                                 int64_t tokens, int64_t positions) {
  if (failed(expectShape(op, "start", start, {batch})))
    return failure();
  if (tokens > positions)
    return op->emitOpError("expected at most ")
           << positions << " tokens, one for each position, got " << tokens;
  return success();
}

/// SA-10: causal self-attention of T tokens, each with the place where its text
/// begins.
static LogicalResult verifyDocuments(Operation *op, Value documents, Value q,
                                     Value k, bool causal) {
  if (!documents)
    return success();
  ArrayRef<int64_t> shape = shapeOf(q);
  if (!causal)
    return op->emitOpError("expected causal with documents");
  if (shape[1] != shapeOf(k)[1])
    return op->emitOpError("expected as many keys as queries with documents, "
                           "got ")
           << dimension(shapeOf(k)[1]) << " and " << dimension(shape[1]);
  return expectShape(op, "documents", documents, shape.take_front(2));
}

Speculation::Speculatability AttentionOp::getSpeculatability() {
  return getStart() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyAttention(*this, getQ(), getK(), getV(), getScale())))
    return failure();
  if (!getStart())
    return verifyDocuments(*this, getDocuments(), getQ(), getK(), getCausal());
  if (getDocuments())
    return emitOpError("expected start or documents, got both");
  // SA-8.
  if (!getCausal())
    return emitOpError("expected causal with start");
  auto q = cast<RankedTensorType>(getQ().getType());
  return verifyStart(*this, getStart(), q.getDimSize(0), q.getDimSize(1),
                     cast<RankedTensorType>(getK().getType()).getDimSize(1));
}

LogicalResult AttentionBackwardOp::verify() {
  if (failed(verifyAttention(*this, getQ(), getK(), getV(), getScale())))
    return failure();
  // G-14.
  auto q = cast<RankedTensorType>(getQ().getType());
  SmallVector<int64_t> shape(q.getShape());
  shape.back() = cast<RankedTensorType>(getV().getType()).getShape().back();
  auto output = RankedTensorType::get(shape, q.getElementType());
  if (failed(expectType(*this, "output", getOutput(), output)) ||
      failed(expectType(*this, "output gradient", getOutputGrad(), output)) ||
      failed(expectType(*this, "lse", getLse(), rowStatType(q))))
    return failure();
  if (getLseGrad() &&
      failed(expectType(*this, "lse gradient", getLseGrad(), rowStatType(q))))
    return failure();
  return verifyDocuments(*this, getDocuments(), getQ(), getK(), getCausal());
}

LogicalResult CacheWriteOp::verify() {
  // CA-1.
  auto cache = cast<RankedTensorType>(getCache().getType());
  auto x = cast<RankedTensorType>(getX().getType());
  if (cache.getRank() < 3)
    return emitOpError("expected a cache of rank at least 3, got ") << cache;
  if (x.getRank() != cache.getRank() || x.getDimSize(1) < 1)
    return emitOpError("expected x of rank ")
           << cache.getRank() << " with at least one token, got " << x;
  SmallVector<int64_t> shape(cache.getShape());
  shape[1] = x.getDimSize(1);
  if (failed(expectType(*this, "x", getX(),
                        RankedTensorType::get(shape, cache.getElementType()))))
    return failure();
  if (failed(verifyStart(*this, getStart(), shape[0], shape[1],
                         cache.getDimSize(1))))
    return failure();
  if (getLength())
    return expectShape(*this, "length", getLength(), {shape[0]});
  return success();
}

LogicalResult SelectTokenOp::verify() {
  // SE-1.
  auto x = cast<RankedTensorType>(getX().getType());
  if (x.getRank() < 2 || x.getDimSize(1) < 1)
    return emitOpError(
               "expected x of rank at least 2 with at least one token, got ")
           << x;
  return expectShape(*this, "at", getAt(), {x.getDimSize(0)});
}

OpFoldResult SelectTokenOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}

int64_t RopeOp::getNumPositions() {
  if (getPositions())
    return *getPositions();
  return cast<RankedTensorType>(getX().getType()).getDimSize(1);
}

RankedTensorType RopeOp::getTableType() {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(getX().getType()).getShape();
  SmallVector<int64_t> rows(
      shape.slice(getStart() ? 0 : 1, getStart() ? 2 : 1));
  rows.push_back(shape[3]);
  return RankedTensorType::get(rows, Float32Type::get(getContext()));
}

Speculation::Speculatability RopeOp::getSpeculatability() {
  return getStart() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}

LogicalResult RopeOp::verify() {
  // RO-1.
  auto type = cast<RankedTensorType>(getX().getType());
  if (type.getRank() != 4)
    return emitOpError("expected x of rank 4, got ") << type;
  if (type.getShape().back() % 2 != 0)
    return emitOpError("expected an even head size, got ")
           << type.getShape().back();
  if (!(getTheta().convertToDouble() > 0) || !getTheta().isFinite())
    return emitOpError("expected a positive finite theta");
  // Angles are taken in f64.
  constexpr int64_t mostOffset = int64_t{1} << 53;
  if (auto offset = static_cast<int64_t>(getOffset());
      offset < -mostOffset || offset > mostOffset)
    return emitOpError("expected an offset of at most 2^53 in magnitude, got ")
           << offset;
  // RO-4.
  if (static_cast<bool>(getStart()) != getPositions().has_value())
    return emitOpError("expected start and positions together, got only ")
           << (getStart() ? "start" : "positions");
  if (getStart() && failed(verifyStart(*this, getStart(), type.getDimSize(0),
                                       type.getDimSize(1), *getPositions())))
    return failure();
  // RO-5.
  if (getDocuments() && getStart())
    return emitOpError("expected start or documents, got both");
  if (getDocuments() && failed(expectShape(*this, "documents", getDocuments(),
                                           type.getShape().take_front(2))))
    return failure();
  // RO-3.
  if (getTable())
    return expectType(*this, "table", getTable(), getTableType());
  return success();
}
