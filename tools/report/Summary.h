// The numbers that sum up a run: the top of a report, and its JSON form.
#ifndef ATTNRES_TOOLS_REPORT_SUMMARY_H
#define ATTNRES_TOOLS_REPORT_SUMMARY_H

#include "tools/report/RunFolder.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace attnres::report {

/// NaN where the run has no such number.
struct Summary {
  std::string name, attnres;
  int64_t parameters;
  int64_t lastStep; ///< 0 without any
  double tokens, seconds;
  double trainLoss;      ///< mean of the last hundredth of the steps, 1 to 100
  double validationLoss; ///< of the last evaluation
  double perplexity;     ///< of the last evaluation
  double bestLoss;       ///< the lowest validation loss
  int64_t bestStep;      ///< where that was; 0 without evaluations
  double accuracy;       ///< of the last evaluation that has one
  double bestAccuracy;
  double tokensPerSecond; ///< median over the steps

  explicit Summary(const RunFolder &run);
};

/// {"runs": [{"name": ..., "summary": {...}, "settings": {...}, "notes": [...],
/// "evaluations": [...]}]}; null for NaN.
nlohmann::ordered_json summariesToJson(const std::vector<RunFolder> &runs);

} // namespace attnres::report
#endif
