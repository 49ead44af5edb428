//===- IndexLimits.cpp - values that integer inputs may have --------------===//
//
// Evaluates a function on what its integers may be (IntegerValues.h), in
// program order, into bodies and calls. Where a value chooses an element, the
// inputs that would choose one outside are taken from what the input may be.
//
//===----------------------------------------------------------------------===//
#include "passes/training/IndexLimits.h"

#include "passes/Passes.h"
#include "passes/analysis/IntegerValues.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace attnres {
#define GEN_PASS_DEF_INDEXLIMITS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

unsigned widthOf(Type type) {
  type = getElementTypeOrSelf(type);
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

bool isInteger(Type type) {
  return getElementTypeOrSelf(type).isIntOrIndex() && widthOf(type) <= 64;
}

std::string describe(ArrayRef<Interval> intervals) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleave(
      intervals, out,
      [&](Interval interval) {
        out << interval.low;
        if (interval.low != interval.high)
          out << " to " << interval.high;
      },
      " or ");
  return text;
}

class LimitAnalysis {
public:
  explicit LimitAnalysis(func::FuncOp function) : function(function) {}

  /// Twice: first every input by itself, then with what is known of the others,
  /// whose sums with it may choose as well.
  LogicalResult run() {
    for (Type type : function.getArgumentTypes())
      allowed.push_back(
          {isInteger(type) ? rangeOfWidth(widthOf(type)) : Interval()});
    for (bool last : {false, true}) {
      isLast = last;
      values.clear();
      places.clear();
      std::vector<IntegerValues> arguments;
      for (BlockArgument argument : function.getArguments()) {
        int64_t index = argument.getArgNumber();
        arguments.push_back(
            isInteger(argument.getType())
                ? inputElement({index, newPlace()}, allowed[index])
                : IntegerValues());
      }
      if (failed(evaluate(function, arguments)))
        return failure();
    }
    return record();
  }

private:
  int64_t newPlace() { return numPlaces++; }

  LogicalResult record() {
    Builder builder(function.getContext());
    for (auto [index, intervals] : llvm::enumerate(allowed)) {
      function.removeArgAttr(index, kLimitsAttr);
      Type type = function.getArgumentTypes()[index];
      if (!isInteger(type))
        continue;
      Interval full = rangeOfWidth(widthOf(type));
      if (intervals.size() == 1 && intervals.front().contains(full))
        continue;
      SmallVector<int64_t> flat;
      for (Interval interval : intervals)
        flat.append({interval.low, interval.high});
      function.setArgAttr(index, kLimitsAttr,
                          builder.getDenseI64ArrayAttr(flat));
    }
    return success();
  }

  //===--- Values ---------------------------------------------------------===//

  IntegerValues valueOf(Value value) {
    auto known = values.find(value);
    if (known != values.end())
      return known->second;
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constantOf(constant);
    return anything(widthOf(value.getType()));
  }

  static IntegerValues constantOf(Attribute attribute) {
    auto numberOf = [](const APInt &number) {
      return number.getBitWidth() == 1 ? int64_t{number.getBoolValue()}
                                       : number.getSExtValue();
    };
    if (auto number = dyn_cast<IntegerAttr>(attribute)) {
      int64_t value = numberOf(number.getValue());
      return constantValue({value, value});
    }
    auto elements = dyn_cast<DenseIntElementsAttr>(attribute);
    if (!elements || elements.empty())
      return anything(64);
    if (elements.isSplat()) {
      int64_t value = numberOf(elements.getSplatValue<APInt>());
      return constantValue({value, value});
    }
    std::vector<int64_t> numbers;
    for (const APInt &number : elements.getValues<APInt>())
      numbers.push_back(numberOf(number));
    return rangesOf(std::move(numbers));
  }

  /// The numbers as few ranges, apart where the gaps are largest: a target that
  /// is ignored is far from the classes.
  static IntegerValues rangesOf(std::vector<int64_t> numbers) {
    constexpr size_t most = 8;
    llvm::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    auto gap = [&](size_t i) {
      return static_cast<uint64_t>(numbers[i]) -
             static_cast<uint64_t>(numbers[i - 1]);
    };
    std::vector<size_t> cuts;
    for (size_t i = 1; i < numbers.size(); ++i)
      if (gap(i) > 1)
        cuts.push_back(i);
    if (cuts.size() >= most) {
      std::nth_element(cuts.begin(), cuts.begin() + (most - 1), cuts.end(),
                       [&](size_t i, size_t j) { return gap(i) > gap(j); });
      cuts.resize(most - 1);
      llvm::sort(cuts);
    }
    cuts.push_back(numbers.size());
    IntegerValues result;
    size_t first = 0;
    for (size_t cut : cuts) {
      llvm::append_range(result,
                         constantValue({numbers[first], numbers[cut - 1]}));
      first = cut;
    }
    return result;
  }

  void set(Value value, IntegerValues known) {
    values[value] = std::move(known);
  }

  /// How elements got from one place to another: by an operation in one
  /// evaluation of its function, or read or written along an indexing map.
  struct Move {
    int64_t from;
    const void *how;
    int64_t evaluation;
    bool isWrite;

    bool operator<(const Move &other) const {
      return std::tie(from, how, evaluation, isWrite) <
             std::tie(other.from, other.how, other.evaluation, other.isWrite);
    }
  };

  int64_t placeAfter(Move move) {
    auto [entry, isNew] = places.try_emplace(move, numPlaces);
    numPlaces += isNew;
    return entry->second;
  }

  IntegerValues withPlaces(IntegerValues known,
                           function_ref<int64_t(int64_t)> next) {
    for (Piece &piece : known)
      if (piece.source)
        piece.source.place = next(piece.source.place);
    return known;
  }

  /// The same values, no longer at the positions of the input's elements.
  IntegerValues moved(const IntegerValues &known, Operation *op) {
    return withPlaces(known, [&](int64_t place) {
      return placeAfter({place, op, evaluation, false});
    });
  }

  IntegerValues read(const IntegerValues &known, AffineMap map) {
    return withPlaces(known, [&](int64_t place) {
      return placeAfter({place, map.getAsOpaquePointer(), 0, false});
    });
  }

  /// Written along the map that it was read along, an element stays where it
  /// was.
  IntegerValues written(const IntegerValues &known, AffineMap map) {
    return withPlaces(known, [&](int64_t place) {
      for (const auto &[move, to] : places)
        if (to == place && move.how == map.getAsOpaquePointer() &&
            !move.isWrite)
          return move.from;
      return placeAfter({place, map.getAsOpaquePointer(), 0, true});
    });
  }

  //===--- Choices --------------------------------------------------------===//

  /// Takes what would leave `limits` from the inputs. `what` is chosen from.
  LogicalResult choose(Operation *op, const IntegerValues &index,
                       ArrayRef<Interval> limits, const Twine &what) {
    for (const Piece &piece : index) {
      SmallVector<Interval> inside;
      for (Interval limit : limits)
        if (Interval part = insideFor(piece, limit); !part.empty())
          inside.push_back(part);
      bool always = llvm::any_of(
          inside, [&](Interval part) { return part.contains(piece.when); });
      if (always || (!isLast && (piece.mixed || !piece.source)))
        continue;
      if (!piece.source) {
        Interval range = piece.values();
        InFlightDiagnostic error = op->emitOpError();
        bool outside = llvm::all_of(
            limits, [&](Interval limit) { return (limit & range).empty(); });
        error << (outside ? "chooses " : "may choose ");
        error << describe(range) << " of " << what.str() << ", expected "
              << describe(limits);
        if (llvm::is_contained({rangeOfWidth(8).low, rangeOfWidth(16).low,
                                rangeOfWidth(32).low, rangeOfWidth(64).low},
                               range.low))
          error << "; an index that does not follow from an integer input has "
                   "to be clamped";
        return failure();
      }
      restrict(piece.source.argument, piece.when, inside);
      if (allowed[piece.source.argument].empty())
        return op->emitOpError("chooses from outside of ")
               << what.str() << ", expected " << describe(limits)
               << ", whatever argument " << piece.source.argument
               << " is; an index that does not follow from an integer input "
                  "alone has to be clamped";
    }
    return success();
  }

  /// Lets an input be outside `when` or inside one of `inside`.
  void restrict(int64_t argument, Interval when, ArrayRef<Interval> inside) {
    SmallVector<Interval> kept(inside);
    if (when.low != std::numeric_limits<int64_t>::min())
      kept.push_back({std::numeric_limits<int64_t>::min(), when.low - 1});
    if (when.high != std::numeric_limits<int64_t>::max())
      kept.push_back({when.high + 1, std::numeric_limits<int64_t>::max()});
    SmallVector<Interval> result;
    for (Interval old : allowed[argument])
      for (Interval part : kept)
        if (Interval both = old & part; !both.empty())
          result.push_back(both);
    llvm::sort(result, [](Interval a, Interval b) { return a.low < b.low; });
    SmallVector<Interval> merged;
    for (Interval part : result)
      if (!merged.empty() &&
          (merged.back().high == std::numeric_limits<int64_t>::max() ||
           part.low <= merged.back().high + 1))
        merged.back().high = std::max(merged.back().high, part.high);
      else
        merged.push_back(part);
    allowed[argument] = merged;
  }

  LogicalResult choose(Operation *op, Value index, int64_t extent,
                       const Twine &what) {
    if (ShapedType::isDynamic(extent))
      return success();
    return choose(op, valueOf(index), Interval{0, extent - 1}, what);
  }

  LogicalResult chooseTarget(Operation *op, Value targets, int64_t classes,
                             int64_t ignored) {
    SmallVector<Interval> limits{{0, classes - 1}, {ignored, ignored}};
    if (limits[0].contains(limits[1]))
      limits.pop_back();
    else if (ignored < 0)
      std::swap(limits[0], limits[1]);
    return choose(op, valueOf(targets), limits, "the classes");
  }

  static int64_t lastDim(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape().back();
  }
  static int64_t dim(Value value, unsigned index) {
    return cast<RankedTensorType>(value.getType()).getDimSize(index);
  }

  /// Positions that begin a range of `length` in `extent`.
  LogicalResult chooseStart(Operation *op, Value start, int64_t extent,
                            int64_t length) {
    if (!start)
      return success();
    return choose(op, start, extent - length + 1, "the positions");
  }

  /// How many of `tokens` tokens a text has.
  LogicalResult chooseLength(Operation *op, Value length, int64_t tokens) {
    if (!length)
      return success();
    return choose(op, length, tokens + 1, "the lengths");
  }

  LogicalResult checkChoices(Operation *op) {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](EmbeddingOp o) {
          return choose(o, o.getTokens(), dim(o.getWeight(), 0),
                        "the rows of the table");
        })
        .Case([&](EmbeddingBackwardOp o) {
          return choose(o, o.getTokens(), o.getVocabSize(),
                        "the rows of the table");
        })
        .Case<CrossEntropyOp, CrossEntropyRowsOp, CrossEntropyRowsBackwardOp>(
            [&](auto o) {
              return chooseTarget(o, o.getTargets(), lastDim(o.getLogits()),
                                  o.getIgnoreIndex());
            })
        .Case<LinearCrossEntropyOp, LinearCrossEntropyBackwardOp>([&](auto o) {
          return chooseTarget(o, o.getTargets(), dim(o.getWeight(), 0),
                              o.getIgnoreIndex());
        })
        .Case([&](SelectTokenOp o) {
          return choose(o, o.getAt(), dim(o.getX(), 1), "the positions");
        })
        .Case([&](CacheWriteOp o) {
          int64_t tokens = dim(o.getX(), 1);
          bool isInside = true;
          if (o.getLength() && !ShapedType::isDynamic(tokens))
            isInside = succeeded(
                choose(o, o.getLength(), tokens + 1, "the counts of new rows"));
          return success(succeeded(chooseStart(o, o.getStart(),
                                               dim(o.getCache(), 1), tokens)) &&
                         isInside);
        })
        .Case([&](AttentionOp o) {
          return chooseStart(o, o.getStart(), dim(o.getK(), 1),
                             dim(o.getQ(), 1));
        })
        .Case([&](RopeOp o) {
          return o.getPositions()
                     ? chooseStart(o, o.getStart(), *o.getPositions(),
                                   dim(o.getX(), 1))
                     : success();
        })
        .Case<KdaOp, KdaBackwardOp>([&](auto o) {
          return chooseLength(o, o.getLength(), dim(o.getQ(), 1));
        })
        .Case([&](ConvolutionTailOp o) {
          return chooseLength(o, o.getLength(), dim(o.getX(), 1));
        })
        .Case([&](GroupedLinearOp o) {
          return choose(o, o.getExperts(), dim(o.getWeight(), 0),
                        "the matrices");
        })
        .Case([&](GroupedWeightGradOp o) {
          return choose(o, o.getExperts(), o.getMatrices(), "the matrices");
        })
        .Case([&](RouterBackwardOp o) {
          return choose(o, o.getExperts(), lastDim(o.getLogits()),
                        "the experts");
        })
        .Case<tensor::ExtractOp>([&](auto o) {
          return chooseEach(o, o.getIndices(), o.getTensor().getType());
        })
        .Case<tensor::InsertOp>([&](auto o) {
          return chooseEach(o, o.getIndices(), o.getDest().getType());
        })
        .Case<tensor::ExtractSliceOp>(
            [&](auto o) { return chooseSlice(o, o.getSourceType()); })
        .Case<tensor::InsertSliceOp>(
            [&](auto o) { return chooseSlice(o, o.getDestType()); })
        .Case([&](tensor::GatherOp o) {
          auto source = cast<RankedTensorType>(o.getSource().getType());
          for (int64_t d : o.getGatherDims())
            if (failed(choose(o, o.getIndices(), source.getDimSize(d),
                              "dimension " + Twine(d))))
              return failure();
          return success();
        })
        .Default([](Operation *) { return success(); });
  }

  LogicalResult chooseEach(Operation *op, ValueRange indices,
                           RankedTensorType type) {
    for (auto [d, index] : llvm::enumerate(indices))
      if (failed(
              choose(op, index, type.getDimSize(d), "dimension " + Twine(d))))
        return failure();
    return success();
  }

  template <typename Op>
  LogicalResult chooseSlice(Op op, RankedTensorType type) {
    for (auto [d, offset] : llvm::enumerate(op.getMixedOffsets())) {
      auto value = dyn_cast<Value>(offset);
      std::optional<int64_t> size = getConstantIntValue(op.getMixedSizes()[d]),
                             step =
                                 getConstantIntValue(op.getMixedStrides()[d]);
      // Constants are checked by the verifier, dynamic shapes elsewhere.
      if (!value || !size || !step || *size == 0 || *step < 1 ||
          type.isDynamicDim(d))
        continue;
      if (failed(choose(op, value, type.getDimSize(d) - (*size - 1) * *step,
                        "the offsets of dimension " + Twine(d))))
        return failure();
    }
    return success();
  }

  //===--- Evaluation -----------------------------------------------------===//

  LogicalResult evaluate(func::FuncOp callee,
                         ArrayRef<IntegerValues> arguments) {
    for (auto [argument, known] :
         llvm::zip_equal(callee.getArguments(), arguments))
      if (isInteger(argument.getType()))
        set(argument, known);
    for (Block &block : callee.getBody())
      if (failed(evaluate(block)))
        return failure();
    return success();
  }

  LogicalResult evaluate(Block &block) {
    for (Operation &op : block) {
      if (failed(checkChoices(&op)) || failed(evaluate(&op)))
        return failure();
    }
    return success();
  }

  LogicalResult evaluate(Operation *op) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && structured.hasPureTensorSemantics())
      return evaluateLinalg(structured);
    if (auto call = dyn_cast<func::CallOp>(op))
      return evaluateCall(call);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                             upper = getConstantIntValue(loop.getUpperBound());
      if (lower && upper && *lower < *upper)
        set(loop.getInductionVar(), constantValue({*lower, *upper - 1}));
    }
    if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
      auto type = cast<RankedTensorType>(generate.getType());
      for (auto [d, index] : llvm::enumerate(generate.getBody().getArguments()))
        if (!type.isDynamicDim(d))
          set(index, constantValue({0, type.getDimSize(d) - 1}));
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(evaluate(block)))
          return failure();
    if (op->getNumResults() > 0 && isInteger(op->getResult(0).getType()))
      if (std::optional<IntegerValues> known = result(op))
        set(op->getResult(0), std::move(*known));
    return success();
  }

  LogicalResult evaluateCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    // What calls itself is refused elsewhere.
    if (!callee || callee.isDeclaration() || !active.insert(callee).second)
      return success();
    std::vector<IntegerValues> arguments;
    for (Value operand : call.getOperands())
      arguments.push_back(isInteger(operand.getType()) ? valueOf(operand)
                                                       : IntegerValues());
    int64_t before = std::exchange(evaluation, ++numEvaluations);
    if (failed(evaluate(callee, arguments)))
      return failure();
    evaluation = before;
    active.erase(callee);
    if (!llvm::hasSingleElement(callee.getBody()))
      return success();
    for (auto [value, returned] : llvm::zip_equal(
             call.getResults(), callee.front().getTerminator()->getOperands()))
      if (isInteger(value.getType()))
        set(value, valueOf(returned));
    return success();
  }

  LogicalResult evaluateLinalg(linalg::LinalgOp op) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    Block *body = op.getBlock();
    auto mapOf = [&](unsigned operand) {
      return op.getMatchingIndexingMap(&op->getOpOperand(operand));
    };
    unsigned numInputs = op.getNumDpsInputs();
    bool reduces = op.getNumReductionLoops() > 0;
    for (BlockArgument argument : body->getArguments()) {
      unsigned index = argument.getArgNumber();
      if (!isInteger(argument.getType()))
        continue;
      // What is carried from point to point may be anything.
      set(argument, reduces && index >= numInputs
                        ? anything(widthOf(argument.getType()))
                        : read(valueOf(op->getOperand(index)), mapOf(index)));
    }
    body->walk([&](linalg::IndexOp index) {
      int64_t extent = extents[index.getDim()];
      if (!ShapedType::isDynamic(extent))
        set(index, constantValue({0, extent - 1}));
    });
    if (llvm::is_contained(extents, 0)) // no point is computed
      return success();
    if (failed(evaluate(*body)))
      return failure();
    for (auto [r, result] : llvm::enumerate(op->getResults())) {
      if (!isInteger(result.getType()))
        continue;
      IntegerValues known = valueOf(body->getTerminator()->getOperand(r));
      set(result,
          reduces ? moved(known, op) : written(known, mapOf(numInputs + r)));
    }
    return success();
  }

  std::optional<IntegerValues> result(Operation *op) {
    auto operand = [&](unsigned i) { return valueOf(op->getOperand(i)); };
    unsigned width = widthOf(op->getResult(0).getType());
    return TypeSwitch<Operation *, std::optional<IntegerValues>>(op)
        .Case<arith::AddIOp>(
            [&](auto) { return add(operand(0), operand(1), width); })
        .Case<arith::SubIOp>(
            [&](auto) { return subtract(operand(0), operand(1), width); })
        .Case<arith::MulIOp>(
            [&](auto) { return multiply(operand(0), operand(1), width); })
        .Case<arith::MaxSIOp>(
            [&](auto) { return maximum(operand(0), operand(1)); })
        .Case<arith::MinSIOp>(
            [&](auto) { return minimum(operand(0), operand(1)); })
        .Case<arith::TruncIOp>([&](auto) { return convert(operand(0), width); })
        .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) {
          bool truth = widthOf(op->getOperand(0).getType()) == 1;
          return truth ? subtract(constantValue({0, 0}), operand(0), width)
                       : convert(operand(0), width);
        })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
            [&](auto) { return withoutSign(op, operand(0), width); })
        .Case<arith::SelectOp>(
            [&](auto) { return select(operand(0), operand(1), operand(2)); })
        .Case([&](arith::CmpIOp o) { return comparison(o); })
        .Case<arith::AndIOp>([&](auto) -> std::optional<IntegerValues> {
          if (width == 1)
            return logicalAnd(operand(0), operand(1));
          return masked(operand(0), operand(1));
        })
        .Case<arith::OrIOp>([&](auto) -> std::optional<IntegerValues> {
          if (width != 1)
            return std::nullopt;
          return logicalNot(
              logicalAnd(logicalNot(operand(0)), logicalNot(operand(1))));
        })
        .Case<arith::XOrIOp>([&](auto) -> std::optional<IntegerValues> {
          if (width != 1)
            return std::nullopt;
          return select(operand(0), logicalNot(operand(1)), operand(1));
        })
        .Case<arith::RemUIOp, arith::RemSIOp>(
            [&](auto) -> std::optional<IntegerValues> {
              Interval divisor = whole(operand(1)), number = whole(operand(0));
              if (divisor.low < 1)
                return std::nullopt;
              bool isPlain = number.low >= 0;
              if (isa<arith::RemUIOp>(op) || isPlain)
                return constantValue({0, divisor.high - 1});
              return constantValue({-(divisor.high - 1), divisor.high - 1});
            })
        .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp,
              arith::ShRUIOp, arith::ShRSIOp>(
            [&](auto) -> std::optional<IntegerValues> {
              Interval divisor = whole(operand(1)), number = whole(operand(0));
              bool isShift = isa<arith::ShRUIOp, arith::ShRSIOp>(op);
              if (number.low < 0 || divisor.low < (isShift ? 0 : 1))
                return std::nullopt;
              return constantValue({0, number.high});
            })
        .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
              tensor::ExtractSliceOp, tensor::ExtractOp, tensor::SplatOp,
              tensor::GatherOp, SelectTokenOp>(
            [&](auto) { return moved(operand(0), op); })
        .Case<tensor::ConcatOp, tensor::FromElementsOp>(
            [&](auto) { return joined(op, op->getOperands()); })
        .Case<tensor::InsertSliceOp, tensor::InsertOp>(
            [&](auto) { return joined(op, op->getOperands().take_front(2)); })
        .Case([&](RouterOp o) {
          return constantValue({0, lastDim(o.getLogits()) - 1});
        })
        .Case([&](tensor::PadOp o) -> std::optional<IntegerValues> {
          Value padding = o.getConstantPaddingValue();
          if (!padding)
            return std::nullopt;
          return join(moved(operand(0), op), valueOf(padding));
        })
        .Default([](Operation *) { return std::nullopt; });
  }

  IntegerValues joined(Operation *op, ValueRange operands) {
    IntegerValues all;
    for (Value operand : operands) {
      // What nobody has written is not read.
      if (operand.getDefiningOp<tensor::EmptyOp>())
        continue;
      all = join(all, moved(valueOf(operand), op));
    }
    return all.empty() ? anything(widthOf(op->getResult(0).getType())) : all;
  }

  static Interval whole(const IntegerValues &known) {
    Interval all{std::numeric_limits<int64_t>::max(),
                 std::numeric_limits<int64_t>::min()};
    for (const Piece &piece : known) {
      Interval range = piece.values();
      all = {std::min(all.low, range.low), std::max(all.high, range.high)};
    }
    return all;
  }

  /// x & y where one of them is not negative.
  static std::optional<IntegerValues> masked(const IntegerValues &x,
                                             const IntegerValues &y) {
    Interval a = whole(x), b = whole(y);
    if (a.low < 0 && b.low < 0)
      return std::nullopt;
    int64_t high = a.low < 0   ? b.high
                   : b.low < 0 ? a.high
                               : std::min(a.high, b.high);
    return constantValue({0, high});
  }

  /// Numbers that may be negative get the greatest values of their type.
  static IntegerValues withoutSign(Operation *op, const IntegerValues &known,
                                   unsigned width) {
    unsigned from = widthOf(op->getOperand(0).getType());
    IntegerValues result;
    for (const Piece &piece : known) {
      Interval range = piece.values();
      if (range.low >= 0) {
        result.push_back(piece);
        continue;
      }
      Interval inside = insideFor(piece, {0, rangeOfWidth(64).high});
      auto push = [&](Interval when, bool isPlain) {
        if (when.empty())
          return;
        Piece part = piece;
        part.when = when;
        if (!isPlain) {
          part.slope = 0;
          part.offset = from < 64 && from < width
                            ? Interval{0, (int64_t{1} << from) - 1}
                            : rangeOfWidth(width);
        }
        result.push_back(part);
      };
      if (inside.empty()) {
        push(piece.when, false);
        continue;
      }
      push(inside, true);
      if (piece.when.low < inside.low)
        push({piece.when.low, inside.low - 1}, false);
      if (inside.high < piece.when.high)
        push({inside.high + 1, piece.when.high}, false);
    }
    return convert(result, width);
  }

  std::optional<IntegerValues> comparison(arith::CmpIOp op) {
    IntegerValues lhs = valueOf(op.getLhs()), rhs = valueOf(op.getRhs());
    using P = arith::CmpIPredicate;
    P predicate = op.getPredicate();
    if (widthOf(op.getLhs().getType()) == 1 && predicate != P::eq &&
        predicate != P::ne)
      return std::nullopt;
    switch (predicate) {
    case P::ult:
    case P::ule:
    case P::ugt:
    case P::uge:
      // Without sign the numbers below 0 are the greatest.
      if (whole(lhs).low < 0 || whole(rhs).low < 0)
        return unsignedComparison(predicate, lhs, rhs);
      break;
    default:
      break;
    }
    return signedComparison(predicate, lhs, rhs);
  }

  static IntegerValues signedComparison(arith::CmpIPredicate predicate,
                                        const IntegerValues &lhs,
                                        const IntegerValues &rhs) {
    using P = arith::CmpIPredicate;
    switch (predicate) {
    case P::eq:
      return compare(Relation::Equal, lhs, rhs);
    case P::ne:
      return logicalNot(compare(Relation::Equal, lhs, rhs));
    case P::slt:
    case P::ult:
      return compare(Relation::Less, lhs, rhs);
    case P::sle:
    case P::ule:
      return compare(Relation::LessEqual, lhs, rhs);
    case P::sgt:
    case P::ugt:
      return compare(Relation::Less, rhs, lhs);
    case P::sge:
    case P::uge:
      return compare(Relation::LessEqual, rhs, lhs);
    }
    llvm_unreachable("unknown predicate");
  }

  /// As with signs where these agree, otherwise the negative one is greater.
  static IntegerValues unsignedComparison(arith::CmpIPredicate predicate,
                                          const IntegerValues &lhs,
                                          const IntegerValues &rhs) {
    IntegerValues zero = constantValue({0, 0});
    IntegerValues lhsNegative = compare(Relation::Less, lhs, zero);
    IntegerValues rhsNegative = compare(Relation::Less, rhs, zero);
    IntegerValues agree = signedComparison(predicate, lhs, rhs);
    using P = arith::CmpIPredicate;
    bool isLess = predicate == P::ult || predicate == P::ule;
    IntegerValues one = constantValue({1, 1});
    return select(lhsNegative, select(rhsNegative, agree, isLess ? zero : one),
                  select(rhsNegative, isLess ? one : zero, agree));
  }

  func::FuncOp function;
  SmallVector<SmallVector<Interval>> allowed; ///< by argument
  llvm::DenseMap<Value, IntegerValues> values;
  /// Places of elements that were moved from a place in some way.
  std::map<Move, int64_t> places;
  int64_t numPlaces = 0, evaluation = 0, numEvaluations = 0;
  llvm::DenseSet<Operation *> active;
  bool isLast = false;
};

struct IndexLimitsPass : attnres::impl::IndexLimitsBase<IndexLimitsPass> {
  using IndexLimitsBase::IndexLimitsBase;

  void runOnOperation() override {
    auto target = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!target || target.isDeclaration()) {
      getOperation().emitError("expected a function named ") << function;
      return signalPassFailure();
    }
    if (failed(LimitAnalysis(target).run()))
      signalPassFailure();
  }
};

} // namespace
