//===- Generator.cpp - functions of random modules ------------------------===//
#include "dialect/Attnres.h"
#include "tools/fuzz/ModuleBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

void ModuleBuilder::step() {
  int64_t kind = random.below(100);
  if (kind < 50)
    attnresStep();
  else if (kind < 78)
    builtinStep();
  else
    linalgStep();
}

/// Names and roles as programs have them, and as they should not.
void ModuleBuilder::nameArguments(func::FuncOp function) {
  int64_t named = random.pick({0, 100, 100, 60});
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (!random.chance(named))
      continue;
    std::string name =
        random.pick({"w", "x", "block.weight", "p"}) + std::to_string(i);
    if (!options.computable && random.chance(4))
      name = random.pick({"", "w0", "step", "loss", "\"", "m.w0", "grad.w0",
                          "learning_rate", "loss_weight"});
    function.setArgAttr(i, kNameAttr, b.getStringAttr(name));
    bool isReal =
        isa<FloatType>(getElementTypeOrSelf(function.getArgument(i).getType()));
    Role role =
        isReal ? random.pick({Role::Parameter, Role::Parameter, Role::Input})
               : Role::Input;
    if (!options.computable && random.chance(5))
      role = random.pick({Role::State, Role::Parameter, Role::Output});
    Attribute attribute = RoleAttr::get(b.getContext(), role);
    if (!options.computable && random.chance(2))
      attribute = b.getStringAttr(random.pick({"parameter", ""}));
    function.setArgAttr(i, kRoleAttr, attribute);
    if (random.chance(3))
      function.setArgAttr(i, "attnres.decay", b.getBoolAttr(random.chance(50)));
  }
}

void ModuleBuilder::nameResults(func::FuncOp function) {
  bool hasLoss = false;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Type type = function.getResultTypes()[i];
    std::string name = "y" + std::to_string(i);
    if (type == RankedTensorType::get({}, b.getF32Type()) && !hasLoss) {
      name = "loss";
      hasLoss = true;
    } else if (!options.computable && random.chance(5)) {
      name = random.pick({"loss", "", "grad.w0", "w0", "y0"});
    }
    if (random.chance(80))
      function.setResultAttr(i, kNameAttr, b.getStringAttr(name));
    if (!options.computable && random.chance(6))
      function.setResultAttr(i, kUpdatesAttr,
                             random.chance(90)
                                 ? Attribute(b.getI64IntegerAttr(random.between(
                                       -1, function.getNumArguments())))
                                 : Attribute(b.getStringAttr("w")));
  }
}

/// A second block behind a branch.
void ModuleBuilder::splitBlocks(func::FuncOp function) {
  Block &entry = function.front();
  int64_t count = std::distance(entry.begin(), entry.end());
  Block *rest = entry.splitBlock(std::next(entry.begin(), random.below(count)));
  b.setInsertionPointToEnd(&entry);
  cf::BranchOp::create(b, loc, rest);
}

void ModuleBuilder::declaration() {
  SmallVector<Type> arguments, results;
  for (int64_t i = random.below(3); i > 0; --i)
    arguments.push_back(odd(tensor(shape(), element())));
  for (int64_t i = random.below(3); i > 0; --i)
    results.push_back(odd(tensor(shape(), element())));
  b.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(b, loc, "external",
                                       b.getFunctionType(arguments, results));
  function.setPrivate();
  functions.push_back(function);
}

void ModuleBuilder::function(StringRef name, bool isMain) {
  b.setInsertionPointToEnd(module->getBody());
  current = func::FuncOp::create(b, loc, name, b.getFunctionType({}, {}));
  if (!isMain && random.chance(70))
    current.setPrivate();
  b.setInsertionPointToEnd(current.addEntryBlock());
  pool.clear();
  for (int64_t i = random.below(3); i > 0; --i)
    argument(odd(tensor(shape(), element())));
  steps(random.between(isMain ? 1 : 0, isMain ? options.maxSteps : 4));

  // Results: what was made last, mostly; also arguments, and a value twice.
  Values results;
  bool wantsLoss = isMain && random.chance(50);
  if (wantsLoss)
    results.push_back(get(RankedTensorType::get({}, b.getF32Type())));
  for (int64_t i = random.pick({0, 1, 1, 1, 2, 2, 3}); i > 0; --i)
    if (!pool.empty())
      results.push_back(
          random.chance(60)
              ? pool[pool.size() - 1 -
                     random.below(std::min<size_t>(4, pool.size()))]
              : random.pick(pool));
  func::ReturnOp::create(b, loc, results);
  current.setFunctionType(b.getFunctionType(current.front().getArgumentTypes(),
                                            ValueRange(results).getTypes()));
  if (isMain || random.chance(10)) {
    nameArguments(current);
    nameResults(current);
  }
  if (!options.computable && random.chance(2))
    splitBlocks(current);
  functions.push_back(current);
}

OwningOpRef<ModuleOp> ModuleBuilder::build() {
  module = ModuleOp::create(loc);
  if (!options.computable && random.chance(10))
    declaration();
  for (int64_t i = random.pick({0, 0, 0, 1, 2}); i > 0; --i)
    function("f" + std::to_string(i), /*isMain=*/false);
  function(options.computable || random.chance(95) ? "main" : "other",
           /*isMain=*/true);
  if (succeeded(verify(*module)))
    return std::move(module);
  // A launch of a kernel that suits it not: rare, and no use in mending it.
  return nullptr;
}

OwningOpRef<ModuleOp> fuzz::generate(MLIRContext *context, uint64_t seed,
                                     const GeneratorOptions &options) {
  // Whatever is refused is not generated; nobody wants to read why.
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  for (uint64_t attempt = 0;; ++attempt)
    if (auto module =
            ModuleBuilder(context, seed + (attempt << 48), options).build())
      return module;
}
