// The C interface: argument checks, structure versions, and a wall that no
// exception passes.
#include "runtime/include/attnres_runtime.h"

#include "runtime/ProgramPack.h"
#include "runtime/device/CpuDevice.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

using namespace attnres;
using namespace attnres::runtime;

/// One device per program keeps programs independent of each other.
struct attnres_program {
  explicit attnres_program(const CpuOptions &options) : device(options) {}
  CpuDevice device;
  std::unique_ptr<Executable> executable;
};

namespace {

static_assert(ATTNRES_BOOL == static_cast<int>(DType::Bool) &&
                  ATTNRES_BF16 == static_cast<int>(DType::BF16),
              "dtype numbers are shared");
static_assert(ATTNRES_CACHE == static_cast<int>(Role::Cache) &&
                  ATTNRES_GRADIENT_SQUARES ==
                      static_cast<int>(Role::GradientSquares),
              "roles are shared");

attnres_status codeOf(const Status &status) {
  switch (status.code()) {
  case StatusCode::Ok:
    return ATTNRES_OK;
  case StatusCode::InvalidArgument:
    return ATTNRES_INVALID_ARGUMENT;
  case StatusCode::InvalidData:
    return ATTNRES_INVALID_DATA;
  case StatusCode::IoError:
    return ATTNRES_IO_ERROR;
  case StatusCode::Unsupported:
    return ATTNRES_UNSUPPORTED;
  }
  return ATTNRES_INTERNAL;
}

/// Copies as much of `message` as the caller's structure holds.
void writeMessage(attnres_error *error, const char *message) {
  constexpr size_t start = offsetof(attnres_error, message);
  if (!error || error->struct_size <= start)
    return;
  size_t capacity = std::min(error->struct_size, sizeof *error) - start;
  size_t length = std::min(std::strlen(message), capacity - 1);
  std::memcpy(error->message, message, length);
  error->message[length] = '\0';
}

/// Runs `body`, which returns a Status, and reports what became of it.
template <typename Body>
attnres_status guarded(attnres_error *error, Body body) noexcept {
  try {
    Status status = body();
    writeMessage(error, status.message().c_str());
    return codeOf(status);
  } catch (const std::bad_alloc &) {
    writeMessage(error, "out of memory");
  } catch (const std::exception &exception) {
    writeMessage(error, exception.what());
  } catch (...) {
    writeMessage(error, "unknown exception");
  }
  return ATTNRES_INTERNAL;
}

/// Copies the fields that the caller's version of the structure has.
template <typename T>
void copyVersioned(void *to, size_t toSize, const T &from) {
  std::memcpy(to, &from, std::min(toSize, sizeof from));
}

Status readOptions(const attnres_options *given, CpuOptions &options) {
  if (!given)
    return {};
  attnres_options known = {sizeof known, 0};
  if (given->struct_size < sizeof given->struct_size)
    return invalidArgument("options: struct_size is not set");
  copyVersioned(&known, given->struct_size, *given);
  if (known.threads < 0 || known.threads > 4096)
    return invalidArgument("options: ", known.threads, " threads");
  options.threads = known.threads;
  return {};
}

/// Of several programs the first that the processor runs.
Status prepare(Result<ProgramPack> loaded, const attnres_options *given,
               attnres_program **program) {
  if (!loaded.ok())
    return loaded.status();
  CpuOptions options;
  if (Status status = readOptions(given, options); !status.ok())
    return status;
  auto result = std::make_unique<attnres_program>(options);
  Result<std::shared_ptr<const Program>> chosen =
      loaded->choose(result->device, "");
  if (!chosen.ok())
    return chosen.status();
  auto executable = result->device.load(*std::move(chosen));
  if (!executable.ok())
    return executable.status();
  result->executable = *std::move(executable);
  *program = result.release();
  return {};
}

} // namespace

int32_t attnres_version(void) { return ATTNRES_RUNTIME_VERSION; }

attnres_status attnres_program_load(const char *path,
                                    const attnres_options *options,
                                    attnres_program **program,
                                    attnres_error *error) {
  return guarded(error, [&]() -> Status {
    if (!path || !program)
      return invalidArgument("path or program is null");
    *program = nullptr;
    return prepare(ProgramPack::load(path), options, program);
  });
}

attnres_status attnres_program_load_memory(const void *data, size_t size,
                                           const attnres_options *options,
                                           attnres_program **program,
                                           attnres_error *error) {
  return guarded(error, [&]() -> Status {
    if (!data || !program)
      return invalidArgument("data or program is null");
    *program = nullptr;
    return prepare(
        ProgramPack::parse({static_cast<const char *>(data), size}, "program"),
        options, program);
  });
}

void attnres_program_destroy(attnres_program *program) { delete program; }

int64_t attnres_num_bindings(const attnres_program *program) {
  return program ? static_cast<int64_t>(
                       program->executable->program().bindings.size())
                 : 0;
}

attnres_status attnres_get_binding(const attnres_program *program,
                                   int64_t index, attnres_binding *binding,
                                   attnres_error *error) {
  return guarded(error, [&]() -> Status {
    if (!program || !binding)
      return invalidArgument("program or binding is null");
    size_t structSize = binding->struct_size;
    if (structSize < sizeof structSize)
      return invalidArgument("binding: struct_size is not set");
    const auto &bindings = program->executable->program().bindings;
    if (index < 0 || static_cast<size_t>(index) >= bindings.size())
      return invalidArgument("binding ", index, " of ", bindings.size());
    const Binding &source = bindings[static_cast<size_t>(index)];
    attnres_binding filled = {};
    filled.struct_size = structSize;
    filled.name = source.name.c_str();
    filled.dtype = static_cast<int32_t>(source.dtype);
    filled.is_output = source.direction == Direction::Output;
    filled.rank = static_cast<int64_t>(source.shape.size());
    filled.shape = source.shape.data();
    filled.bytes = source.bytes();
    filled.updates = source.updates;
    filled.role = static_cast<int32_t>(source.role);
    filled.parameter = source.parameter;
    copyVersioned(binding, structSize, filled);
    return {};
  });
}

int64_t attnres_find_binding(const attnres_program *program, const char *name,
                             int32_t is_output) {
  if (!program || !name)
    return -1;
  return program->executable->program().findBinding(
      name, is_output ? Direction::Output : Direction::Input);
}

const char *attnres_metadata(const attnres_program *program, const char *key) {
  if (!program || !key)
    return nullptr;
  for (const auto &[name, value] : program->executable->program().metadata)
    if (name == key)
      return value.c_str();
  return nullptr;
}

attnres_status attnres_bind(attnres_program *program, int64_t index, void *data,
                            int64_t bytes, attnres_error *error) {
  return guarded(error, [&]() -> Status {
    if (!program)
      return invalidArgument("program is null");
    // The caller's memory is the device's: nothing is copied.
    return program->executable->bind(index, CpuDevice::shared(data, bytes));
  });
}

attnres_status attnres_run(attnres_program *program, attnres_error *error) {
  return guarded(error, [&]() -> Status {
    if (!program)
      return invalidArgument("program is null");
    return program->executable->run();
  });
}
