// A compiled program: kernels, the list of their launches, the tensors that the
// caller binds, and the memory plan. What the compiler produces and every
// device executes; also its file format.
#ifndef ATTNRES_RUNTIME_PROGRAM_H
#define ATTNRES_RUNTIME_PROGRAM_H

#include "runtime/DType.h"
#include "support/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

enum class BindingRole : uint8_t { Input, Output };

/// The integers from low to high.
struct IndexRange {
  int64_t low = 0, high = 0;
};

/// A tensor that the caller provides memory for.
struct Binding {
  std::string name; ///< unique among the bindings of the same role
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  BindingRole role = BindingRole::Input;
  /// Of an output: the index of the input binding that it overwrites in place
  /// (same dtype and shape), or -1 when it has memory of its own.
  int64_t updates = -1;
  /// Of an input of integers: what its elements may be, in ascending order;
  /// anything when there is none. Others would choose from outside a table.
  std::vector<IndexRange> limits = {};

  /// Bytes of the tensor; only for a validated program.
  int64_t bytes() const { return *tensorBytes(dtype, shape); }
};

/// One function of the object code, see attnres_kernel.h.
struct Kernel {
  std::string name;         ///< for people: profiles and messages
  int64_t object = 0;       ///< index of the object that defines it
  std::string symbol;       ///< in that object
  int64_t grid = 1;         ///< number of work items
  int64_t scratchBytes = 0; ///< private to each thread
  // Of one whole launch, for rooflines.
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
};

/// A kernel argument: the address of a byte, or a list of such addresses.
struct Arg {
  enum class Kind : uint8_t { Binding, Workspace, Constant, List };
  Kind kind = Kind::Workspace;
  int64_t binding = 0;       ///< index, of kind Binding
  int64_t offset = 0;        ///< bytes from its start, not of kind List
  std::vector<Arg> elements; ///< of kind List; no lists among them

  static Arg toBinding(int64_t index, int64_t offset = 0) {
    return {Kind::Binding, index, offset, {}};
  }
  static Arg toWorkspace(int64_t offset) {
    return {Kind::Workspace, 0, offset, {}};
  }
  static Arg toConstant(int64_t offset) {
    return {Kind::Constant, 0, offset, {}};
  }
  static Arg toList(std::vector<Arg> elements) {
    return {Kind::List, 0, 0, std::move(elements)};
  }
};

struct Launch {
  int64_t kernel = 0; ///< index
  std::vector<Arg> args;
};

struct Program {
  /// Of the meaning of this structure and the kernel calling convention. Files
  /// of version 1, without limits of inputs, are read as well.
  static constexpr uint32_t currentVersion = 2;

  uint32_t version = currentVersion;
  /// Least instruction set and further CPU features that the code needs, as
  /// CpuFeatures.h names them.
  std::string isa = "generic";
  std::vector<std::string> features;
  /// Position-independent ELF64 x86-64 relocatable objects. They do not refer
  /// to each other.
  std::vector<std::string> objects;
  /// Read-only data that arguments point into; placed at a 64-byte boundary.
  std::string constants;
  int64_t workspaceBytes = 0;
  std::vector<Binding> bindings;
  std::vector<Kernel> kernels;
  std::vector<Launch> launches; ///< executed in this order
  std::map<std::string, std::string> metadata;

  /// The index of the binding, or -1.
  int64_t findBinding(std::string_view name, BindingRole role) const;

  /// Whether all indices, offsets and sizes agree; "WHERE: REASON". Says
  /// nothing about the object code, which the loader checks.
  Status validate(const std::string &where) const;

  /// Both require a valid program.
  std::string serialize() const;
  Status save(const std::string &path) const; ///< replaces it atomically

  /// Both return valid programs only; a damaged or foreign file is one line.
  static Result<Program> parse(std::string_view bytes,
                               const std::string &where);
  static Result<Program> load(const std::string &path);
};

} // namespace attnres::runtime
#endif
