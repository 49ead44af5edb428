// The time of every kernel as a table for people.
#include "tools/run/ProfileTable.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnres::run {

using runtime::Profile;

std::optional<double> findKernelShare(const Profile::Kernel &kernel,
                                      MachineLimits *limits, bool bf16) {
  if (!limits)
    return std::nullopt;
  if (kernel.flops == 0)
    return limits->findShare(Limit::Copy, kernel.bytes / kernel.seconds);
  bool isProduct = kernel.name.find("linear") != std::string::npos ||
                   kernel.name.find("matmul") != std::string::npos;
  return limits->findShare(isProduct ? MachineLimits::ofProducts(bf16)
                                    : Limit::Flops,
                          kernel.flops / kernel.seconds);
}

void printKernelTable(std::vector<Profile::Kernel> kernels, double total,
                      MachineLimits *limits, bool bf16) {
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Profile::Kernel &a, const Profile::Kernel &b) {
                     return a.seconds > b.seconds;
                   });
  fmt::print("{:<44} {:>8} {:>10} {:>6} {:>15} {:>9}\n", "kernel", "launches",
             "ms", "share", "achieved", "of limit");
  for (const Profile::Kernel &kernel : kernels) {
    bool countsFlops = kernel.flops > 0;
    double rate = (countsFlops ? kernel.flops : kernel.bytes) / kernel.seconds;
    fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}% {:>7.1f} {:<7} {}\n",
               kernel.name, kernel.launches, kernel.seconds * 1e3,
               100 * kernel.seconds / total, rate * 1e-9,
               countsFlops ? "GFLOP/s" : "GB/s",
               formatShare(findKernelShare(kernel, limits, bf16), 9, 0));
  }
}

void printProfile(const Profile &profile, MachineLimits *limits, bool bf16) {
  double total = profile.seconds(), gaps = profile.gapSeconds();
  printKernelTable(profile.kernels(), total, limits, bf16);
  fmt::print("{:<44} {:>8} {:>10.3f} {:>5.1f}%\n", "between kernels", "",
             gaps * 1e3, 100 * gaps / total);
}

} // namespace attnres::run
