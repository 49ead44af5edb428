//===- MatmulKernels.h - Products for tests and benchmarks ------*- C++ -*-===//

#ifndef ATTNRES_TEST_UNIT_PASSES_MATMULKERNELS_H
#define ATTNRES_TEST_UNIT_PASSES_MATMULKERNELS_H

#include "JitKernel.h"
#include "passes/cpu/MatmulEmitter.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace attnres::cpu {

enum class ElementType { F32, BF16 };

/// Memory as the runtime provides it: aligned, large blocks in large pages.
template <typename T>
struct TensorAllocator {
  using value_type = T;
  TensorAllocator() = default;
  template <typename U>
  TensorAllocator(const TensorAllocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(get(count * sizeof(T))); }
  void deallocate(T *memory, size_t) { std::free(memory); }
  bool operator==(const TensorAllocator &) const { return true; }
  bool operator!=(const TensorAllocator &) const { return false; }

private:
  static void *get(size_t bytes) {
    constexpr size_t largePage = size_t(2) << 20;
    bool isLarge = bytes >= largePage / 2;
    size_t alignment = isLarge ? largePage : 64;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void *memory = std::aligned_alloc(alignment, bytes);
    if (isLarge)
      madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  }
};

/// Numbers in f32 or bf16.
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
  std::vector<Line, TensorAllocator<Line>> memory;
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
