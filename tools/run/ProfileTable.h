// The time of every kernel as a table for people, on standard output.
#ifndef ATTNRES_TOOLS_RUN_PROFILETABLE_H
#define ATTNRES_TOOLS_RUN_PROFILETABLE_H

#include "runtime/training/Profile.h"
#include "tools/run/MachineLimits.h"

#include <optional>

#include <vector>

namespace attnres::run {

/// What a kernel achieves of a limit: of products or of multiply-adds where the
/// compiler counted operations, of copying elsewhere. Nothing where it is
/// faster than copying beyond the caches, since it works within them, and
/// nothing without limits.
std::optional<double> findKernelShare(const runtime::Profile::Kernel &kernel,
                                      MachineLimits *limits, bool bf16);

/// The longest first, each as a share of `total` seconds and of its limit.
void printKernelTable(std::vector<runtime::Profile::Kernel> kernels,
                      double total, MachineLimits *limits, bool bf16);

/// The kernels of a profile, and the time between them.
void printProfile(const runtime::Profile &profile, MachineLimits *limits,
                  bool bf16);

} // namespace attnres::run

#endif
