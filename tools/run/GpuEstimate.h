// Estimates of what kernels cost on a GPU, as tables and JSON.
#ifndef ATTNRES_TOOLS_RUN_GPUESTIMATE_H
#define ATTNRES_TOOLS_RUN_GPUESTIMATE_H

#include "runtime/device/ProgramEstimate.h"
#include "tools/run/Options.h"
#include "tools/run/PtxAssembler.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace attnres::run {

/// How estimates are made.
struct EstimateChoice {
  runtime::EstimateOptions options;
  std::string assembler; ///< empty: the one that is installed, if any
  /// --samples and --ptxas.
  void add(CLI::App &command);
};

/// Whether programs for the target run on a GPU that estimates know.
bool hasEstimates(const CompileOptions &options);
/// The target of estimates: `options` has one already, or nobody chose any and
/// it becomes that of the H200. A CommandError for a processor's.
void chooseEstimatedTarget(CompileOptions &options);

/// What a program would cost on the GPU of its target.
class GpuEstimate {
public:
  /// A CommandError unless the program is for a known GPU.
  static GpuEstimate make(std::shared_ptr<const runtime::Program> program,
                          EstimateChoice choice);

  const runtime::ProgramEstimate &estimate() const { return costs; }
  /// One line for each kernel, and what they are together.
  std::string table() const;
  nlohmann::ordered_json json() const;

private:
  emulator::Occupancy occupancy(const runtime::KernelEstimate &kernel) const;
  /// Of a kernel; zeros where there is no assembler.
  AssembledKernel assembled(const runtime::KernelEstimate &kernel) const;

  const machine::GpuSheet *gpu = nullptr;
  runtime::ProgramEstimate costs;
  std::map<std::string, AssembledKernel> code;
};

} // namespace attnres::run

#endif
