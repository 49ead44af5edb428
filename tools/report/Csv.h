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

/// A field, in quotes where the text would be taken apart.
std::string csvField(const std::string &text);
/// The shortest text that reads back equal; empty for NaN.
std::string csvField(double number);

} // namespace attnres::report
#endif
