// What is wrong with a command line, in one line.
#include "tools/run/UsageError.h"

#include "support/NearestName.h"
#include "support/Status.h"

#include <algorithm>
#include <vector>

namespace attnres::run {

namespace {

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  // Option groups are subcommands without a name.
  for (const CLI::App *group : app.get_subcommands(
           [](const CLI::App *child) { return child->get_name().empty(); }))
    for (const std::string &name : optionNames(*group))
      names.push_back(name);
  return names;
}

/// Without option groups; `parsed`: only those on the command line.
std::vector<const CLI::App *> namedSubcommands(const CLI::App &app,
                                               bool parsed) {
  std::vector<const CLI::App *> children;
  for (const CLI::App *child : app.get_subcommands(
           [](const CLI::App *child) { return !child->get_name().empty(); }))
    if (!parsed || child->parsed())
      children.push_back(child);
  return children;
}

/// What other programs call an option or a subcommand, and its name here.
struct Synonym {
  const char *other, *here;
};
constexpr Synonym optionSynonyms[] = {
    {"--learning-rate", "--lr"},
    {"--lr-rate", "--lr"},
    {"--max-lr", "--lr"},
    {"--min-learning-rate", "--min-lr"},
    {"--warmup-steps", "--warmup"},
    {"--warmup-iters", "--warmup"},
    {"--schedule", "--lr-schedule"},
    {"--schedule", "--depth-schedule"},
    {"--lr-scheduler", "--lr-schedule"},
    {"--lr-scheduler-type", "--lr-schedule"},
    {"--wd", "--weight-decay"},
    {"--clip", "--grad-clip"},
    {"--max-grad-norm", "--grad-clip"},
    {"--clip-grad-norm", "--grad-clip"},
    {"--gradient-accumulation-steps", "--grad-accumulation"},
    {"--accumulation-steps", "--grad-accumulation"},
    {"--adam-beta1", "--beta1"},
    {"--adam-beta2", "--beta2"},
    {"--eps", "--adam-eps"},
    {"--adam-epsilon", "--adam-eps"},
    {"--init-range", "--init-std"},
    {"--initializer-range", "--init-std"},
    {"--max-steps", "--steps"},
    {"--max-iters", "--steps"},
    {"--iters", "--steps"},
    {"--iterations", "--steps"},
    {"--num-steps", "--steps"},
    {"--train-steps", "--steps"},
    {"--num-train-epochs", "--epochs"},
    {"--num-epochs", "--epochs"},
    {"--batch", "--batch-size"},
    {"--bs", "--batch-size"},
    {"--micro-batch-size", "--batch-size"},
    {"--per-device-train-batch-size", "--batch-size"},
    {"--block-size", "--seq-len"},
    {"--context", "--seq-len"},
    {"--context-length", "--seq-len"},
    {"--ctx", "--seq-len"},
    {"--max-length", "--seq-len"},
    {"--max-seq-len", "--seq-len"},
    {"--sequence-length", "--seq-len"},
    {"--eval-interval", "--eval-every"},
    {"--eval-steps", "--eval-every"},
    {"--eval-iters", "--eval-samples"},
    {"--save-interval", "--save-every"},
    {"--save-steps", "--save-every"},
    {"--checkpoint-every", "--save-every"},
    {"--save-total-limit", "--keep"},
    {"--log-interval", "--log-every"},
    {"--logging-steps", "--log-every"},
    {"--random-seed", "--seed"},
    {"--precision", "--dtype"},
    {"--mixed-precision", "--dtype"},
    {"--bf16", "--dtype"},
    {"--dataset", "--data"},
    {"--text", "--data"},
    {"--train-data", "--data"},
    {"--validation-data", "--val-data"},
    {"--valid-data", "--val-data"},
    {"--eval-data", "--val-data"},
    {"--mixture", "--data-weights"},
    {"--patience", "--early-stop"},
    {"--early-stopping", "--early-stop"},
    {"--save-best", "--keep-best"},
    {"--ema-decay", "--ema"},
    {"--stop-string", "--stop"},
    {"--stop-sequence", "--stop"},
    {"--checkpoint", "--model"},
    {"--ckpt", "--model"},
    {"--model-path", "--model"},
    {"--model-dir", "--model"},
    {"--run", "--model"},
    {"--resume-from", "--resume"},
    {"--resume-from-checkpoint", "--resume"},
    {"--output", "--out"},
    {"--output-dir", "--out"},
    {"--out-dir", "--out"},
    {"--save-dir", "--out"},
    {"-o", "--out"},
    {"--max-tokens", "--max-new-tokens"},
    {"--new-tokens", "--max-new-tokens"},
    {"--num-tokens", "--max-new-tokens"},
    {"-n", "--max-new-tokens"},
    {"--temp", "--temperature"},
    {"--start", "--prompt"},
    {"-p", "--prompt"},
    {"--num-threads", "--threads"},
    {"-j", "--threads"},
    {"--num-workers", "--threads"},
    {"--march", "--isa"},
    {"--vocab", "--vocab-size"},
    {"--vocabulary-size", "--vocab-size"},
    {"--model-type", "--kind"},
};
constexpr Synonym subcommandSynonyms[] = {
    {"sample", "generate"},    {"infer", "generate"},
    {"inference", "generate"}, {"chat", "generate"},
    {"run", "generate"},       {"complete", "generate"},
    {"evaluate", "eval"},      {"test", "eval"},
    {"validate", "eval"},      {"perplexity", "eval"},
    {"fit", "train"},          {"finetune", "train"},
    {"pretrain", "train"},     {"resume", "train"},
    {"info", "inspect"},       {"show", "inspect"},
    {"stats", "inspect"},      {"plot", "report"},
    {"compare", "report"},     {"build", "compile"},
    {"export", "compile"},     {"presets", "config"},
    {"benchmark", "bench"},    {"cost", "plan"},
    {"tokenize", "tokenizer"}, {"emulator", "emulate"},
    {"ptx", "emulate"},        {"ir", "model"},
    {"print", "model"},        {"backward", "gradients"},
};

/// didYouMean(), but other programs' names lead where they mean.
template <size_t N>
std::string suggest(std::string given, const std::vector<std::string> &names,
                    const Synonym (&synonyms)[N]) {
  std::replace(given.begin() + std::min<size_t>(given.size(), 2), given.end(),
               '_', '-');
  for (const Synonym &synonym : synonyms)
    if (given == synonym.other &&
        std::find(names.begin(), names.end(), synonym.here) != names.end())
      return concat("; did you mean ", inQuotes(synonym.here), "?");
  return didYouMean(given, names);
}

/// Options that no command has.
std::string whyAbsent(const std::string &name) {
  for (const char *device : {"--gpu", "--gpus", "--cuda", "--accelerator",
                             "--use-cuda", "--no-cuda"})
    if (name == device)
      return "; --device says what runs programs, --target what they are "
             "compiled for";
  return "";
}

/// The library's words for a value that does not fit, in ours.
std::string describeValue(std::string message) {
  constexpr std::string_view unread = "Could not convert: ";
  if (message.compare(0, unread.size(), unread) == 0) {
    std::string rest = message.substr(unread.size());
    size_t equals = rest.find(" = ");
    std::string given =
        equals == std::string::npos ? "" : rest.substr(equals + 3);
    bool digits =
        given.find_first_not_of("+-0123456789") == std::string::npos &&
        given.size() > 1;
    return concat(rest.substr(0, equals),
                  digits ? ": expected a number that it can hold, got "
                         : ": expected a number, got ",
                  inQuotes(given));
  }
  constexpr std::string_view once = ": At Most 1 required but received ";
  if (size_t at = message.find(once); at != std::string::npos)
    return concat(message.substr(0, at), " is given ",
                  message.substr(at + once.size()), " times, expected once");
  // "--steps: 1 required N missing".
  constexpr std::string_view missing = ": 1 required ";
  if (size_t at = message.find(missing); at != std::string::npos)
    return concat(message.substr(0, at), ": expected a value after it");
  // Of checks without an upper bound it prints the largest double.
  constexpr std::string_view range = " not in range 0.000000 to 17976931348";
  size_t at = message.find(range), value = message.find(": Value ");
  if (at != std::string::npos && value < at)
    return concat(message.substr(0, value),
                  ": expected a positive number, got ",
                  inQuotes(message.substr(value + 8, at - value - 8)));
  return message;
}

std::vector<std::string> subcommandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *child : namedSubcommands(app, /*parsed=*/false))
    names.push_back(child->get_name());
  return names;
}

} // namespace

std::string describeUsageError(const CLI::App &app, int argc,
                               const char *const *argv,
                               const CLI::ParseError &error) {
  std::vector<CLI::App *> parsed = app.get_subcommands();
  if (parsed.empty()) {
    if (argc < 2)
      return "a subcommand is required; --help lists them";
    std::string given = argv[1];
    bool isOption = given[0] == '-';
    if (isOption)
      return "unknown option " + inQuotes(given) +
             suggest(given, optionNames(app), optionSynonyms);
    return "unknown subcommand " + inQuotes(given) +
           suggest(given, subcommandNames(app), subcommandSynonyms);
  }
  const CLI::App *command = parsed.front();
  while (!namedSubcommands(*command, /*parsed=*/true).empty())
    command = namedSubcommands(*command, /*parsed=*/true).front();
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  bool needsSubcommand = !namedSubcommands(*command, /*parsed=*/false).empty();
  if (extras.empty() && needsSubcommand)
    return command->get_name() + " needs a subcommand; --help lists them";
  if (extras.empty())
    return describeValue(error.what());
  auto option =
      std::find_if(extras.begin(), extras.end(), [](const std::string &text) {
        return !text.empty() && text[0] == '-';
      });
  if (needsSubcommand && option != extras.begin())
    return "unknown subcommand " + inQuotes(extras.front()) +
           suggest(extras.front(), subcommandNames(*command),
                   subcommandSynonyms);
  if (option == extras.end())
    return "unexpected argument " + inQuotes(extras.front());
  std::string name = option->substr(0, option->find('='));
  std::string why = whyAbsent(name);
  return "unknown option " + inQuotes(name) +
         (why.empty() ? suggest(name, optionNames(*command), optionSynonyms)
                      : why);
}

} // namespace attnres::run
