//===- Report.cpp - what a run tells the process that watches it ----------===//
#include "tools/fuzz/Report.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace attnres::fuzz;
using llvm::StringRef;

StringRef attnres::fuzz::toString(FindingKind kind) {
  switch (kind) {
  case FindingKind::None:
    return "none";
  case FindingKind::Crash:
    return "crash";
  case FindingKind::Timeout:
    return "timeout";
  case FindingKind::Memory:
    return "memory";
  case FindingKind::NoRoundTrip:
    return "no-round-trip";
  case FindingKind::InvalidIr:
    return "invalid-ir";
  case FindingKind::SilentFailure:
    return "silent-failure";
  case FindingKind::LoudSuccess:
    return "loud-success";
  case FindingKind::NoLocation:
    return "no-location";
  case FindingKind::OtherMeaning:
    return "other-meaning";
  case FindingKind::WrongGradient:
    return "wrong-gradient";
  case FindingKind::OtherEachTime:
    return "other-each-time";
  }
  llvm_unreachable("unknown kind");
}

/// Copies what fits, and ends it with a zero.
template <size_t size>
static void copy(char (&to)[size], StringRef from) {
  size_t length = std::min(size - 1, from.size());
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

void CountTable::add(StringRef name, int64_t count) {
  name = name.take_front(kLength - 1);
  size_t at = llvm::xxh3_64bits(name) % kEntries;
  for (size_t tries = 0; tries < kEntries; ++tries, at = (at + 1) % kEntries) {
    Entry &entry = entries[at];
    if (entry.name[0] == '\0')
      copy(entry.name, name);
    else if (StringRef(entry.name) != name)
      continue;
    entry.count += count;
    return;
  }
}

void CountTable::forEach(
    llvm::function_ref<void(StringRef, int64_t)> visit) const {
  for (const Entry &entry : entries)
    if (entry.name[0] != '\0')
      visit(entry.name, entry.count);
}

void Report::setPhase(StringRef name) { copy(phase, name); }
void Report::setPipeline(StringRef name) { copy(pipeline, name); }
void Report::setText(StringRef module) { copy(text, module); }

void Report::fail(FindingKind finding, StringRef what) {
  copy(message, what);
  kind = finding;
  _exit(kFindingStatus);
}
