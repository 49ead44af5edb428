// Axes, lines, legend and tooltips.
#include "tools/report/LineChart.h"

#include "tools/report/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attnres::report {
namespace {

// The picture in its own units.
constexpr double width = 640, height = 260;
constexpr double left = 58, right = 14, top = 10, bottom = 40;
constexpr size_t buckets = 400; ///< of a line
constexpr size_t hoverBands = 96;

/// Values of double, whose differences and products are finite here too.
using Real = long double;

/// Positions of marks on an axis from `low` to `high`, at 1, 2 or 5 times a
/// power of ten, about `count` of them.
std::vector<double> linearTicks(Real low, Real high, int count) {
  Real raw = (high - low) / count;
  Real power = std::pow(Real(10), std::floor(std::log10(raw)));
  Real step = power;
  for (double factor : {2.0, 5.0, 10.0})
    if (step < raw)
      step = factor * power;
  std::vector<double> ticks;
  // At most one more than asked for fits; fewer when numbers are that close.
  Real first = std::ceil(low / step - 1e-9L);
  for (int i = 0; i <= count + 1; ++i)
    if (Real tick = (first + i) * step; tick <= high + 1e-9L * step) {
      auto mark = static_cast<double>(tick);
      if (std::isfinite(mark) && (ticks.empty() || ticks.back() < mark))
        ticks.push_back(mark);
    }
  return ticks;
}

/// Powers of ten, with 2 and 5 between them when there are few.
std::vector<double> logarithmicTicks(Real low, Real high) {
  int first = static_cast<int>(std::floor(std::log10(low)));
  int last = static_cast<int>(std::ceil(std::log10(high)));
  int stride = 1 + (last - first) / 8;
  std::vector<double> ticks;
  for (int exponent = first; exponent <= last; exponent += stride)
    for (double factor : {1.0, 2.0, 5.0}) {
      Real value = factor * std::pow(Real(10), exponent);
      if ((factor == 1 || last - first <= 2) && value >= low && value <= high)
        ticks.push_back(static_cast<double>(value));
    }
  return ticks;
}

/// A range of values on a stretch of the picture.
struct Axis {
  Real low = std::numeric_limits<Real>::infinity();
  Real high = -std::numeric_limits<Real>::infinity();
  bool logarithmic = false;
  double begin = 0, end = 1; ///< positions of low and high

  void include(Real value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
  Real scale(Real value) const {
    return logarithmic ? std::log10(value) : value;
  }
  double at(Real value) const {
    Real share = (scale(value) - scale(low)) / (scale(high) - scale(low));
    return begin + (end - begin) * static_cast<double>(share);
  }
};

class Drawing {
public:
  explicit Drawing(const LineChart &chart) : chart(chart) {
    for (const Line &line : chart.lines) {
      lines.push_back(line);
      lines.back().points = thin(line.points, buckets);
      for (Point point : lines.back().points) {
        x.include(point.x);
        y.include(point.y);
      }
    }
  }

  std::string draw() {
    if (x.empty())
      return "";
    placeAxes();
    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", width,
        height, escapeHtml(chart.title));
    svg += axes();
    for (const Line &line : lines)
      svg += path(line);
    svg += hover() + "</svg>";
    return "<figure class=\"card\"><figcaption>" + escapeHtml(chart.title) +
           legend() + "</figcaption>" + svg + "</figure>\n";
  }

private:
  void placeAxes() {
    bool isWide = chart.mayBeLogarithmic && y.high >= 50 * y.low;
    y.logarithmic = (chart.logarithmic || isWide) && y.low > 0;
    if (chart.fromZero && !y.logarithmic)
      y.include(0);
    if (x.low == x.high) {
      x.low -= 1;
      x.high += 1;
    }
    if (y.logarithmic) {
      y.low /= 1.1;
      y.high *= 1.1;
    } else {
      bool touchesZero = chart.fromZero && y.low == 0;
      Real margin = y.low == y.high ? std::max(Real(0.5), std::fabs(y.low) / 2)
                                    : (y.high - y.low) / 20;
      y.low -= touchesZero ? 0 : margin;
      y.high += margin;
    }
    x.begin = left;
    x.end = width - right;
    y.begin = height - bottom;
    y.end = top;
  }

  std::string value(double v) const {
    return chart.percent ? formatPercent(v) : formatNumber(v);
  }

  std::string axes() const {
    std::string svg;
    for (double tick : y.logarithmic ? logarithmicTicks(y.low, y.high)
                                     : linearTicks(y.low, y.high, 5)) {
      std::string label = chart.percent ? fmt::format("{:.4g}%", 100 * tick)
                                        : formatShort(tick);
      svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text "
                         "class=\"tick\" x=\"{}\" y=\"{:.1f}\" "
                         "text-anchor=\"end\">{}</text>",
                         left, y.at(tick), width - right, left - 6,
                         y.at(tick) + 4, label);
    }
    for (double tick : linearTicks(x.low, x.high, 6))
      svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" "
                         "text-anchor=\"middle\">{}</text>",
                         x.at(tick), height - bottom + 16, formatShort(tick));
    svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", left, top,
                       height - bottom, width - right);
    svg += fmt::format("<text class=\"unit\" x=\"{}\" y=\"{}\" "
                       "text-anchor=\"middle\">{}</text>",
                       (left + width - right) / 2, height - 6,
                       escapeHtml(chart.axis));
    if (!chart.unit.empty())
      svg += fmt::format(
          "<text class=\"unit\" transform=\"translate(12 {}) rotate(-90)\" "
          "text-anchor=\"middle\">{}</text>",
          (top + height - bottom) / 2, escapeHtml(chart.unit));
    return svg;
  }

  std::string path(const Line &line) const {
    if (line.points.empty())
      return "";
    std::string d, dots;
    for (Point point : line.points) {
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x.at(point.x),
                       y.at(point.y));
      if (line.style == Line::Style::Dotted && line.points.size() <= 120)
        dots +=
            fmt::format("<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
                        "r=\"2.5\"/>",
                        line.color % numColors, x.at(point.x), y.at(point.y));
    }
    // A lone point would be invisible.
    if (line.points.size() == 1)
      d += "h0.1";
    const char *style = line.style == Line::Style::Faint    ? "faint"
                        : line.style == Line::Style::Dotted ? "dashed"
                                                            : "solid";
    return fmt::format("<path class=\"line {} c{}\" d=\"{}\"/>{}", style,
                       line.color % numColors, d, dots);
  }

  std::string legend() const {
    std::string html;
    for (const Line &line : lines)
      if (line.style != Line::Style::Faint && !line.points.empty())
        html += fmt::format(
            "<span class=\"key\"><svg class=\"swatch\" viewBox=\"0 0 22 8\">"
            "<path class=\"line {} c{}\" d=\"M1 4H21\"/></svg>{}</span>",
            line.style == Line::Style::Dotted ? "dashed" : "solid",
            line.color % numColors, escapeHtml(line.name));
    return html;
  }

  /// Bands over the plot, each with the last value of every line in it.
  std::string hover() const {
    auto bandOf = [&](double v) {
      double share = (x.at(v) - x.begin) / (x.end - x.begin);
      return std::min(static_cast<size_t>(share * hoverBands), hoverBands - 1);
    };
    struct Band {
      double first = 0, last = 0;
      std::string text;
    };
    std::vector<Band> bands(hoverBands);
    for (const Line &line : lines) {
      if (line.style == Line::Style::Faint)
        continue;
      for (size_t i = 0; i < line.points.size(); ++i) {
        size_t band = bandOf(line.points[i].x);
        Band &shown = bands[band];
        if (shown.text.empty() && shown.last == 0)
          shown.first = line.points[i].x;
        shown.first = std::min(shown.first, line.points[i].x);
        shown.last = std::max(shown.last, line.points[i].x);
        if (i + 1 == line.points.size() || bandOf(line.points[i + 1].x) != band)
          shown.text +=
              fmt::format("\n{} {}", line.name, value(line.points[i].y));
      }
    }
    std::string svg;
    double step = (x.end - x.begin) / hoverBands;
    for (size_t i = 0; i < hoverBands; ++i)
      if (const Band &band = bands[i]; !band.text.empty())
        svg += fmt::format(
            "<rect class=\"hover\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" "
            "height=\"{}\"><title>{}</title></rect>",
            x.begin + static_cast<double>(i) * step, top, step,
            height - bottom - top,
            escapeHtml(steps(band.first, band.last) + band.text));
    return svg;
  }

  std::string steps(double first, double last) const {
    std::string text = chart.axis + " " + formatCount(std::llround(first));
    return first == last ? text
                         : text + " to " + formatCount(std::llround(last));
  }

  const LineChart &chart;
  std::vector<Line> lines; ///< thinned
  Axis x, y;
};

} // namespace

std::string LineChart::draw() const { return Drawing(*this).draw(); }

} // namespace attnres::report
