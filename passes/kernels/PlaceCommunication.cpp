//===- PlaceCommunication.cpp - what processes do and tell each other -----===//
//
// Processes that train one model each compute gradients of some parts of a
// batch and update some of the parameters. Two facts about launches let a
// runtime do that without knowing what the launches compute:
//
//   * behind which launch the gradient sum of a parameter is complete, so that
//     it can leave while the launches after it run;
//   * which parameter alone a launch of the update works for, so that it is
//     left out where that parameter is somebody else's.
//
//===----------------------------------------------------------------------===//
#include "passes/analysis/FunctionNames.h"
#include "passes/kernels/Communication.h"

namespace attnres {
#define GEN_PASS_DEF_PLACECOMMUNICATION
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Of no parameter, of one, or of several.
struct Parameters {
  StringAttr one; ///< null unless there is exactly one
  bool several = false;

  void add(StringAttr name) {
    if (name)
      add(Parameters{name});
  }
  void add(Parameters other) {
    several |= other.several || (one && other.one && one != other.one);
    one = several ? StringAttr() : one ? one : other.one;
  }
};

struct PlaceCommunicationPass
    : attnres::impl::PlaceCommunicationBase<PlaceCommunicationPass> {
  using PlaceCommunicationBase::PlaceCommunicationBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isDeclaration() || !takesSums(main))
      return;
    placeReductions(main);
    if (updatesParameters(main))
      findOwners(main);
  }

private:
  static bool takesSums(func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (RoleAttr role = argumentRole(main, i))
        if (role.getKind() == Role::GradientSum)
          return true;
    return false;
  }

  static bool updatesParameters(func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (RoleAttr role = resultRole(main, i))
        if (role.getKind() == Role::Parameter)
          return true;
    return false;
  }

  //===--- Reductions -----------------------------------------------------===//

  void placeReductions(func::FuncOp main) {
    llvm::MapVector<Operation *, SmallVector<Attribute>> complete;
    Operation *exit = main.front().getTerminator();
    for (auto [index, value] : llvm::enumerate(exit->getOperands())) {
      RoleAttr role = resultRole(main, index);
      if (!role || role.getKind() != Role::GradientSum)
        continue;
      // A sum to which nothing is added has no launch.
      if (Operation *launch = findLaunch(value)) {
        complete[launch].push_back(role.getParameter());
        ++numReductions;
      }
    }
    for (auto &[launch, names] : complete)
      launch->setAttr(kCompletesAttr, ArrayAttr::get(&getContext(), names));
  }

  /// The launch that makes the value, behind views of it.
  static Operation *findLaunch(Value value) {
    Operation *op = value.getDefiningOp();
    while (op && !isa<LaunchOp>(op) && op->getNumOperands() > 0)
      op = op->getOperand(0).getDefiningOp();
    return isa_and_nonnull<LaunchOp>(op) ? op : nullptr;
  }

  //===--- Owners ---------------------------------------------------------===//

  void findOwners(func::FuncOp main) {
    DenseMap<Value, Parameters> sources = findSources(main);
    DenseMap<Value, Parameters> readers;
    DenseSet<Value> squares;
    Operation *exit = main.front().getTerminator();
    for (auto [index, value] : llvm::enumerate(exit->getOperands())) {
      RoleAttr role = resultRole(main, index);
      // Everybody reads these.
      bool isShared = !role || (role.getKind() != Role::Parameter &&
                                role.getKind() != Role::FirstMoment &&
                                role.getKind() != Role::SecondMoment);
      if (role && role.getKind() == Role::GradientSquares)
        squares.insert(value);
      readers[value].add(isShared ? Parameters{{}, true}
                                  : Parameters{updatedParameter(main, index)});
    }
    // Users stand behind what they use.
    for (Operation &op : llvm::reverse(main.front().without_terminator())) {
      Parameters later, earlier;
      for (Value result : op.getResults()) {
        later.add(readers.lookup(result));
        earlier.add(sources.lookup(result));
      }
      for (Value operand : op.getOperands())
        readers[operand].add(later);
      if (!isa<LaunchOp>(op))
        continue;
      bool makesSquares = llvm::all_of(
          op.getResults(), [&](Value v) { return squares.contains(v); });
      StringAttr owner = later.one;
      if (!owner && makesSquares)
        owner = earlier.one;
      if (!owner)
        continue;
      op.setAttr(kOwnerAttr, owner);
      ++numOwned;
    }
  }

  /// The parameters that values are computed from.
  static DenseMap<Value, Parameters> findSources(func::FuncOp main) {
    DenseMap<Value, Parameters> sources;
    for (BlockArgument argument : main.getArguments())
      sources[argument].add(parameterOf(main, argument.getArgNumber()));
    for (Operation &op : main.front()) {
      Parameters all;
      for (Value operand : op.getOperands())
        all.add(sources.lookup(operand));
      for (Value result : op.getResults())
        sources[result] = all;
    }
    return sources;
  }

  /// The parameter that an argument is, or belongs to; null for others.
  static StringAttr parameterOf(func::FuncOp main, unsigned argument) {
    RoleAttr role = argumentRole(main, argument);
    if (!role)
      return {};
    if (role.getKind() == Role::Parameter)
      return main.getArgAttrOfType<StringAttr>(argument, kNameAttr);
    return role.getParameter();
  }

  static StringAttr updatedParameter(func::FuncOp main, unsigned result) {
    auto updates = main.getResultAttrOfType<IntegerAttr>(result, kUpdatesAttr);
    return updates ? parameterOf(main, updates.getInt()) : StringAttr();
  }
};

} // namespace
