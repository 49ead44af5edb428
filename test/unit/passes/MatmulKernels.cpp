//===- MatmulKernels.cpp - Products for tests and benchmarks --------------===//

#include "MatmulKernels.h"

#include "passes/cpu/LowerToLLVM.h"
#include <cmath>

using namespace mlir;
using namespace attnres::cpu;

static uint16_t roundToBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

Tensor::Tensor(ElementType type, const std::vector<float> &values)
    : type(type), memory(values.size() / 8 + 1) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == ElementType::F32) {
      static_cast<float *>(data())[i] = values[i];
    } else {
      static_cast<uint16_t *>(data())[i] = roundToBf16(values[i]);
    }
  }
}

Tensor Tensor::poison(ElementType type, int64_t count) {
  Tensor tensor(type, std::vector<float>(count));
  std::memset(tensor.data(), 0xff, tensor.memory.size() * sizeof(Line));
  return tensor;
}

float Tensor::operator[](int64_t i) const {
  if (type == ElementType::F32)
    return static_cast<const float *>(data())[i];
  uint32_t bits = static_cast<const uint16_t *>(data())[i] << 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

int64_t ProductKernels::getPackedElements() const {
  return (n + target.tileColumns - 1) / target.tileColumns * k *
         target.tileColumns;
}

OwningOpRef<ModuleOp> ProductKernels::build(MLIRContext &context) const {
  loadCpuDialects(context);
  context.loadDialect<attnres::AttnresDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto getType = [&](ElementType element, int64_t rows, int64_t columns) {
    Type type = element == ElementType::F32 ? Type(builder.getF32Type())
                                            : Type(builder.getBF16Type());
    return MemRefType::get({rows, columns}, type);
  };
  auto transpose = [&](ElementType element, int64_t rows, int64_t columns,
                       bool isTransposed) {
    return isTransposed ? getType(element, columns, rows)
                        : getType(element, rows, columns);
  };
  Type b = transpose(typeB, k, n, isTransposedB()), panels = b;
  if (isPacked()) {
    panels = getPackedType(&context, n, k, target);
    builder.setInsertionPointToEnd(module->getBody());
    KernelFunction pack = createKernel(builder, loc, "pack", b, panels);
    emitPack(builder, pack, target, packsTransposed);
  }
  Type c = getType(typeC, m, n);
  SmallVector<Type> inputs{transpose(typeA, m, k, options.transposedA), panels};
  if (options.hasBias)
    inputs.push_back(MemRefType::get({n}, builder.getF32Type()));
  if (options.hasInit)
    inputs.push_back(c);
  builder.setInsertionPointToEnd(module->getBody());
  KernelFunction matmul = createKernel(builder, loc, "matmul", inputs, c);
  emitMatmul(builder, matmul, target, options);
  if (options.hasInit)
    matmul.function.setInplace(inputs.size() - 1);
  return module;
}

std::unique_ptr<JitModule> ProductKernels::compile() const {
  MLIRContext context;
  return JitModule::compile(*build(context), target);
}
