// Timeline, work, roofline and memory of a list of launches.
#include "tools/report/LaunchPictures.h"

#include "runtime/MemoryLimit.h"
#include "tools/report/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace attnres::report {

const char *const launchStyle = R"css(
.k0 { fill: var(--c0); } .k1 { fill: var(--c3); } .k2 { fill: var(--c1); }
.k3 { fill: var(--c2); } .k4 { fill: var(--c6); } .k5 { fill: var(--c5); }
svg .box { stroke: var(--card); stroke-width: 0.6; }
svg .plan { fill-opacity: 0.75; }
svg circle.ring { fill: none; stroke: var(--text); stroke-opacity: 0.55; }
svg circle.dot { stroke: none; fill-opacity: 0.85; }
.roof { stroke: var(--text); stroke-width: 1.5; fill: none; }
.live { stroke: var(--text); stroke-width: 1.2; fill: none; stroke-dasharray: 4 3; }
svg .lane { font-weight: 600; }
svg .inside { fill: var(--card); font-size: 10px; }
svg.swatch .box { stroke: none; }
)css";

namespace {

using runtime::formatBytes;

constexpr double width = 1120, left = 84, right = 12;
constexpr const char *kindNames[] = {
    "matrix products",       "sequence mixing",    "depth mixing",
    "norms, gates and sums", "embedding and loss", "optimizer"};
constexpr const char *phaseNames[] = {"forward", "backward", "update"};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int kindOfLaunch(const TargetView &view, const ExplainedLaunch &launch) {
  return static_cast<int>(kindOf(view.kernels[launch.kernel].name));
}

std::string seconds(double value) {
  if (value < 1e-3)
    return fmt::format("{:.3g} µs", value * 1e6);
  return value < 1 ? fmt::format("{:.3g} ms", value * 1e3)
                   : formatDuration(value);
}

std::string operations(double flops) {
  if (flops == 0)
    return "no counted operations";
  return flops < 1e9 ? fmt::format("{:.3g} Mflop", flops * 1e-6)
                     : fmt::format("{:.3g} Gflop", flops * 1e-9);
}

/// "4.8 TB/s"
std::string perSecond(double value, const char *unit) {
  return value < 1e12 ? fmt::format("{:.4g} G{}/s", value * 1e-9, unit)
                      : fmt::format("{:.4g} T{}/s", value * 1e-12, unit);
}

int64_t bytesOf(const ExplainedLaunch &launch) {
  return launch.bytesRead + launch.bytesWritten;
}

std::string tip(const TargetView &view, size_t index) {
  const ExplainedLaunch &launch = view.launches[index];
  return fmt::format("launch {} of {}: {}\n{}, {} read, {} written", index + 1,
                     view.launches.size(), view.kernels[launch.kernel].name,
                     operations(static_cast<double>(launch.flops)),
                     formatBytes(launch.bytesRead),
                     formatBytes(launch.bytesWritten));
}

std::string figure(const std::string &caption, const std::string &svg,
                   const std::string &below = "") {
  return "<figure class=\"card wide\"><figcaption>" + escapeHtml(caption) +
         "</figcaption><div class=\"scroll\">" + svg + "</div>" + below +
         "</figure>\n";
}

std::string open(double w, double h, const std::string &label) {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
                     "aria-label=\"{}\">",
                     w, h, escapeHtml(label));
}

std::string text(double x, double y, const std::string &content,
                 const char *anchor = "start", const char *style = "tick") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
                     "text-anchor=\"{}\">{}</text>",
                     style, x, y, anchor, escapeHtml(content));
}

/// A step of 1, 2 or 5 times a power of ten, for about `count` marks.
double roundStep(double range, int count) {
  double raw = range / count, power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw)
      return factor * power;
  return 10 * power;
}

// ------------------------------------------------------------------ timeline

std::string lane(const TargetView &view, const std::vector<double> &times,
                 double scale, double y, double height) {
  std::string svg;
  double at = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    double x = left + at * scale, w = times[i] * scale;
    at += times[i];
    svg += fmt::format(
        "<rect class=\"box k{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
        "height=\"{:.1f}\"><title>{}</title></rect>",
        kindOfLaunch(view, view.launches[i]), x, y, std::max(w, 0.3), height,
        escapeHtml(tip(view, i) + "\n" + seconds(times[i])));
    const std::string &name = view.kernels[view.launches[i].kernel].name;
    if (w > 6.2 * static_cast<double>(name.size()) + 6)
      svg += text(x + 4, y + height / 2 + 4, name, "start", "inside");
  }
  return svg;
}

/// Where phases begin, above a lane.
std::string phases(const TargetView &view, const std::vector<double> &times,
                   double scale, double y) {
  std::string svg;
  double at = 0;
  int last = -1;
  for (size_t i = 0; i < times.size(); ++i) {
    int phase = view.launches[i].phase;
    if (phase != last && view.launches.back().phase > 0)
      svg += text(left + at * scale + 2, y - 4, phaseNames[phase]);
    last = phase;
    at += times[i];
  }
  return svg;
}

} // namespace

KernelKind kindOf(std::string_view kernel) {
  for (const char *part : {"adamw", "muon", "sgd", "lion", "orthogonal", "clip",
                           "squares", "grad_norm"})
    if (contains(kernel, part))
      return KernelKind::Update;
  for (const char *part : {"depth", "static_mix"})
    if (contains(kernel, part))
      return KernelKind::Depth;
  for (const char *part : {"attention", "kda", "convolution", "rope"})
    if (contains(kernel, part))
      return KernelKind::Attention;
  for (const char *part : {"cross_entropy", "embedding", "live_mean"})
    if (contains(kernel, part))
      return KernelKind::Ends;
  for (const char *part : {"linear", "matmul", "pack", "grouped"})
    if (contains(kernel, part))
      return KernelKind::Products;
  return KernelKind::Rows;
}

/// The colours of those kinds that the target has.
static std::string kindLegend(const TargetView &view) {
  std::string html = "<p class=\"muted\">";
  for (int kind = 0; kind < 6; ++kind)
    if (std::any_of(view.kernels.begin(), view.kernels.end(),
                    [&](const ExplainedKernel &kernel) {
                      return static_cast<int>(kindOf(kernel.name)) == kind;
                    }))
      html += fmt::format("<span class=\"key\"><svg class=\"swatch\" "
                          "viewBox=\"0 0 22 8\"><rect class=\"box k{}\" "
                          "width=\"22\" height=\"8\"/></svg>{}</span>",
                          kind, kindNames[kind]);
  return html + "</p>\n";
}

double predictSeconds(const ExplainedLaunch &launch, const Roof &roof) {
  return std::max(static_cast<double>(launch.flops) / roof.flops,
                  static_cast<double>(bytesOf(launch)) / roof.bytes);
}

std::string drawTimeline(const TimedTarget &target) {
  const TargetView &view = *target.view;
  std::vector<std::pair<const char *, const std::vector<double> *>> lanes;
  if (!target.seconds.predicted.empty())
    lanes.emplace_back("bound", &target.seconds.predicted);
  if (!target.seconds.measured.empty())
    lanes.emplace_back("measured", &target.seconds.measured);
  if (lanes.empty())
    return "";
  double longest = 0;
  std::string sums;
  for (auto [name, times] : lanes) {
    double sum = std::accumulate(times->begin(), times->end(), 0.0);
    longest = std::max(longest, sum);
    sums +=
        fmt::format("{}{} {}", sums.empty() ? "" : ", ", name, seconds(sum));
  }
  constexpr double laneHeight = 34, gap = 26;
  double scale = (width - left - right) / longest;
  double height = gap + static_cast<double>(lanes.size()) * (laneHeight + gap);
  std::string svg = open(width, height, "launches over time");
  double y = gap;
  for (auto [name, times] : lanes) {
    svg += text(left - 8, y + laneHeight / 2 + 4, name, "end", "lane");
    svg += phases(view, *times, scale, y);
    svg += lane(view, *times, scale, y, laneHeight);
    y += laneHeight + gap;
  }
  double step = roundStep(longest, 8);
  for (double mark = 0; mark <= longest * 1.0001; mark += step) {
    double x = left + mark * scale;
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v5\"/>", x,
                       height - gap) +
           text(x, height - 8, mark == 0 ? "0" : seconds(mark),
                x > width - 40 ? "end" : "middle");
  }
  return figure(fmt::format("Launches over time ({})", sums), svg + "</svg>",
                kindLegend(view));
}

std::string drawWork(const TimedTarget &target) {
  const TargetView &view = *target.view;
  if (view.launches.empty())
    return "";
  auto count = static_cast<double>(view.launches.size());
  double w = std::max(width, left + right + 3 * count);
  double slot = (w - left - right) / count;
  constexpr double half = 110, middle = 24 + half;
  double mostFlops = 1, mostBytes = 1;
  for (const ExplainedLaunch &launch : view.launches) {
    mostFlops = std::max(mostFlops, static_cast<double>(launch.flops));
    mostBytes = std::max(mostBytes, static_cast<double>(bytesOf(launch)));
  }
  std::string svg = open(w, 2 * half + 52, "operations and bytes of launches");
  svg += text(left - 8, 30, operations(mostFlops), "end");
  svg += text(left - 8, middle + 2, "0", "end");
  svg += text(left - 8, middle + half + 14,
              formatBytes(static_cast<int64_t>(mostBytes)), "end");
  svg += fmt::format("<path class=\"grid\" d=\"M{0} 24H{1}M{0} {2}H{1}\"/>",
                     left, w - right, middle + half + 12);
  int last = -1;
  for (size_t i = 0; i < view.launches.size(); ++i) {
    const ExplainedLaunch &launch = view.launches[i];
    double x = left + slot * static_cast<double>(i);
    double up = half * static_cast<double>(launch.flops) / mostFlops;
    double down = half * static_cast<double>(bytesOf(launch)) / mostBytes;
    svg += fmt::format(
        "<g><title>{}</title><rect class=\"box k{}\" x=\"{:.2f}\" y=\"{:.1f}\" "
        "width=\"{:.2f}\" height=\"{:.1f}\"/><rect class=\"box plan k{}\" "
        "x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\"/></g>",
        escapeHtml(tip(view, i)), kindOfLaunch(view, launch), x, middle - up,
        slot, up, kindOfLaunch(view, launch), x, middle + 12, slot, down);
    if (launch.phase != last && view.launches.back().phase > 0)
      svg += text(x + 2, 14, phaseNames[launch.phase]);
    last = launch.phase;
  }
  return figure(
      fmt::format("Work of {} launches, one by one: operations above, "
                  "bytes below",
                  view.launches.size()),
      svg + "</svg>");
}

// ------------------------------------------------------------------ roofline

namespace {

/// A kernel with all its launches.
struct KernelPoint {
  const ExplainedKernel *kernel;
  double flops = 0, bytes = 0, predicted = 0, measured = 0;
  double launches = 0;
};

std::vector<KernelPoint> pointsOf(const TimedTarget &target) {
  const TargetView &view = *target.view;
  std::vector<KernelPoint> points;
  for (const ExplainedKernel &kernel : view.kernels)
    points.push_back({&kernel});
  for (size_t i = 0; i < view.launches.size(); ++i) {
    const ExplainedLaunch &launch = view.launches[i];
    KernelPoint &point = points[launch.kernel];
    point.flops += static_cast<double>(launch.flops);
    point.bytes += static_cast<double>(bytesOf(launch));
    point.launches += 1;
    if (!target.seconds.predicted.empty())
      point.predicted += target.seconds.predicted[i];
    if (!target.seconds.measured.empty())
      point.measured += target.seconds.measured[i];
  }
  return points;
}

/// Positions on a logarithmic axis.
struct LogAxis {
  double low, high, begin, end;
  double at(double value) const {
    double share = std::log(value / low) / std::log(high / low);
    return begin + (end - begin) * std::clamp(share, 0.0, 1.0);
  }
  std::vector<double> decades() const {
    std::vector<double> marks;
    for (double mark = std::pow(10, std::ceil(std::log10(low) - 1e-9));
         mark <= high * 1.0001; mark *= 10)
      marks.push_back(mark);
    return marks;
  }
};

constexpr double plotWidth = 640, plotHeight = 340;

/// Axes with the names of their units.
std::string frame(const LogAxis &x, const LogAxis &y, const std::string &xUnit,
                  const std::string &yUnit) {
  std::string svg;
  for (double mark : y.decades())
    svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", x.begin,
                       y.at(mark), x.end) +
           text(x.begin - 6, y.at(mark) + 4, formatShort(mark), "end");
  for (double mark : x.decades())
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}V{}\"/>", x.at(mark),
                       y.begin, y.end) +
           text(x.at(mark), y.begin + 16, formatShort(mark), "middle");
  svg += text((x.begin + x.end) / 2, y.begin + 34, xUnit, "middle", "unit");
  svg += fmt::format("<text class=\"unit\" transform=\"translate(13 {}) "
                     "rotate(-90)\" text-anchor=\"middle\">{}</text>",
                     (y.begin + y.end) / 2, escapeHtml(yUnit));
  return svg;
}

std::string describePoint(const KernelPoint &point, const Roof &roof) {
  bool byFlops = point.flops / roof.flops > point.bytes / roof.bytes;
  std::string text =
      fmt::format("{}, {} launches\n{}, {}\nbound by {}: {}",
                  point.kernel->name, point.launches, operations(point.flops),
                  formatBytes(static_cast<int64_t>(point.bytes)),
                  byFlops ? "operations" : "bytes", seconds(point.predicted));
  if (point.measured > 0)
    text += fmt::format("\nmeasured {}, bound / measured {:.0f} %",
                        seconds(point.measured),
                        100 * point.predicted / point.measured);
  return text;
}

/// A ring where the bound is, a dot where it was measured, larger the more of
/// the time is spent there.
std::string mark(const KernelPoint &point, const Roof &roof, double x,
                 double yBound, double yMeasured, double share) {
  double radius = 3 + 11 * std::sqrt(share);
  int kind = static_cast<int>(kindOf(point.kernel->name));
  std::string title =
      "<title>" + escapeHtml(describePoint(point, roof)) + "</title>";
  if (point.measured == 0)
    return fmt::format("<circle class=\"dot k{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
                       "r=\"{:.1f}\">{}</circle>",
                       kind, x, yBound, radius, title);
  return fmt::format(
      "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><circle "
      "class=\"ring\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" "
      "r=\"3\">{5}</circle><circle "
      "class=\"dot k{3}\" cx=\"{0:.1f}\" cy=\"{2:.1f}\" "
      "r=\"{4:.1f}\">{5}</circle>",
      x, yBound, yMeasured, kind, radius, title);
}

} // namespace

std::string drawRoofline(const TimedTarget &target) {
  if (!target.roof)
    return "";
  const Roof &roof = *target.roof;
  std::vector<KernelPoint> points = pointsOf(target);
  double total = 0;
  bool isMeasured = !target.seconds.measured.empty();
  for (const KernelPoint &point : points)
    total += isMeasured ? point.measured : point.predicted;
  auto timeOf = [&](const KernelPoint &point) {
    return isMeasured ? point.measured : point.predicted;
  };

  LogAxis intensity{0.1, 10, left, plotWidth - right};
  LogAxis rate{roof.flops, roof.flops, plotHeight - 44, 14};
  LogAxis size{1e3, 1e6, left, plotWidth - right};
  LogAxis flow{roof.bytes, roof.bytes, plotHeight - 44, 14};
  intensity.high = std::max(intensity.high, 4 * roof.flops / roof.bytes);
  for (const KernelPoint &point : points) {
    double bytes = std::max(point.bytes, 1.0);
    double fastest = std::min(point.predicted, timeOf(point));
    double slowest = std::max(point.predicted, timeOf(point));
    if (slowest <= 0)
      continue;
    if (point.flops > 0) {
      intensity.low = std::min(intensity.low, point.flops / bytes / 2);
      intensity.high = std::max(intensity.high, point.flops / bytes * 2);
      rate.low = std::min(rate.low, point.flops / slowest);
      rate.high = std::max(rate.high, point.flops / std::max(fastest, 1e-12));
    } else {
      size.low = std::min(size.low, bytes / point.launches / 2);
      size.high = std::max(size.high, bytes / point.launches * 2);
      flow.low = std::min(flow.low, bytes / slowest);
      flow.high = std::max(flow.high, bytes / std::max(fastest, 1e-12));
    }
  }
  rate.low = std::min(rate.low / 2, roof.bytes * intensity.low);
  rate.high = std::max(rate.high, roof.flops) * 2;
  flow.low /= 2;
  flow.high = std::max(flow.high, roof.bytes) * 2;

  auto giga = [](LogAxis axis) {
    axis.low *= 1e-9;
    axis.high *= 1e-9;
    return axis;
  };
  LogAxis rateAxis = giga(rate), flowAxis = giga(flow);
  std::string products = open(plotWidth, plotHeight, "roofline");
  products += frame(intensity, rateAxis, "operations for a byte", "Gflop/s");
  double ridge = roof.flops / roof.bytes;
  products += fmt::format(
      "<path class=\"roof\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}\"/>",
      intensity.begin, rate.at(roof.bytes * intensity.low), intensity.at(ridge),
      rate.at(roof.flops), intensity.end);
  products += text(intensity.at(ridge) - 8, rate.at(roof.flops) + 4,
                   perSecond(roof.flops, "flop"), "end");
  std::string others = open(plotWidth, plotHeight, "bytes in a second");
  others += frame(size, flowAxis, "bytes of a launch", "GB/s");
  others += fmt::format("<path class=\"roof\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                        size.begin, flow.at(roof.bytes), size.end);
  others += text(size.begin + 4, flow.at(roof.bytes) - 18,
                 perSecond(roof.bytes, "B"));
  // Small ones are drawn last, so that large ones do not hide them.
  std::stable_sort(points.begin(), points.end(),
                   [&](const KernelPoint &a, const KernelPoint &b) {
                     return timeOf(a) > timeOf(b);
                   });
  for (const KernelPoint &point : points) {
    if (point.bytes <= 0 || point.predicted <= 0)
      continue;
    double share = total > 0 ? timeOf(point) / total : 0;
    double measured = point.measured > 0 ? point.measured : point.predicted;
    if (point.flops > 0)
      products += mark(point, roof, intensity.at(point.flops / point.bytes),
                       rate.at(point.flops / point.predicted),
                       rate.at(point.flops / measured), share);
    else
      others += mark(point, roof, size.at(point.bytes / point.launches),
                     flow.at(point.bytes / point.predicted),
                     flow.at(point.bytes / measured), share);
  }
  std::string what =
      isMeasured ? "Rings: bound; dots: measured, larger with their share of "
                   "the time"
                 : "Dots lie on the bound, larger with their share of the time";
  return "<div class=\"charts\"><figure class=\"card\"><figcaption>Roofline: "
         "kernels that multiply</figcaption>" +
         products +
         "</svg></figure><figure class=\"card\"><figcaption>Kernels that count "
         "no operations</figcaption>" +
         others + "</svg></figure></div>\n<p class=\"muted\">" +
         escapeHtml(what + ". Limits: " + roof.source + ".") + "</p>\n";
}

/// Bytes of the arena that hold something at each launch. A result may lie over
/// an operand, and counts once with it.
static std::vector<int64_t> liveBytes(const TargetView &view) {
  using Range = std::pair<int64_t, int64_t>;
  std::vector<std::vector<Range>> ranges(view.launches.size());
  for (const ExplainedBuffer &buffer : view.buffers)
    for (size_t i = buffer.begin; i <= buffer.end; ++i)
      ranges[i].emplace_back(buffer.offset, buffer.offset + buffer.bytes);
  std::vector<int64_t> bytes;
  for (std::vector<Range> &held : ranges) {
    std::sort(held.begin(), held.end());
    int64_t sum = 0, end = 0;
    for (auto [first, last] : held) {
      sum += std::max<int64_t>(last - std::max(first, end), 0);
      end = std::max(end, last);
    }
    bytes.push_back(sum);
  }
  return bytes;
}

/// A multiple of `step` in the unit that all of them share, as a whole number.
static std::string markOf(double bytes, double step) {
  const char *unit = "B";
  for (const char *larger : {"KiB", "MiB", "GiB"})
    if (step >= 1024) {
      step /= 1024;
      bytes /= 1024;
      unit = larger;
    }
  return bytes == 0 ? "0" : formatCount(std::llround(bytes)) + " " + unit;
}

std::string drawMemory(const TargetView &view) {
  if (view.buffers.empty() || view.arenaBytes <= 0)
    return "";
  auto count = static_cast<double>(view.launches.size());
  double w = std::max(width, left + right + 3 * count);
  constexpr double top = 12, height = 360, bottom = 34;
  double slot = (w - left - right) / count;
  double scale = (height - top - bottom) / static_cast<double>(view.arenaBytes);
  double floor = height - bottom;
  std::string svg = open(w, height, "memory plan");
  double step = std::exp2(
      std::floor(std::log2(static_cast<double>(view.arenaBytes) / 4)));
  for (double mark = 0; mark <= static_cast<double>(view.arenaBytes);
       mark += step)
    svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", left,
                       floor - mark * scale, w - right) +
           text(left - 6, floor - mark * scale + 4, markOf(mark, step), "end");
  std::vector<int64_t> live = liveBytes(view);
  for (const ExplainedBuffer &buffer : view.buffers) {
    const ExplainedLaunch &maker = view.launches[buffer.begin];
    double x = left + slot * static_cast<double>(buffer.begin);
    double spans = static_cast<double>(buffer.end - buffer.begin + 1);
    svg += fmt::format(
        "<rect class=\"box plan k{}\" x=\"{:.2f}\" y=\"{:.2f}\" "
        "width=\"{:.2f}\" "
        "height=\"{:.2f}\"><title>{}</title></rect>",
        kindOfLaunch(view, maker), x,
        floor - static_cast<double>(buffer.offset + buffer.bytes) * scale,
        slot * spans, std::max(static_cast<double>(buffer.bytes) * scale, 0.4),
        escapeHtml(fmt::format("{} of {}\n{} at {}\nlaunches {} to {}",
                               buffer.type, view.kernels[maker.kernel].name,
                               formatBytes(buffer.bytes), buffer.offset,
                               buffer.begin + 1, buffer.end + 1)));
  }
  std::string line;
  for (size_t i = 0; i < live.size(); ++i)
    line += fmt::format("{}{:.2f} {:.2f}H{:.2f}", line.empty() ? "M" : "L",
                        left + slot * static_cast<double>(i),
                        floor - static_cast<double>(live[i]) * scale,
                        left + slot * static_cast<double>(i + 1));
  svg += fmt::format("<path class=\"live\" d=\"{}\"/>", line);
  int last = -1;
  for (size_t i = 0; i < view.launches.size(); ++i) {
    int phase = view.launches[i].phase;
    double x = left + slot * static_cast<double>(i);
    if (phase != last && view.launches.back().phase > 0)
      svg += fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1}V{2}\"/>", x,
                         top, floor) +
             text(x + 3, floor + 14, phaseNames[phase]);
    last = phase;
  }
  svg += text((left + w - right) / 2, height - 6, "launches, in their order",
              "middle", "unit");
  double overhead =
      100 * (static_cast<double>(view.arenaBytes) /
                 static_cast<double>(std::max<int64_t>(view.liveBytes, 1)) -
             1);
  return figure(
      fmt::format("Memory plan: arena {}, {:.1f} % above the largest live set "
                  "of {}; {} tensors; beside it {} of arguments and {} of "
                  "constants",
                  formatBytes(view.arenaBytes), overhead,
                  formatBytes(view.liveBytes), view.buffers.size(),
                  formatBytes(view.argumentBytes),
                  formatBytes(view.constantBytes)),
      svg + "</svg>",
      kindLegend(view) + "<p class=\"muted\">Dashed: the bytes of all tensors "
                         "that are needed at a time.</p>\n");
}

} // namespace attnres::report
