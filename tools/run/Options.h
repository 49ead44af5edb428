// Options that several subcommands share, and how they fail.
#ifndef ATTNRES_TOOLS_RUN_OPTIONS_H
#define ATTNRES_TOOLS_RUN_OPTIONS_H

#include "models/ModelConfig.h"
#include "support/ExactNumbers.h"
#include "support/Status.h"
#include "tools/compile/Compiler.h"
#include "tools/run/CommandError.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnres::run {

/// --model DIR or --preset NAME, exactly one of them, and --attnres MODE to use
/// instead of the configuration's.
class ConfigOption {
public:
  void add(CLI::App &command);
  /// The same, or --module FILE.mlir instead of a configuration.
  CLI::Option *add(CLI::App &command, std::string &module);
  ModelConfig read() const;

private:
  CLI::Option_group *addNames(CLI::App &command);

  std::string modelDir;
  std::string preset;
  std::string attnres;
};

/// Throws with a hint when a file of a configuration is given by the name of
/// something else: a folder that holds one, or a preset.
void checkConfigPath(const std::string &path);

/// --batch-size and --seq-len.
void addSizes(CLI::App &command, CompileOptions &options);
/// --dtype f32|bf16.
void addDType(CLI::App &command, CompileOptions &options);
/// The names of schedules and attentions on command lines and in runs.
using DepthSchedules = std::vector<std::pair<std::string, DepthSchedule>>;
using AttentionForms = std::vector<std::pair<std::string, AttentionForm>>;
const DepthSchedules &depthSchedules();
const AttentionForms &attentionForms();
/// What stands behind a name in such a list, or nothing.
template <typename T>
std::optional<T> lookUp(const std::vector<std::pair<std::string, T>> &choices,
                        const std::string &name) {
  for (const auto &[known, choice] : choices)
    if (known == name)
      return choice;
  return std::nullopt;
}
/// The names in such a list.
template <typename T>
std::vector<std::string>
namesOf(const std::vector<std::pair<std::string, T>> &choices) {
  std::vector<std::string> names;
  for (const auto &choice : choices)
    names.push_back(choice.first);
  return names;
}

/// --depth-schedule, --attention and addTarget().
void addStages(CLI::App &command, CompileOptions &options);
/// --target NAME and addIsa().
void addTarget(CLI::App &command, CompileOptions &options);
/// --isa LEVEL, for --target cpu:LEVEL, which cannot be given as well.
void addIsa(CLI::App &command, std::string &target);
/// What --target takes.
std::vector<std::string> targetChoices();
/// The instruction set of the target, as programs name it.
std::string instructionSet(const CompileOptions &options);
/// --residual-bytes N.
void addResidualBytes(CLI::App &command, CompileOptions &options);

/// --ema: the means of the parameters instead of the parameters.
void addMean(CLI::App &command, bool &mean);
/// --attnres MODE: empty for the configuration's.
void addAttnResMode(CLI::App &command, std::string &mode);
/// --set FIELD=VALUE, any number of times, for ModelConfig::with().
void addFieldAssignments(CLI::App &command,
                         std::vector<std::string> &assignments,
                         const std::string &description);
/// --threads N.
void addThreads(CLI::App &command, int &threads);
/// --threads, --rounds and --json of a benchmark, and --device. Time says
/// nothing of what is emulated: there a benchmark that can estimates what a GPU
/// would need, and another one ends.
struct TimingOptions {
  int threads = 0, rounds = 15;
  bool json = false;
  std::string device = "cpu";
  void add(CLI::App &command, bool canEstimate = false);
  bool estimates() const { return device == "emulator"; }
};

/// --dump-stage NAME[=FILE], any number of times.
class DumpOption {
public:
  void add(CLI::App &command);
  /// Whether the files for the stages can be written.
  Status checkWritable() const;
  /// Writes the requested stages where they were asked for.
  StageObserver observer() const;
  bool isGiven() const { return !files.empty(); }

private:
  static std::string unknownStage(const std::string &name);

  std::map<Stage, std::string> files; ///< "" is standard output
};

/// A line for the reader beside the results: on standard error.
void note(const std::string &text);

/// Writes `text` to `path`, or to standard output when the path is empty.
void writeText(const std::string &text, const std::string &path);

} // namespace attnres::run

#endif
