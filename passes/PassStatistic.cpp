//===- PassStatistic.cpp - counters of passes -----------------------------===//
#include "passes/PassStatistic.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace attnres;

namespace {
struct Counts {
  std::mutex mutex;
  std::vector<PassCount> list;
};
} // namespace

static Counts &counts() {
  static Counts counts;
  return counts;
}

PassStatistic &PassStatistic::operator+=(int64_t count) {
  if (count == 0)
    return *this;
  Counts &all = counts();
  std::lock_guard lock(all.mutex);
  llvm::StringRef pass = owner->getArgument();
  auto behind = all.list.end();
  for (auto it = all.list.begin(); it != all.list.end(); ++it) {
    if (it->pass != pass)
      continue;
    if (it->name == name) {
      it->count += count;
      return *this;
    }
    behind = std::next(it);
  }
  all.list.insert(behind, {pass.str(), name, description, count});
  return *this;
}

std::vector<PassCount> attnres::passCounts() {
  std::lock_guard lock(counts().mutex);
  return counts().list;
}

void attnres::printPassCounts(const std::vector<PassCount> &list,
                              llvm::raw_ostream &os) {
  size_t width = 0;
  for (const PassCount &each : list)
    width = std::max(width, each.pass.size());
  for (const PassCount &each : list)
    os << llvm::format_decimal(each.count, 10) << "  "
       << llvm::left_justify(each.pass, width) << "  " << each.description
       << '\n';
}
