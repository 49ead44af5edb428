// A compiled program as Python sees it: its tensors, and runs on arrays that
// stay where they are.
#include "python/src/ProgramObject.h"

#include "python/src/Errors.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace attnres::python {

using runtime::Binding;
using runtime::Direction;
using runtime::DType;
using runtime::Role;

namespace {

using ReadArray = nb::ndarray<nb::ro, nb::device::cpu>;
using WrittenArray = nb::ndarray<nb::device::cpu>;

nb::dlpack::dtype dlpackType(DType dtype) {
  auto bits = static_cast<uint8_t>(8 * runtime::dtypeBytes(dtype));
  using Code = nb::dlpack::dtype_code;
  Code code = Code::Float;
  if (dtype == DType::Bool)
    code = Code::Bool;
  else if (dtype == DType::U8)
    code = Code::UInt;
  else if (dtype == DType::BF16)
    code = Code::Bfloat;
  else if (runtime::isInteger(dtype))
    code = Code::Int;
  return {static_cast<uint8_t>(code), bits, 1};
}

/// Bits that NumPy, which has no type for them, keeps as integers.
bool isBitsOf(nb::dlpack::dtype type, DType dtype) {
  return dtype == DType::BF16 && type.bits == 16 && type.lanes == 1 &&
         type.code == static_cast<uint8_t>(nb::dlpack::dtype_code::UInt);
}

std::string describeShape(const int64_t *shape, size_t rank) {
  std::string text = "[";
  for (size_t i = 0; i < rank; ++i)
    text += concat(i ? ", " : "", shape[i]);
  return text + "]";
}

std::string describe(const Binding &binding) {
  return concat(binding.direction == Direction::Input ? "input " : "output ",
                inQuotes(binding.name));
}

std::string describeWanted(const Binding &binding) {
  return concat("expected ", arrayTypeName(binding.dtype), " ",
                describeShape(binding.shape.data(), binding.shape.size()));
}

/// A type of another framework in words.
std::string describe(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const char *kind = "type";
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    kind = "int";
    break;
  case Code::UInt:
    kind = "uint";
    break;
  case Code::Float:
    kind = "float";
    break;
  case Code::Bfloat:
    kind = "bfloat";
    break;
  case Code::Complex:
    kind = "complex";
    break;
  case Code::Bool:
    return "bool";
  default:
    break;
  }
  return concat(kind, int{type.bits});
}

/// The memory of an array that is what the binding wants.
template <typename Array>
runtime::DeviceMemory memoryOf(const Binding &binding, const Array &array) {
  bool hasType = array.dtype() == dlpackType(binding.dtype) ||
                 isBitsOf(array.dtype(), binding.dtype);
  bool hasShape =
      array.ndim() == binding.shape.size() &&
      std::equal(binding.shape.begin(), binding.shape.end(), array.shape_ptr());
  if (!hasType || !hasShape)
    throw Failure(
        invalidArgument(describe(binding), ": ", describeWanted(binding),
                        ", got ", describe(array.dtype()), " ",
                        describeShape(array.shape_ptr(), array.ndim())));
  int64_t step = 1;
  for (size_t i = array.ndim(); i-- > 0; step *= binding.shape[i])
    if (binding.shape[i] > 1 && array.stride(i) != step && array.size() > 0)
      throw Failure(invalidArgument(
          describe(binding),
          ": expected an array in row-major order without gaps"));
  return runtime::CpuDevice::shared(array.data(), binding.bytes());
}

template <typename Array>
Array import(const Binding &binding, nb::handle object, const char *how) {
  Array array;
  if (object.is_none())
    throw Failure(invalidArgument(describe(binding), " is missing"));
  if (!nb::try_cast<Array>(object, array))
    throw Failure(invalidArgument(
        describe(binding), ": ", describeWanted(binding), how, ", got ",
        nb::str(object.type().attr("__name__")).c_str()));
  return array;
}

/// Bytes that a run reads or writes.
struct Range {
  uint64_t begin, end;
  bool isWritten;
  const Binding *binding;
};

/// Fails when what is written is also something else.
void checkOverlaps(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  // The ranges so far that end last.
  const Range *any = nullptr, *written = nullptr;
  for (const Range &range : ranges) {
    const Range *other = range.isWritten ? any : written;
    if (other && range.begin < other->end)
      throw Failure(invalidArgument(describe(*range.binding),
                                    " overlaps the memory of ",
                                    describe(*other->binding)));
    if (!any || range.end > any->end)
      any = &range;
    if (range.isWritten && (!written || range.end > written->end))
      written = &range;
  }
}

const char *roleName(Role role) {
  switch (role) {
  case Role::Data:
    return "data";
  case Role::Parameter:
    return "parameter";
  case Role::State:
    return "state";
  case Role::Gradient:
    return "gradient";
  case Role::GradientSum:
    return "gradient_sum";
  case Role::GradientSquares:
    return "gradient_squares";
  case Role::GradientNorm:
    return "gradient_norm";
  case Role::FirstMoment:
    return "first_moment";
  case Role::SecondMoment:
    return "second_moment";
  case Role::Cache:
    return "cache";
  }
  return "";
}

} // namespace

std::string arrayTypeName(DType dtype) {
  if (dtype == DType::Bool)
    return "bool";
  const char *kind = dtype == DType::BF16        ? "bfloat"
                     : dtype == DType::U8        ? "uint"
                     : runtime::isInteger(dtype) ? "int"
                                                 : "float";
  return concat(kind, 8 * runtime::dtypeBytes(dtype));
}

runtime::Executable &
ProgramObject::load(const std::shared_ptr<SharedDevice> &current) {
  if (executable && device == current)
    return *executable;
  executable.reset();
  device = current;
  executable = unwrap(device->device.load(program_));
  return *executable;
}

void ProgramObject::run(const nb::list &arrays, bool poison) {
  const std::vector<Binding> &bindings = program_->bindings;
  if (arrays.size() != bindings.size())
    throw Failure(invalidArgument("expected ", bindings.size(), " arrays, got ",
                                  arrays.size()));
  std::vector<bool> isWritten(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i)
    if (bindings[i].direction == Direction::Output)
      isWritten[bindings[i].updates < 0
                    ? i
                    : static_cast<size_t>(bindings[i].updates)] = true;
  // Kept until the run is over.
  std::vector<ReadArray> read;
  std::vector<WrittenArray> written;
  std::vector<runtime::DeviceMemory> memory(bindings.size());
  std::vector<Range> ranges;
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].updates >= 0)
      continue;
    if (isWritten[i]) {
      written.push_back(import <WrittenArray>(
          bindings[i], arrays[i], " in memory that can be written"));
      memory[i] = memoryOf(bindings[i], written.back());
    } else {
      read.push_back(import <ReadArray>(bindings[i], arrays[i], ""));
      memory[i] = memoryOf(bindings[i], read.back());
    }
    if (memory[i].bytes > 0)
      ranges.push_back(
          {memory[i].address,
           memory[i].address + static_cast<uint64_t>(memory[i].bytes),
           isWritten[i], &bindings[i]});
  }
  checkOverlaps(std::move(ranges));
  std::shared_ptr<SharedDevice> current = currentDevice();
  nb::gil_scoped_release unlocked;
  RunningHere once;
  std::lock_guard<std::mutex> ours(use);
  std::lock_guard<std::mutex> running(current->running);
  runtime::Executable &loaded = load(current);
  for (size_t i = 0; i < bindings.size(); ++i)
    if (bindings[i].updates < 0)
      check(loaded.bind(static_cast<int64_t>(i), memory[i]));
  runtime::Executable::RunOptions options;
  options.poison = poison;
  check(loaded.run(options));
}

void addProgram(nb::module_ &module) {
  nb::class_<Binding>(module, "Tensor",
                      "An input or output of a program, as it is declared.")
      .def_ro("name", &Binding::name)
      .def_prop_ro(
          "dtype",
          [](const Binding &binding) { return arrayTypeName(binding.dtype); },
          "Type of the elements, as NumPy calls it, or 'bfloat16'.")
      .def_prop_ro(
          "shape",
          [](const Binding &binding) {
            nb::list sizes;
            for (int64_t size : binding.shape)
              sizes.append(size);
            return nb::tuple(sizes);
          },
          nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("is_output",
                   [](const Binding &binding) {
                     return binding.direction == Direction::Output;
                   })
      .def_prop_ro(
          "role", [](const Binding &binding) { return roleName(binding.role); },
          "What it is to who runs the program: 'data', 'parameter', "
          "'gradient', 'first_moment' and others.")
      .def_ro("updates", &Binding::updates,
              "Of an output: the index of the input that it overwrites, or -1.")
      .def_ro("parameter", &Binding::parameter,
              "Of what belongs to a parameter: the index of its input, or -1.")
      .def_prop_ro(
          "limits",
          [](const Binding &binding) {
            std::vector<std::pair<int64_t, int64_t>> limits;
            for (runtime::IndexRange range : binding.limits)
              limits.emplace_back(range.low, range.high);
            return limits;
          },
          "Of an input of integers: what its elements may be, as closed "
          "ranges; anything when there is none.")
      .def("__repr__", [](const Binding &binding) {
        return concat("Tensor(", inQuotes(binding.name), ", ",
                      arrayTypeName(binding.dtype), ", ",
                      describeShape(binding.shape.data(), binding.shape.size()),
                      ")");
      });

  nb::class_<ProgramObject>(module, "CompiledProgram",
                            "Compiled code; attnres.Program runs it.")
      .def_static(
          "load",
          [](const std::string &path) {
            nb::gil_scoped_release unlocked;
            return new ProgramObject(unwrap(runtime::Program::load(path)));
          },
          nb::arg("path"))
      .def_static(
          "parse",
          [](const nb::bytes &bytes) {
            return new ProgramObject(unwrap(runtime::Program::parse(
                {bytes.c_str(), bytes.size()}, "program")));
          },
          nb::arg("bytes"))
      .def(
          "save",
          [](const ProgramObject &self, const std::string &path) {
            nb::gil_scoped_release unlocked;
            check(self.program().save(path));
          },
          nb::arg("path"))
      .def("serialize",
           [](const ProgramObject &self) {
             std::string bytes = self.program().serialize();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_prop_ro(
          "tensors",
          [](const ProgramObject &self) { return self.program().bindings; })
      .def_prop_ro(
          "metadata",
          [](const ProgramObject &self) { return self.program().metadata; })
      .def_prop_ro(
          "target",
          [](const ProgramObject &self) { return self.program().target; })
      .def_prop_ro("workspace_bytes",
                   [](const ProgramObject &self) {
                     return self.program().workspaceBytes;
                   })
      .def_prop_ro("launches",
                   [](const ProgramObject &self) {
                     return self.program().launches.size();
                   })
      .def("run", &ProgramObject::run, nb::arg("arrays"),
           nb::arg("poison") = false);
}

} // namespace attnres::python
