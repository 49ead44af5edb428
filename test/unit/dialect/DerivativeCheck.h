//===- DerivativeCheck.h - gradients against differences --------*- C++ -*-===//
//
// A function of tensors becomes a scalar loss, the sum of its results times
// random weights. What `--attnres-differentiate` returns for each parameter is
// compared with central differences of the loss along random directions, in
// float64 in the reference interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TEST_UNIT_DIALECT_DERIVATIVECHECK_H
#define ATTNRES_TEST_UNIT_DIALECT_DERIVATIVECHECK_H

#include "test/unit/RandomProgram.h"

#include "passes/Passes.h"

namespace attnres::testing {

using namespace mlir;

/// Adds sum(weights * value) to `total`, as [] in f32.
inline Value addWeightedSum(OpBuilder &b, Location loc, Value value,
                            Value total, std::mt19937_64 &random) {
  auto type = cast<RankedTensorType>(value.getType());
  auto f32 = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  };
  if (!type.getElementType().isF32())
    value = arith::ExtFOp::create(b, loc, f32(type.getShape()), value);
  int64_t size = type.getNumElements();
  if (type.getRank() > 1) {
    SmallVector<ReassociationIndices> all{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))};
    value = tensor::CollapseShapeOp::create(b, loc, f32({size}), value, all);
  }
  SmallVector<ReassociationIndices> groups;
  if (type.getRank() > 0)
    groups.push_back({0, 1});
  value = tensor::ExpandShapeOp::create(b, loc, f32({1, size}), value, groups);
  std::normal_distribution<float> normal;
  SmallVector<float> weights(size);
  for (float &weight : weights)
    weight = normal(random);
  Value row = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(f32({1, size}), ArrayRef(weights)));
  Value sum = LinearOp::create(b, loc, value, row, Value());
  sum = tensor::CollapseShapeOp::create(b, loc, f32({}), sum,
                                        ArrayRef<ReassociationIndices>());
  return total ? arith::AddFOp::create(b, loc, total, sum) : sum;
}

/// Makes the only result of @main a loss of its results; every floating-point
/// argument becomes a parameter.
inline void makeLoss(ModuleOp module, std::mt19937_64 &random) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  Operation *exit = function.front().getTerminator();
  OpBuilder b(exit);
  Value total;
  for (Value result : exit->getOperands())
    if (cast<RankedTensorType>(result.getType()).getNumElements() > 0)
      total = addWeightedSum(b, function.getLoc(), result, total, random);
  exit->setOperands(total);
  function.setFunctionType(
      b.getFunctionType(function.getArgumentTypes(), total.getType()));
  function.setResultAttr(0, kNameAttr, b.getStringAttr("loss"));
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    bool real =
        isa<FloatType>(getElementTypeOrSelf(function.getArgumentTypes()[i]));
    function.setArgAttr(
        i, kRoleAttr,
        RoleAttr::get(b.getContext(), real ? Role::Parameter : Role::Input));
    function.setArgAttr(i, kNameAttr, b.getStringAttr("p" + Twine(i)));
  }
}

/// Compares the gradients of @main, whose first result is the loss, with
/// differences, up to `tolerance` of the size of what is added. Returns loss and
/// gradients.
inline SmallVector<Tensor> checkGradients(ModuleOp module,
                                          std::mt19937_64 &random,
                                          double tolerance = 1e-6) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  size_t results = function.getNumResults();
  OwningOpRef<ModuleOp> forward = module.clone();
  if (!runPipeline(module, "attnres-differentiate"))
    return {};
  SmallVector<Tensor> inputs = randomInputs(function, random);
  SmallVector<Tensor> values = evaluate(module, inputs);
  size_t parameters = llvm::count_if(
      inputs, [](const Tensor &input) { return !input.isInteger; });
  if (values.size() != results + parameters) {
    ADD_FAILURE() << "expected a gradient for each of " << parameters
                  << " parameters, got " << values.size() << " results";
    return {};
  }
  size_t next = results;
  for (size_t p = 0; p < inputs.size(); ++p) {
    if (inputs[p].isInteger)
      continue;
    const Tensor &grad = values[next++];
    EXPECT_EQ(grad.shape, inputs[p].shape);
    Tensor direction = randomTensor(function.getArgumentTypes()[p], random);
    double predicted = 0, size = 1;
    for (int64_t i = 0; i < grad.size(); ++i) {
      predicted += grad.reals[i] * direction.reals[i];
      size += std::fabs(grad.reals[i] * direction.reals[i]);
    }
    const double h = 1e-5;
    auto lossAt = [&](double step) {
      SmallVector<Tensor> moved(inputs);
      for (int64_t i = 0; i < grad.size(); ++i)
        moved[p].reals[i] += step * direction.reals[i];
      SmallVector<Tensor> out = evaluate(*forward, moved);
      return out.empty() ? NAN : out.front().reals.front();
    };
    double measured = (lossAt(h) - lossAt(-h)) / (2 * h);
    EXPECT_NEAR(predicted, measured, tolerance * size) << "parameter " << p;
  }
  // Erasing nothing would move every tensor onto itself, which empties it.
  if (results > 1)
    values.erase(values.begin() + 1, values.begin() + results);
  return values;
}

/// The same for a function given as text that returns any tensors.
inline SmallVector<Tensor> checkDerivative(StringRef text, uint64_t seed = 1) {
  SCOPED_TRACE(text.str());
  OwningOpRef<ModuleOp> module = parseModule(text);
  if (!module)
    return {};
  std::mt19937_64 random(seed);
  makeLoss(*module, random);
  return checkGradients(*module, random);
}

} // namespace attnres::testing

#endif
