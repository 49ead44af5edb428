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

  /// Of several values among which are computed samples, what each one is:
  /// these, or a file. Empty for all other lists of values.
  static Result<std::vector<std::optional<MultiplicationName>>>
  parseMixture(const std::vector<std::string> &values);

  /// "multiplication:2"
  std::string describe() const { return concat("multiplication:", digits); }
};

/// Files, or computed samples.
struct DataSource {
  std::optional<MultiplicationName> multiplication;
  /// Of computed samples among several sources, see parseMixture().
  std::vector<std::optional<MultiplicationName>> mixture;
  // Opened, unless there is a `multiplication`.
  runtime::DataFiles files;
  /// Of each source among all that is drawn; empty: files are joined, and the
  /// sources of a mixture have equal weights.
  std::vector<double> weights;
  /// Own validation sets; empty: the last tenth of `files`.
  runtime::DataFiles validation;
  /// Whether token files are taken for what they are, not as bytes.
  bool recognizes = true;

  /// Whether there are computed samples alone, which have an alphabet.
  bool isAllComputed() const {
    return multiplication || (!mixture.empty() && files.empty());
  }
  /// Whether some file looks like a token file. Those need no tokenizer.
  Result<bool> hasTokens() const;
};

/// How files become tokens.
struct Encoding {
  /// Of text; null: bytes are tokens.
  const runtime::Tokenizer *tokenizer = nullptr;
  std::string cache; ///< where to keep the tokens of other tokenizers
  /// Of the model, above every token in a file; 0: not known.
  int64_t vocabulary = 0;
};

/// Tokens in a sequence of files unless something else is asked for.
inline constexpr int64_t defaultTextLength = 256;

/// A set that is evaluated, and what it is called; "" when it is the only one.
struct NamedSet {
  std::string name;
  std::unique_ptr<runtime::Dataset> set;
};

struct TrainingData {
  std::unique_ptr<runtime::Dataset> train;
  std::vector<NamedSet> validation; ///< at least one
  /// Digits of the operands when the samples are multiplications, else 0.
  int64_t digits = 0;
  /// Whether `validation` has every held-out question that there is.
  bool allQuestions = false;

  /// Files, joined or mixed by weight, or multiplications, of which at most
  /// `questions` held-out ones are made, each another. Of files without own
  /// validation sets the last tenth is held out: of all together, or with
  /// weights of each, as a set of its own. A mixture of multiplications with
  /// others has samples of one length, and multiplications among text are
  /// written in its tokens. A `length` of 0 asks for
  /// defaultTextLength, or for what a multiplication has, which is the only
  /// other choice there.
  static Result<TrainingData> open(const DataSource &source, int64_t length,
                                   uint64_t seed, const Encoding &encoding,
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
  std::vector<NamedSet> sets; ///< at least one
  int64_t digits = 0;         ///< as above
  bool allQuestions = false;

  /// Of files, every token of the part but its first is a target once. Samples
  /// of multiplications to train on are those of the run with that seed.
  static Result<EvaluationData> open(const DataSource &source,
                                     const Encoding &encoding,
                                     const PartOptions &options);
};

} // namespace attnres::run

#endif
