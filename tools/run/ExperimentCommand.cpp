// attnres-run experiment: several training runs, and what they show.
#include "runtime/ThreadPool.h"
#include "runtime/training/Checkpoint.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/RunDirectory.h"
#include "runtime/training/TrainingLoop.h"
#include "support/File.h"
#include "support/Streams.h"
#include "support/StrictJson.h"
#include "tools/report/Comparison.h"
#include "tools/run/Commands.h"
#include "tools/run/Experiment.h"
#include "tools/run/Options.h"
#include "tools/run/RunProcesses.h"
#include "tools/run/RunRecord.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace attnres::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// Waits until no other process has its turn at a folder. Where there are no
/// locks, it is nobody's turn.
class FolderTurn {
public:
  explicit FolderTurn(const std::string &path)
      : fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd >= 0)
      (void)::flock(fd, LOCK_EX);
  }
  FolderTurn(const FolderTurn &) = delete;
  FolderTurn &operator=(const FolderTurn &) = delete;
  ~FolderTurn() {
    if (fd >= 0)
      ::close(fd);
  }

private:
  int fd;
};

class ExperimentCommand {
public:
  void addTo(CLI::App &app);

private:
  void run();
  std::string folderOf(const ExperimentRun &run) const {
    return out + "/runs/" + run.name;
  }
  void expectSameRuns() const;
  void writeDescription() const;
  std::vector<RunProcess> processesToRun() const;
  std::vector<std::string> commandFor(const ExperimentRun &run) const;
  bool isFinished(const std::string &folder,
                  const std::string &checkpoint) const;
  void train(const std::vector<RunProcess> &processes);
  void writeResults() const;
  void printCommands() const;

  std::string file, out;
  int64_t jobs = 1;
  int threads = 0;
  bool dryRun = false, onlyResults = false, logarithmicLoss = false;

  Experiment experiment;
  std::vector<std::string> failures; ///< one line for each run that failed
};

void ExperimentCommand::addTo(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "experiment", "several training runs that differ in named fields");
  command->add_option("file", file, "what is compared, as JSON")
      ->type_name("FILE.json")
      ->required();
  command->add_option("--out", out, "folder for the runs and their results")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--jobs", jobs,
                   "runs side by side, each with its part of the processors")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--threads", threads,
                   "of each run; 0 divides what the machine has among the jobs")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--log-loss", logarithmicLoss,
                    "draw losses on a logarithmic axis");
  command->add_flag("--dry-run", dryRun,
                    "print the command of every run, and begin none");
  command->add_flag("--only-results", onlyResults,
                    "write the results of what is there, also while the runs "
                    "go on, and train nothing");
  command->footer(
      "FILE says what all runs have in common, and what differs:\n"
      "  {\"preset\": \"ch5\",\n"
      "   \"common\": {\"train.data\": \"multiplication:2\", "
      "\"train.steps\": 600},\n"
      "   \"runs\": [{\"name\": \"off\", \"config.attnres\": \"off\"},\n"
      "            {\"name\": \"block\", \"config.attnres\": \"block\"}],\n"
      "   \"grid\": {\"train.seed\": [0, 1, 2]}}\n"
      "A field is config.NAME of config.json, train.NAME of the options of\n"
      "train, or preset. Each run is a folder of train, DIR/runs/NAME. The "
      "same\n"
      "command again goes on where it was ended: runs that are finished stay "
      "as\n"
      "they are, others go on bit for bit. Results, also of runs that are not\n"
      "finished: DIR/index.html, results.txt, results.json and tables as "
      "CSV.\n\n"
      "Examples:\n"
      "  attnres-run experiment examples/experiments/multiplication-2.json "
      "--out results/mul2 --jobs 2\n"
      "  attnres-run experiment examples/experiments/ablations.json --out "
      "results/ablations --dry-run");
  command->callback([this] { run(); });
}

void ExperimentCommand::run() {
  experiment = unwrap(Experiment::read(file));
  if (dryRun)
    return printCommands();
  // Those who only look do so while the runs go on.
  std::optional<runtime::RunDirectory> directory;
  if (!onlyResults)
    directory.emplace(unwrap(runtime::RunDirectory::own(out)));
  expectSameRuns();
  if (!onlyResults) {
    std::vector<RunProcess> processes = processesToRun();
    writeDescription();
    runtime::catchInterrupts();
    train(processes);
  }
  writeResults();
  if (int signal = runtime::interruptSignal()) {
    std::cerr << "ended by " << runtime::signalName(signal)
              << "; the same command goes on" << std::endl;
    throw Interrupted{signal};
  }
  if (!failures.empty())
    throw CommandError(concat(failures.size(), " of ", experiment.runs.size(),
                              " runs failed; ", failures.front()));
}

/// Of runs that have begun, that the file still says what they are.
void ExperimentCommand::expectSameRuns() const {
  std::string path = out + "/experiment.json";
  if (!fs::exists(path))
    return;
  JsonLimits limits;
  limits.maxBytes = 1 << 26;
  json before = unwrap(
      parseStrictJson(unwrap(readFile(path, limits.maxBytes)), path, limits));
  auto malformed = [&] { return CommandError(path + ": no runs"); };
  if (!before.is_object() || !before.contains("runs") ||
      !before["runs"].is_array())
    throw malformed();
  for (const ExperimentRun &run : experiment.runs)
    for (const json &old : before["runs"]) {
      if (!old.is_object() || old.value("name", json()) != json(run.name) ||
          !fs::exists(folderOf(run) + "/run.json"))
        continue;
      json now = run.toJson();
      for (const char *field : {"arguments", "config"}) {
        if (now[field] == old.value(field, json()))
          continue;
        // The first that is in one alone.
        std::string difference;
        for (const auto &[key, value] : now[field].items()) {
          json was = old.value(field, json());
          bool isThere =
              was.is_array()
                  ? std::find(was.begin(), was.end(), value) != was.end()
                  : was.is_object() && was.value(key, json()) == value;
          if (!isThere && difference.empty())
            difference = was.is_array() ? value.get<std::string>()
                                        : concat(key, " ", value.dump());
        }
        throw CommandError(
            concat(folderOf(run), " was begun as another run",
                   difference.empty() ? "" : concat(", without ", difference),
                   "; choose another --out, or another name for the run"));
      }
    }
}

void ExperimentCommand::writeDescription() const {
  ordered_json description = {{"version", 1}, {"title", experiment.title}};
  for (const ExperimentRun &run : experiment.runs)
    description["runs"].push_back(run.toJson());
  // Runs that the file no longer lists may come back under their names.
  std::string path = out + "/experiment.json";
  if (fs::exists(path)) { // expectSameRuns() has checked its form
    JsonLimits limits;
    limits.maxBytes = 1 << 26;
    json before = unwrap(
        parseStrictJson(unwrap(readFile(path, limits.maxBytes)), path, limits));
    for (const json &old : before["runs"]) {
      bool isListed = !old.is_object();
      for (const ExperimentRun &run : experiment.runs)
        isListed |= !isListed && old.value("name", json()) == json(run.name);
      if (!isListed)
        description["runs"].push_back(ordered_json::parse(old.dump()));
    }
  }
  std::error_code error;
  fs::create_directories(out + "/runs", error);
  if (error)
    throw CommandError(out + "/runs: cannot create: " + error.message());
  check(writeFileAtomically(path, {description.dump(2) + "\n"}));
}

bool ExperimentCommand::isFinished(const std::string &folder,
                                   const std::string &checkpoint) const {
  RunRecord record = unwrap(RunRecord::read(folder + "/run.json"));
  runtime::TrainingProgress progress =
      unwrap(runtime::readProgress(checkpoint));
  auto number = [&](const char *name) {
    ordered_json value = record.settings.value(name, ordered_json());
    return value.is_number_integer() ? value.get<int64_t>() : 0;
  };
  int64_t patience = number("early_stop");
  return progress.step >= number("steps") ||
         (patience > 0 && progress.evaluationsSinceBest >= patience);
}

/// Begins a run or goes on with it; nothing when it is finished.
std::vector<std::string>
ExperimentCommand::commandFor(const ExperimentRun &run) const {
  std::string folder = folderOf(run);
  std::string checkpoint = runtime::CheckpointFolder(folder).latest();
  std::vector<std::string> command = {"train"};
  if (checkpoint.empty()) {
    for (std::string &argument : run.arguments())
      command.push_back(std::move(argument));
    command.push_back("--out=" + folder);
  } else if (isFinished(folder, checkpoint)) {
    return {};
  } else {
    command.push_back("--resume=" + folder);
  }
  return command;
}

std::vector<RunProcess> ExperimentCommand::processesToRun() const {
  std::vector<RunProcess> processes;
  for (const ExperimentRun &run : experiment.runs)
    if (std::vector<std::string> command = commandFor(run); !command.empty())
      processes.push_back({run.name, std::move(command)});
  auto atOnce = std::min(jobs, static_cast<int64_t>(processes.size()));
  int each = threads;
  if (each == 0)
    each = std::max(1, runtime::defaultThreadCount() /
                           static_cast<int>(std::max<int64_t>(atOnce, 1)));
  for (RunProcess &process : processes)
    process.arguments.push_back(concat("--threads=", each));
  return processes;
}

void ExperimentCommand::train(const std::vector<RunProcess> &processes) {
  size_t finished = experiment.runs.size() - processes.size();
  std::cerr << fmt::format("{} runs, {} of them finished already\n",
                           experiment.runs.size(), finished)
            << std::flush;
  std::vector<ProcessEnd> ends =
      unwrap(runProcesses(processes, jobs, [](const std::string &line) {
        std::cerr << line << std::endl;
        if (!std::cerr) // nobody reads any more
          runtime::requestEnd(SIGPIPE);
      }));
  if (runtime::interruptSignal())
    return;
  for (size_t i = 0; i < ends.size(); ++i)
    if (ends[i].exitCode != 0)
      failures.push_back(concat(processes[i].name, ": ", ends[i].lastLine));
}

/// Of all runs that have a record.
void ExperimentCommand::writeResults() const {
  // From reading runs to the last file: who reads last writes last.
  FolderTurn turn(out);
  report::Comparison comparison;
  comparison.title = experiment.title;
  for (const ExperimentRun &run : experiment.runs) {
    std::string folder = folderOf(run);
    if (!fs::exists(folder + "/metrics.jsonl"))
      continue;
    comparison.runs.push_back(unwrap(report::RunFolder::open(folder)));
    comparison.groups.push_back(run.group);
  }
  if (comparison.runs.empty()) {
    if (onlyResults)
      throw CommandError(out + " has no runs yet");
    return;
  }
  auto write = [&](const std::string &name, const std::string &text) {
    check(writeFileAtomically(out + "/" + name, {text}));
  };
  std::string text = comparison.toText();
  write("results.txt", text);
  write("results.json", comparison.toJson().dump(1) + "\n");
  for (const auto &[name, table] : comparison.toCsv())
    write(name, table);
  write("index.html", comparison.toHtml(logarithmicLoss));
  std::cout << text << "\nwrote " << out
            << "/index.html, results.txt, results.json and tables as CSV\n";
  flushStandardOutput();
}

/// For a shell; the quotes keep what JSON has.
void ExperimentCommand::printCommands() const {
  auto quoted = [](const std::string &argument) {
    bool isPlain = argument.find_first_not_of(
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "0123456789-_=:,./+") == std::string::npos;
    if (isPlain)
      return argument;
    std::string text = "'";
    for (char c : argument)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
  };
  std::string text;
  for (const ExperimentRun &run : experiment.runs) {
    std::vector<std::string> command = commandFor(run);
    if (command.empty()) {
      text += concat("# ", run.name, " is finished\n");
      continue;
    }
    text += "attnres-run";
    for (const std::string &argument : command)
      text += " " + quoted(argument);
    text += "\n";
  }
  writeText(text, "");
}

} // namespace

void addExperimentCommand(CLI::App &app) {
  // Lives as long as the application that refers to it.
  static ExperimentCommand command;
  command.addTo(app);
}

} // namespace attnres::run
