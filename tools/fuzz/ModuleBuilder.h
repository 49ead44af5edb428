//===- ModuleBuilder.h - what the parts of the generator share --*- C++ -*-===//
//
// Internal to the generator. A ModuleBuilder draws types and values and builds
// operations; the steps of each dialect are member functions in a file of their
// own. "Step" means: append one operation, or a few that belong together.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_FUZZ_MODULEBUILDER_H
#define ATTNRES_TOOLS_FUZZ_MODULEBUILDER_H

#include "tools/fuzz/Generator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace attnres::fuzz {

using mlir::ArrayRef;
using mlir::Attribute;
using mlir::NamedAttribute;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::SmallVector;
using mlir::StringRef;
using mlir::Type;
using mlir::TypeRange;
using mlir::Value;

using Shape = SmallVector<int64_t>;
using Values = SmallVector<Value>;
using Attributes = SmallVector<NamedAttribute>;

class ModuleBuilder {
public:
  ModuleBuilder(mlir::MLIRContext *context, uint64_t seed,
                const GeneratorOptions &options);
  mlir::OwningOpRef<mlir::ModuleOp> build();

private:
  //===--------------------------------------------------------------------===//
  // Types: a module has few sizes and element types, so that values fit
  // together.
  //===--------------------------------------------------------------------===//

  int64_t size() { return random.pick(sizes); }
  /// `count` sizes, 0 to 4 unless given.
  Shape shape(int64_t count = -1);
  /// `of` with one more size at its end.
  static Shape with(Shape of, int64_t last) {
    of.push_back(last);
    return of;
  }
  Type element() { return random.pick(elements); }
  Type floatElement();
  /// What activations are kept in, mostly: f32 or bf16.
  Type storage();
  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element);
  RankedTensorType f32(ArrayRef<int64_t> shape);
  RankedTensorType i64(ArrayRef<int64_t> shape);
  /// Sometimes another type than `type`.
  Type odd(Type type);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// A value of exactly this type: one that is there, or a new one.
  Value get(Type type);
  /// A new one: an argument, a constant, something empty or filled.
  Value fresh(Type type);
  Value constant(Type type);
  Value index(int64_t value);
  Value argument(Type type);
  Values get(int64_t count, Type type);
  /// Any value that is there and fulfils `condition`; null when there is none.
  Value any(llvm::function_ref<bool(Type)> condition);
  /// A tensor that is there (or new).
  mlir::TypedValue<RankedTensorType> anyTensor(int64_t leastRank = 0);

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  NamedAttribute named(StringRef name, Attribute value) {
    return b.getNamedAttr(name, value);
  }
  NamedAttribute real(StringRef name, double value) {
    return named(name, b.getF64FloatAttr(value));
  }
  NamedAttribute integer(StringRef name, int64_t value) {
    return named(name, b.getI64IntegerAttr(value));
  }
  NamedAttribute unit(StringRef name) { return named(name, b.getUnitAttr()); }

  /// Builds an operation from groups of operands (one group for each operand
  /// of the definition, where that matters), sometimes damaged. Result types
  /// are inferred unless given. Null when the verifier refuses it.
  Operation *op(StringRef name, ArrayRef<Values> groups,
                Attributes attributes = {},
                std::optional<TypeRange> results = std::nullopt);
  /// Keeps `built` and makes its results available if it verifies, else
  /// erases it.
  Operation *keep(Operation *built);
  void damage(SmallVector<Values> &groups, Attributes &attributes,
              bool hasSegments);
  Attribute oddAttribute(Attribute attribute);

  /// Runs `body` with the insertion point at the end of `block`, whose
  /// arguments can be used there too. What is made inside cannot be used
  /// afterwards.
  void inside(mlir::Block &block, llvm::function_ref<void()> body);

  void step();
  void steps(int64_t count);

  // Builtin dialects (BuiltinSteps.cpp).
  void builtinStep();
  /// An arith or math operation of this result type, on scalars or tensors.
  Value elementwise(Type type);
  Value conversion(Type type);
  Value comparison(Type type);
  void tensorStep();
  void sliceStep();
  void reshapeStep();
  void controlStep();
  void callStep();

  // linalg (LinalgSteps.cpp).
  void linalgStep();
  void genericStep();
  void namedStep();
  template <typename Op>
  void structured(ArrayRef<Value> inputs, Value init) {
    keep(Op::create(b, loc, TypeRange(init.getType()), mlir::ValueRange(inputs),
                    mlir::ValueRange(init)));
  }
  /// Scalar operations on the arguments of `block`, which yields values of
  /// these types with an operation called `terminator`.
  void scalarBody(mlir::Block &block, TypeRange types, StringRef terminator,
                  int64_t loops);
  Value scalar(Type type, int64_t depth, int64_t loops);

  // attnres (AttnresSteps.cpp).
  void attnresStep();
  void depthStep();
  void attentionStep();
  void layerStep();
  void lossStep();
  void optimizerStep();
  void stackStep();
  void kernelStep();
  void launchStep();

  // Functions (Generator.cpp).
  void function(StringRef name, bool isMain);
  void declaration();
  void nameArguments(mlir::func::FuncOp function);
  void nameResults(mlir::func::FuncOp function);
  void splitBlocks(mlir::func::FuncOp function);

  const GeneratorOptions &options;
  Random random;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp current;
  /// The functions that are finished.
  SmallVector<mlir::func::FuncOp> functions;
  SmallVector<int64_t> sizes;
  SmallVector<Type> elements;
  /// On some tensor types of this module.
  Attribute encoding;
  /// Values that dominate the insertion point.
  Values pool;
  /// How many times at most an operation is damaged when it would not be.
  int64_t wildness = 0;
  /// Nested regions around the insertion point.
  int64_t nesting = 0;
};

} // namespace attnres::fuzz

#endif
