//===- FormKernels.cpp - cut a function into kernels ----------------------===//
//
// Clusters of operations are grown in program order, then outlined.
//
// A row operation joins the cluster of a producer of one of its rows when
//  (1) both iterate over the same number of rows,
//  (2) the operand is the same row to both (not a sum over rows, and not a
//      member of a group of several, which is passed as a list), and
//  (3) no operation outside the cluster that stands before it uses a result of
//      the cluster, so that the cluster can run where the operation stands.
// A recomputed operation counts as a producer for those that read a row that it
// reads too: what is in the cache need not be read again. When several
// producers qualify, their clusters are merged.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace attnres {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

struct Cluster {
  SmallVector<Operation *> ops; ///< in program order
};

/// Operations that stay in the function: no code, only memory.
bool staysInFunction(Operation *op) {
  if (isa<arith::ConstantOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ConcatOp, LaunchOp>(op))
    return true;
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return slice && sliceOffset(slice);
}

/// Destinations of linalg operations, made where they are used.
bool isDestination(Operation *op) {
  return isa<tensor::EmptyOp, linalg::FillOp>(op);
}

class KernelFormer {
public:
  KernelFormer(func::FuncOp function, unsigned maxOps)
      : function(function), module(function->getParentOfType<ModuleOp>()),
        symbols(module), maxOps(maxOps) {}

  LogicalResult run() {
    if (failed(verify()))
      return failure();
    separateDestinations();
    separateOperands();
    separateResults();
    grow();
    for (auto &cluster : clusters)
      if (!cluster->ops.empty())
        outline(*cluster);
    orderUpdates();
    return success();
  }

  unsigned numKernels = 0, numFused = 0;

private:
  /// Between kernels there are only tensors that have a place in memory.
  LogicalResult verify() {
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    for (Operation &op : function.front().without_terminator()) {
      if (isa<arith::ConstantOp>(op) &&
          !isa<ShapedType>(op.getResult(0).getType()))
        continue;
      if (!saysItsLists(&op))
        return op.emitOpError("does not say which operands of its kernel are "
                              "lists, so that no kernel can be made of it");
      for (Type type : op.getResultTypes())
        if (failed(verifyProgramType(&op, type)))
          return failure();
      SmallVector<Value> read(op.getOperands());
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op.getRegions(), captured);
      bool isConstantFill = isa<linalg::FillOp>(op) &&
                            op.getOperand(0).getDefiningOp<arith::ConstantOp>();
      if (isConstantFill)
        read.erase(read.begin());
      for (Value value : captured)
        if (!value.getDefiningOp<arith::ConstantOp>())
          read.push_back(value);
      for (Value value : read)
        if (!isTensor(value.getType()))
          return op.emitOpError("expected a kernel to read tensors alone, got ")
                 << value.getType();
    }
    return success();
  }

  /// Whether an operand is one of several that a kernel sees as a list.
  static bool isInList(OpOperand &operand) {
    unsigned number = operand.getOperandNumber();
    return llvm::any_of(operandGroups(operand.getOwner()), [&](Group group) {
      return group.size > 1 && number >= group.first &&
             number < group.first + group.size;
    });
  }

  /// Destinations have no memory of their own: whatever is looked at, joined,
  /// listed or returned is a copy.
  void separateDestinations() {
    for (Operation &op : llvm::make_early_inc_range(function.front())) {
      if (!isDestination(&op))
        continue;
      Value value = op.getResult(0), copy;
      for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
        if (!staysInFunction(use.getOwner()) &&
            !isa<func::ReturnOp>(use.getOwner()) && !isInList(use))
          continue;
        if (!copy)
          copy = makeCopy(value, op.getNextNode());
        use.set(copy);
      }
    }
  }

  /// A concatenation of leading rows lies in memory as its operands do, which
  /// are written where they have their place: each must be the whole result of
  /// a kernel and nothing else that has a place of its own. Others are copied.
  void separateOperands() {
    for (auto concat : function.front().getOps<tensor::ConcatOp>()) {
      DenseSet<Value> taken;
      for (OpOperand &operand : concat->getOpOperands())
        if (!taken.insert(operand.get()).second ||
            !isOwnResult(operand.get(), concat))
          operand.set(makeCopy(operand.get(), concat));
    }
  }

  /// Whether `value` is the result of a kernel that only kernels read besides
  /// `reader`.
  static bool isOwnResult(Value value, Operation *reader) {
    Operation *producer = value.getDefiningOp();
    if (!producer || isDestination(producer) ||
        isa<tensor::ExtractSliceOp, tensor::ConcatOp, arith::ConstantOp>(
            producer))
      return false;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(producer))
      return value.hasOneUse() &&
             isOwnResult(producer->getOperand(0), producer);
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user == reader || isa<LaunchOp>(user) ||
             (!staysInFunction(user) && !isa<func::ReturnOp>(user));
    });
  }

  static Value makeCopy(Value value, Operation *before) {
    OpBuilder builder(before);
    auto type = cast<RankedTensorType>(value.getType());
    Value empty = tensor::EmptyOp::create(
        builder, value.getLoc(), type.getShape(), type.getElementType());
    return linalg::CopyOp::create(builder, value.getLoc(), value, empty)
        .getResult(0);
  }

  //===--------------------------------------------------------------------===//
  // Results of the function
  //===--------------------------------------------------------------------===//

  /// Gives every result a producer of its own: a copy for arguments, constants
  /// and values that are returned twice. Copies stand right behind what they
  /// copy, so that those of gradients come before any update.
  void separateResults() {
    Operation *exit = function.front().getTerminator();
    DenseSet<Value> taken;
    for (OpOperand &operand : exit->getOpOperands()) {
      Value root = operand.get();
      bool isView = false;
      while (Operation *op = root.getDefiningOp()) {
        if (!staysInFunction(op) || op->getNumOperands() != 1 ||
            isa<LaunchOp>(op))
          break;
        isView |= isa<tensor::ExtractSliceOp>(op);
        root = op->getOperand(0);
      }
      Operation *producer = root.getDefiningOp();
      bool isOwn = producer && !isView && !isa<arith::ConstantOp>(producer) &&
                   taken.insert(root).second;
      if (isOwn)
        continue;
      Operation *definition = operand.get().getDefiningOp();
      operand.set(makeCopy(operand.get(), definition
                                              ? definition->getNextNode()
                                              : &function.front().front()));
    }
  }

  //===--------------------------------------------------------------------===//
  // Updates of arguments
  //===--------------------------------------------------------------------===//

  /// What updates an argument is written behind everything that reads it: its
  /// launch moves there, or a copy is written instead of it.
  void orderUpdates() {
    Operation *exit = function.front().getTerminator();
    for (OpOperand &operand : exit->getOpOperands()) {
      auto updates = function.getResultAttrOfType<IntegerAttr>(
          operand.getOperandNumber(), kUpdatesAttr);
      if (!updates || updates.getValue().uge(function.getNumArguments()))
        continue;
      Value argument = function.getArgument(updates.getInt());
      Value root = operand.get();
      while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          root.getDefiningOp()))
        root = root.getDefiningOp()->getOperand(0);
      auto launch = root.getDefiningOp<LaunchOp>();
      Operation *last = lastReader(argument);
      if (!launch || !last || last->isBeforeInBlock(launch))
        continue;
      bool isNeeded = llvm::any_of(launch->getUsers(), [&](Operation *user) {
        return user->isBeforeInBlock(last) || user == last;
      });
      if (last != launch && !isNeeded) {
        launch->moveAfter(last);
        last = lastReader(argument);
      }
      if (last == launch ? mayOverwrite(launch, root, argument)
                         : last->isBeforeInBlock(launch))
        continue;
      operand.set(makeCopy(operand.get(), exit));
      Cluster copy{{operand.get().getDefiningOp()}};
      outline(copy);
    }
  }

  /// The last launch that reads the memory of `value`, or null.
  static Operation *lastReader(Value value) {
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      if (isa<func::ReturnOp>(user))
        continue;
      Operation *reader =
          isa<LaunchOp>(user) ? user : lastReader(user->getResult(0));
      if (reader && (!last || last->isBeforeInBlock(reader)))
        last = reader;
    }
    return last;
  }

  /// Whether the launch's kernel may write `result` over `argument`, which the
  /// launch reads as it is and once.
  bool mayOverwrite(LaunchOp launch, Value result, Value argument) {
    if (llvm::count(launch.getInputs(), argument) != 1 ||
        lastReader(argument) != launch)
      return false;
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    auto group = [](ArrayRef<int64_t> groups, ValueRange values, Value wanted) {
      size_t at = llvm::find(values, wanted) - values.begin();
      for (auto [index, size] : llvm::enumerate(groups)) {
        size_t count = std::max<int64_t>(size, size < 0 ? 1 : 0);
        if (at < count)
          return size < 0 ? static_cast<int64_t>(index) : -1;
        at -= count;
      }
      return int64_t{-1};
    };
    int64_t from =
        group(launch.getOperandGroups(), launch.getInputs(), argument);
    int64_t to = group(launch.getResultGroups(), launch.getResults(), result);
    return from >= 0 && to >= 0 && kernel.getReusedArgument(to) == from;
  }

  //===--------------------------------------------------------------------===//
  // Clusters
  //===--------------------------------------------------------------------===//

  void grow() {
    unsigned position = 0;
    for (Operation &op : function.front())
      positions[&op] = position++;
    for (Operation &op : function.front().without_terminator()) {
      if (staysInFunction(&op) || isDestination(&op))
        continue;
      Cluster *own = nullptr;
      if (isRowOp(&op))
        for (Cluster *candidate : producers(&op)) {
          if (!own) {
            own = candidate;
          } else {
            own->ops.append(candidate->ops);
            for (Operation *member : candidate->ops)
              clusterOf[member] = own;
            candidate->ops.clear();
          }
        }
      if (!own) {
        clusters.push_back(std::make_unique<Cluster>());
        own = clusters.back().get();
      }
      own->ops.push_back(&op);
      llvm::sort(own->ops, [&](Operation *a, Operation *b) {
        return positions[a] < positions[b];
      });
      clusterOf[&op] = own;
    }
  }

  /// The clusters that `op` can join, latest first.
  SmallVector<Cluster *> producers(Operation *op) {
    llvm::SmallSetVector<Cluster *, 4> found;
    SmallVector<Group> groups = operandGroups(op);
    size_t total = 1;
    auto consider = [&](Operation *producer) {
      Cluster *cluster = clusterOf.lookup(producer);
      if (!cluster || found.contains(cluster) ||
          rowsOf(producer) != rowsOf(op) ||
          total + cluster->ops.size() > maxOps || !canMoveTo(*cluster, op) ||
          usesInList(op, *cluster))
        return;
      total += cluster->ops.size();
      found.insert(cluster);
    };
    for (Group group : groups) {
      if (group.size != 1)
        continue;
      OpOperand &operand = op->getOpOperand(group.first);
      RowKind kind = operandKind(operand);
      if (kind != RowKind::Row && kind != RowKind::Stat)
        continue;
      auto result = dyn_cast<OpResult>(operand.get());
      if (result && isRowOp(result.getOwner()) &&
          result.getOwner()->getBlock() == op->getBlock() &&
          resultKind(result) == kind && !isInList(result))
        consider(result.getOwner());
      if (kind != RowKind::Row)
        continue;
      for (OpOperand &use : operand.get().getUses())
        if (Operation *reader = use.getOwner();
            reader->hasAttr(kRecomputedAttr) && clusterOf.contains(reader) &&
            isRowOp(reader) && operandKind(use) == RowKind::Row)
          consider(reader);
    }
    return found.takeVector();
  }

  /// Whether a result is a member of a list of several.
  static bool isInList(OpResult result) {
    for (Group group : resultGroups(result.getOwner()))
      if (result.getResultNumber() >= group.first &&
          result.getResultNumber() < group.first + group.size)
        return group.size > 1;
    return false;
  }

  /// Whether `op` reads a result of the cluster as a member of a list, or as
  /// something other than a row.
  bool usesInList(Operation *op, Cluster &cluster) {
    for (Group group : operandGroups(op))
      for (unsigned i = group.first; i < group.first + group.size; ++i) {
        OpOperand &operand = op->getOpOperand(i);
        auto result = dyn_cast<OpResult>(operand.get());
        if (!result || clusterOf.lookup(result.getOwner()) != &cluster)
          continue;
        if (group.size > 1 || isInList(result) ||
            operandKind(operand) != resultKind(result) ||
            operandKind(operand) == RowKind::Shared ||
            operandKind(operand) == RowKind::Partial)
          return true;
      }
    return false;
  }

  /// Condition (3).
  bool canMoveTo(Cluster &cluster, Operation *op) {
    for (Operation *member : cluster.ops)
      for (Operation *user : member->getUsers()) {
        Operation *inBlock = function.front().findAncestorOpInBlock(*user);
        if (positions[inBlock] < positions[op] &&
            clusterOf.lookup(inBlock) != &cluster)
          return false;
      }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Outlining
  //===--------------------------------------------------------------------===//

  /// Replaces the operations of a cluster by a launch where the last stands.
  void outline(Cluster &cluster) {
    addDestinations(cluster);
    DenseSet<Operation *> members(cluster.ops.begin(), cluster.ops.end());
    Operation *last = cluster.ops.back();
    OpBuilder builder(last);

    KernelSignature signature;
    for (Operation *op : cluster.ops)
      collectInputs(op, members, signature);
    for (Operation *op : cluster.ops)
      collectOutputs(op, members, signature);

    KernelOp kernel = createKernel(cluster, signature);
    SmallVector<Type> resultTypes;
    for (Value result : signature.results)
      resultTypes.push_back(result.getType());
    auto launch = LaunchOp::create(
        builder, last->getLoc(), resultTypes, kernel.getSymName(),
        signature.operands, signature.operandGroups, signature.resultGroups);
    for (auto [old, replacement] :
         llvm::zip_equal(signature.results, launch.getResults()))
      old.replaceAllUsesWith(replacement);
    for (Operation *op : llvm::reverse(cluster.ops))
      op->erase();
    ++numKernels;
    if (cluster.ops.size() > 1)
      numFused += cluster.ops.size();
  }

  /// Destinations of linalg operations are cloned into their kernels.
  void addDestinations(Cluster &cluster) {
    SmallVector<Operation *> ops;
    // With what it is made of: a scalar, or another destination.
    std::function<Value(Operation *, Operation *)> clone =
        [&](Operation *fill, Operation *reader) {
          IRMapping mapping;
          for (Value inner : fill->getOperands())
            if (Operation *source = inner.getDefiningOp();
                source &&
                (isDestination(source) || (isa<arith::ConstantOp>(source) &&
                                           !isa<ShapedType>(inner.getType()))))
              mapping.map(inner, clone(source, reader));
          ops.push_back(OpBuilder(reader).clone(*fill, mapping));
          return ops.back()->getResult(0);
        };
    for (Operation *op : cluster.ops) {
      for (OpOperand &operand : op->getOpOperands())
        if (Operation *fill = operand.get().getDefiningOp();
            fill && isDestination(fill))
          operand.set(clone(fill, op));
      for (Region &region : op->getRegions()) {
        llvm::SetVector<Value> captured;
        getUsedValuesDefinedAbove(region, captured);
        for (Value value : captured)
          if (Operation *fill = value.getDefiningOp();
              fill && isDestination(fill))
            replaceAllUsesInRegionWith(value, clone(fill, op), region);
      }
      cloneCapturedConstants(op);
      ops.push_back(op);
    }
    cluster.ops = ops;
  }

  /// Scalar constants that a region of `op` captures are cloned into the
  /// region. Tensors that it captures are operands of the kernel.
  static void cloneCapturedConstants(Operation *op) {
    for (Region &region : op->getRegions()) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(region, captured);
      for (Value value : captured) {
        auto constant = value.getDefiningOp<arith::ConstantOp>();
        if (!constant || isa<ShapedType>(constant.getType()))
          continue;
        OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
        Value clone = builder.clone(*constant)->getResult(0);
        replaceAllUsesInRegionWith(value, clone, region);
      }
    }
  }

  struct KernelSignature {
    SmallVector<Value> operands;        ///< of the launch, groups flattened
    SmallVector<int64_t> operandGroups; ///< sizes, -1 for a single tensor
    SmallVector<Type> argumentTypes;    ///< of the kernel
    /// Kernel argument of a single value, and of the group at an operand.
    DenseMap<Value, unsigned> single;
    DenseMap<std::pair<Operation *, unsigned>, unsigned> group;
    SmallVector<Value> results; ///< of the launch, groups flattened
    SmallVector<int64_t> resultGroups;
    /// What each kernel result is: an operation and the group of its results.
    SmallVector<std::pair<Operation *, Group>> returned;
  };

  static void collectInputs(Operation *op, const DenseSet<Operation *> &members,
                            KernelSignature &signature) {
    auto addSingle = [&](Value value) {
      if (members.contains(value.getDefiningOp()) ||
          signature.single.contains(value))
        return;
      signature.single[value] = signature.argumentTypes.size();
      signature.argumentTypes.push_back(value.getType());
      signature.operands.push_back(value);
      signature.operandGroups.push_back(-1);
    };
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      addSingle(value);
    for (Group group : operandGroups(op)) {
      if (group.size == 1) {
        addSingle(op->getOperand(group.first));
        continue;
      }
      OperandRange values = op->getOperands().slice(group.first, group.size);
      signature.group[{op, group.first}] = signature.argumentTypes.size();
      signature.argumentTypes.push_back(ListType::get(
          op->getContext(), cast<RankedTensorType>(values.front().getType())));
      llvm::append_range(signature.operands, values);
      signature.operandGroups.push_back(group.size);
    }
  }

  /// A result leaves the kernel when something outside uses it; sums over rows,
  /// lists and what clips gradients always do, since the kernel needs their
  /// memory.
  static void collectOutputs(Operation *op,
                             const DenseSet<Operation *> &members,
                             KernelSignature &signature) {
    if (isDestination(op) || isa<arith::ConstantOp>(op))
      return;
    for (Group group : resultGroups(op)) {
      ResultRange values = op->getResults().slice(group.first, group.size);
      bool leaves =
          group.size > 1 || isa<ClipScaleOp>(op) ||
          (isRowOp(op) && resultKind(values.front()) == RowKind::Partial) ||
          llvm::any_of(values.front().getUsers(), [&](Operation *user) {
            return !members.contains(user);
          });
      if (!leaves)
        continue;
      llvm::append_range(signature.results, values);
      signature.resultGroups.push_back(
          group.size == 1 ? -1 : static_cast<int64_t>(group.size));
      signature.returned.push_back({op, group});
    }
  }

  KernelOp createKernel(Cluster &cluster, KernelSignature &signature) {
    Operation *root = cluster.ops.back();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto kernel =
        KernelOp::create(builder, root->getLoc(), kernelName(cluster),
                         builder.getFunctionType(signature.argumentTypes, {}));
    symbols.insert(kernel);
    builder.setInsertionPointToStart(kernel.addEntryBlock());

    IRMapping mapping;
    for (auto [value, index] : signature.single)
      mapping.map(value, kernel.getArgument(index));
    SmallVector<Operation *> clones;
    DenseMap<Operation *, Operation *> cloneOf;
    for (Operation *op : cluster.ops) {
      cloneOf[op] = cloneGrouped(builder, op, mapping, signature, kernel);
      // A recomputed operation is the same code as the first computation.
      cloneOf[op]->removeAttr(kRecomputedAttr);
    }

    SmallVector<Value> returned;
    for (auto [op, group] : signature.returned) {
      // The clone has one result for each group.
      unsigned index = 0;
      for (Group other : resultGroups(op)) {
        if (other.first == group.first)
          break;
        ++index;
      }
      returned.push_back(cloneOf[op]->getResult(index));
    }
    attnres::ReturnOp::create(builder, root->getLoc(), returned);
    SmallVector<Type> types(ValueRange(returned).getTypes());
    kernel.setType(builder.getFunctionType(signature.argumentTypes, types));
    markReusable(kernel, cluster, signature);
    return kernel;
  }

  /// Clones `op` with every group of several as one list.
  Operation *cloneGrouped(OpBuilder &builder, Operation *op, IRMapping &mapping,
                          KernelSignature &signature, KernelOp kernel) {
    SmallVector<Group> inputs = operandGroups(op), outputs = resultGroups(op);
    bool hasGroups = llvm::any_of(inputs, [](Group g) { return g.size > 1; }) ||
                     llvm::any_of(outputs, [](Group g) { return g.size > 1; });
    if (!hasGroups)
      return builder.clone(*op, mapping);

    OperationState state(op->getLoc(), op->getName());
    for (Group group : inputs) {
      if (group.size == 1)
        state.operands.push_back(
            mapping.lookupOrDefault(op->getOperand(group.first)));
      else
        state.operands.push_back(
            kernel.getArgument(signature.group.lookup({op, group.first})));
    }
    for (Group group : outputs) {
      auto type = cast<RankedTensorType>(op->getResult(group.first).getType());
      state.types.push_back(
          group.size == 1 ? Type(type) : ListType::get(op->getContext(), type));
    }
    // The sizes of operand segments: every group is one operand now.
    NamedAttrList attributes(op->getAttrDictionary());
    if (auto segments = op->getAttrOfType<DenseI32ArrayAttr>(
            OpTrait::AttrSizedOperandSegments<
                void>::getOperandSegmentSizeAttr())) {
      SmallVector<int32_t> sizes;
      for (int32_t size : segments.asArrayRef())
        sizes.push_back(std::min(size, 1));
      attributes.set(
          OpTrait::AttrSizedOperandSegments<void>::getOperandSegmentSizeAttr(),
          builder.getDenseI32ArrayAttr(sizes));
    }
    state.addAttributes(attributes);
    Operation *clone = builder.create(state);
    for (auto [index, group] : llvm::enumerate(outputs))
      if (group.size == 1)
        mapping.map(op->getResult(group.first), clone->getResult(index));
    return clone;
  }

  /// For each kernel result the kernel argument whose memory it may take over:
  /// one that the operation reads in step with its writes, and others of the
  /// kernel, if at all, by rows and before it. They have then read the row.
  void markReusable(KernelOp kernel, Cluster &cluster,
                    KernelSignature &signature) {
    SmallVector<int64_t> reuse;
    DenseMap<Operation *, size_t> members; // with their order
    for (auto [index, op] : llvm::enumerate(cluster.ops))
      members[op] = index;
    DenseSet<int64_t> used;
    for (auto [op, group] : signature.returned) {
      int64_t argument = -1;
      for (OpOperand *operand : reusableOperands(op->getResult(group.first))) {
        Value value = operand->get();
        int64_t candidate = -1;
        if (group.size > 1) {
          auto it = signature.group.find({op, operand->getOperandNumber()});
          if (it != signature.group.end())
            candidate = it->second;
        } else if (auto it = signature.single.find(value);
                   it != signature.single.end() &&
                   llvm::all_of(value.getUses(), [&, op = op](OpOperand &use) {
                     Operation *reader = use.getOwner();
                     return !members.contains(reader) || &use == operand ||
                            (members.lookup(reader) < members.lookup(op) &&
                             isRowOp(reader) &&
                             operandKind(use) == RowKind::Row);
                   })) {
          candidate = it->second;
        }
        if (candidate >= 0 && used.insert(candidate).second) {
          argument = candidate;
          break;
        }
      }
      reuse.push_back(argument);
    }
    if (llvm::any_of(reuse, [](int64_t i) { return i >= 0; }))
      kernel.setInplace(reuse);
  }

  /// The operations of the cluster joined, e.g. "addf_depth_merge_rms_norm".
  std::string kernelName(Cluster &cluster) {
    std::string name;
    unsigned shown = 0;
    for (Operation *op : cluster.ops) {
      if (isDestination(op) || isa<arith::ConstantOp>(op) || ++shown > 4)
        continue;
      if (!name.empty())
        name += "_";
      name += op->getName().stripDialect().str();
    }
    return name;
  }

  func::FuncOp function;
  ModuleOp module;
  SymbolTable symbols;
  unsigned maxOps;
  std::vector<std::unique_ptr<Cluster>> clusters;
  DenseMap<Operation *, Cluster *> clusterOf;
  DenseMap<Operation *, unsigned> positions;
};

struct FormKernelsPass : attnres::impl::FormKernelsBase<FormKernelsPass> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    if (maxOps < 1) {
      getOperation().emitError("expected max-ops of at least 1, got ")
          << maxOps.getValue();
      return signalPassFailure();
    }
    FailureOr<func::FuncOp> program = findProgram(getOperation(), function);
    if (failed(program))
      return signalPassFailure();
    func::FuncOp target = *program;
    KernelFormer former(target, maxOps);
    if (failed(former.run()))
      return signalPassFailure();
    numKernels += former.numKernels;
    numFused += former.numFused;
    // Destinations that were cloned into kernels.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(target.front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
