//===- PlanMemory.cpp - decide where every tensor is ----------------------===//
//
// Every value lies at an offset inside a storage. Views, concatenations and
// results written in place share one storage; storages that nothing else pins
// to an argument or a result are packed into the arena by the time they live.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/Locations.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"

#include "llvm/ADT/MapVector.h"

namespace attnres {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Memory of one or more values.
struct Storage {
  int64_t bytes;
  BufferKind kind = BufferKind::Workspace;
  int64_t index = 0; ///< of the argument or result
  int64_t offset = 0;
  // The launches that write it first and use it last, counted from 0.
  int64_t firstWrite = 0;
  int64_t lastUse = -1;
  // The storage that this one is a part of, itself when it is whole.
  size_t parent;
  int64_t offsetInParent = 0;
};

/// What a gap in the arena is searched by: small, since every storage that was
/// placed is looked at for each that is to be.
struct Placed {
  int64_t begin, end; ///< in the arena
  int64_t firstWrite, lastUse;
};

/// A place in a whole storage.
struct Place {
  size_t storage;
  int64_t offset;
};

class Planner {
public:
  explicit Planner(func::FuncOp function)
      : function(function), context(function.getContext()) {}

  LogicalResult run() {
    if (failed(placeArguments()) || failed(placeBody()) ||
        failed(placeResults()))
      return failure();
    for (auto [time, launch] : llvm::enumerate(launches))
      reuseOperands(launch, time);
    if (failed(checkUpdates()))
      return failure();
    packWorkspace();
    packConstants();
    annotate();
    return success();
  }

  int64_t workspaceBytes = 0;
  int64_t liveBytes = 0;
  int64_t constantBytes = 0;
  int64_t numInplace = 0;

private:
  //===--- Storages -------------------------------------------------------===//

  size_t addStorage(Value value) {
    Storage storage;
    storage.bytes = tensorBytes(value);
    storage.parent = storages.size();
    storage.firstWrite = launches.size();
    storages.push_back(storage);
    places[value] = {storage.parent, 0};
    return storage.parent;
  }

  Place find(Value value) const {
    Place place = places.lookup(value);
    while (storages[place.storage].parent != place.storage) {
      place.offset += storages[place.storage].offsetInParent;
      place.storage = storages[place.storage].parent;
    }
    return place;
  }

  /// Makes `part` a part of `whole`.
  void join(size_t part, size_t whole, int64_t offset) {
    Storage &inner = storages[part], &outer = storages[whole];
    inner.parent = whole;
    inner.offsetInParent = offset;
    outer.firstWrite = std::min(outer.firstWrite, inner.firstWrite);
    outer.lastUse = std::max(outer.lastUse, inner.lastUse);
  }

  bool coversStorage(Value value) const {
    Place place = find(value);
    return place.offset == 0 &&
           tensorBytes(value) == storages[place.storage].bytes;
  }

  //===--- Values ---------------------------------------------------------===//

  LogicalResult placeArguments() {
    if (failed(verifyOneBlock(function)))
      return failure();
    for (BlockArgument argument : function.getArguments()) {
      if (failed(expectStatic(function, argument)))
        return failure();
      Storage &storage = storages[addStorage(argument)];
      storage.kind = BufferKind::Argument;
      storage.index = argument.getArgNumber();
    }
    return success();
  }

  static LogicalResult expectStatic(Operation *op, Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Location loc = nearestLocation(op);
    if (!type || !type.hasStaticShape() ||
        !isKernelElement(type.getElementType()))
      return emitError(loc,
                       "expected static tensors of integers or floats, got ")
             << value.getType();
    // So that sums of sizes do not overflow either.
    auto bytes = static_cast<double>(elementBytes(type.getElementType()));
    for (int64_t extent : type.getShape())
      bytes *= static_cast<double>(extent);
    if (bytes > 0x1p48)
      return emitError(loc, "expected tensors of at most 2^48 bytes, got ")
             << type;
    return success();
  }

  LogicalResult placeBody() {
    for (Operation &op : function.front().without_terminator()) {
      for (Value result : op.getResults())
        if (failed(expectStatic(&op, result)))
          return failure();
      if (failed(placeOp(op)))
        return failure();
    }
    return success();
  }

  LogicalResult placeOp(Operation &op) {
    Value source;
    int64_t offset;
    if (auto launch = dyn_cast<LaunchOp>(op))
      return placeLaunch(launch);
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isa<DenseElementsAttr>(constant.getValue())) {
      storages[addStorage(constant)].kind = BufferKind::Constant;
      constants.push_back(constant);
      return success();
    }
    if (auto concat = dyn_cast<tensor::ConcatOp>(op);
        concat && concat.getDim() == 0)
      return placeConcat(concat);
    if (isView(&op, source, offset)) {
      Place place = places.lookup(source);
      places[op.getResult(0)] = {place.storage, place.offset + offset};
      return success();
    }
    return op.emitOpError(
        "is not a launch, a dense constant, a contiguous view or a "
        "concatenation along dimension 0");
  }

  LogicalResult placeLaunch(LaunchOp launch) {
    KernelOp &kernel = kernels[launch.getKernelAttr()];
    if (!kernel)
      kernel = launch.lookupKernel();
    for (Value operand : launch.getInputs())
      storages[find(operand).storage].lastUse = launches.size();
    for (Value result : launch.getResults())
      storages[addStorage(result)].lastUse = launches.size();
    launches.push_back(launch);
    return success();
  }

  /// Places the operands one after the other inside the concatenation.
  LogicalResult placeConcat(tensor::ConcatOp concat) {
    size_t whole = addStorage(concat);
    int64_t offset = 0;
    for (auto [index, operand] : llvm::enumerate(concat.getInputs())) {
      Place place = find(operand);
      if (storages[place.storage].kind != BufferKind::Workspace ||
          place.storage == whole || !coversStorage(operand))
        return concat.emitOpError("expected operand ")
               << index
               << " to be the whole result of a launch and a part of no other "
                  "concatenation";
      join(place.storage, whole, offset);
      offset += tensorBytes(operand);
    }
    concats.push_back(concat);
    return success();
  }

  LogicalResult placeResults() {
    DenseSet<size_t> returned;
    Operation *exit = function.front().getTerminator();
    for (auto [index, value] : llvm::enumerate(exit->getOperands())) {
      Place place = find(value);
      Storage &storage = storages[place.storage];
      if (!returned.insert(place.storage).second)
        return exit->emitOpError("expected result ")
               << index << " to share no memory with another result";
      if (storage.kind != BufferKind::Workspace)
        return exit->emitOpError("expected result ")
               << index << " to be computed by a launch, got a program "
               << stringifyBufferKind(storage.kind);
      if (!coversStorage(value))
        return exit->emitOpError("expected result ")
               << index << " of " << tensorBytes(value)
               << " bytes to be a whole tensor, got a part of " << storage.bytes
               << " bytes";
      storage.lastUse = launches.size();
      storage.kind = BufferKind::Result;
      storage.index = index;
      if (failed(pinUpdate(storage, place.storage, value, index)))
        return failure();
    }
    return success();
  }

  //===--- Results that update arguments ----------------------------------===//

  /// Moves result `index` into the argument that it updates, if any.
  LogicalResult pinUpdate(Storage &storage, size_t id, Value value,
                          unsigned index) {
    auto updates =
        function.getResultAttrOfType<IntegerAttr>(index, kUpdatesAttr);
    if (!updates)
      return success();
    int64_t target = updates.getInt();
    if (target < 0 || target >= function.getNumArguments())
      return function.emitError("expected result ")
             << index << " to update one of " << function.getNumArguments()
             << " arguments, got " << target;
    if (function.getArgument(target).getType() != value.getType())
      return function.emitError("expected result ")
             << index << " to update an argument of type " << value.getType()
             << ", got " << function.getArgument(target).getType();
    auto [entry, isNew] = updaters.try_emplace(target, id);
    if (!isNew)
      return function.emitError("expected one result to update argument ")
             << target << ", got a second one, result " << index;
    storage.kind = BufferKind::Argument;
    storage.index = target;
    return success();
  }

  /// The argument that a storage updates, or -1.
  int64_t updated(const Storage &storage) const {
    if (storage.kind != BufferKind::Argument)
      return -1;
    auto updater = updaters.find(storage.index);
    return updater != updaters.end() && &storages[updater->second] == &storage
               ? storage.index
               : -1;
  }

  /// No launch may read an argument after its update was written.
  LogicalResult checkUpdates() {
    for (auto [index, id] : updaters) {
      const Storage &update = storages[id];
      int64_t lastRead =
          storages[find(function.getArgument(index)).storage].lastUse;
      if (lastRead < update.firstWrite)
        continue;
      if (lastRead == update.firstWrite && updatesInPlace(lastRead, index)) {
        ++numInplace;
        continue;
      }
      InFlightDiagnostic error =
          launches[lastRead].emitOpError("reads argument ");
      error << index
            << (lastRead == update.firstWrite
                    ? " while it is updated, which its kernel does "
                      "not allow"
                    : " after it was updated");
      error.attachNote(launches[update.firstWrite].getLoc())
          << "updated by this launch";
      return error;
    }
    return success();
  }

  /// Whether the launch at `time` reads argument `index` once and may write
  /// the update over it.
  bool updatesInPlace(int64_t time, int64_t index) {
    LaunchOp launch = launches[time];
    for (auto [number, result] : llvm::enumerate(launch.getResults()))
      if (find(result).storage == updaters.lookup(index))
        return reusableOperand(launch, number,
                               find(function.getArgument(index)).storage)
            .has_value();
    return false;
  }

  //===--- Work in place --------------------------------------------------===//

  /// The operand in `storage` that result `number` may be written over: the
  /// only operand of the launch in that storage, and as large as the result.
  std::optional<Value> reusableOperand(LaunchOp launch, size_t number,
                                       size_t storage) {
    KernelOp kernel = kernels.lookup(launch.getKernelAttr());
    KernelSlot result = kernelSlots(launch.getResultGroups())[number];
    std::optional<Value> found;
    for (auto [slot, operand] : llvm::zip_equal(
             kernelSlots(launch.getOperandGroups()), launch.getInputs())) {
      if (find(operand).storage != storage)
        continue;
      if (found || !mayReuse(kernel, result, slot) ||
          tensorBytes(operand) != tensorBytes(launch.getResult(number)))
        return std::nullopt;
      found = operand;
    }
    return found;
  }

  /// Joins the results of a launch with operands that die there.
  void reuseOperands(LaunchOp launch, int64_t time) {
    KernelOp kernel = kernels.lookup(launch.getKernelAttr());
    if (!kernel.getInplace())
      return;
    SmallVector<KernelSlot> resultSlots = kernelSlots(launch.getResultGroups());
    SmallVector<KernelSlot> operandSlots =
        kernelSlots(launch.getOperandGroups());
    for (auto [number, slot] : llvm::enumerate(resultSlots))
      for (auto [operand, operandSlot] :
           llvm::zip_equal(launch.getInputs(), operandSlots))
        if (mayReuse(kernel, slot, operandSlot) &&
            joinInPlace(launch, time, number, operand))
          break;
  }

  bool joinInPlace(LaunchOp launch, int64_t time, size_t number,
                   Value operand) {
    Value result = launch.getResult(number);
    Place from = find(operand), to = find(result);
    const Storage &source = storages[from.storage];
    const Storage &target = storages[to.storage];
    if (from.storage == to.storage || source.kind != BufferKind::Workspace ||
        source.lastUse != time || updated(target) >= 0 || source.bytes == 0 ||
        !reusableOperand(launch, number, from.storage))
      return false;
    // Another result may have taken it.
    for (Value other : launch.getResults())
      if (find(other).storage == from.storage)
        return false;
    if (coversStorage(operand) && to.offset % kBufferAlignment == 0) {
      // The result may be pinned or a part of a concatenation.
      join(from.storage, to.storage, to.offset);
    } else if (coversStorage(result) && target.kind == BufferKind::Workspace &&
               from.offset % kBufferAlignment == 0) {
      join(to.storage, from.storage, from.offset);
    } else {
      return false;
    }
    ++numInplace;
    return true;
  }

  //===--- The arena ------------------------------------------------------===//

  void packWorkspace() {
    SmallVector<size_t> order;
    for (auto [id, storage] : llvm::enumerate(storages))
      if (storage.parent == id && storage.kind == BufferKind::Workspace &&
          storage.bytes > 0)
        order.push_back(id);
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      return storages[a].bytes > storages[b].bytes;
    });

    std::vector<Placed> placed; // by offset
    for (size_t id : order) {
      Storage &storage = storages[id];
      storage.offset = findGap(storage, placed);
      auto position = llvm::upper_bound(
          placed, storage.offset, [](int64_t offset, const Placed &other) {
            return offset < other.begin;
          });
      placed.insert(position, {storage.offset, storage.offset + size(storage),
                               storage.firstWrite, storage.lastUse});
      workspaceBytes = std::max(workspaceBytes, storage.offset + size(storage));
    }
    countLiveBytes(order);
  }

  static int64_t size(const Storage &storage) {
    return llvm::alignTo(storage.bytes, kBufferAlignment);
  }

  /// The offset of the smallest gap between storages that live at the same time
  /// as `storage` and that it fits into, or the end of the last of them.
  static int64_t findGap(const Storage &storage, ArrayRef<Placed> placed) {
    int64_t best = -1, bestSize = 0;
    int64_t end = 0, wanted = size(storage);
    for (const Placed &other : placed) {
      if (other.lastUse < storage.firstWrite ||
          storage.lastUse < other.firstWrite)
        continue;
      int64_t gap = other.begin - end;
      if (gap >= wanted && (best < 0 || gap < bestSize)) {
        best = end;
        bestSize = gap;
      }
      end = std::max(end, other.end);
    }
    return best < 0 ? end : best;
  }

  void countLiveBytes(ArrayRef<size_t> ids) {
    SmallVector<int64_t> change(launches.size() + 2, 0);
    for (size_t id : ids) {
      change[storages[id].firstWrite] += size(storages[id]);
      change[storages[id].lastUse + 1] -= size(storages[id]);
    }
    int64_t live = 0;
    for (int64_t bytes : change)
      liveBytes = std::max(liveBytes, live += bytes);
  }

  void packConstants() {
    for (arith::ConstantOp constant : constants) {
      Storage &storage = storages[find(constant).storage];
      storage.offset = constantBytes;
      constantBytes += size(storage);
    }
  }

  //===--- Attributes -----------------------------------------------------===//

  BufferAttr buffer(Value value) const {
    Place place = find(value);
    const Storage &storage = storages[place.storage];
    return BufferAttr::get(value.getContext(), storage.kind, storage.index,
                           storage.offset + place.offset);
  }

  ArrayAttr buffers(ValueRange values) const {
    SmallVector<Attribute> attributes;
    for (Value value : values)
      attributes.push_back(buffer(value));
    return ArrayAttr::get(context, attributes);
  }

  void annotate() {
    for (LaunchOp launch : launches) {
      launch.setOperandBuffersAttr(buffers(launch.getInputs()));
      launch.setResultBuffersAttr(buffers(launch.getResults()));
    }
    for (arith::ConstantOp constant : constants)
      constant->setAttr(kBufferAttr, buffer(constant));
    for (tensor::ConcatOp concat : concats)
      concat->setAttr(kBufferAttr, buffer(concat));
  }

  func::FuncOp function;
  MLIRContext *context;
  std::vector<Storage> storages;
  DenseMap<Value, Place> places;
  SmallVector<LaunchOp> launches;
  SmallVector<arith::ConstantOp> constants;
  SmallVector<tensor::ConcatOp> concats;
  DenseMap<Attribute, KernelOp> kernels;
  /// For each updated argument the storage of the update, in order.
  llvm::MapVector<int64_t, size_t> updaters;
};

struct PlanMemoryPass : attnres::impl::PlanMemoryBase<PlanMemoryPass> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) {
      getOperation().emitError("expected a function named main");
      return signalPassFailure();
    }
    Planner planner(main);
    if (failed(planner.run()))
      return signalPassFailure();
    Builder builder(&getContext());
    auto set = [&](StringRef name, int64_t bytes) {
      getOperation()->setAttr(name, builder.getI64IntegerAttr(bytes));
    };
    set(kWorkspaceBytesAttr, planner.workspaceBytes);
    set(kConstantBytesAttr, planner.constantBytes);
    set(kLiveBytesAttr, planner.liveBytes);
    workspaceBytes += planner.workspaceBytes;
    liveBytes += planner.liveBytes;
    if (planner.liveBytes > 0)
      percentOfLive += 100 * planner.workspaceBytes / planner.liveBytes;
    numInplace += planner.numInplace;
  }
};

} // namespace
