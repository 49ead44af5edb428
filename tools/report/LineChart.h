// Lines over training steps, as SVG for an HTML page that defines the classes
// of PageStyle.h.
#ifndef ATTNRES_TOOLS_REPORT_LINECHART_H
#define ATTNRES_TOOLS_REPORT_LINECHART_H

#include "tools/report/Series.h"

#include <string>
#include <vector>

namespace attnres::report {

/// Colours of lines: the page defines classes c0 to c7.
inline constexpr int numColors = 8;

struct Line {
  enum class Style {
    Faint, ///< thin and pale, without a name
    Solid,
    Dotted, ///< dashes with a dot at every point
  };
  std::string name;
  int color = 0; ///< taken modulo numColors
  Style style = Style::Solid;
  Series points;
};

struct LineChart {
  std::string title;
  std::string unit; ///< of the y axis, "" for a plain number
  std::string axis = "step"; ///< what x counts
  /// Logarithmic when all values are positive and the largest is at least 50
  /// times the smallest.
  bool mayBeLogarithmic = false;
  bool logarithmic = false; ///< whenever all values are positive
  bool fromZero = false;    ///< the linear axis includes 0
  bool percent = false;     ///< values are fractions, shown as percentages
  std::vector<Line> lines;

  /// A figure with legend, axes and a tooltip for every part of the x axis;
  /// empty when there is no finite point.
  std::string draw() const;
};

} // namespace attnres::report
#endif
