// Cells, names and colour scale.
#include "tools/report/HeatMap.h"

#include "tools/report/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace attnres::report {

/// Length on screen, in characters: bytes that do not continue one.
static size_t numCharacters(const std::string &text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

static double widthOf(const std::vector<std::string> &names) {
  size_t longest = 0;
  for (const std::string &name : names)
    longest = std::max(longest, numCharacters(name));
  return 6.2 * static_cast<double>(longest);
}

std::string HeatMap::draw() const {
  // Large tables get small cells.
  bool small = !printed;
  double cellWidth =
      small ? std::clamp(600.0 / std::max<size_t>(columns.size(), 1), 7.0, 24.0)
            : 46;
  double cellHeight =
      small ? std::clamp(900.0 / std::max<size_t>(rows.size(), 1), 7.0, 18.0)
            : 22;
  // Names that do not fit are left to the tooltips.
  auto stride = [](double cell, double text) {
    return static_cast<size_t>(std::ceil(text / cell));
  };
  size_t rowStride = stride(cellHeight, 11);
  double columnNames = widthOf(columns);
  bool slanted = columnNames + 6 > cellWidth;
  size_t columnStride = stride(cellWidth, 14);
  double slope = 0.7; // of slanted names
  double left = widthOf(rows) + 10;
  double top = slanted ? slope * columnNames + 14 : 20;
  double rightMargin = slanted ? slope * columnNames : 4;
  double mapWidth = cellWidth * static_cast<double>(columns.size());
  double mapHeight = cellHeight * static_cast<double>(rows.size());
  double legend = scale.empty() ? 0 : 34;
  double totalWidth = left + mapWidth + rightMargin + 4;
  totalWidth =
      std::max(totalWidth, left + 52.0 * static_cast<double>(scale.size()));
  double totalHeight = top + mapHeight + legend + 4;

  std::string svg = fmt::format(
      "<svg class=\"heat\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">",
      totalWidth, totalHeight, escapeHtml(title));
  for (size_t j = 0; j < columns.size(); j += columnStride) {
    double x = left + cellWidth * (static_cast<double>(j) + 0.5);
    svg += slanted
               ? fmt::format("<text class=\"tick\" transform=\"translate("
                             "{:.1f} {:.1f}) rotate(-45)\">{}</text>",
                             x, top - 5, escapeHtml(columns[j]))
               : fmt::format("<text class=\"tick\" x=\"{:.1f}\" "
                             "y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                             x, top - 6, escapeHtml(columns[j]));
  }
  auto cell = [&](double x, double y, double w, double h, double value,
                  const std::string &tip, bool print) {
    double strength = std::clamp(shade(value), 0.0, 1.0);
    std::string result = fmt::format(
        "<rect class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" fill-opacity=\"{:.3f}\"><title>{}</title></rect>",
        x, y, w, h, strength, escapeHtml(tip));
    if (print)
      result += fmt::format("<text class=\"value{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
                            "text-anchor=\"middle\">{}</text>",
                            strength > 0.55 ? " strong" : "", x + w / 2,
                            y + h / 2 + 3.5, escapeHtml(format(value)));
    return result;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    double y = top + cellHeight * static_cast<double>(i);
    if (i % rowStride == 0)
      svg +=
          fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" "
                      "text-anchor=\"end\">{}</text>",
                      left - 6, y + cellHeight / 2 + 3.5, escapeHtml(rows[i]));
    for (size_t j = 0; j < values[i].size(); ++j)
      if (!std::isnan(values[i][j]))
        svg += cell(left + cellWidth * static_cast<double>(j), y, cellWidth - 1,
                    cellHeight - 1, values[i][j],
                    fmt::format("{}, {}: {}", rows[i], columns[j],
                                format(values[i][j])),
                    printed);
  }
  for (size_t i = 0; i < scale.size(); ++i)
    svg += cell(left + 50.0 * static_cast<double>(i), top + mapHeight + 12, 49,
                18, scale[i], "colour scale", true);
  return "<figure class=\"card wide\"><figcaption>" + escapeHtml(title) +
         "</figcaption><div class=\"scroll\">" + svg +
         "</svg></div></figure>\n";
}

} // namespace attnres::report
