#include "runtime/device/ProgramEstimate.h"

#include "runtime/device/BoundProgram.h"
#include "runtime/device/EmulatedDevice.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace attnres::runtime {
namespace {

/// What the cost of a launch follows from: its kernel and how long its lists
/// are.
std::vector<size_t> costKey(const Launch &launch) {
  std::vector<size_t> key = {static_cast<size_t>(launch.kernel)};
  for (const Arg &arg : launch.args)
    key.push_back(arg.elements.size());
  return key;
}

uint64_t countBlocks(const Kernel &kernel) {
  return static_cast<uint64_t>(kernel.grid.x) *
         static_cast<uint64_t>(kernel.grid.y) *
         static_cast<uint64_t>(kernel.grid.z);
}

} // namespace

Result<ProgramEstimate> estimateProgram(std::shared_ptr<const Program> program,
                                        const machine::GpuSheet &gpu,
                                        const EstimateOptions &options) {
  if (program->target != gpu.target)
    return unsupported("the program is for ", inQuotes(program->target), ", ",
                       gpu.name, " runs ", inQuotes(gpu.target));
  emulator::DeviceOptions emulated;
  emulated.threads = static_cast<unsigned>(options.threads);
  emulated.setChecks(false);
  emulated.sampledClusters = static_cast<uint64_t>(options.samples);
  EmulatedDevice device(emulated);
  Result<BoundProgram> bound = BoundProgram::create(device, program);
  if (!bound.ok())
    return bound.status();

  std::vector<KernelEstimate> kernels(program->kernels.size());
  std::vector<int64_t> launches(kernels.size());
  for (const Launch &launch : program->launches)
    ++launches[static_cast<size_t>(launch.kernel)];
  std::map<std::vector<size_t>, emulator::Counters> known;
  for (size_t i = 0; i < program->launches.size(); ++i) {
    const Launch &launch = program->launches[i];
    auto number = static_cast<size_t>(launch.kernel);
    const Kernel &kernel = program->kernels[number];
    KernelEstimate &sum = kernels[number];
    if (sum.launches++ == 0) {
      sum.name = kernel.name;
      sum.grid = kernel.grid;
      sum.block = kernel.block;
      sum.sharedBytes = kernel.sharedBytes;
    }
    emulator::LaunchWork work;
    work.blocks = countBlocks(kernel);
    auto given = options.bytes.find(kernel.name);
    work.tensorBytes =
        given == options.bytes.end()
            ? static_cast<double>(kernel.bytesRead + kernel.bytesWritten)
            : given->second / static_cast<double>(launches[number]);
    sum.tensorBytes += work.tensorBytes;
    if (work.blocks == 0)
      continue;
    auto [entry, isNew] = known.try_emplace(costKey(launch));
    if (isNew) {
      Executable::RunOptions run;
      run.begin = static_cast<int64_t>(i);
      run.end = run.begin + 1;
      if (Status status = bound->executable().run(run); !status.ok())
        return status;
      entry->second = device.emulated().counters();
      sum.sharedPasses += entry->second.shared.transactions;
      sum.bankConflicts += entry->second.bankConflicts;
    }
    work.counters = entry->second;
    emulator::Estimate one = emulator::estimateLaunch(work, gpu);
    for (size_t r = 0; r < emulator::numResources; ++r)
      sum.estimate.seconds[r] += one.seconds[r];
    sum.seconds += one.total();
  }

  ProgramEstimate result;
  for (KernelEstimate &kernel : kernels) {
    if (kernel.launches == 0)
      continue;
    result.seconds += kernel.seconds;
    result.kernels.push_back(std::move(kernel));
  }
  std::stable_sort(result.kernels.begin(), result.kernels.end(),
                   [](const KernelEstimate &a, const KernelEstimate &b) {
                     return a.seconds > b.seconds;
                   });
  return result;
}

} // namespace attnres::runtime
