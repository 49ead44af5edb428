// Everything that a training run can be told.
#include "tools/run/TrainSettings.h"

#include "support/FloatRange.h"
#include "support/NearestName.h"
#include "tools/run/Options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace attnres::run {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// Settings that runs recorded before they existed do not have: these keep
/// their defaults, which are what those runs were trained with.
bool isNew(std::string_view name) {
  constexpr std::string_view names[] = {
      "schedule_steps", "adam_eps",       "init_std",       "init_output_scale",
      "init_from",      "depth_schedule", "attention",      "target",
      "residual_bytes", "val_data",       "as_bytes",       "data_weights",
      "keep_best",      "early_stop",     "tensorboard",    "ema",
      "optimizer",      "momentum",       "freeze",         "no_decay",
      "lr_for",         "micro_batch",    "document_masks", "document_token",
      "dropout",        "label_smoothing"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether a resumed run may be given another value.
enum class Resume {
  Same,
  Content, ///< another place of the same content
  May
};

/// Calls visit(name, field, whether it may change, type, description) for every
/// setting: the one place that knows their names.
template <typename Settings, typename Visit>
void forEachSetting(Settings &s, Visit visit) {
  visit("data", s.data, Resume::Content, "FILE|multiplication:DIGITS[,count=N]",
        "text or token files, computed samples of written-out "
        "multiplication, or several of these");
  visit("data_weights", s.dataWeights, Resume::Same, "X",
        "for each file or multiplication its share of what is drawn; files "
        "are joined without it");
  visit("val_data", s.valData, Resume::Content, "FILE",
        "files to evaluate on, each with its own loss; the last tenth of the "
        "data is held out without it");
  visit("as_bytes", s.asBytes, Resume::Same, "",
        "train on the bytes of files that do not look like text");
  visit("tokenizer", s.tokenizer, Resume::Content, "DIR",
        "folder with tokenizer.json, for text; bytes are tokens without it");
  visit("document_masks", s.documentMasks, Resume::Same, "",
        "a sequence holds several texts: attention and positions begin anew "
        "at each document token");
  visit("document_token", s.documentToken, Resume::Same, "N",
        "the token that begins a text; the tokenizer's end token if not given");
  visit("seq_len", s.seqLen, Resume::Same, "T",
        "tokens in a sequence; 0 for 256, or what multiplication needs");
  visit("batch_size", s.batchSize, Resume::Same, "B",
        "sequences in one run of the program");
  visit("grad_accumulation", s.gradAccumulation, Resume::Same, "N",
        "runs whose gradients make one step");
  visit("micro_batch", s.microBatch, Resume::May, "M",
        "sequences of a step whose gradients are computed together, and added "
        "in one order for any number of processes; 0: chosen under mpirun, "
        "not used without");
  visit("steps", s.steps, Resume::May, "N", "steps of the whole run");
  visit("epochs", s.epochs, Resume::May, "X",
        "passes over the data, instead of --steps");
  visit("lr", s.lr, Resume::May, "X", "peak learning rate");
  visit("min_lr", s.minLr, Resume::May, "X",
        "learning rate at the end; a tenth of the peak if not given");
  visit("warmup", s.warmup, Resume::May, "N",
        "steps in which the learning rate rises from zero to its peak");
  visit("schedule", s.schedule, Resume::May, "cosine|wsd|constant",
        "learning rate after the warm-up; wsd: linear decay in the last fifth");
  visit("schedule_steps", s.scheduleSteps, Resume::May, "N",
        "steps after which the schedule is over and the learning rate stays; "
        "--steps of a new run, and unchanged when a run is resumed");
  visit("optimizer", s.optimizer, Resume::Same, "adamw|muon|sgd|lion",
        "how parameters follow gradients; muon: matrices of layers by their "
        "orthogonalized momentum, the rest as adamw");
  visit("momentum", s.momentum, Resume::May, "X",
        "decay of the moment of muon and sgd");
  visit("dropout", s.dropout, Resume::May, "P",
        "share of the elements of the embedding and of every sublayer's output "
        "that a training step sets to 0");
  visit("label_smoothing", s.labelSmoothing, Resume::May, "X",
        "share of each target that the training loss spreads over all tokens");
  visit("weight_decay", s.weightDecay, Resume::May, "X",
        "decoupled, of matrices only");
  visit("beta1", s.beta1, Resume::May, "X", "decay of the first moment");
  visit("beta2", s.beta2, Resume::May, "X", "decay of the second moment");
  visit("adam_eps", s.adamEps, Resume::May, "X",
        "added to the root of the second moment");
  visit("grad_clip", s.gradClip, Resume::May, "X",
        "largest norm of all gradients; 0 for no clipping");
  visit("freeze", s.freeze, Resume::Same, "PATTERN",
        "parameters that stay as they are, by their names; * is any text");
  visit("no_decay", s.noDecay, Resume::May, "PATTERN",
        "parameters that do not decay");
  visit("lr_for", s.lrFor, Resume::May, "PATTERN=FACTOR",
        "factors on the learning rate; of several patterns the first counts");
  visit("ema", s.ema, Resume::Same, "X",
        "keep moving means of the parameters with this decay, such as 0.999, "
        "and evaluate them too; 0: do not");
  visit("init_std", s.initStd, Resume::Same, "X",
        "standard deviation of the initial matrices");
  visit("init_output_scale", s.initOutputScale, Resume::Same, "X",
        "factor on it for projections into the residual stream; "
        "1/sqrt(sublayers) if not given");
  visit("init_from", s.initFrom, Resume::Same, "PATH",
        "begin with the parameters of another model: the folder of a model or "
        "run, or a safetensors file; those that it lacks begin anew");
  visit("dtype", s.dtype, Resume::Same, "f32|bf16",
        "activations and what products read; parameters stay f32");
  visit("depth_schedule", s.depthSchedule, Resume::Same, "naive|two-phase",
        "how depth mixtures are computed");
  visit("attention", s.attention, Resume::Same, "naive|flash",
        "how sequence attention is computed");
  visit("target", s.target, Resume::May, "NAME",
        "what kernels are compiled for; cpu is this processor");
  visit("residual_bytes", s.residualBytes, Resume::May, "N",
        "bytes kept for the backward pass, the rest is recomputed; negative "
        "for no limit");
  visit("seed", s.seed, Resume::Same, "N",
        "of the initial parameters and the order of the data");
  visit("eval_every", s.evalEvery, Resume::May, "N",
        "steps between evaluations; 0: only at the end");
  visit("eval_samples", s.evalSamples, Resume::May, "N",
        "held-out samples in an evaluation");
  visit("save_every", s.saveEvery, Resume::May, "N",
        "steps between checkpoints; 0: only at the end");
  visit("keep", s.keep, Resume::May, "N", "checkpoints that stay");
  visit("keep_best", s.keepBest, Resume::May, "",
        "keep that of the least validation loss too, as DIR/best");
  visit("early_stop", s.earlyStop, Resume::May, "N",
        "end after N evaluations without a better validation loss, and keep "
        "the best; 0: do not");
  visit("log_every", s.logEvery, Resume::May, "N",
        "steps between lines of metrics.jsonl");
  visit("tensorboard", s.tensorboard, Resume::May, "",
        "write the curves as event files for TensorBoard too");
}

std::string optionName(std::string name) {
  if (name == "schedule") // records of runs are older than its name here
    return "--lr-schedule";
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

template <typename T>
std::string showDefault(const T &value) {
  return concat(value);
}
template <typename T>
std::string showDefault(const std::vector<T> &) {
  return "";
}
template <typename T>
std::string showDefault(const std::optional<T> &) {
  return "";
}

template <typename T>
void write(ordered_json &to, const T &value) {
  to = value;
}
template <typename T>
void write(ordered_json &to, const std::optional<T> &value) {
  if (value)
    to = *value;
}

// read(value, field) returns whether the value has the right type.
bool read(const json &value, int64_t &field) {
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX))
    return false;
  field = value.get<int64_t>();
  return true;
}
bool read(const json &value, uint64_t &field) {
  if (!value.is_number_unsigned())
    return false;
  field = value.get<uint64_t>();
  return true;
}
bool read(const json &value, double &field) {
  if (!value.is_number())
    return false;
  field = value.get<double>();
  return true;
}
template <typename T>
bool read(const json &value, std::optional<T> &field) {
  field.reset();
  return value.is_null() || read(value, field.emplace());
}
bool read(const json &value, std::string &field) {
  if (!value.is_string())
    return false;
  field = value.get<std::string>();
  return true;
}
bool read(const json &value, bool &field) {
  if (!value.is_boolean())
    return false;
  field = value.get<bool>();
  return true;
}
template <typename T>
bool read(const json &value, std::vector<T> &field) {
  if (!value.is_array())
    return false;
  field.clear();
  for (const json &element : value)
    if (!read(element, field.emplace_back()))
      return false;
  return true;
}

/// What a value of the field's type is called.
const char *typeName(bool) { return "true or false"; }
const char *typeName(double) { return "a number"; }
const char *typeName(int64_t) { return "an integer"; }
const char *typeName(uint64_t) { return "an integer of at least 0"; }
const char *typeName(const std::string &) { return "a text"; }
template <typename T>
std::string typeName(const std::optional<T> &) {
  return concat(typeName(T()), " or null");
}
template <typename T>
std::string typeName(const std::vector<T> &) {
  return concat("a list, each ", typeName(T()));
}

// As the command line reads it back: numbers in the fewest digits that do.
std::string spell(const std::string &value) { return value; }
template <typename T>
std::string spell(const T &value) {
  return fmt::format("{}", value);
}

void addArguments(std::vector<std::string> &to, const std::string &option,
                  bool value) {
  if (value)
    to.push_back(option);
}
template <typename T>
void addArguments(std::vector<std::string> &to, const std::string &option,
                  const T &value) {
  to.push_back(concat(option, "=", spell(value)));
}
template <typename T>
void addArguments(std::vector<std::string> &to, const std::string &option,
                  const std::optional<T> &value) {
  if (value)
    addArguments(to, option, *value);
}
template <typename T>
void addArguments(std::vector<std::string> &to, const std::string &option,
                  const std::vector<T> &value) {
  for (const T &element : value)
    addArguments(to, option, element);
}

template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<std::vector<T>> : std::true_type {};

} // namespace

Result<TrainSettings> TrainSettings::with(const json &changes,
                                          const std::string &where) const {
  TrainSettings result = *this;
  Status status;
  std::vector<std::string> names;
  json rest = changes;
  forEachSetting(result, [&](const char *name, auto &field, auto &&...) {
    std::string called = optionName(name).substr(2);
    std::replace(called.begin(), called.end(), '-', '_');
    names.push_back(called);
    for (const std::string &key : std::vector<std::string>{name, called}) {
      auto found = rest.find(key);
      if (found == rest.end())
        continue;
      json value = *found;
      rest.erase(found);
      if (IsList<std::decay_t<decltype(field)>>() && !value.is_array())
        value = json::array({value});
      if (status.ok() && !read(value, field))
        status = invalidData(where, ": setting ", inQuotes(key), ": expected ",
                             typeName(field), ", got ", value.dump());
    }
  });
  if (!status.ok())
    return status;
  if (!rest.empty()) {
    const std::string &unknown = rest.begin().key();
    return invalidData(where, ": unknown setting ", inQuotes(unknown),
                       didYouMean(unknown, names));
  }
  return result;
}

std::vector<std::string> TrainSettings::toArguments() const {
  std::vector<std::string> arguments;
  json defaults = TrainSettings().toJson();
  forEachSetting(*this, [&](const char *name, const auto &field, auto &&...) {
    ordered_json value;
    write(value, field);
    if (json(value) != defaults[name])
      addArguments(arguments, optionName(name), field);
  });
  return arguments;
}

void TrainSettings::addOptions(CLI::App &command) {
  forEachSetting(*this, [&](const char *name, auto &field, Resume,
                            const char *type, const char *description) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, bool>) {
      command.add_flag(optionName(name), field, description);
      return;
    } else {
      CLI::Option *option =
          command.add_option(optionName(name), field, description);
      option->type_name(type);
      if (std::string value = showDefault(field); !value.empty())
        option->default_str(value);
    }
  });
}

ordered_json TrainSettings::toJson() const {
  ordered_json result = ordered_json::object();
  forEachSetting(*this, [&](const char *name, const auto &field, auto &&...) {
    write(result[name], field);
  });
  return result;
}

ordered_json TrainSettings::fixedToJson() const {
  ordered_json result = ordered_json::object();
  forEachSetting(*this, [&](const char *name, const auto &field, Resume resume,
                            auto &&...) {
    if (resume != Resume::May)
      write(result[name], field);
  });
  return result;
}

Status TrainSettings::takeFrom(const json &source, const CLI::App *command,
                               const std::string &where) {
  if (!source.is_object())
    return invalidData(where, ": field 'settings': expected an object");
  auto isGiven = [&](const std::string &option) {
    return command && command->get_option(option)->count() > 0;
  };
  Status status;
  json defaults = TrainSettings().toJson();
  defaults["as_bytes"] = true; // there were no token files
  const json absent(json::value_t::discarded);
  forEachSetting(*this, [&](const char *name, auto &field, Resume resume,
                            auto &&...) {
    if (!status.ok())
      return;
    std::string option = optionName(name);
    // --isa is another word for --target.
    bool given = isGiven(option) || (option == "--target" && isGiven("--isa"));
    auto stored = field;
    const json &value = source.contains(name) ? source[name]
                        : isNew(name)         ? defaults[name]
                                              : absent;
    if (value.is_discarded() || !read(value, stored)) {
      status = invalidData(where, ": setting ", inQuotes(name),
                           " is missing or of the wrong type");
      return;
    }
    if (!given)
      field = stored;
    else if (resume == Resume::Same && !(field == stored))
      status = invalidArgument(option,
                               " of a run cannot change when it is resumed; ",
                               where, " says ", value.dump());
  });
  // One of the two replaces the other.
  if (isGiven("--steps") && !isGiven("--epochs"))
    epochs.reset();
  return status;
}

Status TrainSettings::validate() const {
  auto atLeast = [](const char *option, auto value, auto least) -> Status {
    if (value >= least) // false for NaN
      return {};
    return invalidArgument(option, ": expected at least ", least, ", got ",
                           value);
  };
  for (const Status &status :
       {atLeast("--seq-len", seqLen, 0),
        atLeast("--batch-size", batchSize, 1),
        atLeast("--grad-accumulation", gradAccumulation, 1),
        atLeast("--micro-batch", microBatch, 0),
        atLeast("--steps", steps, 0),
        atLeast("--epochs", epochs.value_or(0), 0),
        atLeast("--lr", lr, 0),
        atLeast("--min-lr", minLr.value_or(0), 0),
        atLeast("--warmup", warmup, 0),
        atLeast("--schedule-steps", scheduleSteps.value_or(0), 0),
        atLeast("--weight-decay", weightDecay, 0),
        atLeast("--momentum", momentum, 0),
        atLeast("--beta1", beta1, 0),
        atLeast("--init-std", initStd, 0),
        atLeast("--init-output-scale", initOutputScale.value_or(0), 0),
        atLeast("--beta2", beta2, 0),
        atLeast("--ema", ema, 0),
        atLeast("--dropout", dropout, 0),
        atLeast("--label-smoothing", labelSmoothing, 0),
        atLeast("--document-token", documentToken.value_or(0), 0),
        atLeast("--grad-clip", gradClip, 0),
        atLeast("--eval-every", evalEvery, 0),
        atLeast("--eval-samples", evalSamples, 1),
        atLeast("--save-every", saveEvery, 0),
        atLeast("--keep", keep, 1),
        atLeast("--early-stop", earlyStop, 0),
        atLeast("--log-every", logEvery, 1)})
    if (!status.ok())
      return status;
  auto below = [](const char *option, double value, double limit) -> Status {
    if (value < limit)
      return {};
    return invalidArgument(option, ": expected less than ", limit, ", got ",
                           value);
  };
  for (const Status &status :
       {below("--beta1", beta1, 1), below("--beta2", beta2, 1),
        below("--momentum", momentum, 1), below("--ema", ema, 1),
        below("--dropout", dropout, 1),
        below("--label-smoothing", labelSmoothing, 1),
        below("--batch-size", static_cast<double>(batchSize), 1 << 20),
        below("--seq-len", static_cast<double>(seqLen), 1 << 24),
        below("--grad-accumulation", static_cast<double>(gradAccumulation),
              1 << 20)})
    if (!status.ok())
      return status;
  // The programs compute with these in f32, where 1 - beta must not be 0.
  for (auto [option, value] :
       {std::make_pair("--beta1", beta1), std::make_pair("--beta2", beta2),
        std::make_pair("--momentum", momentum)})
    if (static_cast<float>(value) >= 1)
      return invalidArgument(option, ": expected less than 1 in 32 bits, got ",
                             value);
  if (!(adamEps > 0))
    return invalidArgument("--adam-eps: expected a positive number, got ",
                           adamEps);
  for (auto [option, value] :
       {std::make_pair("--lr", lr),
        std::make_pair("--min-lr", minLr.value_or(0)),
        std::make_pair("--weight-decay", weightDecay),
        std::make_pair("--adam-eps", adamEps),
        std::make_pair("--grad-clip", gradClip),
        std::make_pair("--init-std", initStd),
        std::make_pair("--init-output-scale", initOutputScale.value_or(0))})
    if (value != 0 && !isNormalFloat(value))
      return invalidArgument(option, ": expected a number that 32 bits hold, ",
                             normalFloatRange, ", got ", value);
  if (data.empty())
    return invalidArgument("--data is required");
  if (sequences() % rowsOfRun() != 0)
    return invalidArgument("--micro-batch: expected a divisor of the ",
                           sequences(), " sequences of a step, got ",
                           microBatch);
  if (documentToken && !documentMasks)
    return invalidArgument("--document-token needs --document-masks");
  for (const std::string &text : lrFor) {
    size_t sign = text.rfind('=');
    double factor = -1;
    if (sign != std::string::npos)
      std::from_chars(text.data() + sign + 1, text.data() + text.size(),
                      factor);
    if (!(factor == 0 || (factor > 0 && isNormalFloat(factor))))
      return invalidArgument("--lr-for: expected PATTERN=FACTOR with a factor "
                             "of at least 0 that 32 bits hold, got ",
                             inQuotes(text));
  }
  if (earlyStop > 0 && evalEvery == 0)
    return invalidArgument("--early-stop needs evaluations on the way: "
                           "--eval-every is 0");
  if (!dataWeights.empty() && dataWeights.size() != data.size())
    return invalidArgument("--data-weights: expected one for each of ",
                           data.size(), " files, got ", dataWeights.size());
  for (double weight : dataWeights)
    if (!(weight > 0) || std::isinf(weight))
      return invalidArgument("--data-weights: expected positive numbers, got ",
                             weight);
  if (minLr && *minLr > lr)
    return invalidArgument("--min-lr: expected at most --lr ", lr, ", got ",
                           *minLr);
  for (auto [option, value, choices] :
       {std::make_tuple("--lr-schedule", schedule,
                        std::vector<std::string>{"cosine", "wsd", "constant"}),
        std::make_tuple(
            "--optimizer", optimizer,
            std::vector<std::string>{"adamw", "muon", "sgd", "lion"}),
        std::make_tuple("--dtype", dtype,
                        std::vector<std::string>{"f32", "bf16"}),
        std::make_tuple("--depth-schedule", depthSchedule,
                        namesOf(depthSchedules())),
        std::make_tuple("--attention", attention, namesOf(attentionForms())),
        std::make_tuple("--target", target, targetChoices())})
    if (std::find(choices.begin(), choices.end(), value) == choices.end())
      return invalidArgument(option, ": ", inQuotes(value), " is not one of ",
                             CLI::detail::join(choices, ", "));
  return {};
}

int64_t TrainSettings::suitableMicroBatch(int64_t length, int64_t ranks) const {
  constexpr int64_t enoughTokens = 256;
  int64_t chosen = 1;
  for (int64_t rows = 1; rows <= batchSize; ++rows) {
    if (batchSize % rows != 0 || sequences() / rows < ranks)
      continue;
    chosen = rows;
    if (rows * length >= enoughTokens)
      break;
  }
  return chosen;
}

void TrainSettings::setCompilation(CompileOptions &options) const {
  options.bf16 = dtype == "bf16";
  options.documents = documentMasks;
  options.dropout = dropout;
  options.labelSmoothing = labelSmoothing;
  StageOptions &stages = options.stages;
  stages.schedule =
      lookUp(depthSchedules(), depthSchedule).value_or(stages.schedule);
  stages.attention =
      lookUp(attentionForms(), attention).value_or(stages.attention);
  stages.target = target;
  stages.residualBytes = residualBytes;
  stages.learningBeta1 = beta1;
  stages.learningBeta2 = beta2;
  stages.optimizerEps = adamEps;
  stages.algorithm = optimizer == "muon"   ? OptimizerAlgorithm::Muon
                     : optimizer == "sgd"  ? OptimizerAlgorithm::Sgd
                     : optimizer == "lion" ? OptimizerAlgorithm::Lion
                                           : OptimizerAlgorithm::AdamW;
  stages.momentum = momentum;
  stages.frozen = freeze;
  stages.undecayed = noDecay;
  stages.rates = lrFor;
  stages.weightDecay = weightDecay;
  stages.clipNorm = gradClip;
}

Status compileAsRun(const ordered_json &settings, const std::string &where,
                    const CLI::App &command, CompileOptions &options) {
  TrainSettings run;
  for (auto [name, field] :
       {std::make_pair("dtype", &run.dtype),
        std::make_pair("depth_schedule", &run.depthSchedule),
        std::make_pair("attention", &run.attention)}) {
    const CLI::Option *option = command.get_option(optionName(name));
    if (option->count() > 0)
      *field = option->as<std::string>();
    else if (settings.contains(name) && !read(settings[name], *field))
      return invalidData(where, ": setting ", inQuotes(name),
                         " is of the wrong type");
  }
  auto schedule = lookUp(depthSchedules(), run.depthSchedule);
  auto attention = lookUp(attentionForms(), run.attention);
  if (!schedule || !attention)
    return invalidData(where, ": unknown ",
                       schedule ? "attention " : "depth_schedule ",
                       inQuotes(schedule ? run.attention : run.depthSchedule));
  options.bf16 = run.dtype == "bf16";
  options.stages.schedule = *schedule;
  options.stages.attention = *attention;
  return {};
}

runtime::LearningRateSchedule TrainSettings::learningRate() const {
  runtime::LearningRateSchedule rate;
  rate.shape = runtime::parseScheduleShape(schedule).value_or(rate.shape);
  rate.peak = lr;
  rate.minimum = minLr.value_or(lr / 10);
  rate.warmup = warmup;
  rate.steps = scheduleSteps.value_or(steps);
  return rate;
}

} // namespace attnres::run
