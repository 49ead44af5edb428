// A file of compiled programs: one, or several of a model, for several purposes
// and targets.
#ifndef ATTNRES_RUNTIME_PROGRAMPACK_H
#define ATTNRES_RUNTIME_PROGRAMPACK_H

#include "runtime/Program.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

class Device;

/// In the metadata of a program: what it computes, "forward", "gradients",
/// "train", "prefill" or "decode"; nothing in programs of unknown purpose.
inline constexpr char kPurposeMetadata[] = "purpose";

/// In the metadata of a program: where its first inputs lie, in order, as
/// [[least, end], ...]; for operations that are tried on random numbers and
/// take no others.
inline constexpr char kRangesMetadata[] = "input_ranges";

struct ProgramPack {
  /// In the order of preference among those that a device runs.
  std::vector<std::shared_ptr<const Program>> programs;

  /// The first program of the purpose that the device runs; of any purpose
  /// where `purpose` is empty. Fails, and says which programs there are, where
  /// there is none.
  Result<std::shared_ptr<const Program>> choose(const Device &device,
                                                std::string_view purpose) const;
  /// Whether some program has the purpose, for whatever target.
  bool has(std::string_view purpose) const;

  /// One program is written as Program::save() does.
  Status save(const std::string &path) const;
  /// Both return valid programs only, at least one; a damaged or foreign file
  /// is one line.
  static Result<ProgramPack> parse(std::string_view bytes,
                                   const std::string &where);
  static Result<ProgramPack> load(const std::string &path);
};

/// What a program computes; "?" where it does not say.
std::string purposeOf(const Program &program);

} // namespace attnres::runtime
#endif
