//===- EmitProgram.cpp - planned IR to an executable program --------------===//
#include "tools/compile/EmitProgram.h"

#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/kernels/Communication.h"
#include "passes/memory/MemoryPlan.h"
#include "passes/training/IndexLimits.h"
#include "tools/compile/Diagnostics.h"

#include <cstring>

using namespace mlir;
using namespace attnres;
using runtime::Arg;
using runtime::Program;

namespace {

Result<runtime::DType> dtypeOf(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  if (element.isF32())
    return runtime::DType::F32;
  if (element.isF64())
    return runtime::DType::F64;
  if (element.isBF16())
    return runtime::DType::BF16;
  if (element.isInteger(64))
    return runtime::DType::I64;
  if (element.isInteger(32))
    return runtime::DType::I32;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return unsupported("no program can have a binding of type ", text);
}

runtime::Role toRuntime(Role role) {
  switch (role) {
  case Role::Input:
  case Role::Output:
    return runtime::Role::Data;
  case Role::Parameter:
    return runtime::Role::Parameter;
  case Role::State:
    return runtime::Role::State;
  case Role::Cache:
    return runtime::Role::Cache;
  case Role::Gradient:
    return runtime::Role::Gradient;
  case Role::GradientSum:
    return runtime::Role::GradientSum;
  case Role::GradientSquares:
    return runtime::Role::GradientSquares;
  case Role::GradientNorm:
    return runtime::Role::GradientNorm;
  case Role::FirstMoment:
    return runtime::Role::FirstMoment;
  case Role::SecondMoment:
    return runtime::Role::SecondMoment;
  }
  llvm_unreachable("unknown role");
}

runtime::Phase phaseOf(LaunchOp launch) {
  auto phase = launch->getAttrOfType<PhaseAttr>(kPhaseAttr);
  switch (phase ? phase.getValue() : Phase::Forward) {
  case Phase::Forward:
    return runtime::Phase::Forward;
  case Phase::Backward:
    return runtime::Phase::Backward;
  case Phase::Update:
    return runtime::Phase::Update;
  }
  llvm_unreachable("unknown phase");
}

class Emitter {
public:
  Emitter(ModuleOp module, const Target &target,
          const std::function<bool()> &isCancelled)
      : module(module), target(target), isCancelled(isCancelled) {}

  Result<Program> run() {
    main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return invalidArgument("the module has no function main");
    program.target = target.name();
    for (auto step :
         {&Emitter::emitSizes, &Emitter::emitBindings, &Emitter::emitConstants,
          &Emitter::emitLaunches, &Emitter::emitKernels})
      if (Status status = (this->*step)(); !status.ok())
        return status;
    if (Status status = program.validate("compiled program"); !status.ok())
      return status;
    return std::move(program);
  }

private:
  Status emitSizes() {
    auto workspace = module->getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr);
    auto constants = module->getAttrOfType<IntegerAttr>(kConstantBytesAttr);
    if (!workspace || !constants)
      return invalidArgument("the module has no memory plan");
    program.workspaceBytes = workspace.getInt();
    program.constants.assign(constants.getInt(), '\0');
    return {};
  }

  //===--- Bindings -------------------------------------------------------===//

  Status emitBindings() {
    for (BlockArgument argument : main.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (Status status = addBinding(
              argument.getType(), runtime::Direction::Input,
              main.getArgAttrOfType<StringAttr>(index, kNameAttr), index,
              /*updates=*/-1);
          !status.ok())
        return status;
      addLimits(index);
      addRole(argumentRole(main, index));
    }
    for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
      auto updates = main.getResultAttrOfType<IntegerAttr>(index, kUpdatesAttr);
      if (Status status =
              addBinding(type, runtime::Direction::Output,
                         main.getResultAttrOfType<StringAttr>(index, kNameAttr),
                         index, updates ? updates.getInt() : -1);
          !status.ok())
        return status;
      addRole(resultRole(main, index));
    }
    return {};
  }

  Status addBinding(Type type, runtime::Direction direction, StringAttr name,
                    size_t index, int64_t updates) {
    if (!name)
      return invalidArgument(
          direction == runtime::Direction::Input ? "argument " : "result ",
          index, " of main has no ", kNameAttr.str());
    Result<runtime::DType> dtype = dtypeOf(type);
    if (!dtype.ok())
      return dtype.status();
    program.bindings.push_back({name.str(), *dtype,
                                cast<RankedTensorType>(type).getShape().vec(),
                                direction, updates});
    return {};
  }

  /// The role of the binding added last.
  void addRole(RoleAttr role) {
    if (!role)
      return;
    runtime::Binding &binding = program.bindings.back();
    binding.role = toRuntime(role.getKind());
    if (!role.getParameter())
      return;
    if (auto parameter = findArgument(main, role.getParameter().getValue()))
      binding.parameter = *parameter;
  }

  /// What the elements of the argument added last may be.
  void addLimits(unsigned argument) {
    auto limits =
        main.getArgAttrOfType<DenseI64ArrayAttr>(argument, kLimitsAttr);
    if (!limits)
      return;
    ArrayRef<int64_t> flat = limits.asArrayRef();
    for (size_t i = 0; i + 1 < flat.size(); i += 2)
      program.bindings.back().limits.push_back({flat[i], flat[i + 1]});
  }

  //===--- Constants ------------------------------------------------------===//

  Status emitConstants() {
    for (auto constant : main.getOps<arith::ConstantOp>()) {
      auto buffer = constant->getAttrOfType<BufferAttr>(kBufferAttr);
      auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!buffer || !values)
        return invalidArgument("a constant of main has no place");
      writeElements(values, program.constants.data() + buffer.getOffset());
    }
    return {};
  }

  /// The elements as kernels read them.
  static void writeElements(DenseElementsAttr values, char *place) {
    auto width = static_cast<size_t>(elementBytes(values.getElementType()));
    auto count = static_cast<size_t>(values.getNumElements());
    if (count == 0)
      return;
    if (values.getElementType().isInteger(1)) {
      // One bit each in the attribute, one byte each in memory.
      for (bool value : values.getValues<bool>())
        *place++ = value;
      return;
    }
    ArrayRef<char> raw = values.getRawData();
    // A splat is stored once.
    size_t copies = values.isSplat() ? count : 1;
    assert(raw.size() * copies == count * width && "elements of another size");
    (void)width;
    for (size_t i = 0; i < copies; ++i)
      std::memcpy(place + i * raw.size(), raw.data(), raw.size());
  }

  //===--- Launches -------------------------------------------------------===//

  Status emitLaunches() {
    SymbolTable symbols(module);
    for (auto launch : main.getOps<LaunchOp>()) {
      if (!launch.getOperandBuffers() || !launch.getResultBuffers())
        return invalidArgument("a launch of main has no place for "
                               "its tensors");
      auto function = symbols.lookup<KernelOp>(launch.getKernel());
      auto [entry, isNew] =
          kernelIndices.try_emplace(function, kernelIndices.size());
      if (isNew) {
        kernels.push_back(function);
        program.kernels.emplace_back();
      }
      describe(program.kernels[entry->second], function, launch);
      runtime::Launch emitted;
      emitted.kernel = entry->second;
      emitted.phase = phaseOf(launch);
      if (auto owner = launch->getAttrOfType<StringAttr>(kOwnerAttr))
        emitted.owner = findParameter(owner);
      if (auto complete = launch->getAttrOfType<ArrayAttr>(kCompletesAttr))
        for (auto name : complete.getAsRange<StringAttr>())
          emitted.completes.push_back(findParameter(name));
      addArgs(emitted.args, launch.getOperandGroups(),
              launch.getOperandBuffersAttr());
      addArgs(emitted.args, launch.getResultGroups(),
              launch.getResultBuffersAttr());
      program.launches.push_back(std::move(emitted));
    }
    return {};
  }

  /// -1, which no valid program has, when there is none of that name.
  int64_t findParameter(StringAttr name) {
    std::optional<unsigned> argument = findArgument(main, name.getValue());
    return argument ? static_cast<int64_t>(*argument) : -1;
  }

  void addArgs(std::vector<Arg> &args, ArrayRef<int64_t> groups,
               ArrayAttr buffers) {
    auto next = buffers.getAsRange<BufferAttr>().begin();
    for (int64_t size : groups) {
      if (size < 0) {
        args.push_back(toArg(*next++));
        continue;
      }
      std::vector<Arg> elements;
      for (int64_t i = 0; i < size; ++i)
        elements.push_back(toArg(*next++));
      args.push_back(Arg::toList(std::move(elements)));
    }
  }

  Arg toArg(BufferAttr buffer) {
    switch (buffer.getKind()) {
    case BufferKind::Argument:
      return Arg::toBinding(buffer.getIndex(), buffer.getOffset());
    case BufferKind::Result:
      return Arg::toBinding(main.getNumArguments() + buffer.getIndex(),
                            buffer.getOffset());
    case BufferKind::Workspace:
      return Arg::toWorkspace(buffer.getOffset());
    case BufferKind::Constant:
      return Arg::toConstant(buffer.getOffset());
    }
    llvm_unreachable("unknown kind");
  }

  /// Takes one launch of a kernel into account: the largest one counts.
  static void describe(runtime::Kernel &kernel, KernelOp function,
                       LaunchOp launch) {
    int64_t items = 0;
    for (ArrayRef<int64_t> groups :
         {launch.getOperandGroups(), launch.getResultGroups()})
      for (int64_t size : groups)
        items += std::max<int64_t>(size, 0);
    auto bytes = [](ValueRange values) {
      int64_t sum = 0;
      for (Value value : values)
        sum += tensorBytes(value);
      return sum;
    };
    auto grow = [](int64_t &value, int64_t other) {
      value = std::max(value, other);
    };
    grow(kernel.scratchBytes,
         function.getScratchBytesPerItem().value_or(0) * items);
    grow(kernel.flops, function.getFlops().value_or(0));
    grow(kernel.bytesRead, bytes(launch.getInputs()));
    grow(kernel.bytesWritten, bytes(launch.getResults()));
  }

  //===--- Kernels --------------------------------------------------------===//

  Status emitKernels() {
    DiagnosticCapture diagnostics(*module.getContext());
    OwningOpRef<ModuleOp> unit = ModuleOp::create(module.getLoc());
    for (KernelOp kernel : kernels)
      unit->push_back(kernel.clone());
    FailureOr<CompiledCode> compiled =
        target.compileKernels(*unit, isCancelled);
    if (failed(compiled) && isCancelled && isCancelled())
      return unsupported("compiling was interrupted");
    if (failed(compiled))
      return diagnostics.status("compiling the kernels");
    auto toDimensions = [](Extents extents) {
      return runtime::Dimensions{extents.x, extents.y, extents.z};
    };
    for (auto [index, code] : llvm::enumerate(compiled->kernels)) {
      runtime::Kernel &kernel = program.kernels[index];
      kernel.name = kernel.symbol = code.name;
      kernel.blob = static_cast<int64_t>(code.object);
      kernel.grid = toDimensions(code.grid);
      kernel.block = toDimensions(code.block);
      kernel.cluster = toDimensions(code.cluster);
      kernel.sharedBytes = code.sharedBytes;
      kernel.scratchBytes += code.scratchBytes;
    }
    program.blobs = std::move(compiled->objects);
    return {};
  }

  ModuleOp module;
  const Target &target;
  const std::function<bool()> &isCancelled;
  func::FuncOp main;
  Program program;
  std::vector<KernelOp> kernels;
  DenseMap<KernelOp, int64_t> kernelIndices;
};

} // namespace

Result<Program>
attnres::compileProgram(ModuleOp module, const Target &target,
                        const std::function<bool()> &isCancelled) {
  return Emitter(module, target, isCancelled).run();
}
