// Answered questions as text, JSON and CSV.
#ifndef ATTNRES_TOOLS_RUN_QUESTIONREPORT_H
#define ATTNRES_TOOLS_RUN_QUESTIONREPORT_H

#include "tools/run/Questions.h"

#include <string>
#include <vector>

namespace attnres::run {

/// One section for each model, with at most `listed` wrong answers, and of
/// several models a table.
std::string questionsToText(const std::vector<QuestionResult> &results,
                            int64_t listed);

/// {"runs": [{..., "wrong": [...]}]} with every wrong answer.
std::string questionsToJson(const std::vector<QuestionResult> &results);

/// One line for each answer of each model, below a line of names.
std::string questionsToCsv(const std::vector<QuestionResult> &results);

} // namespace attnres::run

#endif
