//===- TrainingCompiler.cpp - the programs of a training run --------------===//
#include "tools/compile/TrainingCompiler.h"

#include "dialect/Attnres.h"
#include "support/BindingNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;
using runtime::Binding;
using runtime::Program;

static Result<Program> compile(const ModelSource &source,
                               CompileOptions options,
                               const ProgramCache &cache,
                               const StageObserver &observer = {}) {
  if (source.config)
    options.fuseLoss = wantsFusedLoss(*source.config, options);
  auto compileNow = [&] {
    return source.config ? compileModel(*source.config, options, observer)
                         : compileText(source.text, options, source.name,
                                       Stage::Model, observer);
  };
  if (observer.wants)
    return compileNow();
  return cache.get(source.config ? source.config->toJson() : source.text,
                   options, compileNow);
}

/// A function that returns as gradients the sums it is given, as text: that is
/// what compiled programs are kept by.
static std::string updateFunction(const Program &gradients) {
  MLIRContext context;
  context.loadDialect<AttnresDialect, func::FuncDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  SmallVector<Type> arguments, results;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  auto attributes = [&](const std::string &name, RoleAttr role) {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
         builder.getNamedAttr(kRoleAttr, role)});
  };
  for (const Binding &binding : gradients.bindings) {
    if (binding.direction != runtime::Direction::Input ||
        binding.role != runtime::Role::GradientSum)
      continue;
    auto parameter = static_cast<size_t>(binding.parameter);
    const std::string &name = gradients.bindings[parameter].name;
    Type type = RankedTensorType::get(binding.shape, builder.getF32Type());
    arguments.append(2, type);
    argumentAttrs.push_back(
        attributes(name, RoleAttr::get(&context, Role::Parameter)));
    argumentAttrs.push_back(attributes(
        binding.name, RoleAttr::get(&context, Role::GradientSum, name)));
    results.push_back(type);
    resultAttrs.push_back(attributes(
        names::gradient + name, RoleAttr::get(&context, Role::Gradient, name)));
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "main", builder.getFunctionType(arguments, results));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  SmallVector<Value> sums;
  for (unsigned i = 1; i < arguments.size(); i += 2)
    sums.push_back(function.getArgument(i));
  func::ReturnOp::create(builder, loc, sums);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

Result<TrainingCompilation> attnres::compileTraining(
    const ModelSource &source, const CompileOptions &options, bool inParts,
    const StageObserver &observer, const ProgramCache &cache) {
  CompileOptions training = options;
  training.loss = true;
  training.logits = false;
  training.stages.gradients = true;
  training.stages.sumGradients = inParts;
  training.stages.optimizer = !inParts;
  Result<Program> gradients = compile(source, training, cache, observer);
  if (!gradients.ok())
    return gradients.status();
  TrainingCompilation result{*std::move(gradients), std::nullopt};
  if (!inParts)
    return result;
  CompileOptions update = options;
  update.stages.optimizer = true;
  Result<Program> program =
      compile({std::nullopt, updateFunction(result.gradients)}, update, cache);
  if (!program.ok())
    return program.status();
  result.update = *std::move(program);
  return result;
}

Result<Program> attnres::compileEvaluation(const ModelSource &source,
                                           const CompileOptions &options,
                                           bool logits,
                                           const ProgramCache &cache) {
  CompileOptions evaluation = options;
  evaluation.loss = true;
  evaluation.logits = logits;
  evaluation.stages.recordWeights = true;
  return compile(source, evaluation, cache);
}
