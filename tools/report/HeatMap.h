// Tables of numbers with a colour for each, as SVG for an HTML page that
// defines the classes of PageStyle.h.
#ifndef ATTNRES_TOOLS_REPORT_HEATMAP_H
#define ATTNRES_TOOLS_REPORT_HEATMAP_H

#include <functional>
#include <string>
#include <vector>

namespace attnres::report {

struct HeatMap {
  std::string title;
  std::vector<std::string> rows, columns; ///< names
  /// One row for each name; NaN leaves a cell empty, and rows may be short.
  std::vector<std::vector<double>> values;
  /// How much colour a value gets, 0 to 1.
  std::function<double(double)> shade;
  std::function<std::string(double)> format;
  /// The colour scale below the picture: values and how they are called.
  std::vector<double> scale;
  /// Prints values in the cells; otherwise only tooltips tell them.
  bool printed = true;

  std::string draw() const;
};

} // namespace attnres::report
#endif
