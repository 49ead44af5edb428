// One or several training runs as one HTML page that needs nothing else.
#ifndef ATTNRES_TOOLS_REPORT_PAGE_H
#define ATTNRES_TOOLS_REPORT_PAGE_H

#include "tools/report/RunFolder.h"

#include <string>
#include <vector>

namespace attnres::report {

struct PageOptions {
  std::string title; ///< empty: the names of the runs
  bool logarithmicLoss = false;
  /// If not 0, browsers ask for the page again after that time.
  int reloadSeconds = 0;
  /// Sections behind the comparison, as HTML.
  std::string sections;
};

/// A page without scripts and without references to anything outside it. Its
/// size is bounded by the number of layers and of settings, whatever the number
/// of steps. Several runs are compared: curves share their axes, settings that
/// differ are marked, and the best number of each kind too. At least one run.
std::string drawPage(const std::vector<RunFolder> &runs,
                     const PageOptions &options = {});

} // namespace attnres::report
#endif
