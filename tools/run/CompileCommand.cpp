// attnres-run compile: a program in a file, for machines without a compiler.
// Of a model by its configuration, or of a module that somebody wrote.
#include "models/InitialRules.h"
#include "runtime/ProgramPack.h"
#include "runtime/training/InitialRules.h"
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"

#include <algorithm>
#include <memory>

namespace attnres::run {
namespace {

bool isCached(const std::string &purpose) {
  return purpose == "prefill" || purpose == "decode";
}

struct CompileCommand {
  ConfigOption config;
  std::string module; ///< instead of a configuration
  std::string from = "model";
  CompileOptions options;
  DumpOption dumps;
  std::vector<std::string> purposes = {"forward"}, moreTargets;
  int64_t texts = 0; ///< of prefill and decode; 0: the batch
  uint64_t seed = 0;
  std::string out;

  void run() {
    auto cached = std::find_if(purposes.begin(), purposes.end(), isCached);
    if ((cached != purposes.end()) != (options.capacity > 0))
      throw CommandError(cached != purposes.end()
                             ? "--purpose " + *cached + " needs --capacity"
                             : "--capacity needs --purpose prefill or decode");
    if (purposes.size() == 1 && purposes[0] == "decode" && options.seqLen != 1)
      throw CommandError(
          concat("--purpose decode reads 1 token at a time, got --seq-len ",
                 options.seqLen));
    std::vector<std::string> targets = {options.stages.target};
    targets.insert(targets.end(), moreTargets.begin(), moreTargets.end());
    if (purposes.size() * targets.size() > 1 && dumps.isGiven())
      throw CommandError("--dump-stage shows one program, got " +
                         std::to_string(purposes.size() * targets.size()));
    check(checkWritable(out));
    check(dumps.checkWritable());
    runtime::ProgramPack pack;
    for (const std::string &target : targets)
      for (const std::string &purpose : purposes)
        pack.programs.push_back(
            std::make_shared<const runtime::Program>(compile(target, purpose)));
    check(pack.save(out));
  }

private:
  runtime::Program compile(const std::string &target,
                           const std::string &purpose) const {
    CompileOptions sized = options;
    sized.stages.target = target;
    sized.stages.gradients = purpose == "gradients" || purpose == "train";
    sized.stages.optimizer = purpose == "train";
    if (!isCached(purpose))
      sized.capacity = 0;
    else if (texts > 0)
      sized.batch = texts;
    if (purpose == "decode")
      sized.seqLen = 1;
    else if (isCached(purpose) && purposes.size() > 1)
      sized.seqLen = std::min(sized.seqLen, sized.capacity);
    runtime::Program program =
        module.empty() ? compileConfig(sized, purpose) : compileFile(sized);
    program.metadata[runtime::kPurposeMetadata] = purpose;
    return program;
  }

  runtime::Program compileConfig(CompileOptions &sized,
                                 const std::string &purpose) const {
    sized.logits = purpose == "forward";
    ModelConfig model = config.read();
    sized.fuseLoss = !isCached(purpose) && wantsFusedLoss(model, sized);
    runtime::Program program =
        unwrap(compileModel(model, sized, dumps.observer()));
    if (purpose == "train")
      program.metadata[runtime::kInitialMetadata] = initialRules(model, seed);
    return program;
  }

  runtime::Program compileFile(const CompileOptions &sized) const {
    return unwrap(compileText(readModule(module), sized, module,
                              *parseStage(from), dumps.observer()));
  }
};

} // namespace

void addCompileCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("compile", "compile a model to a program file");
  auto state = std::make_shared<CompileCommand>();
  CLI::Option *module = state->config.add(*command, state->module);
  std::vector<std::string> stages;
  for (Stage stage : stagesTo(Stage::Planned))
    stages.emplace_back(toString(stage));
  command->add_option("--from", state->from, "the stage that --module is at")
      ->check(CLI::IsMember(stages))
      ->needs(module)
      ->capture_default_str();
  addSizes(*command, state->options);
  addDType(*command, state->options);
  addStages(*command, state->options);
  command
      ->add_option("--purpose", state->purposes,
                   "what the program computes; several make a file of as many "
                   "programs for attnres-exec")
      ->check(
          CLI::IsMember({"forward", "gradients", "train", "prefill", "decode"}))
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--more-targets", state->moreTargets,
                   "programs for these targets, too, in the same file; a "
                   "device takes the first that it runs")
      ->check(CLI::IsMember(targetChoices()))
      ->delimiter(',');
  command
      ->add_option("--texts", state->texts,
                   "texts that prefill and decode continue at once; 0: "
                   "--batch-size")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 20));
  command
      ->add_option("--seed", state->seed,
                   "of the parameters that training begins with")
      ->capture_default_str();
  command
      ->add_option("--capacity", state->options.capacity,
                   "tokens of a text, its prompt included: what the caches of "
                   "prefill and decode hold")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30));
  command->add_option("--out", state->out, "where to write the program")
      ->type_name("FILE")
      ->required();
  state->dumps.add(*command);
  command->footer("Example:\n  attnres-run compile --preset toy --batch-size 8 "
                  "--seq-len 256 --purpose train --out toy.program\n"
                  "  attnres-run compile --preset toy --batch-size 8 --seq-len "
                  "256 --purpose train,forward,prefill,decode \\\n    "
                  "--capacity 1024 --texts 1 --target sm_90a --more-targets "
                  "sm_80,cpu:avx2 --out toy.program\n"
                  "  attnres-run compile --module kernels.mlir --from planned "
                  "--out kernels.program");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
