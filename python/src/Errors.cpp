// How failures of the compiler and the runtime become Python exceptions.
#include "python/src/Errors.h"

#include "tools/run/Options.h"

namespace nb = nanobind;

namespace attnres::python {
namespace {

// Classes live as long as the process.
PyObject *error, *argumentError, *fileError;

PyObject *makeClass(nb::module_ &module, const char *name, const char *doc,
                    PyObject *bases) {
  std::string path = std::string("attnres.") + name;
  PyObject *made = PyErr_NewExceptionWithDoc(path.c_str(), doc, bases, nullptr);
  if (!made)
    throw nb::python_error();
  module.attr(name) = nb::handle(made);
  return made;
}

PyObject *classOf(StatusCode code) {
  switch (code) {
  case StatusCode::InvalidArgument:
  case StatusCode::InvalidData:
    return argumentError;
  case StatusCode::IoError:
    return fileError;
  default:
    return error;
  }
}

} // namespace

void addErrors(nb::module_ &module) {
  error = makeClass(module, "Error",
                    "What the compiler and the runtime refuse, in one line.",
                    PyExc_Exception);
  nb::object bases =
      nb::make_tuple(nb::handle(error), nb::handle(PyExc_ValueError));
  argumentError =
      makeClass(module, "ArgumentError",
                "An argument, or what a file holds, is not as it has to be.",
                bases.ptr());
  bases = nb::make_tuple(nb::handle(error), nb::handle(PyExc_OSError));
  fileError =
      makeClass(module, "FileError",
                "The operating system refused to read or write.", bases.ptr());
  nb::register_exception_translator(
      [](const std::exception_ptr &thrown, void *) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Failure &failure) {
          // An interrupt is why compiling failed, then.
          if (!PyErr_Occurred())
            PyErr_SetString(classOf(failure.code), failure.what());
        } catch (const run::CommandError &failure) {
          PyErr_SetString(argumentError, failure.what());
        }
      });
}

bool isInterrupted() {
  nb::gil_scoped_acquire lock;
  // Python runs handlers in its main thread alone and lets others go on.
  return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

void rethrowInterrupt() {
  if (PyErr_Occurred())
    throw nb::python_error();
}

} // namespace attnres::python
