// Memory of the host, object code, and the launch loop.
#include "runtime/device/CpuDevice.h"

#include "runtime/ObjectLoader.h"

#include "runtime/include/attnres_kernel.h"

#include <algorithm>
#include <cstring>

namespace attnres::runtime {
namespace {

void *pointerTo(DeviceMemory memory) {
  return reinterpret_cast<void *>(memory.address);
}

class CpuExecutable final : public Executable {
public:
  static Result<std::unique_ptr<Executable>>
  create(CpuDevice &device, std::shared_ptr<const Program> program) {
    std::unique_ptr<CpuExecutable> executable(
        new CpuExecutable(device, std::move(program)));
    if (Status status = executable->loadCode(); !status.ok())
      return status;
    if (Status status = executable->loadConstants(); !status.ok())
      return status;
    return std::unique_ptr<Executable>(std::move(executable));
  }

private:
  CpuExecutable(CpuDevice &device, std::shared_ptr<const Program> program)
      : Executable(device, std::move(program)), cpu(device) {}

  struct ResolvedLaunch {
    attnres_kernel_fn function;
    int64_t grid;
    void *const *args; // into `addresses`
  };

  Status loadCode() {
    for (size_t i = 0; i < program().blobs.size(); ++i) {
      Result<LoadedObject> object =
          LoadedObject::load(program().blobs[i], concat("program: blob ", i));
      if (!object.ok())
        return object.status();
      code.push_back(*std::move(object));
    }
    for (const Kernel &kernel : program().kernels) {
      void *function =
          code[static_cast<size_t>(kernel.blob)].symbol(kernel.symbol);
      if (!function)
        return invalidData("program: kernel ", inQuotes(kernel.name),
                           ": no symbol ", inQuotes(kernel.symbol), " in blob ",
                           kernel.blob);
      functions.push_back(reinterpret_cast<attnres_kernel_fn>(function));
    }
    return {};
  }

  Status loadConstants() {
    const std::string &content = program().constants;
    Result<AlignedBuffer> allocated = AlignedBuffer::allocate(content.size());
    if (!allocated.ok())
      return allocated.status();
    constants = *std::move(allocated);
    if (!content.empty())
      std::memcpy(constants.data(), content.data(), content.size());
    return {};
  }

  Status resolve() override;
  Status execute(size_t begin, size_t end,
                 std::vector<LaunchTime> *times) override;

  Status poisonScratch() override {
    for (int thread = 0; thread < cpu.threads().size(); ++thread)
      if (const AlignedBuffer &buffer = cpu.scratch(thread); buffer.bytes() > 0)
        std::memset(buffer.data(), poisonByte, buffer.bytes());
    return {};
  }

  void *pointer(const Arg &arg) const {
    return reinterpret_cast<void *>(
        addressOf(arg, reinterpret_cast<uintptr_t>(constants.data())));
  }

  CpuDevice &cpu;
  std::vector<LoadedObject> code; // per blob
  AlignedBuffer constants;
  std::vector<attnres_kernel_fn> functions; // per kernel
  // What `resolve` computes from the bindings and the workspace: the arguments
  // of all launches one after the other, then the elements of all lists.
  std::vector<void *> addresses;
  std::vector<attnres_list> lists;
  std::vector<ResolvedLaunch> launches;
};

Status CpuExecutable::resolve() {
  size_t numArgs = 0, numElements = 0, numLists = 0;
  for (const Launch &launch : program().launches) {
    numArgs += launch.args.size();
    for (const Arg &arg : launch.args) {
      numLists += arg.kind == Arg::Kind::List;
      numElements += arg.elements.size();
    }
  }
  // Sized once: launches and lists point into these.
  addresses.assign(numArgs + numElements, nullptr);
  lists.assign(numLists, {});
  launches.clear();
  void **nextArg = addresses.data(), **nextElement = nextArg + numArgs;
  attnres_list *nextList = lists.data();
  for (const Launch &launch : program().launches) {
    auto kernel = static_cast<size_t>(launch.kernel);
    launches.push_back(
        {functions[kernel], program().kernels[kernel].grid.x, nextArg});
    for (const Arg &arg : launch.args) {
      if (arg.kind != Arg::Kind::List) {
        *nextArg++ = pointer(arg);
        continue;
      }
      *nextList = {static_cast<int64_t>(arg.elements.size()), nextElement};
      for (const Arg &element : arg.elements)
        *nextElement++ = pointer(element);
      *nextArg++ = nextList++;
    }
  }
  return {};
}

Status CpuExecutable::execute(size_t begin, size_t end,
                              std::vector<LaunchTime> *times) {
  struct Context {
    const ResolvedLaunch *launch;
    const CpuDevice *device;
  };
  auto piece = [](void *data, int thread, int64_t first, int64_t last) {
    const auto &context = *static_cast<Context *>(data);
    context.launch->function(context.launch->args,
                             context.device->scratch(thread).data(), first,
                             last);
  };
  for (size_t i = begin; i < end; ++i) {
    Context context = {&launches[i], &cpu};
    if (!times) {
      cpu.threads().run(launches[i].grid, piece, &context);
      continue;
    }
    auto start = std::chrono::steady_clock::now();
    cpu.threads().run(launches[i].grid, piece, &context);
    times->push_back(
        {static_cast<int64_t>(i), start, std::chrono::steady_clock::now()});
  }
  return {};
}

} // namespace

CpuDevice::CpuDevice(const CpuOptions &options)
    : features_(options.features),
      threads_(options.threads > 0 ? options.threads : defaultThreadCount()),
      scratch_(static_cast<size_t>(threads_.size())) {}

std::string CpuDevice::name() const {
  return concat("cpu (", features_.toString(), ", ", threads_.size(),
                " threads)");
}

Result<DeviceBuffer> CpuDevice::allocate(int64_t bytes) {
  Result<AlignedBuffer> buffer =
      AlignedBuffer::allocate(static_cast<size_t>(bytes));
  if (!buffer.ok())
    return buffer.status();
  auto owner = std::make_shared<AlignedBuffer>(*std::move(buffer));
  DeviceMemory memory = shared(owner->data(), bytes);
  return DeviceBuffer(memory, std::move(owner));
}

Status CpuDevice::upload(DeviceMemory to, const void *from) {
  if (to.bytes > 0)
    std::memcpy(pointerTo(to), from, static_cast<size_t>(to.bytes));
  return {};
}

Status CpuDevice::download(void *to, DeviceMemory from) {
  if (from.bytes > 0)
    std::memcpy(to, pointerTo(from), static_cast<size_t>(from.bytes));
  return {};
}

Status CpuDevice::copy(DeviceMemory to, DeviceMemory from) {
  return upload(to, pointerTo(from));
}

Status CpuDevice::fill(DeviceMemory to, uint8_t value) {
  if (to.bytes > 0)
    std::memset(pointerTo(to), value, static_cast<size_t>(to.bytes));
  return {};
}

std::optional<DeviceMemory> CpuDevice::borrow(void *data, int64_t bytes) {
  DeviceMemory memory = shared(data, bytes);
  if (memory.address % Executable::alignment != 0)
    return std::nullopt;
  return memory;
}

Result<HostMapping> CpuDevice::map(DeviceMemory memory, Access) {
  return HostMapping(pointerTo(memory));
}

Status CpuDevice::reserveScratch(const Program &program) {
  int64_t most = 0;
  for (const Kernel &kernel : program.kernels)
    most = std::max(most, kernel.scratchBytes);
  for (AlignedBuffer &buffer : scratch_) {
    if (static_cast<size_t>(most) <= buffer.bytes())
      continue;
    Result<AlignedBuffer> larger =
        AlignedBuffer::allocate(static_cast<size_t>(most));
    if (!larger.ok())
      return larger.status();
    buffer = *std::move(larger);
  }
  return {};
}

Status CpuDevice::expectTarget(const std::string &target) const {
  if (const std::string &error = machine::hostIsa().error; !error.empty())
    return invalidArgument(error);
  if (std::optional<std::string> isa = cpuIsa(target))
    return features_.supports(*isa);
  return unsupported("the program is for ", inQuotes(target),
                     ", the device cpu runs programs for cpu:ISA");
}

Result<std::unique_ptr<Executable>>
CpuDevice::create(std::shared_ptr<const Program> program) {
  if (machine::Isa::parse(*cpuIsa(program->target))->amxBf16)
    if (Status status = enableAmx(); !status.ok())
      return status;
  if (Status status = reserveScratch(*program); !status.ok())
    return status;
  return CpuExecutable::create(*this, std::move(program));
}

} // namespace attnres::runtime
