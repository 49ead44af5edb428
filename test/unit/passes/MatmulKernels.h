//===- MatmulKernels.h - Products for tests and benchmarks ------*- C++ -*-===//

#ifndef ATTNRES_TEST_UNIT_PASSES_MATMULKERNELS_H
#define ATTNRES_TEST_UNIT_PASSES_MATMULKERNELS_H

#include "JitKernel.h"
#include "passes/cpu/MatmulEmitter.h"
#include <cstring>

namespace attnres::cpu {

enum class ElementType { F32, BF16 };

/// Numbers in f32 or bf16, in memory aligned to 64 bytes.
class Tensor {
public:
  Tensor(ElementType type, const std::vector<float> &values);
  /// `count` NaNs.
  static Tensor poison(ElementType type, int64_t count);

  float operator[](int64_t i) const;
  const void *data() const { return memory.data(); }
  void *data() { return memory.data(); }
  int64_t elementBytes() const { return type == ElementType::F32 ? 4 : 2; }

private:
  struct alignas(64) Line {
    char bytes[64];
  };
  ElementType type;
  std::vector<Line> memory;
};

/// The kernels "pack" (for a packed right operand) and "matmul" of a product.
struct ProductKernels {
  int64_t m, n, k;
  MatmulOptions options = {};
  ElementType typeA = ElementType::F32, typeB = ElementType::F32,
              typeC = ElementType::F32;
  CpuTarget target = CpuTarget::host();
  bool packsTransposed = false; ///< B is [N,K] before packing

  bool isPacked() const { return options.right == RightOperand::Packed; }
  bool isTransposedB() const {
    return isPacked() ? packsTransposed
                      : options.right == RightOperand::Transposed;
  }
  int64_t getPackedElements() const;
  /// A module with the kernels in cpu-stage form.
  mlir::OwningOpRef<mlir::ModuleOp> build(mlir::MLIRContext &context) const;
  std::unique_ptr<JitModule> compile() const;
};

} // namespace attnres::cpu

#endif // ATTNRES_TEST_UNIT_PASSES_MATMULKERNELS_H
