// What --data names: samples to train on and held-out samples.
#ifndef ATTNRES_TOOLS_RUN_TRAININGDATA_H
#define ATTNRES_TOOLS_RUN_TRAININGDATA_H

#include "runtime/data/DataFile.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Tokenizer.h"
#include "support/Status.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

/// The name of computed samples, "multiplication:DIGITS[,count=N]".
struct MultiplicationName {
  int64_t digits = 0;
  int64_t count = 100000; ///< samples of each of the two sets, at most

  /// Nothing when `values`, of the option --data, are files.
  static Result<std::optional<MultiplicationName>>
  parse(const std::vector<std::string> &values);
};

/// Files, or computed samples.
struct DataSource {
  std::optional<MultiplicationName> multiplication;
  runtime::DataFiles files; ///< opened, unless there is a `multiplication`
};

/// How text files become tokens.
struct TextEncoding {
  const runtime::Tokenizer *tokenizer = nullptr; ///< null: bytes are tokens
  std::string cache; ///< where to keep the tokens of other tokenizers
};

/// Tokens in a sequence of text unless something else is asked for.
inline constexpr int64_t defaultTextLength = 256;

struct TrainingData {
  std::unique_ptr<runtime::Dataset> train, validation;
  /// Digits of the operands when the samples are multiplications, else 0.
  int64_t digits = 0;
  /// Whether `validation` has every held-out question that there is.
  bool allQuestions = false;

  /// Text, whose last tenth is held out, or multiplications, of which at most
  /// `questions` held-out ones are made, each another. A `length` of 0 asks for
  /// defaultTextLength, or for what a multiplication has, which is the only
  /// other choice there.
  static Result<TrainingData> open(const DataSource &source, int64_t length,
                                   uint64_t seed, const TextEncoding &encoding,
                                   int64_t questions);
};

/// A part of the data as an evaluation reads it.
enum class DataPart {
  Train,   ///< what a run on this data trains on
  HeldOut, ///< what it does not
  All,
};

struct PartOptions {
  DataPart part = DataPart::All;
  int64_t length = 0;    ///< tokens in a window; 0 as above
  int64_t runLength = 0; ///< in those of the run that the parts are about
  uint64_t seed = 0;     ///< of computed samples
  int64_t most = 0;      ///< held-out questions
};

struct EvaluationData {
  std::unique_ptr<runtime::Dataset> set;
  int64_t digits = 0; ///< as above
  bool allQuestions = false;

  /// Of text, every token of the part but its first is a target once. Samples
  /// of multiplications to train on are those of the run with that seed.
  static Result<EvaluationData> open(const DataSource &source,
                                     const TextEncoding &encoding,
                                     const PartOptions &options);
};

} // namespace attnres::run

#endif
