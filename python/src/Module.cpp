// attnres._core: what the Python package attnres is written on.
#include "python/src/Compile.h"
#include "python/src/Errors.h"
#include "python/src/ModelObject.h"
#include "python/src/ProgramObject.h"
#include "python/src/SharedDevice.h"
#include "support/machine/Isa.h"

namespace nb = nanobind;
using namespace attnres::python;

NB_MODULE(_core, module) {
  module.doc() = "The compiler and the runtime; the package attnres has what "
                 "people use.";
  addErrors(module);
  addProgram(module);
  addCompile(module);
  addConfigurations(module);
  addModel(module);
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty())
    throw Failure(attnres::unsupported(error));
  module.attr("version") = ATTNRES_VERSION;
  module.def(
      "threads", [] { return currentDevice()->device.threads().size(); },
      "Threads that run kernels.");
  module.def(
      "set_threads",
      [](int threads) {
        if (threads < 0 || threads > 1024)
          throw Failure(attnres::invalidArgument(
              "expected 0 to 1024 threads, got ", threads));
        setThreads(threads);
      },
      nb::arg("threads"),
      "Runs kernels on this many threads from now on; 0: on as many as the "
      "machine allows. Results do not depend on it.");
}
