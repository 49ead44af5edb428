// The time of every kernel as a table for people.
#ifndef ATTNRES_TOOLS_RUN_PROFILETABLE_H
#define ATTNRES_TOOLS_RUN_PROFILETABLE_H

#include "runtime/training/Profile.h"

namespace attnres::run {

/// Prints to standard output. `flopLimit` is what the machine does in a second,
/// `copyLimit` the bytes that it copies, read plus written.
void printProfile(const runtime::Profile &profile, double flopLimit,
                  double copyLimit);

} // namespace attnres::run

#endif
