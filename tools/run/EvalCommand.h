// How well a model predicts data: what eval prints, and what inspect measures.
#ifndef ATTNRES_TOOLS_RUN_EVALCOMMAND_H
#define ATTNRES_TOOLS_RUN_EVALCOMMAND_H

#include "runtime/training/Evaluator.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/Options.h"
#include "tools/run/QuestionReport.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TrainingData.h"

namespace attnres::run {

/// A model of a folder on the data of its run, or other data.
struct EvalCommand {
  std::string modelDir; ///< of a model or a run
  std::vector<std::string> modelDirs; ///< several, for questions
  std::string tokenizerDir, partName;
  std::vector<std::string> data;
  int64_t samples = 0;
  std::optional<uint64_t> seed;
  DeviceOption deviceOption;
  bool asBytes = false, json = false, mean = false;
  CompileOptions options;
  CLI::App *command = nullptr;
  // Of questions that models answer by themselves.
  QuestionOptions questions;
  bool echoes = false;
  int64_t listed = 20;
  std::string csv;

  /// Adds everything but --model, --batch-size, --ema, --json and questions.
  void addOptions(CLI::App &app);
  runtime::EvaluationResult evaluate();
  /// evaluate(), printed, or answers to questions.
  void run();

private:
  /// Lets every model answer questions by itself.
  void askAll();
  QuestionResult ask();
  /// Finds the run of the model in `folder`, and compiles as that was.
  void findRecord();
  /// Fails where the model was trained on something else than multiplication.
  void expectAlphabet(const FoundTokenizer &tokenizer) const;
  /// What is evaluated: by its configuration, or as a module.
  struct Model {
    ModelSource source;
    runtime::SafetensorsFile parameters;
    runtime::HeldCheckpoint held;
    int64_t vocabulary;
  };
  Model openModel();
  /// Takes sizes of a module, which are fixed: those of its tokens.
  void takeSizes(const runtime::Program &program, Model &model);
  void findData();
  std::vector<std::string> namesInRecord(const char *setting) const;
  void choosePart();
  void openData(int64_t vocabulary);
  int64_t countOf(const runtime::Dataset &set) const;
  int64_t samplesOfAllSets() const;
  /// Different ones among the first `count` samples of multiplication.
  int64_t countDifferent(int64_t count) const;
  std::string describeSamples(const runtime::EvaluationResult &result) const;
  void print(const runtime::EvaluationResult &result) const;

  // In the order in which run() fills them.
  std::string folder; ///< of the checkpoint
  std::optional<RunRecord> record;
  DataSource found;
  bool isOwn = false; ///< the data is that of the model's run
  DataPart part = DataPart::All;
  EvaluationData evaluation;
  std::optional<int64_t> documentToken; ///< of a run with --document-masks
};

} // namespace attnres::run

#endif
