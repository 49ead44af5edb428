// The curves of runs as a table for other programs.
#ifndef ATTNRES_TOOLS_REPORT_CSV_H
#define ATTNRES_TOOLS_REPORT_CSV_H

#include "tools/report/RunFolder.h"

#include <string>
#include <vector>

namespace attnres::report {

/// Comma-separated values with a line of names: one line for each step of each
/// run that has a record, with what was evaluated at it, and columns
/// "val_loss NAME" for validation sets that have names. Numbers read back
/// equal; what is not there is empty.
std::string toCsv(const std::vector<RunFolder> &runs);

} // namespace attnres::report
#endif
