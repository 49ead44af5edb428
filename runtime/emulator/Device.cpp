// The device interface: modules, memory, launches.

#include "runtime/emulator/Device.h"

#include "runtime/emulator/Decoder.h"
#include "runtime/emulator/Launch.h"
#include "runtime/emulator/Parser.h"

#include <fmt/format.h>
#include <map>
#include <thread>

namespace attnres::emulator {

struct Device::State {
  DeviceOptions options;
  DeviceMemory memory;
  RaceLog races;
  ClusterTimes times;
  FindingLog log;
  std::vector<Finding> findings;
  Counters counters;
  std::string output;
  uint64_t launches = 0;
  uint64_t functions = 0;
  std::map<std::string, std::unique_ptr<KernelCode>> kernels;
  std::unordered_map<std::string, uint64_t> addresses;
  std::unordered_map<std::string, uint64_t> sizes;
  std::vector<std::pair<uint32_t, uint64_t>> lineCounts;
};

Device::Device(DeviceOptions options) : state(std::make_unique<State>()) {
  state->options = options;
}
Device::~Device() = default;
Device::Device(Device &&) noexcept = default;
Device &Device::operator=(Device &&) noexcept = default;

Status Device::loadModule(std::string_view ptx, const std::string &prefix) {
  Result<Module> module = parseModule(ptx);
  if (!module.ok())
    return module.status();
  // Variables first: code and initial values refer to their addresses.
  ModuleAddresses known;
  std::unordered_map<std::string, uint64_t> &addresses = known.variables;
  addresses = state->addresses;
  for (const Function &function : module->functions)
    known.functions[function.name] =
        kFunctionWindow + kFunctionStep * ++state->functions;
  std::unordered_map<std::string, uint64_t> sizes = state->sizes;
  for (const Variable &variable : module->variables) {
    if (variable.space != Space::Global && variable.space != Space::Const)
      continue;
    if (variable.isExtern) {
      if (!addresses.count(variable.name))
        return invalidArgument(
            fmt::format("line {}: extern variable '{}' is not defined by a "
                        "module loaded before",
                        variable.line, variable.name));
      continue;
    }
    Result<uint64_t> address =
        state->memory.allocate(variable.bytes, variable.space == Space::Const);
    if (!address.ok())
      return address.status();
    // Variables without an initial value are zero.
    if (Status status = state->memory.fill(*address, 0, variable.bytes);
        !status.ok())
      return status;
    addresses[variable.name] = *address;
    sizes[variable.name] = variable.bytes;
  }
  for (const Variable &variable : module->variables) {
    if ((variable.space != Space::Global && variable.space != Space::Const) ||
        variable.init.empty())
      continue;
    std::vector<uint8_t> bytes = variable.init;
    for (const Variable::Relocation &relocation : variable.relocations) {
      auto found = addresses.find(relocation.symbol);
      auto function = known.functions.find(relocation.symbol);
      if (found == addresses.end() && function == known.functions.end())
        return invalidArgument(fmt::format(
            "line {}: initial value of '{}' is '{}', which has no address",
            variable.line, variable.name, relocation.symbol));
      uint64_t value = (function != known.functions.end() ? function->second
                                                          : found->second) +
                       static_cast<uint64_t>(relocation.addend);
      value = (value & relocation.mask) >> __builtin_ctzll(relocation.mask);
      for (unsigned i = 0; i < relocation.bytes && i < 8; ++i)
        bytes[relocation.offset + i] = static_cast<uint8_t>(value >> (8 * i));
    }
    if (Status status = state->memory.write(addresses[variable.name],
                                            bytes.data(), bytes.size());
        !status.ok())
      return status;
  }
  DecodeOptions options;
  options.perturb = state->options.perturbApproximations;
  options.perturbSeed = state->options.perturbSeed;
  std::map<std::string, std::unique_ptr<KernelCode>> decoded;
  for (const Function &function : module->functions) {
    if (!function.isEntry || !function.hasBody)
      continue;
    if (state->kernels.count(prefix + function.name))
      return invalidArgument(
          fmt::format("line {}: kernel '{}' is already loaded", function.line,
                      function.name));
    Result<std::unique_ptr<KernelCode>> kernel =
        decodeKernel(*module, function, known, options);
    if (!kernel.ok())
      return kernel.status();
    decoded[prefix + function.name] = std::move(*kernel);
  }
  for (auto &[name, kernel] : decoded)
    state->kernels[name] = std::move(kernel);
  state->addresses = std::move(addresses);
  state->sizes = std::move(sizes);
  return {};
}

std::vector<std::string> Device::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, kernel] : state->kernels)
    names.push_back(name);
  return names;
}

Result<std::vector<KernelParameter>>
Device::parameters(const std::string &kernel) const {
  auto found = state->kernels.find(kernel);
  if (found == state->kernels.end())
    return invalidArgument(fmt::format("no kernel '{}' is loaded", kernel));
  std::vector<KernelParameter> list;
  for (const ParameterLayout &parameter : found->second->parameters)
    list.push_back({parameter.name, parameter.bytes, parameter.type});
  return list;
}

Result<uint64_t> Device::allocate(uint64_t bytes) {
  return state->memory.allocate(bytes);
}
Status Device::free(uint64_t address) { return state->memory.release(address); }
Status Device::copyToDevice(uint64_t destination, const void *source,
                            uint64_t bytes) {
  return state->memory.write(destination, source, bytes);
}
Status Device::copyToHost(void *destination, uint64_t source, uint64_t bytes) {
  return state->memory.read(source, destination, bytes);
}
Status Device::fill(uint64_t destination, uint8_t value, uint64_t bytes) {
  return state->memory.fill(destination, value, bytes);
}

Result<std::pair<uint64_t, uint64_t>>
Device::variable(const std::string &name) const {
  auto found = state->addresses.find(name);
  if (found == state->addresses.end())
    return invalidArgument(fmt::format("no variable '{}' is loaded", name));
  return std::make_pair(found->second, state->sizes.at(name));
}

namespace {

std::string shape(const Dim3 &dim) {
  return fmt::format("({},{},{})", dim.x, dim.y, dim.z);
}

Status checkShape(const KernelCode &kernel, const LaunchConfig &config,
                  const Dim3 &cluster) {
  auto fail = [&](const std::string &what) {
    return invalidArgument(fmt::format("kernel '{}': {}", kernel.name, what));
  };
  const Dim3 &grid = config.grid;
  const Dim3 &block = config.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu ||
      grid.y > 65535 || grid.z > 65535)
    return fail(fmt::format("grid {} is outside of (2147483647,65535,65535)",
                            shape(grid)));
  if (block.count() == 0 || block.count() > 1024 || block.x > 1024 ||
      block.y > 1024 || block.z > 64)
    return fail(fmt::format("block {} has {} threads, expected 1 to 1024",
                            shape(block), block.count()));
  uint64_t most = 1;
  for (uint32_t limit : kernel.maxThreads)
    most *= limit;
  if (kernel.maxThreads[0] != 0 && block.count() > most)
    return fail(fmt::format("block {} has {} threads, the kernel allows {}",
                            shape(block), block.count(), most));
  if (kernel.requiredThreads[0] != 0 && (block.x != kernel.requiredThreads[0] ||
                                         block.y != kernel.requiredThreads[1] ||
                                         block.z != kernel.requiredThreads[2]))
    return fail(fmt::format("block {}, the kernel requires ({},{},{})",
                            shape(block), kernel.requiredThreads[0],
                            kernel.requiredThreads[1],
                            kernel.requiredThreads[2]));
  if (cluster.count() == 0 || cluster.count() > 16)
    return fail(fmt::format("cluster {} has {} blocks, expected 1 to 16",
                            shape(cluster), cluster.count()));
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
      grid.z % cluster.z != 0)
    return fail(fmt::format("grid {} is not a multiple of cluster {}",
                            shape(grid), shape(cluster)));
  constexpr uint64_t sharedLimit = 227 * 1024;
  uint64_t sharedTotal = kernel.dynamicSharedOffset - kSharedBase +
                         uint64_t(config.dynamicSharedBytes);
  if (sharedTotal > sharedLimit)
    return fail(fmt::format("{} bytes of shared memory, expected at most {}",
                            sharedTotal, sharedLimit));
  return {};
}

} // namespace

Status Device::launch(const std::string &name, const LaunchConfig &config,
                      const std::vector<const void *> &arguments) {
  auto found = state->kernels.find(name);
  if (found == state->kernels.end())
    return invalidArgument(fmt::format("no kernel '{}' is loaded", name));
  const KernelCode &kernel = *found->second;
  Dim3 cluster = config.cluster;
  if (cluster.x == 0)
    cluster = kernel.requiredCluster[0] != 0
                  ? Dim3{kernel.requiredCluster[0], kernel.requiredCluster[1],
                         kernel.requiredCluster[2]}
                  : Dim3{1, 1, 1};
  if (Status status = checkShape(kernel, config, cluster); !status.ok())
    return status;
  if (arguments.size() != kernel.parameters.size())
    return invalidArgument(
        fmt::format("kernel '{}' takes {} arguments, {} given", name,
                    kernel.parameters.size(), arguments.size()));

  LaunchState launch;
  launch.kernel = &kernel;
  launch.memory = &state->memory;
  launch.checks = {state->options.checkInitialized, state->options.checkRaces,
                   state->options.checkRegisters,
                   state->options.checkSameValue};
  launch.grid = config.grid;
  launch.block = config.block;
  launch.cluster = cluster;
  launch.dynamicSharedBytes = config.dynamicSharedBytes;
  launch.sharedBytes =
      kernel.dynamicSharedOffset - kSharedBase + config.dynamicSharedBytes;
  launch.parameters.resize(kernel.parameterBytes);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ParameterLayout &parameter = kernel.parameters[i];
    if (parameter.bytes != 0)
      std::memcpy(launch.parameters.data() + parameter.offset, arguments[i],
                  parameter.bytes);
  }
  launch.findings = &state->log;
  launch.races = &state->races;
  launch.times = &state->times;
  launch.shuffleSeed = state->options.shuffleSeed;
  launch.launchNumber = ++state->launches;
  launch.sampledClusters = state->options.sampledClusters;
  launch.instructionLimit = state->options.instructionLimit;
  launch.stackBytes = state->options.stackBytes;
  launch.heapBytes = state->options.heapBytes;
  // Its size, and the word that the barrier of the grid counts in.
  if (config.cooperative) {
    Result<uint64_t> workspace = state->memory.allocate(16);
    if (!workspace.ok())
      return workspace.status();
    uint32_t content[4] = {sizeof content, 0, 0, 0};
    if (Status status =
            state->memory.write(*workspace, content, sizeof content);
        !status.ok())
      return status;
    launch.gridWorkspace = *workspace;
  }
  if (kernel.usesHeap)
    state->memory.beginHeap();
  state->races.beginLaunch();

  unsigned threads = state->options.threads;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  state->counters = Counters();
  std::vector<WorkerState::Execution> executions;
  Status status = runLaunch(launch, threads, state->counters, executions);
  state->memory.endHeap();
  if (config.cooperative)
    (void)state->memory.release(launch.gridWorkspace);

  std::map<uint32_t, uint64_t> byLine;
  for (size_t i = 0; i < executions.size(); ++i)
    byLine[kernel.code[i].line] += executions[i].warps;
  state->lineCounts.assign(byLine.begin(), byLine.end());
  state->output += launch.printed;
  for (Finding &finding : state->log.take())
    state->findings.push_back(std::move(finding));
  return status;
}

const std::vector<Finding> &Device::findings() const { return state->findings; }
void Device::clearFindings() { state->findings.clear(); }
const Counters &Device::counters() const { return state->counters; }
std::vector<std::pair<uint32_t, uint64_t>> Device::lineCounts() const {
  return state->lineCounts;
}
std::string Device::takeOutput() { return std::exchange(state->output, {}); }
const char *Device::hostLevel() { return laneTable().name; }

} // namespace attnres::emulator
