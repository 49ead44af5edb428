// Configurations with replaced fields, and models of one's own.
#include "tools/run/TrainModel.h"

#include "support/File.h"
#include "tools/run/Options.h"

#include <utility>

namespace attnres::run {
namespace {

/// The text of a model of one's own.
Result<std::string> readModelText(const std::string &path) {
  Result<std::string> text = readFile(path, 64 << 20);
  if (!text.ok())
    return text.status();
  if (isUtf16(*text))
    return invalidData(path, ": text in UTF-16, expected UTF-8");
  if (text->find('\0') != std::string::npos)
    return invalidData(
        path, ": expected a model as MLIR text, which has no NUL bytes; to go "
              "on with the weights of a run, use --resume");
  return std::string(withoutByteOrderMark(*text));
}

} // namespace

ModelSource ModelChoice::readModule(const TrainSettings &settings) const {
  if (changesFields())
    throw CommandError("--attnres and --set need a configuration; " +
                       modelPath + " says how its sublayers join");
  for (auto [option, given] :
       {std::make_pair("--document-masks", settings.documentMasks),
        std::make_pair("--dropout", settings.dropout > 0),
        std::make_pair("--label-smoothing", settings.labelSmoothing > 0)})
    if (given)
      throw CommandError(concat(option, " needs a configuration; ", modelPath,
                                " says itself what it computes"));
  ModelSource source;
  source.text = unwrap(readModelText(modelPath));
  source.name = modelPath;
  return source;
}

ModelConfig ModelChoice::readConfig(int64_t vocabulary) const {
  if (preset.empty())
    checkConfigPath(configPath);
  ModelConfig config = unwrap(preset.empty() ? ModelConfig::fromFile(configPath)
                                             : ModelConfig::preset(preset));
  if (!preset.empty())
    config.vocabSize = vocabulary;
  config = unwrap(config.with(assignments, "--set"));
  if (!attnresMode.empty())
    config.attnres = *parseAttnResMode(attnresMode);
  if (attnresBlockSize > 0) {
    if (config.attnres != AttnResMode::Block)
      throw CommandError("--attnres-block-size needs --attnres block");
    config.attnresBlockSize = attnresBlockSize;
  }
  check(config.validate(preset.empty() ? configPath : preset));
  if (config.vocabSize < vocabulary)
    throw CommandError(concat("the data has a vocabulary of ", vocabulary,
                              " tokens, the model one of ", config.vocabSize));
  return config;
}

ModelSource ModelChoice::read(const TrainSettings &settings,
                              int64_t vocabulary) const {
  if (!modelPath.empty())
    return readModule(settings);
  ModelSource source;
  source.config = readConfig(vocabulary);
  source.text = source.config->toJson();
  return source;
}

} // namespace attnres::run
