// What the checks report.

#ifndef ATTNRES_RUNTIME_EMULATOR_FINDINGS_H
#define ATTNRES_RUNTIME_EMULATOR_FINDINGS_H

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace attnres::emulator {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

enum class FindingKind : uint8_t {
  OutOfBounds,
  Misaligned,
  UseAfterFree,
  /// A load of bytes that nothing has written.
  UninitializedMemory,
  UninitializedRegister,
  DataRace,
  /// Writes that race but leave the same value; reported on request.
  SameValueRace,
  DivergentBarrier,
  /// Asynchronous data used before its cp.async, mbarrier or wgmma wait.
  MissingWait,
  /// A shuffle, vote or the like that not all named lanes reach.
  MismatchedLanes,
  /// Warps wait for something that cannot happen any more.
  Deadlock,
  InvalidOperation,
  Trap,
};
const char *findingKindName(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  std::string kernel;
  /// Line in the PTX text, and of the other access of a race (0: none).
  uint32_t line = 0;
  uint32_t otherLine = 0;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uint64_t address = 0;
  std::string message;
  /// How often it happened; the fields above are of the lowest block, thread
  /// and address.
  uint64_t count = 1;

  /// "kernel k, line 12, block (0,0,0), thread (3,0,0), address 0x10: ..."
  std::string text() const;
};

/// Collects the findings of one launch; those of one kind at one instruction
/// are one, with a count. Safe to use from several host threads.
class FindingLog {
public:
  void add(Finding finding, uint64_t blockIndex, uint64_t threadIndex);
  /// In the order of lines and kinds.
  std::vector<Finding> take();

private:
  struct Entry {
    Finding finding;
    std::tuple<uint64_t, uint64_t, uint64_t> where;
  };
  std::mutex mutex;
  std::map<std::tuple<uint32_t, FindingKind>, Entry> entries;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_FINDINGS_H
