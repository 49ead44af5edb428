// The golden cases: models, batches, and what the float64 reference makes of
// them.
#ifndef ATTNRES_TEST_END_TO_END_GOLDENCASES_H
#define ATTNRES_TEST_END_TO_END_GOLDENCASES_H

#include "tools/run/ModelFiles.h"

#include <map>
#include <string>
#include <vector>

namespace attnres::run {

inline constexpr const char *kGoldenCases[] = {
    "off",        "full",    "full_no_final",
    "block_auto", "block_2", "block_remainder",
    "block_one",  "static",  "gqa_tied",
    "odd_sizes",  "kda",     "kda_bounded",
    "k3",         "qk_norm"};

struct GoldenCase {
  explicit GoldenCase(const std::string &name);

  /// A test failure unless the outputs of a run are the expected tensors up to
  /// what f32 has of its digits. After the first call they have to be the bits
  /// of that one; `what` says what differs between the runs.
  void expectOutputs(const std::vector<runtime::TensorView> &outputs,
                     const std::string &what);

  std::string name;
  ModelFiles model;
  BatchFile batch;
  runtime::SafetensorsFile expected;

private:
  void expectClose(const runtime::TensorView &actual) const;

  std::map<std::string, std::string> bits; ///< of the first run
};

} // namespace attnres::run

#endif
