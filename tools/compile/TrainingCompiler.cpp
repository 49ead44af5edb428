//===- TrainingCompiler.cpp - the programs of a training run --------------===//
#include "tools/compile/TrainingCompiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace attnres;
using runtime::Binding;
using runtime::Program;

static Result<Program> compile(const ModelSource &source,
                               CompileOptions options,
                               const ProgramCache &cache) {
  if (!source.config)
    return cache.get(source.text, options, [&] {
      return compileText(source.text, options, source.name);
    });
  options.fuseLoss = wantsFusedLoss(*source.config, options);
  return cache.get(source.config->toJson(), options,
                   [&] { return compileModel(*source.config, options); });
}

/// "tensor<4x8xf32>".
static std::string tensorType(const Binding &binding) {
  std::string type = "tensor<";
  for (int64_t dim : binding.shape)
    type += concat(dim, "x");
  return type + "f32>";
}

/// `name` as it stands between quotation marks in MLIR.
static std::string escape(const std::string &name) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::printEscapedString(name, stream);
  return text;
}

/// A function that returns as gradients the sums it is given.
static std::string updateFunction(const Program &gradients) {
  std::string arguments, results, values, types;
  int64_t count = 0;
  for (const Binding &binding : gradients.bindings) {
    if (binding.direction != runtime::Direction::Input ||
        binding.role != runtime::Role::GradientSum)
      continue;
    auto parameter = static_cast<size_t>(binding.parameter);
    std::string name = escape(gradients.bindings[parameter].name);
    std::string type = tensorType(binding);
    const char *comma = count ? ", " : "";
    arguments +=
        concat(comma, "%p", count, ": ", type, " {attnres.name = \"", name,
               "\", attnres.role = #attnres.role<parameter>}, ", "%g", count,
               ": ", type, " {attnres.name = \"", escape(binding.name),
               "\", attnres.role = ", "#attnres.role<gradient_sum of \"", name,
               "\">}");
    results +=
        concat(comma, type, " {attnres.name = \"grad.", name,
               "\", attnres.role = #attnres.role<gradient of \"", name, "\">}");
    values += concat(comma, "%g", count);
    types += concat(comma, type);
    ++count;
  }
  return concat("func.func @main(", arguments, ") -> (", results,
                ") {\n  return ", values, " : ", types, "\n}\n");
}

Result<TrainingCompilation>
attnres::compileTraining(const ModelSource &source,
                         const CompileOptions &options, bool inParts,
                         const ProgramCache &cache) {
  CompileOptions training = options;
  training.loss = true;
  training.logits = false;
  training.stages.gradients = true;
  training.stages.sumGradients = inParts;
  training.stages.optimizer = !inParts;
  Result<Program> gradients = compile(source, training, cache);
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
