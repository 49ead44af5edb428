// A program with memory for all its tensors.
#ifndef ATTNRES_TOOLS_RUN_BOUNDPROGRAM_H
#define ATTNRES_TOOLS_RUN_BOUNDPROGRAM_H

#include "runtime/CpuDevice.h"
#include "tools/run/ModelFiles.h"

#include <memory>
#include <vector>

namespace attnres::run {

class BoundProgram {
public:
  /// Copies the program's inputs by name, each from the first file that has it.
  /// The device must outlive the result.
  static Result<BoundProgram>
  create(runtime::CpuDevice &device,
         std::shared_ptr<const runtime::Program> program,
         const std::vector<const runtime::SafetensorsFile *> &files);

  /// Computes the outputs once. `poison` fills all other memory with NaN first.
  Status run(bool poison);

  /// The results, valid as long as this object.
  std::vector<runtime::TensorView> outputs() const;

private:
  BoundProgram() = default;

  std::unique_ptr<runtime::Executable> executable;
  std::vector<runtime::AlignedBuffer> buffers; ///< one for each binding
};

} // namespace attnres::run

#endif
