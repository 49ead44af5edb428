// How large activations are over the depth of a model.
#ifndef ATTNRES_TOOLS_REPORT_ACTIVATIONS_H
#define ATTNRES_TOOLS_REPORT_ACTIVATIONS_H

#include "runtime/training/ActivationNorm.h"
#include "tools/report/RunFolder.h"

#include <string>
#include <vector>

namespace attnres::report {

/// A table with a line for each sublayer, what it reads and what it writes, and
/// bars of the latter.
std::string activationTable(const std::vector<runtime::ActivationNorm> &norms);

/// HTML: the same of the last evaluation of each run as lines over depth, and
/// the course of what sublayers write; empty when nothing was recorded.
std::string drawActivations(const std::vector<RunFolder> &runs);

} // namespace attnres::report
#endif
