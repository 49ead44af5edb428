// A compiled program as Python sees it.
#ifndef ATTNRES_PYTHON_PROGRAMOBJECT_H
#define ATTNRES_PYTHON_PROGRAMOBJECT_H

#include "python/src/SharedDevice.h"
#include "runtime/Program.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string>

namespace attnres::python {

class ProgramObject {
public:
  explicit ProgramObject(runtime::Program program)
      : program_(std::make_shared<const runtime::Program>(std::move(program))) {
  }

  const runtime::Program &program() const { return *program_; }

  /// Runs the program on arrays, one for each binding in order, None for an
  /// output that updates an input. Any object that speaks DLPack or the buffer
  /// protocol is an array; its memory is used where it is. With `poison`, all
  /// memory that results are written to is filled with NaN before.
  void run(const nanobind::list &arrays, bool poison);

private:
  runtime::Executable &load(const std::shared_ptr<SharedDevice> &current);

  std::shared_ptr<const runtime::Program> program_;
  std::mutex use; ///< of what follows
  std::shared_ptr<SharedDevice> device;
  std::unique_ptr<runtime::Executable> executable;
};

/// "float32", as NumPy calls it; "bfloat16".
std::string arrayTypeName(runtime::DType dtype);

void addProgram(nanobind::module_ &module);

} // namespace attnres::python

#endif
