// What --data names: samples to train on and held-out samples.
#ifndef ATTNRES_TOOLS_RUN_TRAININGDATA_H
#define ATTNRES_TOOLS_RUN_TRAININGDATA_H

#include "runtime/Status.h"
#include "runtime/data/Dataset.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attnres::run {

/// How text files become tokens.
struct TextEncoding {
  std::string
      tokenizer;     ///< folder with tokenizer.json; empty: bytes are tokens
  std::string cache; ///< where to keep the tokens of a tokenizer
};

struct TrainingData {
  std::unique_ptr<runtime::Dataset> train, validation;
  /// Digits of the operands when the samples are multiplications, else 0.
  int64_t digits = 0;

  /// `values` are text files, whose last tenth is held out, or one
  /// "multiplication:DIGITS[,count=N]". A `length` of 0 asks for 256 tokens, or
  /// for those that a multiplication has, which is the only other choice there.
  static runtime::Result<TrainingData>
  open(const std::vector<std::string> &values, int64_t length, uint64_t seed,
       const TextEncoding &encoding);
};

/// Whether `values`, of the option --data, name text.
bool readsText(const std::vector<std::string> &values);

} // namespace attnres::run

#endif
