// What a run is made of, as run.json and the trainer.json of its checkpoints
// keep it: enough to notice when something is no longer what it was.
#ifndef ATTNRES_TOOLS_RUN_RUNRECORD_H
#define ATTNRES_TOOLS_RUN_RUNRECORD_H

#include "runtime/data/DataFile.h"
#include "runtime/data/Tokenizer.h"
#include "support/Status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

struct TokenizerFingerprint {
  int64_t tokens = 0;
  uint64_t hash = 0;

  static TokenizerFingerprint of(const runtime::Tokenizer &tokenizer) {
    return {tokenizer.vocabularySize(), tokenizer.fingerprint()};
  }
  bool operator==(const TokenizerFingerprint &other) const {
    return tokens == other.tokens && hash == other.hash;
  }
  /// "400 tokens, 0123456789abcdef"
  std::string describe() const;
};

struct RunRecord {
  std::string where; ///< the file that says so, for messages
  /// Settings by name; those of a checkpoint are the ones that cannot change.
  nlohmann::ordered_json settings;
  int64_t seqLen = 0; ///< tokens in a sequence; 0 when the file does not say
  // Absent in what was written before there were fingerprints.
  std::vector<runtime::FileFingerprint> data; ///< empty for computed samples
  std::vector<runtime::FileFingerprint> validation; ///< of own validation sets
  std::optional<TokenizerFingerprint> tokenizer;
  std::optional<uint64_t> model; ///< hash of model.mlir, if that is the model
  nlohmann::ordered_json
      config; ///< of the model otherwise; null in checkpoints
  nlohmann::ordered_json forkedFrom; ///< run and step, or null

  /// The fields but settings and configuration.
  nlohmann::ordered_json toJson() const;
  /// Reads run.json or trainer.json.
  static Result<RunRecord> read(const std::string &path);
  /// The record of a checkpoint, from its own trainer.json or else from the
  /// run.json of the run that it lies in; nothing for other folders.
  static Result<std::optional<RunRecord>> ofCheckpoint(const std::string &path);

  /// Fails when a setting of `other`, of the same run, has another value.
  Status compareSettings(const RunRecord &other) const;
  /// Fails when `text`, of the model.mlir at `path`, is not the run's model.
  Status compareModel(const std::string &text, const std::string &path) const;
  /// The first setting, or other part, in which two records differ, in words;
  /// empty when there is none.
  std::string difference(const RunRecord &other) const;
};

/// How a run's data is looked for.
struct DataSearch {
  /// Whether somebody has just named the files: then no others are read.
  bool named = false;
  /// Whether other content is all right.
  bool acceptChanged = false;
  /// What to do about text that has changed, in words; ends the message.
  std::string advice;
  /// The option that names the files, and what a run does with them.
  const char *option = "--data", *use = "trained on";
  /// Told what is not as expected but goes on.
  std::function<void(const std::string &)> note;
};

/// Opens the files that a run was trained on: those at `paths` if their content
/// is that of `recorded`, or those at the places where the run found them,
/// which may have been another folder's. With nothing recorded every content is
/// right.
Result<runtime::DataFiles>
openRecorded(const std::vector<std::string> &paths,
             const std::vector<runtime::FileFingerprint> &recorded,
             const DataSearch &search);

struct FoundTokenizer {
  std::unique_ptr<runtime::Tokenizer> tokenizer;
  std::map<std::string, std::string> files; ///< that make a folder have it
};

/// The tokenizer of a folder, which has a tokenizer.json.
Result<FoundTokenizer> openTokenizer(const std::string &folder);

/// The tokenizer of bytes, or that of multiplications.
FoundTokenizer builtInTokenizer(bool multiplies);

/// The tokenizer of a checkpoint: its own, or that of the folder `given` if
/// that is not empty. Null for a checkpoint that says nothing about it. Fails
/// when it is not the one of the record, which may be null.
Result<FoundTokenizer> tokenizerOf(const std::string &checkpoint,
                                   const std::string &given,
                                   const RunRecord *record);

} // namespace attnres::run

#endif
