// The time of every kernel as a table for people, on standard output.
#ifndef ATTNRES_TOOLS_RUN_PROFILETABLE_H
#define ATTNRES_TOOLS_RUN_PROFILETABLE_H

#include "runtime/training/Profile.h"

#include <vector>

namespace attnres::run {

/// The longest first, each as a share of `total` seconds, and what it achieves
/// of a limit: `flopLimit` operations in a second for kernels that the compiler
/// counted operations of, `copyLimit` bytes read plus written for others.
void printKernelTable(std::vector<runtime::Profile::Kernel> kernels,
                      double total, double flopLimit, double copyLimit);

/// The kernels of a profile, and the time between them.
void printProfile(const runtime::Profile &profile, double flopLimit,
                  double copyLimit);

} // namespace attnres::run

#endif
