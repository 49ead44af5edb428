//===- CheckMemoryPlan.cpp - prove that a memory plan loses no value ------===//
//
// Runs a planned function on memory whose bytes are named by the value that
// was last written there. Knows nothing of lifetimes: a plan is right when
// every read finds the value it is meant to find.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/Locations.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"

#include <map>

namespace attnres {
#define GEN_PASS_DEF_CHECKMEMORYPLAN
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Bytes [offset, offset + bytes) of a value that an argument, a constant or a
/// launch produced.
struct Piece {
  Value value;
  int64_t offset;
  int64_t bytes;
};

/// What a value consists of, and where it starts.
struct Tracked {
  SmallVector<Piece, 1> pieces;
  BufferAttr buffer;
};

/// Which value owns which bytes of one argument, result or arena.
class Memory {
public:
  struct Extent {
    int64_t end;
    Value owner;
    int64_t ownerBegin; ///< where the owner's first byte is
  };

  void write(int64_t begin, int64_t bytes, Value owner) {
    if (bytes == 0)
      return;
    cut(begin);
    cut(begin + bytes);
    extents.erase(extents.lower_bound(begin),
                  extents.lower_bound(begin + bytes));
    extents[begin] = {begin + bytes, owner, begin};
  }

  /// Whether bytes [begin, begin + piece.bytes) are those of the piece; if not,
  /// `intruder` is the value found instead, null where nothing was written.
  bool holds(int64_t begin, const Piece &piece, Value &intruder) const {
    intruder = nullptr;
    int64_t end = begin + piece.bytes;
    auto extent = extents.upper_bound(begin);
    if (extent != extents.begin())
      --extent;
    for (int64_t at = begin; at < end; ++extent) {
      if (extent == extents.end() || extent->first > at ||
          extent->second.end <= at)
        return false;
      if (extent->second.owner != piece.value ||
          extent->second.ownerBegin != begin - piece.offset) {
        intruder = extent->second.owner;
        return false;
      }
      at = extent->second.end;
    }
    return true;
  }

private:
  /// Makes no extent cross `at`.
  void cut(int64_t at) {
    auto next = extents.lower_bound(at);
    if (next == extents.begin())
      return;
    auto &[begin, extent] = *std::prev(next);
    if (extent.end <= at)
      return;
    extents[at] = extent;
    extent.end = at;
  }

  std::map<int64_t, Extent> extents; ///< by first byte, not overlapping
};

class Checker {
public:
  Checker(func::FuncOp function, int64_t workspaceBytes, int64_t constantBytes)
      : function(function), workspaceBytes(workspaceBytes),
        constantBytes(constantBytes) {}

  LogicalResult run() {
    if (failed(verifyOneBlock(function)) || failed(verifyTypes()))
      return failure();
    findParts();
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (auto updates =
              function.getResultAttrOfType<IntegerAttr>(i, kUpdatesAttr))
        updated.insert(updates.getInt());
    for (BlockArgument argument : function.getArguments()) {
      BufferAttr buffer = BufferAttr::get(
          function.getContext(), BufferKind::Argument, argument.getArgNumber(),
          /*offset=*/0);
      define(argument, buffer);
      memory(buffer).write(0, tensorBytes(argument), argument);
    }
    for (Operation &op : function.front().without_terminator())
      if (failed(visit(op)))
        return failure();
    return visitReturn(function.front().getTerminator());
  }

private:
  /// Whatever has a place has a size.
  LogicalResult verifyTypes() {
    for (Type type : function.getArgumentTypes())
      if (failed(verifyProgramType(function, type)))
        return failure();
    for (Operation &op : function.front().without_terminator())
      for (Type type : op.getResultTypes())
        if (failed(verifyProgramType(&op, type)))
          return failure();
    return success();
  }

  Memory &memory(BufferAttr buffer) {
    return memories[{static_cast<int>(buffer.getKind()), buffer.getIndex()}];
  }

  void define(Value value, BufferAttr buffer) {
    tracked[value] = {{Piece{value, 0, tensorBytes(value)}}, buffer};
  }

  /// Operands of concatenations need no alignment of their own.
  void findParts() {
    for (auto concat : function.getOps<tensor::ConcatOp>())
      for (Value operand : concat.getInputs()) {
        parts.insert(operand);
        while (Operation *op = operand.getDefiningOp()) {
          int64_t offset;
          if (!isView(op, operand, offset))
            break;
          parts.insert(operand);
        }
      }
  }

  LogicalResult visit(Operation &op) {
    Value source;
    int64_t offset;
    if (auto launch = dyn_cast<LaunchOp>(op))
      return visitLaunch(launch);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return visitConstant(constant);
    if (auto concat = dyn_cast<tensor::ConcatOp>(op);
        concat && concat.getDim() == 0)
      return visitConcat(concat);
    if (isView(&op, source, offset)) {
      visitView(op.getResult(0), source, offset);
      return success();
    }
    return op.emitOpError("has no place in a planned function");
  }

  LogicalResult visitConstant(arith::ConstantOp constant) {
    auto buffer = constant->getAttrOfType<BufferAttr>(kBufferAttr);
    if (!isa<RankedTensorType>(constant.getType()) || !buffer ||
        buffer.getKind() != BufferKind::Constant)
      return emitError(nearestLocation(constant),
                       "expected a constant tensor with ")
             << kBufferAttr << " in the constants, got " << constant.getType();
    if (failed(checkBounds(constant, "the constant", constant, buffer)))
      return failure();
    define(constant, buffer);
    memory(buffer).write(buffer.getOffset(), tensorBytes(constant), constant);
    return success();
  }

  void visitView(Value view, Value source, int64_t offset) {
    const Tracked &from = tracked.at(source);
    Tracked result;
    result.buffer = moved(from.buffer, offset);
    int64_t begin = offset, end = offset + tensorBytes(view), at = 0;
    for (const Piece &piece : from.pieces) {
      int64_t first = std::max(begin, at);
      int64_t last = std::min(end, at + piece.bytes);
      if (first < last)
        result.pieces.push_back(
            {piece.value, piece.offset + first - at, last - first});
      at += piece.bytes;
    }
    tracked[view] = result;
  }

  LogicalResult visitConcat(tensor::ConcatOp concat) {
    auto buffer = concat->getAttrOfType<BufferAttr>(kBufferAttr);
    if (!buffer)
      return concat.emitOpError("expected ") << kBufferAttr;
    Tracked result;
    result.buffer = buffer;
    int64_t offset = 0;
    for (auto [index, operand] : llvm::enumerate(concat.getInputs())) {
      const Tracked &part = tracked.at(operand);
      BufferAttr expected = moved(buffer, offset);
      if (part.buffer != expected && tensorBytes(operand) > 0)
        return concat.emitOpError("expected operand ")
               << index << " at " << expected << ", got " << part.buffer;
      result.pieces.append(part.pieces);
      offset += tensorBytes(operand);
    }
    tracked[concat] = result;
    return success();
  }

  LogicalResult visitLaunch(LaunchOp launch) {
    if (!launch.getOperandBuffers() || !launch.getResultBuffers())
      return launch.emitOpError("has no operand_buffers or result_buffers");
    auto operandBuffers = launch.getOperandBuffersAttr();
    auto resultBuffers = launch.getResultBuffersAttr();
    for (auto [index, operand] : llvm::enumerate(launch.getInputs()))
      if (failed(checkRead(launch, "operand " + Twine(index), operand,
                           cast<BufferAttr>(operandBuffers[index]))))
        return failure();
    for (auto [index, result] : llvm::enumerate(launch.getResults()))
      if (failed(checkWrite(launch, index,
                            cast<BufferAttr>(resultBuffers[index]))))
        return failure();
    for (auto [index, result] : llvm::enumerate(launch.getResults())) {
      auto buffer = cast<BufferAttr>(resultBuffers[index]);
      define(result, buffer);
      memory(buffer).write(buffer.getOffset(), tensorBytes(result), result);
    }
    return success();
  }

  LogicalResult visitReturn(Operation *exit) {
    for (auto [index, value] : llvm::enumerate(exit->getOperands())) {
      auto updates =
          function.getResultAttrOfType<IntegerAttr>(index, kUpdatesAttr);
      BufferAttr buffer =
          BufferAttr::get(function.getContext(),
                          updates ? BufferKind::Argument : BufferKind::Result,
                          updates ? updates.getInt() : index, /*offset=*/0);
      if (failed(checkRead(exit, "result " + Twine(index), value, buffer)))
        return failure();
    }
    return success();
  }

  //===--- Conditions -----------------------------------------------------===//

  /// `value` was placed at `buffer` and is still there.
  LogicalResult checkRead(Operation *op, const Twine &what, Value value,
                          BufferAttr buffer) {
    const Tracked &from = tracked.at(value);
    int64_t bytes = tensorBytes(value);
    if (from.buffer != buffer && bytes > 0) {
      InFlightDiagnostic error = op->emitOpError("expected ")
                                 << what << " at " << from.buffer << ", got "
                                 << buffer;
      return error.attachNote(value.getLoc()) << "placed here";
    }
    int64_t at = buffer.getOffset();
    for (const Piece &piece : from.pieces) {
      Value intruder;
      if (!memory(buffer).holds(at, piece, intruder)) {
        InFlightDiagnostic error = op->emitOpError()
                                   << what << " at " << buffer
                                   << " was overwritten before this use";
        if (intruder)
          error.attachNote(intruder.getLoc()) << "overwritten here";
        error.attachNote(piece.value.getLoc()) << "value defined here";
        return error;
      }
      at += piece.bytes;
    }
    return success();
  }

  LogicalResult checkWrite(LaunchOp launch, size_t index, BufferAttr buffer) {
    Value result = launch.getResult(index);
    std::string what = ("result " + Twine(index)).str();
    if (buffer.getKind() == BufferKind::Constant)
      return launch.emitOpError() << what << " is written to a constant";
    if (buffer.getKind() == BufferKind::Argument &&
        failed(checkUpdate(launch, what, buffer)))
      return failure();
    if (failed(checkBounds(launch, what, result, buffer)))
      return failure();
    for (size_t other = 0; other < index; ++other)
      if (overlap(result, buffer, launch.getResult(other),
                  resultBuffer(launch, other)))
        return launch.emitOpError()
               << what << " at " << buffer << " overlaps result " << other
               << " at " << resultBuffer(launch, other);
    return checkInPlace(launch, index, buffer);
  }

  /// Only the results that update an argument are written to it.
  LogicalResult checkUpdate(LaunchOp launch, StringRef what,
                            BufferAttr buffer) {
    if (updated.contains(buffer.getIndex()))
      return success();
    return launch.emitOpError()
           << what << " is written to argument " << buffer.getIndex()
           << ", which no result updates";
  }

  /// A result may overlap an operand only when it replaces exactly that operand
  /// and its kernel allows it.
  LogicalResult checkInPlace(LaunchOp launch, size_t index, BufferAttr buffer) {
    KernelOp &kernel = kernels[launch.getKernelAttr()];
    if (!kernel)
      kernel = launch.lookupKernel();
    Value result = launch.getResult(index);
    KernelSlot resultSlot = kernelSlots(launch.getResultGroups())[index];
    SmallVector<KernelSlot> slots = kernelSlots(launch.getOperandGroups());
    for (auto [i, operand] : llvm::enumerate(launch.getInputs())) {
      auto operandBuffer = cast<BufferAttr>(launch.getOperandBuffersAttr()[i]);
      if (!overlap(result, buffer, operand, operandBuffer))
        continue;
      if (mayReuse(kernel, resultSlot, slots[i]) && buffer == operandBuffer &&
          tensorBytes(result) == tensorBytes(operand))
        continue;
      return launch.emitOpError("result ")
             << index << " at " << buffer << " overlaps operand " << i << " at "
             << operandBuffer << ", which kernel " << launch.getKernelAttr()
             << " does not allow";
    }
    return success();
  }

  static BufferAttr resultBuffer(LaunchOp launch, size_t index) {
    return cast<BufferAttr>(launch.getResultBuffersAttr()[index]);
  }

  static bool overlap(Value a, BufferAttr at, Value b, BufferAttr bt) {
    return at.getKind() == bt.getKind() && at.getIndex() == bt.getIndex() &&
           at.getOffset() < bt.getOffset() + tensorBytes(b) &&
           bt.getOffset() < at.getOffset() + tensorBytes(a);
  }

  /// `value` at `buffer` is aligned and inside its memory.
  LogicalResult checkBounds(Operation *op, StringRef what, Value value,
                            BufferAttr buffer) {
    if (buffer.getOffset() % kBufferAlignment != 0 && !parts.contains(value))
      return op->emitOpError()
             << what << " at " << buffer << " is not aligned to "
             << kBufferAlignment << " bytes";
    std::optional<int64_t> limit = bytesOf(buffer);
    if (!limit)
      return op->emitOpError() << what << " at " << buffer
                               << ", which the function does not have";
    if (tensorBytes(value) > *limit - buffer.getOffset())
      return op->emitOpError()
             << what << " of " << tensorBytes(value) << " bytes at " << buffer
             << " ends beyond the " << *limit << " bytes there";
    return success();
  }

  /// Bytes of the whole memory that the buffer lies in.
  std::optional<int64_t> bytesOf(BufferAttr buffer) {
    switch (buffer.getKind()) {
    case BufferKind::Workspace:
      return workspaceBytes;
    case BufferKind::Constant:
      return constantBytes;
    case BufferKind::Argument:
      if (buffer.getIndex() < function.getNumArguments())
        return tensorBytes(function.getArgument(buffer.getIndex()));
      return std::nullopt;
    case BufferKind::Result:
      if (buffer.getIndex() < function.getNumResults())
        return tensorBytes(
            function.front().getTerminator()->getOperand(buffer.getIndex()));
      return std::nullopt;
    }
    llvm_unreachable("unknown kind");
  }

  static BufferAttr moved(BufferAttr buffer, int64_t bytes) {
    return BufferAttr::get(buffer.getContext(), buffer.getKind(),
                           buffer.getIndex(), buffer.getOffset() + bytes);
  }

  func::FuncOp function;
  int64_t workspaceBytes;
  int64_t constantBytes;
  DenseSet<Value> parts;
  DenseSet<int64_t> updated; ///< arguments
  DenseMap<Value, Tracked> tracked;
  DenseMap<Attribute, KernelOp> kernels; ///< by name
  std::map<std::pair<int, int64_t>, Memory> memories;
};

struct CheckMemoryPlanPass
    : attnres::impl::CheckMemoryPlanBase<CheckMemoryPlanPass> {
  using CheckMemoryPlanBase::CheckMemoryPlanBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) {
      getOperation().emitError("expected a function named main");
      return signalPassFailure();
    }
    auto workspace =
        getOperation()->getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr);
    auto constants =
        getOperation()->getAttrOfType<IntegerAttr>(kConstantBytesAttr);
    if (!workspace || !constants) {
      getOperation().emitError("expected ")
          << kWorkspaceBytesAttr << " and " << kConstantBytesAttr;
      return signalPassFailure();
    }
    if (failed(Checker(main, workspace.getInt(), constants.getInt()).run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
