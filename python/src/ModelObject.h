// Models in folders for Python.
#ifndef ATTNRES_PYTHON_MODELOBJECT_H
#define ATTNRES_PYTHON_MODELOBJECT_H

#include <nanobind/nanobind.h>

namespace attnres::python {

/// Adds ModelFiles and GenerationOptions.
void addModel(nanobind::module_ &module);

} // namespace attnres::python

#endif
