// Options that several subcommands share, and how they fail.
#include "tools/run/Options.h"

#include "passes/Targets.h"
#include "runtime/training/Checkpoint.h"
#include "support/File.h"
#include "support/Streams.h"
#include "support/machine/Isa.h"
#include "tools/run/ModelFiles.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace attnres::run {

CLI::Option_group *ConfigOption::addNames(CLI::App &command) {
  std::string presets;
  for (std::string_view name : presetNames())
    presets += (presets.empty() ? "" : ", ") + std::string(name);
  auto *group = command.add_option_group("model");
  group->add_option("--model", modelDir, "folder with config.json")
      ->type_name("DIR");
  group->add_option("--preset", preset, "one of " + presets)->type_name("NAME");
  group->require_option(1);
  addAttnResMode(command, attnres);
  return group;
}

void ConfigOption::add(CLI::App &command) { addNames(command); }

CLI::Option *ConfigOption::add(CLI::App &command, std::string &module) {
  return addNames(command)
      ->add_option("--module", module, "a program in MLIR instead")
      ->type_name("FILE");
}

ModelConfig ConfigOption::read() const {
  check(checkFolder(modelDir));
  auto held = runtime::HeldCheckpoint::open(modelDir);
  ModelConfig config = unwrap(
      preset.empty() ? ModelConfig::fromFile(held.path() + "/config.json")
                     : ModelConfig::preset(preset));
  if (!attnres.empty()) {
    config.attnres = *parseAttnResMode(attnres);
    check(config.validate("configuration"));
  }
  return config;
}

void checkConfigPath(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(path, error))
    throw CommandError(path + ": is a folder, expected a file" +
                       (fs::exists(path + "/config.json", error)
                            ? " such as " + path + "/config.json"
                            : ""));
  const auto &presets = presetNames();
  if (!fs::exists(path, error) &&
      std::find(presets.begin(), presets.end(), path) != presets.end())
    throw CommandError(path + ": no such file; --preset " + path +
                       " names the preset");
}

void addSizes(CLI::App &command, CompileOptions &options) {
  command.add_option("--batch-size", options.batch, "sequences in a batch")
      ->capture_default_str();
  command.add_option("--seq-len", options.seqLen, "tokens in a sequence")
      ->capture_default_str();
}

/// An option that takes one of a few names, each standing for a value.
template <typename T>
static void addChoice(CLI::App &command, const std::string &option, T &value,
                      const std::vector<std::pair<std::string, T>> &choices,
                      const std::string &description) {
  std::string current;
  for (const auto &[name, choice] : choices)
    if (choice == value)
      current = name;
  command
      .add_option_function<std::string>(
          option,
          [&value, choices](const std::string &given) {
            value = *lookUp(choices, given);
          },
          description)
      ->check(CLI::IsMember(namesOf(choices)))
      ->default_str(current);
}

void addDType(CLI::App &command, CompileOptions &options) {
  addChoice<bool>(command, "--dtype", options.bf16,
                  {{"f32", false}, {"bf16", true}},
                  "storage of activations and of what products read");
}

void addMean(CLI::App &command, bool &mean) {
  command.add_flag("--ema", mean,
                   "take the moving means of the parameters, which train --ema "
                   "keeps");
}

void addAttnResMode(CLI::App &command, std::string &mode) {
  std::vector<std::string> modes;
  for (AttnResMode value : {AttnResMode::Off, AttnResMode::Full,
                            AttnResMode::Block, AttnResMode::Static})
    modes.emplace_back(toString(value));
  command
      .add_option("--attnres", mode,
                  "attention residuals, instead of the configuration's")
      ->check(CLI::IsMember(modes));
}

void addFieldAssignments(CLI::App &command,
                         std::vector<std::string> &assignments,
                         const std::string &description) {
  command.add_option("--set", assignments, description)
      ->type_name("FIELD=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addThreads(CLI::App &command, int &threads) {
  command
      .add_option("--threads", threads,
                  "threads that run kernels; 0 takes what the machine allows")
      ->check(CLI::Range(0, 1024));
}

void TimingOptions::add(CLI::App &command, bool canEstimate) {
  addThreads(command, threads);
  command
      .add_option_function<std::string>(
          "--device",
          [this, canEstimate](const std::string &name) {
            if (name == "emulator" && !canEstimate)
              throw CommandError("--device emulator: its time says nothing of "
                                 "a GPU; attnres-run run --device emulator "
                                 "--counters FILE counts what kernels do");
            device = name;
          },
          canEstimate ? "what runs the kernels; the emulator counts what they "
                        "do, for an estimate of the GPU of --target"
                      : "what runs the kernels")
      ->check(CLI::IsMember({"cpu", "emulator"}))
      ->default_str("cpu");
  command.add_option("--rounds", rounds, "timings of each case")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command.add_flag("--json", json, "machine-readable");
}

const DepthSchedules &depthSchedules() {
  static const DepthSchedules all = {{"naive", DepthSchedule::Naive},
                                     {"two-phase", DepthSchedule::TwoPhase}};
  return all;
}

const AttentionForms &attentionForms() {
  static const AttentionForms all = {{"naive", AttentionForm::Naive},
                                     {"flash", AttentionForm::Flash}};
  return all;
}

void addStages(CLI::App &command, CompileOptions &options) {
  addChoice(command, "--depth-schedule", options.stages.schedule,
            depthSchedules(), "how depth mixtures are computed");
  addChoice(command, "--attention", options.stages.attention, attentionForms(),
            "how sequence attention is computed");
  addTarget(command, options);
}

std::vector<std::string> targetChoices() {
  std::vector<std::string> names = targetNames();
  names.insert(names.begin(), "cpu");
  return names;
}

void addTarget(CLI::App &command, CompileOptions &options) {
  command
      .add_option("--target", options.stages.target,
                  "what kernels are compiled for; cpu is this processor")
      ->check(CLI::IsMember(targetChoices()))
      ->capture_default_str();
  addIsa(command, options.stages.target);
}

void addIsa(CLI::App &command, std::string &target) {
  std::vector<std::string> levels{"auto"};
  for (std::string_view level : machine::isaNames())
    levels.emplace_back(level);
  command
      .add_option_function<std::string>(
          "--isa",
          [&target](const std::string &level) {
            target = level == "auto" ? "cpu" : "cpu:" + level;
          },
          "instruction set of the kernels: --target cpu:LEVEL")
      ->check(CLI::IsMember(levels))
      ->default_str("auto")
      ->excludes(command.get_option("--target"));
}

std::string instructionSet(const CompileOptions &options) {
  std::string name = resolveTarget(options.stages.target);
  return name.substr(name.find(':') + 1);
}

void addResidualBytes(CLI::App &command, CompileOptions &options) {
  command
      .add_option("--residual-bytes", options.stages.residualBytes,
                  "bytes kept for the backward pass, the rest is recomputed; "
                  "negative for no limit")
      ->type_name("N");
}

void DumpOption::add(CLI::App &command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--dump-stage",
          [this](const std::vector<std::string> &values) {
            for (const std::string &value : values) {
              size_t equals = value.find('=');
              std::string name = value.substr(0, equals);
              std::optional<Stage> stage = parseStage(name);
              if (!stage)
                throw CLI::ValidationError("--dump-stage", unknownStage(name));
              files[*stage] =
                  equals == std::string::npos ? "" : value.substr(equals + 1);
            }
          },
          "write the IR of a stage to FILE or print it")
      ->type_name("NAME[=FILE]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string DumpOption::unknownStage(const std::string &name) {
  std::string stages;
  for (Stage stage : kStages)
    stages += (stages.empty() ? "" : ", ") + std::string(toString(stage));
  return "expected one of " + stages + ", got " + inQuotes(name);
}

Status DumpOption::checkWritable() const {
  for (const auto &[stage, path] : files)
    if (!path.empty())
      if (Status status = attnres::checkWritable(path); !status.ok())
        return status;
  return {};
}

StageObserver DumpOption::observer() const {
  return {[this](Stage stage) { return files.count(stage) != 0; },
          [this](Stage stage, const std::string &text) {
            writeText(text, files.at(stage));
          }};
}

void note(const std::string &text) { std::cerr << text << std::endl; }

void writeText(const std::string &text, const std::string &path) {
  if (path.empty()) {
    std::cout << text;
    flushStandardOutput(); // main() sees whether it arrived
    return;
  }
  check(writeFileAtomically(path, {text}));
}

} // namespace attnres::run
