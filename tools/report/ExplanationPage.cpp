// The sections of a page about a compilation.
#include "tools/report/ExplanationPage.h"

#include "runtime/MemoryLimit.h"
#include "tools/report/LaunchPictures.h"
#include "tools/report/PageStyle.h"
#include "tools/report/Text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace attnres::report {
namespace {

using runtime::formatBytes;

constexpr const char *style = R"css(
.columns { display: flex; gap: 12px; overflow-x: auto; align-items: stretch;
  padding-bottom: 8px; }
.columns .card { flex: 0 0 min(560px, 92vw); }
.columns h3 { margin-top: 0; }
pre { margin: 0; font: 11px/1.45 ui-monospace, monospace; max-height: 440px;
  overflow: auto; }
pre b { color: var(--c1); font-weight: 600; }
code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
.more { color: var(--good); } .less { color: var(--bad); }
td.zero { color: var(--muted); }
th.stage, td.count { text-align: right; }
.passes td { white-space: normal; }
.passes td.number { white-space: nowrap; }
svg .g0 { fill: var(--c0); } svg .g1 { fill: var(--c2); } svg .g2 { fill: var(--c3); }
svg .g3 { fill: var(--c5); } svg .g4 { fill: var(--c6); } svg .g5 { fill: var(--c4); }
svg .merged { fill: none; stroke: var(--c1); stroke-width: 2; }
svg .alone { fill: var(--c7); fill-opacity: 0.55; }
svg .none { fill: var(--grid); fill-opacity: 0.6; }
)css";
constexpr int numGroupColors = 6;
constexpr size_t shownLines = 300;   ///< of a stage
constexpr size_t shownColumns = 400; ///< of a line

std::string section(const std::string &title, const std::string &content) {
  return content.empty() ? ""
                         : "<section><h2>" + escapeHtml(title) + "</h2>\n" +
                               content + "</section>\n";
}

std::string muted(const std::string &text) {
  return "<p class=\"muted\">" + escapeHtml(text) + "</p>\n";
}

std::string number(const std::string &text) {
  return "<td class=\"number\">" + escapeHtml(text) + "</td>";
}

// -------------------------------------------------------------------- stages

/// How often each operation stands in each stage.
std::string countsTable(const std::vector<const StageView *> &stages) {
  std::set<std::string> names;
  for (const StageView *stage : stages)
    for (const auto &[name, count] : stage->operations)
      names.insert(name);
  std::string html = "<div class=\"card scroll\"><table><tr><th></th>";
  for (const StageView *stage : stages)
    html += "<th class=\"stage\">" + escapeHtml(stage->name) + "</th>";
  html += "</tr>\n";
  for (const std::string &name : names) {
    html += "<tr><th><code>" + escapeHtml(name) + "</code></th>";
    int64_t before = -1;
    for (const StageView *stage : stages) {
      auto found = stage->operations.find(name);
      int64_t count = found == stage->operations.end() ? 0 : found->second;
      const char *change = count == 0       ? " zero"
                           : before < 0     ? ""
                           : count > before ? " more"
                           : count < before ? " less"
                                            : "";
      html += fmt::format("<td class=\"count{}\">{}</td>", change,
                          formatCount(count));
      before = count;
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

/// The first lines, those of depth mixing marked.
std::string code(const std::string &text) {
  std::string html = "<pre>";
  size_t begin = 0, line = 0;
  for (; begin < text.size() && line < shownLines; ++line) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string shown = text.substr(begin, std::min(end - begin, shownColumns));
    if (end - begin > shownColumns)
      shown += " ...";
    bool mixes = shown.find("attnres.depth_") != std::string::npos ||
                 shown.find("attnres.static_mix") != std::string::npos ||
                 shown.find("attnres.stack") != std::string::npos ||
                 shown.find("@depth_") != std::string::npos;
    html +=
        (mixes ? "<b>" : "") + escapeHtml(shown) + (mixes ? "</b>" : "") + "\n";
    begin = end + 1;
  }
  auto left =
      begin < text.size()
          ? std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                       text.end(), '\n')
          : 0;
  if (left > 0)
    html += fmt::format("... {} more lines", formatCount(left));
  return html + "</pre>";
}

std::string columns(const std::vector<const StageView *> &stages) {
  std::string html = "<div class=\"columns\">";
  for (const StageView *stage : stages)
    html += "<div class=\"card\"><h3>" + escapeHtml(stage->name) + "</h3>" +
            code(stage->text) + "</div>\n";
  return html + "</div>\n";
}

std::string changesOf(const PassEffect &effect) {
  std::string html;
  for (const auto &[name, after] : effect.after) {
    int64_t change = after - effect.before.at(name);
    html +=
        fmt::format("{}<span class=\"{}\">{}{}</span> <code>{}</code>",
                    html.empty() ? "" : ", ", change > 0 ? "more" : "less",
                    change > 0 ? "+" : "−", std::abs(change), escapeHtml(name));
  }
  if (html.empty())
    html = effect.changesText ? "types and attributes" : "nothing";
  std::string counts;
  for (const auto &[what, count] : effect.statistics)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count,
                          escapeHtml(what));
  if (!counts.empty())
    html += "<br><span class=\"muted\">" + counts + "</span>";
  return html;
}

std::string passesTable(const std::vector<const StageView *> &stages) {
  std::string html = "<div class=\"card scroll\"><table class=\"passes\"><tr>"
                     "<th>stage</th><th>pass</th><th>what it changed</th>"
                     "<th class=\"number\">ms</th></tr>\n";
  for (const StageView *stage : stages) {
    bool first = true;
    for (const PassEffect &effect : stage->passes) {
      html += fmt::format("<tr><td>{}</td><td><code>{}</code><br><span "
                          "class=\"muted\">{}</span></td><td>{}</td>{}</tr>\n",
                          first ? escapeHtml(stage->name) : "",
                          escapeHtml(effect.name),
                          escapeHtml(effect.description), changesOf(effect),
                          number(fmt::format("{:.2f}", 1e3 * effect.seconds)));
      first = false;
    }
  }
  return html + "</table></div>\n";
}

std::string details(const std::string &summary, const std::string &content) {
  return "<details><summary>" + escapeHtml(summary) + "</summary>\n" + content +
         "</details>\n";
}

std::vector<const StageView *> pointers(const std::vector<StageView> &stages) {
  std::vector<const StageView *> list;
  for (const StageView &stage : stages)
    list.push_back(&stage);
  return list;
}

std::string stages(const Explanation &explanation) {
  std::vector<const StageView *> list = pointers(explanation.stages);
  return muted("Of any target. Green numbers have risen from the stage before, "
               "red ones fallen; depth mixing is marked in the text.") +
         countsTable(list) + "<h3>Side by side</h3>\n" + columns(list) +
         "<h3>Pass by pass</h3>\n" + passesTable(list);
}

// --------------------------------------------------------------------- depth

std::string depthCell(const DepthRead &read, double x, double y,
                      const std::string &tip) {
  constexpr double size = 20;
  auto rect = [&](const std::string &classes, double inset) {
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
                       "width=\"{:.1f}\" height=\"{:.1f}\" "
                       "rx=\"3\"><title>{}</title></rect>",
                       classes, x + inset, y + inset, size - 2 * inset,
                       size - 2 * inset, escapeHtml(tip));
  };
  switch (read.kind) {
  case DepthRead::Kind::Absent:
    return rect("none", 7);
  case DepthRead::Kind::Alone:
    return rect("alone", 1);
  case DepthRead::Kind::Grouped:
    return rect(fmt::format("g{}", read.group % numGroupColors), 1);
  case DepthRead::Kind::Merged:
    return rect("merged", 3);
  }
  return "";
}

std::string describe(const DepthRead &read) {
  switch (read.kind) {
  case DepthRead::Kind::Absent:
    return "not read";
  case DepthRead::Kind::Alone:
    return "read for this mixture alone";
  case DepthRead::Kind::Grouped:
    return fmt::format("read once for all of group {}", read.group + 1);
  case DepthRead::Kind::Merged:
    return "merged when it exists";
  }
  return "";
}

std::string depthPicture(const DepthSchedulePicture &picture) {
  if (picture.mixtures.empty())
    return muted("There is no depth attention of more than one source.");
  constexpr double step = 22, nameWidth = 130, top = 92;
  double mapWidth = step * static_cast<double>(picture.sources.size());
  double w = nameWidth + mapWidth + 90;
  double h = top + step * static_cast<double>(picture.mixtures.size()) + 8;
  std::string svg = fmt::format(
      "<svg class=\"heat\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" role=\"img\" aria-label=\"who reads what over "
      "depth\">",
      w, h);
  for (size_t j = 0; j < picture.sources.size(); ++j)
    svg += fmt::format("<text class=\"tick\" transform=\"translate({:.1f} "
                       "{:.1f}) rotate(-45)\">{}</text>",
                       nameWidth + step * (static_cast<double>(j) + 0.6),
                       top - 6, escapeHtml(picture.sources[j]));
  for (size_t i = 0; i < picture.mixtures.size(); ++i) {
    double y = top + step * static_cast<double>(i);
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" "
                       "text-anchor=\"end\">{}</text>",
                       nameWidth - 8, y + 14, escapeHtml(picture.mixtures[i]));
    for (size_t j = 0; j < picture.sources.size(); ++j) {
      const DepthRead &read = picture.reads[i][j];
      svg += depthCell(read, nameWidth + step * static_cast<double>(j), y,
                       fmt::format("{} and {}: {}", picture.mixtures[i],
                                   picture.sources[j], describe(read)));
    }
  }
  auto swatch = [](const std::string &classes, const char *name) {
    return fmt::format(
        "<span class=\"key\"><svg class=\"swatch\" viewBox=\"0 0 "
        "22 8\"><rect class=\"{}\" x=\"1\" y=\"1\" width=\"20\" "
        "height=\"6\"/></svg>{}</span>",
        classes, name);
  };
  return "<figure class=\"card wide\"><figcaption>" +
         fmt::format("{} mixtures, {} groups", picture.mixtures.size(),
                     picture.groups) +
         swatch("g0", "read once for a group, a colour each") +
         swatch("merged", "merged later") + swatch("alone", "read alone") +
         "</figcaption><div class=\"scroll\">" + svg +
         "</svg></div></figure>\n";
}

std::string depthBytes(const std::vector<DepthBytes> &all) {
  std::string html =
      "<div class=\"card scroll\"><table><tr><th>mode</th><th>schedule</th><th "
      "class=\"number\">vectors for a token and sublayer</th><th "
      "class=\"number\">published</th><th>formula</th><th "
      "class=\"number\">bytes for a token</th><th class=\"number\">published"
      "</th></tr>\n";
  for (const DepthBytes &bytes : all) {
    bool known = !bytes.traffic.formula.empty();
    html +=
        "<tr><td>" + escapeHtml(bytes.mode) + "</td><td>" +
        escapeHtml(bytes.schedule) + "</td>" +
        number(fmt::format("{:.2f}", bytes.traffic.counted)) +
        number(known ? fmt::format("{:.2f}", bytes.traffic.published) : "-") +
        "<td>" + escapeHtml(known ? bytes.traffic.formula : "-") + "</td>" +
        number(formatCount(static_cast<int64_t>(bytes.bytesPerToken))) +
        number(known
                   ? formatCount(static_cast<int64_t>(bytes.publishedPerToken))
                   : "-") +
        "</tr>\n";
  }
  return html + "</table></div>\n" +
         muted(
             "Counted: what mixtures, merges and additions to the residual or "
             "the partial sum read and write in the forward pass, in vectors "
             "of the hidden size. Published: table 1 of arXiv 2603.15031; N "
             "sublayers, S of them in a block or group, n groups or sources. "
             "Counts differ where a last mixture stands behind all sublayers, "
             "a first one of one source is no operation, or the block or "
             "group at the end is shorter.");
}

// ------------------------------------------------------------------- targets

std::string extents(const std::vector<int64_t> &sizes) {
  std::string text;
  size_t last = sizes.size();
  while (last > 1 && sizes[last - 1] == 1)
    --last;
  for (size_t i = 0; i < last; ++i)
    text += fmt::format("{}{}", i ? "x" : "", sizes[i]);
  return text.empty() ? "-" : text;
}

std::string kernelTable(const TimedTarget &target) {
  const TargetView &view = *target.view;
  struct Sum {
    double flops = 0, bytes = 0, predicted = 0, measured = 0;
  };
  std::vector<Sum> sums(view.kernels.size());
  for (size_t i = 0; i < view.launches.size(); ++i) {
    Sum &sum = sums[view.launches[i].kernel];
    sum.flops += static_cast<double>(view.launches[i].flops);
    sum.bytes += static_cast<double>(view.launches[i].bytesRead +
                                     view.launches[i].bytesWritten);
    if (!target.seconds.predicted.empty())
      sum.predicted += target.seconds.predicted[i];
    if (!target.seconds.measured.empty())
      sum.measured += target.seconds.measured[i];
  }
  bool predicts = !target.seconds.predicted.empty();
  bool measures = !target.seconds.measured.empty();
  std::string html =
      "<div class=\"card scroll\"><table><tr><th>kernel</th><th "
      "class=\"number\">launches</th><th class=\"number\">Mflop</th><th "
      "class=\"number\">moved</th>";
  html += view.isGpu ? "<th class=\"number\">blocks</th><th "
                       "class=\"number\">threads</th><th class=\"number\">"
                       "shared</th>"
                     : "<th class=\"number\">work items</th><th "
                       "class=\"number\">scratch</th>";
  html += "<th class=\"number\">operations of its code</th>";
  if (predicts)
    html += "<th class=\"number\">bound, µs</th><th>by</th>";
  if (measures)
    html += "<th class=\"number\">measured, µs</th>";
  if (measures && predicts)
    html += "<th class=\"number\">bound / measured</th>";
  html += "</tr>\n";
  std::vector<size_t> order(view.kernels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return measures   ? sums[a].measured > sums[b].measured
           : predicts ? sums[a].predicted > sums[b].predicted
                      : sums[a].bytes > sums[b].bytes;
  });
  for (size_t k : order) {
    const ExplainedKernel &kernel = view.kernels[k];
    const Sum &sum = sums[k];
    html +=
        "<tr><td><code>" + escapeHtml(kernel.name) + "</code></td>" +
        number(formatCount(kernel.launches)) +
        number(sum.flops > 0 ? fmt::format("{:.2f}", sum.flops * 1e-6) : "-") +
        number(formatBytes(static_cast<int64_t>(sum.bytes))) +
        number(extents(kernel.grid));
    int64_t ownBytes = view.isGpu ? kernel.sharedBytes : kernel.scratchBytes;
    if (view.isGpu)
      html += number(extents(kernel.block));
    html += number(ownBytes > 0 ? formatBytes(ownBytes) : "-");
    html += number(formatCount(kernel.operations));
    if (predicts)
      html += number(fmt::format("{:.2f}", sum.predicted * 1e6)) + "<td>" +
              (sum.flops / target.roof->flops > sum.bytes / target.roof->bytes
                   ? "operations"
                   : "bytes") +
              "</td>";
    if (measures)
      html += number(fmt::format("{:.2f}", sum.measured * 1e6));
    if (measures && predicts)
      html += number(
          sum.measured > 0
              ? fmt::format("{:.0f} %", 100 * sum.predicted / sum.measured)
              : "-");
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string factsTable(const TargetView &view) {
  std::string html = "<div class=\"card scroll\"><table>";
  for (const TargetFact &fact : view.facts)
    html += fmt::format("<tr><td>{}</td><td><code>{}</code></td>{}<td>{}</td>"
                        "<td>{}</td></tr>\n",
                        escapeHtml(fact.group), escapeHtml(fact.name),
                        number(fmt::format("{:.10g}", fact.value)),
                        escapeHtml(fact.unit), escapeHtml(fact.meaning));
  return html + "</table></div>\n";
}

std::string targetSection(const TimedTarget &target) {
  const TargetView &view = *target.view;
  std::vector<const StageView *> list = pointers(view.stages);
  std::string html;
  if (!target.roof)
    html += muted(target.whyNoRoof + ": no bounds and no roofline.");
  else if (!target.seconds.measured.empty())
    html += muted("The bound is what a launch takes at least if its bytes come "
                  "from memory; what fits into caches is faster.");
  html += drawTimeline(target) + drawWork(target) + drawRoofline(target) +
          "<h3>Kernels</h3>\n" + kernelTable(target) + "<h3>Memory</h3>\n" +
          drawMemory(view);
  html += details("Stages of this target: operations", countsTable(list));
  html += details("Stages of this target: text", columns(list));
  html += details("Stages of this target: passes", passesTable(list));
  html += details("What kernels are cut by", factsTable(view));
  return html;
}

} // namespace

std::string drawExplanation(const std::string &title,
                            const std::vector<std::string> &facts,
                            const Explanation &explanation,
                            const std::vector<TimedTarget> &targets) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>" +
      escapeHtml(title) + "</title>\n<style>" + pageStyle + launchStyle +
      style + "</style>\n</head>\n<body>\n<h1>" + escapeHtml(title) + "</h1>\n";
  for (const std::string &fact : facts)
    html += muted(fact);
  html += section("Depth mixing", depthPicture(explanation.depth) +
                                      depthBytes(explanation.depthBytes));
  html += section("Stages", stages(explanation));
  for (const TimedTarget &target : targets)
    html += section("Target " + target.view->name, targetSection(target));
  return html + "</body>\n</html>\n";
}

} // namespace attnres::report
