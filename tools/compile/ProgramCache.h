//===- ProgramCache.h - compiled programs on disk ---------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_PROGRAMCACHE_H
#define ATTNRES_TOOLS_COMPILE_PROGRAMCACHE_H

#include "tools/compile/Compiler.h"

#include <functional>
#include <string>
#include <string_view>

namespace attnres {

/// A folder of programs, each under the hash of everything that it follows
/// from: the model, the options, and the build that the compiler is a part of.
/// A program keeps the whole description, so that equal hashes of different
/// things show. Processes may share the folder: files are only ever replaced
/// whole. What cannot be read is compiled again. Beyond 512 MiB the programs
/// that were not used for the longest time go; files that the cache did not
/// write stay whatever they are.
class ProgramCache {
public:
  /// At $ATTNRES_CACHE_DIR, else $XDG_CACHE_HOME/attnres, else
  /// ~/.cache/attnres; ATTNRES_CACHE_DIR= (empty) turns the cache off, and so
  /// does a machine without any of them.
  static ProgramCache standard();
  /// At `directory`, which need not exist; empty for a cache that is off.
  explicit ProgramCache(std::string directory)
      : directory(std::move(directory)) {}

  /// The program of `model` (a configuration or IR as text) under `options`:
  /// from the folder, or compiled and put there. A folder that cannot be
  /// written only costs the time of compiling.
  Result<runtime::Program>
  get(std::string_view model, const CompileOptions &options,
      const std::function<Result<runtime::Program>()> &compile) const;

private:
  void removeOldest() const;

  std::string directory;
};

/// Everything that tells programs of one model apart, on one line.
std::string describeOptions(const CompileOptions &options);

} // namespace attnres

#endif
