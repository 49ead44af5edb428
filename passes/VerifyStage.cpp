//===- VerifyStage.cpp - which operations are alive at a stage ------------===//
//
// The rules of docs/stages.md. A pass that leaves something behind that the
// next ones would not understand shows here, at the place of the operation.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/Target.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"

#include "llvm/ADT/StringSet.h"

namespace attnres {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What belongs to a model under some name must be found again under it.
static LogicalResult verifyNames(func::FuncOp main) {
  llvm::StringMap<unsigned> arguments, results;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    Attribute attribute = main.getArgAttr(i, kNameAttr);
    if (!attribute)
      continue;
    if (!isa<StringAttr>(attribute))
      return emitError(main.getArgument(i).getLoc(), "expected argument ")
             << i << " to have a text as attnres.name, got " << attribute;
    StringRef name = argumentName(main, i);
    if (name.empty())
      return emitError(main.getArgument(i).getLoc(), "expected argument ")
             << i << " to have an attnres.name that is not empty";
    auto [entry, isNew] = arguments.try_emplace(name, i);
    if (isNew)
      continue;
    auto error = emitError(main.getArgument(i).getLoc(),
                           "expected arguments of different names, got ")
                 << attribute << " for argument " << i << " too";
    error.attachNote(main.getArgument(entry->second).getLoc())
        << "argument " << entry->second << " has this name";
    return error;
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    Attribute attribute = main.getResultAttr(i, kNameAttr);
    if (!attribute)
      continue;
    if (!isa<StringAttr>(attribute) || resultName(main, i).empty())
      return main.emitError("expected result ")
             << i << " to have a text that is not empty as attnres.name, got "
             << attribute;
    StringRef name = resultName(main, i);
    auto [entry, isNew] = results.try_emplace(name, i);
    if (!isNew)
      return main.emitError("expected results of different names, got ")
             << attribute << " for results " << entry->second << " and " << i;
    // The result that replaces an argument may have its name.
    auto argument = arguments.find(name);
    if (argument != arguments.end() && !main.getResultAttr(i, kUpdatesAttr))
      return main.emitError("expected a result that updates no argument to "
                            "have another name than argument ")
             << argument->second << ", got " << attribute << " for result "
             << i;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// The names of all parameters of `main`.
static llvm::StringSet<> parameterNames(func::FuncOp main) {
  llvm::StringSet<> names;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (hasRole(main, i, Role::Parameter))
      names.insert(argumentName(main, i));
  return names;
}

/// Every role is one that an argument or result can have, belongs to a
/// parameter that there is, and is the only one of its kind for it.
static LogicalResult verifyRoles(func::FuncOp main) {
  llvm::StringSet<> parameters = parameterNames(main);
  llvm::SmallDenseSet<RoleAttr> owned;
  auto verify = [&](Attribute attribute, bool isArgument,
                    unsigned index) -> LogicalResult {
    if (!attribute)
      return success();
    auto error = [&] {
      return emitError(isArgument ? main.getArgument(index).getLoc()
                                  : main.getLoc(),
                       "expected ")
             << (isArgument ? "argument " : "result ") << index;
    };
    RoleAttr role = toRole(attribute);
    if (!role || isArgumentRole(role.getKind()) != isArgument)
      return error() << " to have a role of "
                     << (isArgument ? "arguments" : "results")
                     << " as attnres.role, such as "
                     << RoleAttr::get(main.getContext(), isArgument
                                                             ? Role::Parameter
                                                             : Role::Output)
                     << ", got " << attribute;
    if (!role.getParameter())
      return success();
    if (!parameters.contains(role.getParameter().getValue()))
      return error() << " to belong to a parameter of the function, got "
                     << role;
    if (!owned.insert(role).second)
      return error() << " to have another role than those before, got " << role;
    return success();
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (failed(verify(main.getArgAttr(i, kRoleAttr), /*isArgument=*/true, i)))
      return failure();
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    Attribute role = main.getResultAttr(i, kRoleAttr);
    if (role && main.getResultAttr(i, kUpdatesAttr))
      return main.emitError("expected result ")
             << i << " to have no attnres.role besides that of the argument "
             << "that it updates, got " << role;
    if (failed(verify(role, /*isArgument=*/false, i)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isIn(Operation *op, std::initializer_list<StringRef> dialects) {
  return llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

/// Operations on tensors: those of known dialects, and any that says what it is
/// to a row. Scalar code inside of them has loops of its own.
static LogicalResult verifyTensorOps(Block &body, StringRef stage) {
  auto isKnown = [](Operation *op) {
    return isIn(op, {"attnres", "arith", "math", "linalg", "tensor"}) ||
           isa<RowOpInterface>(op);
  };
  for (Operation &op : body.without_terminator())
    if (!isKnown(&op) || isa<StackOp, LaunchOp>(op))
      return op.emitOpError("is no operation of the stage ") << stage;
  return success();
}

static LogicalResult verifyLaunches(func::FuncOp main, StringRef stage) {
  for (Operation &op : main.front().without_terminator()) {
    if (Attribute phase = op.getAttr(kPhaseAttr);
        phase && !isa<PhaseAttr>(phase))
      return op.emitOpError("expected attnres.phase to be a phase, such as ")
             << PhaseAttr::get(op.getContext(), Phase::Update) << ", got "
             << phase;
    Value source;
    int64_t offset;
    bool isConcat =
        isa<tensor::ConcatOp>(op) && cast<tensor::ConcatOp>(op).getDim() == 0;
    if (!isa<LaunchOp, arith::ConstantOp>(op) && !isConcat &&
        !isView(&op, source, offset))
      return op.emitOpError("was not put into a kernel at the stage ") << stage;
  }
  return success();
}

static LogicalResult verifyStage(ModuleOp module, Stage stage) {
  StringRef name = toString(stage);
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (stage >= Stage::Kernels && !main)
    return module.emitError("expected a function named main");
  if (main && !main.isDeclaration()) {
    if (failed(findProgram(module, "main")) || failed(verifyNames(main)) ||
        failed(verifyRoles(main)))
      return failure();
    if (stage >= Stage::Kernels
            ? failed(verifyLaunches(main, name))
            : stage > Stage::Model &&
                  failed(verifyTensorOps(main.front(), name)))
      return failure();
  }
  if (stage < Stage::Kernels)
    return success();
  std::unique_ptr<Target> target = createTargetOf(stage);
  for (auto kernel : module.getOps<KernelOp>()) {
    if (kernel.isExternal())
      return kernel.emitError("expected a kernel with a body");
    if (failed(target ? target->verifyCode(kernel)
                      : verifyTensorOps(kernel.front(), name)))
      return failure();
  }
  return success();
}

namespace {
struct VerifyStagePass : attnres::impl::VerifyStageBase<VerifyStagePass> {
  using VerifyStageBase::VerifyStageBase;

  void runOnOperation() override {
    std::optional<Stage> wanted = parseStage(stage.getValue());
    if (!wanted) {
      getOperation().emitError("unknown stage '") << stage << "'";
      return signalPassFailure();
    }
    if (failed(verifyStage(getOperation(), *wanted)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
