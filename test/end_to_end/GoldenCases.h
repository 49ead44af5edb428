// The golden cases: models, batches, and what the float64 reference makes of
// them.
#ifndef ATTNRES_TEST_END_TO_END_GOLDENCASES_H
#define ATTNRES_TEST_END_TO_END_GOLDENCASES_H

#include "tools/run/ModelFiles.h"

#include <string>

namespace attnres::run {

inline constexpr const char *kGoldenCases[] = {
    "off",        "full",    "full_no_final",
    "block_auto", "block_2", "block_remainder",
    "block_one",  "static",  "gqa_tied",
    "odd_sizes",  "kda",     "kda_bounded",
    "k3",         "qk_norm"};

/// Whether the output is a record of routers or states, which the reference
/// does not have.
bool isOfLayers(const std::string &output);

struct GoldenCase {
  explicit GoldenCase(const std::string &name);

  /// A test failure unless `actual`, of f32, is the expected tensor of its name
  /// up to what f32 has of its digits.
  void expectClose(const runtime::TensorView &actual) const;

  std::string name;
  ModelFiles model;
  BatchFile batch;
  runtime::SafetensorsFile expected;
};

} // namespace attnres::run

#endif
