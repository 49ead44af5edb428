//===- PipelineParts.cpp - where a model can be cut -----------------------===//
#include "passes/kernels/PipelineParts.h"

#include "passes/analysis/FunctionNames.h"
#include "passes/kernels/Communication.h"
#include "support/BindingNames.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace attnres;

Operation *attnres::launchOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && !isa<LaunchOp>(op) && op->getNumOperands() > 0)
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<LaunchOp>(op) ? op : nullptr;
}

bool attnres::isBackward(Operation *launch) {
  auto phase = launch->getAttrOfType<PhaseAttr>(kPhaseAttr);
  return phase && phase.getValue() != Phase::Forward;
}

namespace {

/// What a value is computed from.
struct Origin {
  bool parameters = false, inputs = false, forward = false;
  int64_t part = -1; ///< the last of its parameters and forward values
  /// The first part among its gradients; none without one.
  std::optional<int64_t> gradient;
  /// The first and the last part of the parameters that it reads.
  int64_t firstRead = std::numeric_limits<int64_t>::max(), lastRead = -1;

  void add(const Origin &other) {
    parameters |= other.parameters;
    inputs |= other.inputs;
    forward |= other.forward;
    part = std::max(part, other.part);
    if (other.gradient)
      gradient = std::min(gradient.value_or(*other.gradient), *other.gradient);
    firstRead = std::min(firstRead, other.firstRead);
    lastRead = std::max(lastRead, other.lastRead);
  }
};

class PartFinder {
public:
  explicit PartFinder(func::FuncOp main) : main(main) {}

  FailureOr<PipelineParts> run() {
    if (failed(readArguments()))
      return failure();
    for (auto [index, value] :
         llvm::enumerate(main.front().getTerminator()->getOperands()))
      if (Operation *launch = launchOf(value))
        returned.try_emplace(launch, index);
    result.costs.assign(result.count, 0);
    for (Operation &op : main.front().without_terminator())
      place(&op);
    for (int64_t part = 0; part < result.count; ++part)
      if (llvm::none_of(spans, [&](auto span) {
            return span.first < part && part <= span.second;
          }))
        result.borders.push_back(part);
    return std::move(result);
  }

private:
  LogicalResult readArguments() {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (hasRole(main, i, Role::Parameter)) {
        auto part = main.getArgAttrOfType<IntegerAttr>(i, kPartAttr);
        constexpr int64_t most = 1 << 12;
        if (!part || part.getInt() < 0 || part.getInt() >= most)
          return emitError(main.getArgument(i).getLoc(), "expected parameter ")
                 << argumentName(main, i) << " to have " << kPartAttr
                 << ": a model is cut where it says which part of its stack "
                    "each parameter belongs to";
        partOfParameter[argumentName(main, i)] = part.getInt();
        result.count = std::max(result.count, part.getInt() + 1);
      }
    for (BlockArgument argument : main.getArguments()) {
      unsigned i = argument.getArgNumber();
      Origin &origin = origins[argument];
      RoleAttr role = argumentRole(main, i);
      if (hasRole(main, i, Role::Parameter)) {
        origin.parameters = true;
        origin.part = origin.firstRead = origin.lastRead =
            partOfParameter.lookup(argumentName(main, i));
      } else if (argumentName(main, i) == names::lossWeight) {
        origin.gradient = result.count - 1;
      } else {
        // A sum of a parameter that is added to comes from nowhere.
        origin.inputs = !role || !role.getParameter();
      }
    }
    return success();
  }

  void place(Operation *op) {
    Origin origin;
    for (Value operand : op->getOperands())
      origin.add(origins[operand]);
    if (auto launch = dyn_cast<LaunchOp>(op))
      placeLaunch(launch, origin);
    for (Value value : op->getResults())
      origins[value] = origin;
  }

  /// Sets the part of a launch that has one, and makes the origin that of its
  /// results.
  void placeLaunch(LaunchOp launch, Origin &origin) {
    bool prepares = !origin.forward && !origin.gradient &&
                    !(origin.parameters && origin.inputs);
    bool recomputes = isBackward(launch) && !origin.gradient;
    auto output = returned.find(launch);
    if ((prepares || recomputes) && output == returned.end())
      return;
    int64_t part = origin.part;
    if (origin.gradient)
      part = part < 0 ? *origin.gradient : std::min(part, *origin.gradient);
    else if (part < 0)
      part = output == returned.end() ? 0 : partOfResult(output->second);
    result.partOf[launch] = part;
    if (!isBackward(launch) && origin.lastRead >= 0)
      spans.push_back({origin.firstRead, origin.lastRead});
    if (KernelOp kernel = launch.lookupKernel())
      result.costs[part] += static_cast<double>(kernel.getFlops().value_or(0));
    bool isGradient = origin.gradient.has_value();
    origin = {};
    if (isGradient) {
      origin.gradient = part;
    } else {
      origin.forward = true;
      origin.part = part;
    }
  }

  /// Of what is computed of nothing that has a part.
  int64_t partOfResult(unsigned index) {
    RoleAttr role = resultRole(main, index);
    return role && role.getParameter()
               ? partOfParameter.lookup(role.getParameter().getValue())
               : 0;
  }

  func::FuncOp main;
  PipelineParts result;
  llvm::StringMap<int64_t> partOfParameter;
  DenseMap<Value, Origin> origins;
  /// Of launches that make a result of the function, one of these.
  DenseMap<Operation *, unsigned> returned;
  /// The first and the last part that a launch reads parameters of.
  SmallVector<std::pair<int64_t, int64_t>> spans;
};

} // namespace

FailureOr<PipelineParts> PipelineParts::of(func::FuncOp main) {
  return PartFinder(main).run();
}

std::vector<int64_t> attnres::chooseStages(const std::vector<int64_t> &borders,
                                           const std::vector<double> &costs,
                                           int64_t stages) {
  auto count = static_cast<int64_t>(borders.size());
  if (count < stages)
    return {};
  std::vector<int64_t> ends = borders;
  ends.push_back(static_cast<int64_t>(costs.size()));
  std::vector<double> before(costs.size() + 1); // of the parts before each
  for (size_t part = 0; part < costs.size(); ++part)
    before[part + 1] = before[part] + costs[part];
  // best[s][b]: the most that one of s stages does, of what begins at border b.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> best(stages + 1,
                                        std::vector<double>(count + 1, never));
  best[0][count] = 0;
  auto most = [&](int64_t left, int64_t from, int64_t to) {
    return std::max(before[ends[to]] - before[ends[from]], best[left - 1][to]);
  };
  for (int64_t left = 1; left <= stages; ++left)
    for (int64_t from = 0; from < count; ++from)
      for (int64_t to = from + 1; to <= count; ++to)
        best[left][from] = std::min(best[left][from], most(left, from, to));
  std::vector<int64_t> starts;
  for (int64_t left = stages, from = 0; left > 0; --left) {
    starts.push_back(borders[from]);
    int64_t to = from + 1;
    while (most(left, from, to) > best[left][from])
      ++to;
    from = to;
  }
  return starts;
}
