// Compiling for Python: configurations and modules to programs.
#ifndef ATTNRES_PYTHON_COMPILE_H
#define ATTNRES_PYTHON_COMPILE_H

#include <nanobind/nanobind.h>

namespace attnres::python {

/// Adds CompileOptions, compile_config() and compile_text().
void addCompile(nanobind::module_ &module);

/// Adds what is known of configurations: presets, parameters, overrides.
void addConfigurations(nanobind::module_ &module);

} // namespace attnres::python

#endif
