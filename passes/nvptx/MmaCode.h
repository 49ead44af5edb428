//===- MmaCode.h - code of blocks with matrix instructions ------*- C++ -*-===//
//
// What kernels with matrix instructions are written in: 32-bit integers with
// operators, addresses, copies to shared memory that do not wait, and matrix
// instructions of a warp. Numbers are scalars of LLVM's types throughout, so
// that accumulators are registers.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_MMACODE_H
#define ATTNRES_PASSES_NVPTX_MMACODE_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

namespace attnres::nvptx {

class MmaCode;

/// Registers of a lane.
using Registers = llvm::SmallVector<mlir::Value>;

/// An operand of matrix instructions in registers: bf16, or f32 as a sum of two
/// tf32, of which the product of two such sums lacks only what is below 2^-22.
struct MmaOperand {
  Registers high, low;
};

/// An i32 that is not negative, with arithmetic that folds constants.
struct Int {
  const MmaCode *code;
  mlir::Value value;
};

class MmaCode {
public:
  /// Code of blocks of `threads` threads where the builder stands, inside of a
  /// function of a module.
  MmaCode(mlir::OpBuilder &builder, mlir::Location loc, int64_t threads);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t threads;
  /// Of this thread in its block, and of the block in the grid.
  Int thread, lane, warp, block;

  //===--- Numbers --------------------------------------------------------===//

  Int number(int64_t value) const;
  Int asInt(mlir::Value value) const { return {this, value}; }
  Int min(Int a, Int b) const;
  Int quotient(Int a, Int b) const;
  Int remainder(Int a, Int b) const;
  /// max(a - b, 0)
  Int subtractOrZero(Int a, Int b) const;
  Int select(mlir::Value condition, Int a, Int b) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  mlir::Value isLess(Int a, Int b) const;
  mlir::Value isEqual(Int a, Int b) const;
  /// The one behind `stage` of a pipeline of so many, which begins again.
  Int nextStage(Int stage, int64_t stages) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;
  /// a * factor as i64.
  mlir::Value wide(Int a, int64_t factor) const;
  mlir::Value number64(int64_t value) const;
  mlir::Value addWide(mlir::Value a, mlir::Value b) const;
  mlir::Value mulWide(mlir::Value a, int64_t factor) const;
  /// Element `index` of i64 in memory, the nearest number in [0, last] to it.
  Int clampedElement(mlir::Value pointer, Int index, int64_t last) const;

  mlir::Value f32(double value) const;
  mlir::Value zero16() const; ///< an i16
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value max(mlir::Value a, mlir::Value b) const;
  /// Of the special function units, with a relative error of 2^-22.
  mlir::Value exp2(mlir::Value x) const;
  mlir::Value log2(mlir::Value x) const;
  mlir::Value reciprocal(mlir::Value x) const;

  mlir::Type i32() const, i64() const, f32() const;
  mlir::Value toBits(mlir::Value f32) const;
  mlir::Value fromBits(mlir::Value i32) const;
  /// Two f32 rounded to bf16, the first in the lower half.
  mlir::Value packBf16(mlir::Value low, mlir::Value high) const;
  /// The f32 of the lower or upper half of such a pair.
  mlir::Value unpackBf16(mlir::Value pair, bool isHigh) const;
  /// f32 to an i16 of bf16, and back.
  mlir::Value toBf16(mlir::Value value) const;
  mlir::Value fromBf16(mlir::Value bits) const;

  //===--- Control --------------------------------------------------------===//

  /// `for i = from; i < to; i += step`, which returns what is carried.
  Registers loop(Int from, Int to, int64_t step, mlir::ValueRange init,
                 llvm::function_ref<Registers(Int i, mlir::ValueRange carried)>
                     body) const;
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body) const;
  Registers ifElse(mlir::Value condition, mlir::TypeRange types,
                   llvm::function_ref<Registers()> yes,
                   llvm::function_ref<Registers()> no) const;
  /// Of all threads of the block.
  void barrier() const;

  //===--- Memory ---------------------------------------------------------===//

  /// Where the dynamic shared memory of the block begins, at a multiple of
  /// 1024 bytes.
  mlir::Value shared;
  mlir::Value offset(mlir::Value pointer, Int bytes) const;
  mlir::Value offset(mlir::Value pointer, int64_t bytes) const;
  mlir::Value offsetWide(mlir::Value pointer, mlir::Value bytes) const;
  mlir::Value load(mlir::Value pointer, mlir::Type type, int64_t bytes) const;
  void store(mlir::Value value, mlir::Value pointer, int64_t bytes) const;
  /// The elements of a vector, and a vector of elements.
  Registers elementsOf(mlir::Value vector) const;
  mlir::Value vectorOf(mlir::ValueRange elements) const;

  /// A copy of 4, 8 or 16 bytes from global to shared memory that goes on in
  /// the background. Of `present` bytes, where given; zeros take the place of
  /// the others.
  void copyAsync(mlir::Value to, mlir::Value from, int64_t bytes,
                 mlir::Value present = {}) const;
  void commitCopies() const;
  /// Waits until all but the last `pending` commits of this thread are done.
  void waitForCopies(int64_t pending) const;

  /// As many numbers in global memory that begin as 0, for isLastToArrive.
  mlir::Value arrivals(int64_t count) const;
  /// Whether this block is the last of `count` that come here with one `index`
  /// into `arrivals`; then it sees what the others have written before.
  mlir::Value isLastToArrive(mlir::Value arrivals, Int index,
                             int64_t count) const;

  //===--- Of a warp ------------------------------------------------------===//

  mlir::Value shuffleXor(mlir::Value value, int64_t mask) const;
  /// ldmatrix.x4 of eight rows of 16 bytes each: lane l has the address of row
  /// l % 8 of matrix l / 8. A lane gets the pair 2 (l % 4) of row l / 4, and
  /// transposed the pair of rows 2 (l % 4) of column l / 4.
  Registers loadMatrices(mlir::Value pointer, bool transposed) const;
  /// Fragments of bf16 or f32 (see MmaTile.h) as an operand.
  MmaOperand operand(const Registers &fragment, bool isBf16) const;
  /// Sums of 16 rows as a left operand: step `step` of the depth, 16 bf16 or 8
  /// f32, in the order of TileShape::Reads::EvenQuads.
  MmaOperand operandOfSums(llvm::ArrayRef<mlir::Value> sums, int64_t step,
                           bool isBf16) const;
  /// sums += left right for 16 rows and 16 columns, the columns' eights one
  /// after the other. Lane 4 g + t has columns 2 t and 2 t + 1 of row g, then
  /// of row g + 8.
  void multiplyAdd(const MmaOperand &left, const MmaOperand &right,
                   llvm::MutableArrayRef<mlir::Value> sums) const;
  /// Stores what this lane has of a row's eight columns from `first` on. The
  /// row begins at `rowStart` and has `size` columns, perhaps fewer than that.
  void storePair(mlir::Value rowStart, Int first, int64_t size,
                 bool mayEndBefore, std::array<mlir::Value, 2> values,
                 bool isBf16) const;

private:
  /// d = a b + c of 16 x 8 elements: 16 bf16 deep, or 8 tf32.
  Registers mma(mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c,
                bool isBf16) const;
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type type,
                        mlir::ValueRange operands) const;
};

Int operator+(Int a, Int b);
Int operator-(Int a, Int b);
Int operator*(Int a, Int b);
Int operator^(Int a, Int b);
Int operator+(Int a, int64_t b);
Int operator-(Int a, int64_t b);
Int operator*(Int a, int64_t b);
Int operator/(Int a, int64_t b);
Int operator%(Int a, int64_t b);

} // namespace attnres::nvptx

#endif
