//===- IndexLimits.cpp - values that integer inputs may have --------------===//
//
// Evaluates a function on what its integers may be (IntegerValues.h), in
// program order, into bodies and calls. Where a value chooses an element, the
// inputs that would choose one outside are taken from what the input may be.
//
//===----------------------------------------------------------------------===//
#include "passes/training/IndexLimits.h"

#include "passes/Passes.h"
#include "passes/analysis/IntegerArithmetic.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

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

bool isInteger(Type type) {
  return getElementTypeOrSelf(type).isIntOrIndex() && integerWidth(type) <= 64;
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
          {isInteger(type) ? rangeOfWidth(integerWidth(type)) : Interval()});
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

  int64_t numChoices = 0, numLimited = 0;

private:
  int64_t newPlace() { return numPlaces++; }

  LogicalResult record() {
    Builder builder(function.getContext());
    for (auto [index, intervals] : llvm::enumerate(allowed)) {
      function.removeArgAttr(index, kLimitsAttr);
      Type type = function.getArgumentTypes()[index];
      if (!isInteger(type))
        continue;
      Interval full = rangeOfWidth(integerWidth(type));
      if (intervals.size() == 1 && intervals.front().contains(full))
        continue;
      SmallVector<int64_t> flat;
      for (Interval interval : intervals)
        flat.append({interval.low, interval.high});
      function.setArgAttr(index, kLimitsAttr,
                          builder.getDenseI64ArrayAttr(flat));
      ++numLimited;
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
    return anything(integerWidth(value.getType()));
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

  LogicalResult checkChoices(Operation *op) {
    auto choosing = dyn_cast<ChoosingOpInterface>(op);
    if (!choosing) {
      if (isa<AttnresDialect>(op->getDialect()) &&
          llvm::any_of(op->getOperandTypes(), isInteger))
        return op->emitOpError(
            "reads integers and does not say what they choose");
      return success();
    }
    bool areInside = true;
    for (const IndexChoice &choice : choosing.getIndexChoices()) {
      SmallVector<Interval> limits;
      for (IntegerRange range : choice.limits)
        limits.push_back({range.low, range.high});
      if (failed(choose(op, valueOf(choice.index), limits, choice.what)))
        areInside = false;
      numChoices += isLast;
    }
    return success(areInside);
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
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return evaluateBranch(branch);
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

  /// Each side with what the condition says of the number that it compares.
  LogicalResult evaluateBranch(scf::IfOp branch) {
    SmallVector<IntegerValues> results(branch.getNumResults());
    for (bool holds : {true, false}) {
      Region &region = holds ? branch.getThenRegion() : branch.getElseRegion();
      if (region.empty())
        continue;
      auto narrowed = narrow(branch.getCondition(), holds);
      if (narrowed && narrowed->second.empty()) // never taken
        continue;
      IntegerValues before;
      if (narrowed) {
        before = valueOf(narrowed->first);
        set(narrowed->first, narrowed->second);
      }
      if (failed(evaluate(region.front())))
        return failure();
      for (auto [result, yielded] : llvm::zip(
               results, region.front().getTerminator()->getOperands()))
        if (isInteger(yielded.getType()))
          result = join(result, valueOf(yielded));
      if (narrowed)
        set(narrowed->first, before);
    }
    for (auto [result, known] : llvm::zip_equal(branch.getResults(), results))
      if (isInteger(result.getType()) && !known.empty())
        set(result, known);
    return success();
  }

  /// What a number may be where a comparison of it with a constant holds or
  /// not; nothing where that says nothing.
  std::optional<std::pair<Value, IntegerValues>> narrow(Value condition,
                                                        bool holds) {
    auto compared = condition.getDefiningOp<arith::CmpIOp>();
    std::optional<int64_t> limit =
        compared ? getConstantIntValue(compared.getRhs()) : std::nullopt;
    if (!limit)
      return std::nullopt;
    IntegerValues known = valueOf(compared.getLhs());
    using Predicate = arith::CmpIPredicate;
    Predicate predicate = compared.getPredicate();
    bool isUnsigned =
        predicate == Predicate::ult || predicate == Predicate::ule ||
        predicate == Predicate::ugt || predicate == Predicate::uge;
    // Numbers without a sign are compared like those with one.
    if (isUnsigned &&
        (*limit < 0 || !llvm::all_of(known, [](const Piece &piece) {
           return piece.values().low >= 0;
         })))
      return std::nullopt;
    Interval allowed;
    if (predicate == Predicate::ult || predicate == Predicate::slt ||
        predicate == Predicate::uge || predicate == Predicate::sge) {
      if (*limit == std::numeric_limits<int64_t>::min())
        return std::nullopt;
      bool below = holds == (predicate == Predicate::ult ||
                             predicate == Predicate::slt);
      (below ? allowed.high : allowed.low) = below ? *limit - 1 : *limit;
    } else if (predicate == Predicate::ule || predicate == Predicate::sle ||
               predicate == Predicate::ugt || predicate == Predicate::sgt) {
      if (*limit == std::numeric_limits<int64_t>::max())
        return std::nullopt;
      bool below = holds == (predicate == Predicate::ule ||
                             predicate == Predicate::sle);
      (below ? allowed.high : allowed.low) = below ? *limit : *limit + 1;
    } else {
      return std::nullopt;
    }
    IntegerValues result;
    for (Piece piece : known) {
      if ((piece.values() & allowed).empty())
        continue;
      if (piece.slope == 0)
        piece.offset = piece.offset & allowed;
      result.push_back(piece);
    }
    return std::make_pair(compared.getLhs(), result);
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
                        ? anything(integerWidth(argument.getType()))
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
    if (auto known = dyn_cast<IntegerResultOpInterface>(op))
      return comesFrom(known.getIntegerOrigin(), op);
    return integerArithmetic(
        op, [&](unsigned i) { return valueOf(op->getOperand(i)); });
  }

  std::optional<IntegerValues> comesFrom(const IntegerOrigin &origin,
                                         Operation *op) {
    IntegerValues all;
    if (origin.range)
      all = constantValue({origin.range->low, origin.range->high});
    for (Value value : origin.values)
      // What nobody has written is not read.
      if (!value.getDefiningOp<tensor::EmptyOp>())
        all = join(all, moved(valueOf(value), op));
    if (all.empty())
      return std::nullopt;
    return all;
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
    LimitAnalysis analysis(target);
    if (failed(analysis.run()))
      return signalPassFailure();
    numChoices += analysis.numChoices;
    numLimited += analysis.numLimited;
  }
};

} // namespace
