// The time of every kernel as a table for people.
#include "tools/run/ProfileTable.h"

#include <fmt/format.h>

namespace attnres::run {

void printProfile(const runtime::Profile &profile, double flopLimit,
                  double copyLimit) {
  double total = profile.seconds();
  fmt::print("{:<44} {:>8} {:>10} {:>6} {:>15} {:>9}\n", "kernel", "launches",
             "ms", "share", "achieved", "of limit");
  for (const runtime::Profile::Kernel &kernel : profile.kernels()) {
    bool isProduct = kernel.flops > 0;
    double rate = (isProduct ? kernel.flops : kernel.bytes) / kernel.seconds;
    fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}% {:>7.1f} {:<7} {:>8.0f}%\n",
               kernel.name, kernel.launches, kernel.seconds * 1e3,
               100 * kernel.seconds / total, rate * 1e-9,
               isProduct ? "GFLOP/s" : "GB/s",
               100 * rate / (isProduct ? flopLimit : copyLimit));
  }
  double gaps = profile.gapSeconds();
  fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}%\n", "between kernels", "",
             gaps * 1e3, 100 * gaps / total);
}

} // namespace attnres::run
