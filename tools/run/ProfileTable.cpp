// The time of every kernel as a table for people.
#include "tools/run/ProfileTable.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnres::run {

using runtime::Profile;

void printKernelTable(std::vector<Profile::Kernel> kernels, double total,
                      double flopLimit, double copyLimit) {
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Profile::Kernel &a, const Profile::Kernel &b) {
                     return a.seconds > b.seconds;
                   });
  fmt::print("{:<44} {:>8} {:>10} {:>6} {:>15} {:>9}\n", "kernel", "launches",
             "ms", "share", "achieved", "of limit");
  for (const Profile::Kernel &kernel : kernels) {
    bool isProduct = kernel.flops > 0;
    double rate = (isProduct ? kernel.flops : kernel.bytes) / kernel.seconds;
    fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}% {:>7.1f} {:<7} {:>8.0f}%\n",
               kernel.name, kernel.launches, kernel.seconds * 1e3,
               100 * kernel.seconds / total, rate * 1e-9,
               isProduct ? "GFLOP/s" : "GB/s",
               100 * rate / (isProduct ? flopLimit : copyLimit));
  }
}

void printProfile(const Profile &profile, double flopLimit, double copyLimit) {
  double total = profile.seconds(), gaps = profile.gapSeconds();
  printKernelTable(profile.kernels(), total, flopLimit, copyLimit);
  fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}%\n", "between kernels", "",
             gaps * 1e3, 100 * gaps / total);
}

} // namespace attnres::run
