//===- Report.h - what a run tells the process that watches it --*- C++ -*-===//
//
// A run happens in a process of its own. Whatever it is doing stands in memory
// that it shares with its parent, so that a run that ends without a word has
// said what it was about.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_FUZZ_REPORT_H
#define ATTNRES_TOOLS_FUZZ_REPORT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <functional>

namespace attnres::fuzz {

enum class FindingKind : int32_t {
  None,
  Crash,         ///< a signal
  Timeout,       ///< too much processor time
  Memory,        ///< too much memory
  NoRoundTrip,   ///< what is printed does not parse
  InvalidIr,     ///< a pass that succeeds leaves a module that is not valid
  SilentFailure, ///< a pass fails without an error
  LoudSuccess,   ///< a pass succeeds although it reported an error
  NoLocation,    ///< an error without a line
  OtherMeaning,  ///< other results than before
  WrongGradient, ///< a gradient that differences contradict
  OtherEachTime, ///< another output from the same input
};

llvm::StringRef toString(FindingKind kind);

/// Counts by name in memory of a fixed size.
class CountTable {
public:
  static constexpr size_t kEntries = 4096;
  static constexpr size_t kLength = 120;

  void add(llvm::StringRef name, int64_t count = 1);
  void forEach(llvm::function_ref<void(llvm::StringRef, int64_t)> visit) const;

private:
  struct Entry {
    char name[kLength];
    int64_t count;
  };
  Entry entries[kEntries];
};

/// Zero-initialized memory is an empty report.
struct Report {
  static constexpr size_t kTextBytes = 1 << 20;
  static constexpr int kMostFrames = 48;

  /// The run under way, and how many are done.
  uint64_t seed;
  uint64_t done;
  /// What it is doing: the name of a pass, or "generate", "parse".
  char phase[160];
  char pipeline[4096];
  /// The module that the passes run on; truncated if it is very long.
  char text[kTextBytes];

  FindingKind kind;
  int32_t signal;
  char message[2048];
  void *frames[kMostFrames];
  int32_t numFrames;

  /// Over all runs.
  CountTable counts;

  void setPhase(llvm::StringRef name);
  void setPipeline(llvm::StringRef text);
  void setText(llvm::StringRef text);
  /// Records a finding and ends the process.
  [[noreturn]] void fail(FindingKind kind, llvm::StringRef message);
};

/// Exit status of a process that has recorded a finding.
inline constexpr int kFindingStatus = 86;

} // namespace attnres::fuzz

#endif
