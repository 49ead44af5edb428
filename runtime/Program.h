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

enum class Direction : uint8_t { Input, Output };

/// What a tensor is to whoever runs the program.
enum class Role : uint8_t {
  Data,            ///< given to every run, or returned by it
  Parameter,       ///< learned
  State,           ///< of each text, [B, ...], replaced by every run
  Gradient,        ///< of the loss with respect to a parameter
  GradientSum,     ///< of a batch that is run in parts, the gradients so far
  GradientSquares, ///< partial sums of the squared norm of a gradient
  GradientNorm,    ///< of all gradients together
  FirstMoment,     ///< of the optimizer
  SecondMoment,
  Cache, ///< of each position of each text, [B, capacity, ...]
};
inline constexpr int numRoles = 10;

/// Whether tensors of the role are those of some parameter.
constexpr bool belongsToParameter(Role role) {
  return role == Role::Gradient || role == Role::GradientSum ||
         role == Role::GradientSquares || role == Role::FirstMoment ||
         role == Role::SecondMoment;
}

/// The integers from low to high.
struct IndexRange {
  int64_t low = 0, high = 0;
};

/// A tensor that the caller provides memory for.
struct Binding {
  std::string name; ///< unique among the bindings of the same direction
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  Direction direction = Direction::Input;
  /// Of an output: the index of the input binding that it overwrites in place
  /// (same dtype and shape), or -1 when it has memory of its own.
  int64_t updates = -1;
  /// Of an input of integers: what its elements may be, in ascending order;
  /// anything when there is none. Others would choose from outside a table.
  std::vector<IndexRange> limits = {};
  /// An output that updates an input has its role and parameter.
  Role role = Role::Data;
  /// Of a role that belongs to a parameter: the index of its input binding;
  /// otherwise -1.
  int64_t parameter = -1;

  /// Bytes of the tensor; only for a validated program.
  int64_t bytes() const { return *tensorBytes(dtype, shape); }
};

/// Extents of a launch.
struct Dimensions {
  int64_t x = 1, y = 1, z = 1;
};

/// One function of the code, see attnres_kernel.h.
struct Kernel {
  std::string name;   ///< for people: profiles and messages
  int64_t blob = 0;   ///< index of the blob that defines it
  std::string symbol; ///< in that blob
  /// Of a processor: `x` work items. Of a GPU: blocks.
  Dimensions grid;
  /// Of a processor: private to each thread. Of a GPU: of a launch, shared by
  /// its blocks.
  int64_t scratchBytes = 0;
  // Of one whole launch, for rooflines.
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  // Of a GPU.
  Dimensions block = {};   ///< threads
  Dimensions cluster = {}; ///< blocks
  int64_t sharedBytes = 0; ///< dynamic shared memory of a block
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

/// A part of a training step. What is no training step is forward as a whole.
enum class Phase : uint8_t {
  Forward,  ///< outputs and new states
  Backward, ///< gradients and their norms
  Update,   ///< new parameters and moments
};

struct Launch {
  int64_t kernel = 0; ///< index
  std::vector<Arg> args;
  Phase phase = Phase::Forward; ///< none before that of an earlier launch
  // For processes that train one model together; one alone runs everything.
  /// Of an update: the input binding of the parameter that the launch works for
  /// alone, so that others leave it out who do not update that one; or -1.
  int64_t owner = -1;
  /// The input bindings of the parameters whose gradient sums are complete
  /// behind the launch.
  std::vector<int64_t> completes = {};
};

struct Program {
  /// Of the meaning of this structure and the kernel calling convention.
  static constexpr uint32_t currentVersion = 4;

  uint32_t version = currentVersion;
  /// What the code is for: "cpu:" and the least instruction set, as
  /// CpuFeatures.h names them, "cpu:avx512-bf16+amx-bf16"; or the PTX target of
  /// a GPU, "sm_90a".
  std::string target = "cpu:generic";
  /// The code, of a processor position-independent ELF64 x86-64 relocatable
  /// objects, of a GPU PTX texts. Blobs do not refer to each other.
  std::vector<std::string> blobs;
  /// Read-only data that arguments point into; placed at a 64-byte boundary.
  std::string constants;
  int64_t workspaceBytes = 0;
  std::vector<Binding> bindings;
  std::vector<Kernel> kernels;
  std::vector<Launch> launches; ///< executed in this order
  std::map<std::string, std::string> metadata;

  /// The index of the binding, or -1.
  int64_t findBinding(std::string_view name, Direction direction) const;

  /// The index of the first launch of the phase or a later one; their number
  /// when there is none.
  int64_t firstLaunch(Phase phase) const;

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
