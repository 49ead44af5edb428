//===- Reference.cpp - what a model means, in float64 ---------------------===//
#include "tools/compile/Reference.h"

#include "dialect/interpreter/Interpreter.h"
#include "passes/Passes.h"
#include "tools/compile/Compilation.h"
#include "tools/compile/Diagnostics.h"

using namespace mlir;
using namespace attnres;

/// A tensor of `type` that holds `values`.
static Result<Tensor> toTensor(Type type, const std::string &name,
                               const std::vector<double> &values) {
  auto shaped = cast<RankedTensorType>(type);
  if (shaped.getNumElements() != static_cast<int64_t>(values.size()))
    return invalidArgument("input ", inQuotes(name), ": expected ",
                           shaped.getNumElements(), " elements, got ",
                           values.size());
  if (isa<FloatType>(shaped.getElementType()))
    return Tensor::ofReals(shaped.getShape(), values);
  return Tensor::ofIntegers(shaped.getShape(),
                            std::vector<int64_t>(values.begin(), values.end()));
}

Result<NamedValues> attnres::interpretModel(const ModelConfig &config,
                                            const CompileOptions &options,
                                            Stage stage,
                                            const NamedValues &inputs) {
  Compilation compilation(config, options);
  if (Status status = compilation.advance(stage); !status.ok())
    return status;
  auto main = compilation.module().lookupSymbol<func::FuncOp>("main");
  SmallVector<Tensor> arguments;
  for (BlockArgument argument : main.getArguments()) {
    std::string name =
        main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr)
            .str();
    auto found = inputs.find(name);
    if (found == inputs.end())
      return invalidArgument("no input ", inQuotes(name));
    Result<Tensor> tensor = toTensor(argument.getType(), name, found->second);
    if (!tensor.ok())
      return tensor.status();
    arguments.push_back(*std::move(tensor));
  }
  DiagnosticCapture diagnostics(*main.getContext());
  FailureOr<SmallVector<Tensor>> results = interpret(main, arguments);
  if (failed(results))
    return diagnostics.status("interpreting the model");
  NamedValues values;
  for (auto [index, result] : llvm::enumerate(*results)) {
    std::string name =
        main.getResultAttrOfType<StringAttr>(index, kNameAttr).str();
    values[name] = result.isInteger
                       ? std::vector<double>(result.integers.begin(),
                                             result.integers.end())
                       : std::move(result.reals);
  }
  return values;
}
