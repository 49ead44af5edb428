// Tables for a terminal.
#ifndef ATTNRES_TOOLS_REPORT_TEXTTABLE_H
#define ATTNRES_TOOLS_REPORT_TEXTTABLE_H

#include <string>
#include <vector>

namespace attnres::report {

/// Columns as wide as their widest cell, two spaces apart; the first column is
/// aligned to the left, the others to the right.
class TextTable {
public:
  explicit TextTable(std::vector<std::string> header)
      : rows{std::move(header)} {}

  /// Rows may be shorter than the header.
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  std::string print() const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace attnres::report
#endif
