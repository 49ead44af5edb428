// Several runs side by side, as tables of numbers: for a terminal, for other
// programs, and for a page.
#ifndef ATTNRES_TOOLS_REPORT_COMPARISON_H
#define ATTNRES_TOOLS_REPORT_COMPARISON_H

#include "tools/report/RunFolder.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace attnres::report {

struct Comparison {
  std::string title;
  std::vector<RunFolder> runs; ///< at least one
  /// Of each run: runs of one group repeat each other with other seeds.
  std::vector<std::string> groups;

  /// The tables below, one after the other, with their titles.
  std::string toText() const;
  /// By file name, comma-separated values with a line of names; numbers read
  /// back equal, what is not there is empty.
  ///
  ///   summary.csv         final and best numbers, time and memory of each run
  ///   groups.csv          means over the seeds, when some run is repeated
  ///   accuracy.csv        a line for each evaluated step, a column for each
  ///   run validation_loss.csv the same gradient_norms.csv  run, step, part of
  ///   the model, mean norm since the
  ///                       evaluation before
  ///   depth_weights.csv   run, step, mixture, source, weight
  ///   curves.csv          see Csv.h
  std::map<std::string, std::string> toCsv() const;
  /// {"title", "runs": as in Summary.h, with "group", times, memory, gradient
  /// norms and depth weights of every evaluation}; null for NaN.
  nlohmann::ordered_json toJson() const;
  /// One page, see Page.h.
  std::string toHtml(bool logarithmicLoss) const;
};

} // namespace attnres::report
#endif
