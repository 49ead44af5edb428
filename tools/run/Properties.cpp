// Compiled programs and the float64 interpreter on one configuration.
//
// Parameters are the initial ones of the seed, but the queries of mixtures are
// drawn: the zeros that models begin with make every mixture a mean, which
// would hide what reads a wrong source.
#include "tools/run/Properties.h"

#include "models/DepthLayout.h"
#include "models/Parameters.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/training/Trainer.h"
#include "support/BindingNames.h"
#include "support/File.h"
#include "support/Hash.h"
#include "support/Philox.h"
#include "tools/compile/Reference.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/Options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

#include <unistd.h>

namespace attnres::run {
namespace {

using runtime::Access;
using runtime::Binding;
using runtime::Direction;
using runtime::TensorView;
using Values = std::vector<float>;
using Tokens = std::vector<int64_t>;
using Parameters = std::map<std::string, Values>;

/// Beyond so many parameters the interpreter would take minutes.
constexpr int64_t mostInterpreted = 20'000'000;
/// Of f32 in the order of operations that schedules choose.
constexpr double closeLogits = 1e-5;
constexpr double closeReals = 1e-12; ///< the same in float64
/// Of compiled logits from float64, of the largest logit.
constexpr double closeToReals = 1e-4;
constexpr double overfittedLoss = 0.5;

Parameters initialParameters(const ModelConfig &config, uint64_t seed) {
  Parameters parameters;
  for (const Parameter &parameter : parameterShapes(config)) {
    Values &values = parameters[parameter.name];
    values.resize(static_cast<size_t>(parameter.numElements()));
    initializeParameter(config, parameter, seed, values.data());
    // What says how mixtures weigh their sources.
    bool mixes = parameter.name.rfind("mixer.", 0) == 0 &&
                 parameter.name.find("norm") == std::string::npos;
    if (!mixes)
      continue;
    RandomStream random(seed, fnv1a64(parameter.name));
    double deviation =
        parameter.name.find("query") == std::string::npos
            ? 1
            : 2 / std::sqrt(static_cast<double>(config.hiddenSize));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(deviation * double(random.normal(i)));
  }
  return parameters;
}

Tokens someTokens(const ModelConfig &config, int64_t count, uint64_t seed) {
  RandomStream random(seed, fnv1a64("tokens"));
  Tokens tokens;
  for (int64_t i = 0; i < count; ++i)
    tokens.push_back(
        static_cast<int64_t>(random.uniform(static_cast<uint64_t>(i)) *
                             static_cast<double>(config.vocabSize)));
  return tokens;
}

/// A folder that exists as long as this object.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string pattern =
        std::filesystem::temp_directory_path() / "attnres-properties-XXXXXX";
    if (!::mkdtemp(pattern.data()))
      throw CommandError(pattern + ": cannot be created");
    path = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

/// Two results element by element.
struct Comparison {
  double difference = 0; ///< the largest; NaN or infinity count as infinite
  double scale = 0;      ///< the largest magnitude of the second
};

template <typename A, typename B>
Comparison compare(const std::vector<A> &a, const std::vector<B> &b) {
  Comparison result;
  if (a.size() != b.size())
    return {INFINITY, 0};
  for (size_t i = 0; i < a.size(); ++i) {
    double difference = std::abs(double(a[i]) - double(b[i]));
    result.difference = std::max(
        result.difference, std::isfinite(difference) ? difference : INFINITY);
    result.scale = std::max(result.scale, std::abs(double(b[i])));
  }
  return result;
}

bool sameBits(const Values &a, const Values &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class Checker {
public:
  Checker(const ModelConfig &config, const PropertyOptions &options,
          const std::function<void(const PropertyResult &)> &observer)
      : config(config), options(options), observer(observer),
        device(cpuOptions(options)),
        tokens(
            someTokens(config, options.batch * options.seqLen, options.seed)),
        parameters(initialParameters(config, options.seed)) {}

  std::vector<PropertyResult> run() {
    offIsTheDefault();
    wrongSettingsAreRefused();
    sublayersAreCounted();
    blocksAreAboutEight();
    parametersExistOnce();
    modesDiffer();
    twoPhaseEqualsNaive();
    futureDoesNotReachPast();
    deltaAttentionRuns();
    checkpointsReadBack();
    oldCheckpointsStayOff();
    oneBatchIsLearned();
    return std::move(results);
  }

private:
  static runtime::CpuOptions cpuOptions(const PropertyOptions &options) {
    runtime::CpuOptions cpu;
    cpu.threads = options.threads;
    return cpu;
  }

  void report(PropertyResult result) {
    result.number = static_cast<int>(results.size()) + 1;
    observer(result);
    results.push_back(std::move(result));
  }

  CompileOptions compileOptions() const {
    CompileOptions compile;
    compile.batch = options.batch;
    compile.seqLen = options.seqLen;
    compile.loss = false;
    return compile;
  }

  ModelConfig withMode(AttnResMode mode) const {
    ModelConfig other = config;
    other.attnres = mode;
    return other;
  }

  /// Logits of a compiled forward pass; outputs are poisoned first.
  Values runLogits(const ModelConfig &model, const Parameters &values,
                   const Tokens &text,
                   DepthSchedule schedule = DepthSchedule::TwoPhase) {
    CompileOptions compile = compileOptions();
    compile.stages.schedule = schedule;
    auto program = std::make_shared<const runtime::Program>(
        unwrap(compileModel(model, compile)));
    auto bound = unwrap(runtime::BoundProgram::create(device, program));
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const Binding &binding = program->bindings[i];
      if (binding.direction == Direction::Output)
        continue;
      const void *data = binding.name == names::tokens
                             ? static_cast<const void *>(text.data())
                             : values.at(binding.name).data();
      check(device.upload(bound.tensor(i).memory, data));
    }
    runtime::Executable::RunOptions run;
    run.poison = true;
    check(bound.executable().run(run));
    int64_t index = program->findBinding(names::logits, Direction::Output);
    auto memory = unwrap(bound.map(static_cast<size_t>(index), Access::Read));
    const float *begin = memory.as<float>();
    return {begin,
            begin + program->bindings[static_cast<size_t>(index)].bytes() /
                        static_cast<int64_t>(sizeof(float))};
  }

  bool isInterpreted(const ModelConfig &model) const {
    return countParameters(model) <= mostInterpreted;
  }

  std::vector<double> realLogits(const ModelConfig &model,
                                 const Parameters &values,
                                 DepthSchedule schedule) const {
    NamedValues inputs;
    for (const auto &[name, elements] : values)
      inputs[name].assign(elements.begin(), elements.end());
    inputs[names::tokens].assign(tokens.begin(), tokens.end());
    CompileOptions compile = compileOptions();
    compile.stages.schedule = schedule;
    return unwrap(interpretModel(model, compile, Stage::Scheduled, inputs))
        .at(names::logits);
  }

  const Values &logits() {
    if (ownLogits.empty())
      ownLogits = runLogits(config, parameters, tokens);
    return ownLogits;
  }

  /// The configuration without any field of attention residuals.
  std::string oldJson() const {
    auto json = nlohmann::ordered_json::parse(config.toJson());
    for (const std::string &field : ModelConfig::fieldNames())
      if (field.rfind("attnres", 0) == 0)
        json.erase(field);
    return json.dump();
  }

  // The properties, in the order of their numbers.

  void offIsTheDefault() {
    ModelConfig without = unwrap(ModelConfig::fromJson(oldJson(), "config"));
    std::string text =
        unwrap(printStage(without, compileOptions(), Stage::Scheduled));
    size_t mixtures = 0;
    for (size_t at = 0; (at = text.find("depth_", at)) != std::string::npos;
         ++at)
      ++mixtures;
    bool same = text == unwrap(printStage(withMode(AttnResMode::Off),
                                          compileOptions(), Stage::Scheduled));
    report({0, "without a field for it, attention residuals are off",
            without.attnres == AttnResMode::Off && same && mixtures == 0,
            "mixtures", double(mixtures), "0", ""});
  }

  void wrongSettingsAreRefused() {
    int64_t refused = 0, all = 0;
    for (const char *wrong :
         {"attnres=half", "attnres_block_size=0", "attnres_block_size=-1",
          "attnres_block_size=1.5", "attnres_eps=-1"}) {
      ++all;
      refused += !config.with({wrong}, "configuration").ok();
    }
    report({0, "wrong modes and block sizes are refused", refused == all,
            "refused", double(refused), fmt::format("{}", all), ""});
  }

  /// Mixtures that the compiler makes, by the weights that it records.
  int64_t countMixtures(const ModelConfig &model) {
    CompileOptions compile = compileOptions();
    compile.stages.recordWeights = true;
    std::string text = unwrap(printStage(model, compile, Stage::Scheduled));
    int64_t count = 0;
    while (text.find(concat("\"", names::depthWeights, count, "\"")) !=
           std::string::npos)
      ++count;
    return count;
  }

  void sublayersAreCounted() {
    int64_t expected =
        config.attnres == AttnResMode::Static
            ? config.numHiddenLayers
            : 2 * config.numHiddenLayers + config.attnresFinalAggregate;
    int64_t found = countMixtures(config);
    ModelConfig blocks = withMode(AttnResMode::Block);
    blocks.attnresBlockSize = 3;
    bool isTwice = blocks.sublayersPerBlock() == 6;
    report({0, "a decoder block is two sublayers, in mixtures and block sizes",
            found == expected && isTwice, "mixtures", double(found),
            fmt::format("{}", expected),
            fmt::format("blocks of 3 have {} sublayers",
                        blocks.sublayersPerBlock())});
  }

  void blocksAreAboutEight() {
    ModelConfig blocks = withMode(AttnResMode::Block);
    blocks.attnresBlockSize.reset();
    auto count = static_cast<int64_t>(depthBlocks(blocks).size());
    int64_t expected = std::min<int64_t>(config.numHiddenLayers, 8);
    blocks.numHiddenLayers = 93;
    blocks.layerTypes.clear();
    int64_t ofK3 = blocks.sublayersPerBlock();
    report({0, "block sizes of their own make at most eight blocks",
            count <= expected && 2 * count > expected && ofK3 == 24, "blocks",
            double(count), fmt::format("at most {}", expected),
            fmt::format("93 layers have {} sublayers in a block", ofK3)});
  }

  void parametersExistOnce() {
    std::set<std::string> names;
    int64_t doubled = 0;
    for (const Parameter &parameter : parameterShapes(config))
      doubled += !names.insert(parameter.name).second;
    // What the compiler takes is what the configuration lists.
    auto program = unwrap(compileModel(config, compileOptions()));
    for (const Binding &binding : program.bindings)
      if (binding.role == runtime::Role::Parameter)
        doubled += names.erase(binding.name) == 0;
    report({0, "every parameter exists once", doubled == 0 && names.empty(),
            "doubled or unused", double(doubled) + double(names.size()), "0",
            fmt::format("{} parameters", countParameters(config))});
  }

  void modesDiffer() {
    ModelConfig off = withMode(AttnResMode::Off);
    Values others =
        runLogits(off, initialParameters(off, options.seed), tokens);
    // Parameters that both have are equal.
    double difference = compare(logits(), others).difference;
    report({0, "the mode changes the function, from equal parameters",
            difference > 0 && std::isfinite(difference),
            "largest difference from off", difference, "more than 0", ""});
  }

  void twoPhaseEqualsNaive() {
    Values naive = runLogits(config, parameters, tokens, DepthSchedule::Naive);
    Comparison compiled = compare(logits(), naive);
    bool holds = compiled.difference <= closeLogits;
    std::string note = "float64 not computed: many parameters";
    if (isInterpreted(config)) {
      std::vector<double> twice =
          realLogits(config, parameters, DepthSchedule::TwoPhase);
      std::vector<double> once =
          realLogits(config, parameters, DepthSchedule::Naive);
      double exact = compare(twice, once).difference;
      Comparison fromReals = compare(logits(), once);
      holds = holds && exact <= closeReals &&
              fromReals.difference <= closeToReals * fromReals.scale;
      note =
          fmt::format("{:.1e} in float64, from which compiled code is {:.1e}",
                      exact, fromReals.difference);
    }
    report({0, "two-phase equals naive", holds, "largest difference",
            compiled.difference, fmt::format("at most {:g}", closeLogits),
            note});
  }

  /// How many logits before the last token change with it, and whether those
  /// behind it do.
  std::pair<int64_t, bool> changeLast(const ModelConfig &model,
                                      const Parameters &values,
                                      const Values &before) {
    Tokens changed = tokens;
    int64_t length = options.seqLen;
    for (int64_t b = 0; b < options.batch; ++b) {
      int64_t &last = changed[static_cast<size_t>((b + 1) * length - 1)];
      last = (last + 1) % config.vocabSize;
    }
    Values after = runLogits(model, values, changed);
    int64_t past = 0;
    bool present = false;
    for (size_t i = 0; i < before.size(); ++i) {
      bool differs = std::memcmp(&before[i], &after[i], sizeof(float)) != 0;
      bool isLast =
          static_cast<int64_t>(i) / config.vocabSize % length == length - 1;
      present |= differs && isLast;
      past += differs && !isLast;
    }
    return {past, present};
  }

  void futureDoesNotReachPast() {
    auto [past, present] = changeLast(config, parameters, logits());
    report({0, "the future does not reach the past", past == 0 && present,
            "logits before a changed token that change", double(past), "0",
            ""});
  }

  void deltaAttentionRuns() {
    ModelConfig kda = config;
    kda.layerTypes.assign(static_cast<size_t>(config.numHiddenLayers),
                          LayerType::Kda);
    check(kda.validate("configuration"));
    Parameters values = initialParameters(kda, options.seed);
    Values result = runLogits(kda, values, tokens);
    auto [past, present] = changeLast(kda, values, result);
    double worst = 0;
    for (float value : result)
      if (!std::isfinite(value))
        worst = INFINITY;
    std::string quantity = "logits that are not finite", expected = "0";
    if (isInterpreted(kda)) {
      Comparison fromReals =
          compare(result, realLogits(kda, values, DepthSchedule::TwoPhase));
      worst = std::max(worst, fromReals.difference / fromReals.scale);
      quantity = "largest error from float64, of the largest logit";
      expected = fmt::format("at most {:g}", closeToReals);
    }
    report({0, "with Kimi delta attention in every block, too",
            worst <= closeToReals && past == 0 && present, quantity, worst,
            expected, "causal"});
  }

  /// Writes a checkpoint with this config.json and reads it.
  ModelFiles throughFolder(const ScratchFolder &folder, const std::string &json,
                           const ModelConfig &model, const Parameters &values) {
    std::vector<TensorView> tensors;
    for (const Parameter &parameter : parameterShapes(model)) {
      const Values &elements = values.at(parameter.name);
      tensors.push_back(
          {parameter.name, runtime::DType::F32, parameter.shape,
           elements.data(),
           static_cast<int64_t>(elements.size() * sizeof(float))});
    }
    check(
        runtime::writeSafetensors(folder.path + "/model.safetensors", tensors));
    writeText(json, folder.path + "/config.json");
    return unwrap(ModelFiles::open(folder.path));
  }

  static Parameters read(const ModelFiles &files) {
    Parameters values;
    for (const Parameter &parameter : parameterShapes(files.config)) {
      const TensorView *tensor = files.parameters.find(parameter.name);
      Values &elements = values[parameter.name];
      elements.resize(static_cast<size_t>(parameter.numElements()));
      std::memcpy(elements.data(), tensor->data,
                  elements.size() * sizeof(float));
    }
    return values;
  }

  void checkpointsReadBack() {
    ScratchFolder folder;
    ModelFiles files =
        throughFolder(folder, config.toJson(), config, parameters);
    Parameters back = read(files);
    int64_t different = files.config.toJson() != config.toJson();
    for (const auto &[name, values] : parameters)
      different += !sameBits(values, back.at(name));
    bool same = sameBits(runLogits(files.config, back, tokens), logits());
    report({0, "a checkpoint reads back bit for bit", different == 0 && same,
            "tensors and fields that differ", double(different), "0",
            same ? "the same logits" : "other logits"});
  }

  void oldCheckpointsStayOff() {
    ModelConfig off = withMode(AttnResMode::Off);
    Parameters values = initialParameters(off, options.seed);
    ScratchFolder folder;
    ModelFiles files = throughFolder(folder, oldJson(), off, values);
    Comparison comparison =
        compare(runLogits(files.config, read(files), tokens),
                runLogits(off, values, tokens));
    report(
        {0, "a checkpoint from before them stays off",
         files.config.attnres == AttnResMode::Off && comparison.difference == 0,
         "largest difference from off", comparison.difference, "0", ""});
  }

  void oneBatchIsLearned() {
    CompileOptions compile = compileOptions();
    compile.loss = true;
    runtime::TrainingPrograms programs;
    programs.gradients = std::make_shared<const runtime::Program>(
        unwrap(compileTraining({config, ""}, compile, /*inParts=*/false))
            .gradients);
    auto trainer = unwrap(runtime::Trainer::create(device, programs));
    // As training begins, zero queries included.
    for (const Parameter &parameter : parameterShapes(config))
      for (const runtime::DeviceTensor &tensor : trainer->parameters())
        if (tensor.name == parameter.name) {
          Values values(static_cast<size_t>(parameter.numElements()));
          initializeParameter(config, parameter, options.seed, values.data());
          check(device.upload(tensor.memory, values.data()));
        }
    Tokens targets =
        someTokens(config, options.batch * options.seqLen, options.seed + 1);
    double first = 0, last = 0;
    for (int64_t step = 1; step <= options.steps; ++step) {
      auto result = unwrap(trainer->step(step, options.learningRate, 1,
                                         tokens.data(), targets.data()));
      if (!result.failure.empty())
        throw CommandError(concat("step ", step, ": ", result.failure));
      first = step == 1 ? result.loss : first;
      last = result.loss;
    }
    report({0, "one batch is learned by heart", last < overfittedLoss,
            fmt::format("loss after {} steps", options.steps), last,
            fmt::format("less than {:g}", overfittedLoss),
            fmt::format("from {:.3f}", first)});
  }

  const ModelConfig &config;
  const PropertyOptions &options;
  const std::function<void(const PropertyResult &)> &observer;
  runtime::CpuDevice device;
  Tokens tokens;
  Parameters parameters;
  Values ownLogits;
  std::vector<PropertyResult> results;
};

} // namespace

std::vector<PropertyResult>
findProperties(const ModelConfig &config, const PropertyOptions &options,
               const std::function<void(const PropertyResult &)> &observer) {
  return Checker(config, options, observer).run();
}

} // namespace attnres::run
