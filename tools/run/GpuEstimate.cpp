#include "tools/run/GpuEstimate.h"

#include "passes/Targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnres::run {

using emulator::Resource;
using runtime::KernelEstimate;

void EstimateChoice::add(CLI::App &command) {
  command
      .add_option("--samples", options.samples,
                  "blocks of each kernel that the emulator executes for the "
                  "estimate of a GPU")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->capture_default_str();
  command
      .add_option("--ptxas", assembler,
                  "NVIDIA's assembler, which knows the registers of kernels; "
                  "by default the one that is installed")
      ->type_name("FILE");
}

bool hasEstimates(const CompileOptions &options) {
  return machine::gpuOfTarget(resolveTarget(options.stages.target)) != nullptr;
}

void chooseEstimatedTarget(CompileOptions &options) {
  if (options.stages.target == StageOptions().target)
    options.stages.target = "sm_90a";
  if (!hasEstimates(options))
    throw CommandError(
        concat("--device emulator estimates GPUs, the target is '",
               options.stages.target, "'"));
}

GpuEstimate GpuEstimate::make(std::shared_ptr<const runtime::Program> program,
                              EstimateChoice choice) {
  GpuEstimate made;
  made.gpu = machine::gpuOfTarget(program->target);
  if (!made.gpu)
    throw CommandError(
        concat("no GPU is known that runs '", program->target, "'"));
  made.costs =
      unwrap(runtime::estimateProgram(program, *made.gpu, choice.options));
  std::string tool =
      choice.assembler.empty() ? findPtxAssembler() : choice.assembler;
  if (!tool.empty()) {
    auto code = assembleKernels(*program, tool);
    // One that nobody named may be too old for the target.
    if (code.ok())
      made.code = *std::move(code);
    else if (!choice.assembler.empty())
      check(code.status());
  }
  return made;
}

AssembledKernel GpuEstimate::assembled(const KernelEstimate &kernel) const {
  auto found = code.find(kernel.name);
  return found == code.end() ? AssembledKernel() : found->second;
}

emulator::Occupancy GpuEstimate::occupancy(const KernelEstimate &kernel) const {
  return emulator::occupancyOf(kernel.block.x * kernel.block.y * kernel.block.z,
                               assembled(kernel).registers, kernel.sharedBytes,
                               *gpu);
}

std::string GpuEstimate::table() const {
  std::string text = fmt::format(
      "on {} at {:.2f} GHz, a bound and no measurement: each resource as a "
      "share of the time\n{:<40} {:>8} {:>10} {:>7}",
      gpu->name, gpu->clock * 1e-9, "kernel", "launches", "us", "bound");
  for (size_t r = 0; r < emulator::numResources; ++r)
    text +=
        fmt::format(" {:>7}", emulator::resourceName(static_cast<Resource>(r)));
  text += fmt::format(" {:>9} {:>5} {:>7}\n", "conflicts", "warps", "regs");
  for (const KernelEstimate &kernel : costs.kernels) {
    const emulator::Estimate &e = kernel.estimate;
    text += fmt::format("{:<40} {:>8} {:>10.2f} {:>7}", kernel.name,
                        kernel.launches, kernel.seconds * 1e6,
                        emulator::resourceName(e.bound()));
    for (double seconds : e.seconds)
      text += fmt::format(" {:>7.2f}",
                          kernel.seconds > 0 ? seconds / kernel.seconds : 0.0);
    double conflicts = kernel.sharedPasses > 0
                           ? 100 * static_cast<double>(kernel.bankConflicts) /
                                 static_cast<double>(kernel.sharedPasses)
                           : 0;
    AssembledKernel made = assembled(kernel);
    std::string registers =
        made.registers == 0 ? "?" : std::to_string(made.registers);
    if (made.spilledBytes > 0)
      registers += fmt::format("+{}B", made.spilledBytes);
    text += fmt::format(" {:>8.1f}% {:>5} {:>7}\n", conflicts,
                        occupancy(kernel).warps, registers);
  }
  text += fmt::format("{:<40} {:>8} {:>10.2f}\n",
                      fmt::format("{} kernels", costs.kernels.size()), "",
                      costs.seconds * 1e6);
  return text;
}

nlohmann::ordered_json GpuEstimate::json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KernelEstimate &kernel : costs.kernels) {
    nlohmann::ordered_json resources;
    for (size_t r = 0; r < emulator::numResources; ++r)
      resources[emulator::resourceName(static_cast<Resource>(r))] =
          kernel.estimate.seconds[r];
    emulator::Occupancy held = occupancy(kernel);
    AssembledKernel made = assembled(kernel);
    nlohmann::ordered_json one = {
        {"kernel", kernel.name},
        {"launches", kernel.launches},
        {"seconds", kernel.seconds},
        {"bound", emulator::resourceName(kernel.estimate.bound())},
        {"resource_seconds", resources},
        {"tensor_bytes", kernel.tensorBytes},
        {"shared_passes", kernel.sharedPasses},
        {"bank_conflicts", kernel.bankConflicts},
        {"blocks_on_processor", held.blocks},
        {"warps_on_processor", held.warps},
        {"occupancy_limit", held.limit}};
    if (made.registers > 0) {
      one["registers"] = made.registers;
      one["spilled_bytes"] = made.spilledBytes;
    }
    list.push_back(one);
  }
  nlohmann::ordered_json sheet;
  for (const machine::GpuSheet::Fact &fact : gpu->facts())
    sheet[fact.name] = {
        {"value", fact.value}, {"unit", fact.unit}, {"source", fact.source}};
  return {{"gpu", gpu->name},
          {"target", gpu->target},
          {"sheet", sheet},
          {"seconds", costs.seconds},
          {"kernels", list}};
}

} // namespace attnres::run
