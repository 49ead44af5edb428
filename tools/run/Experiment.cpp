// From the file of an experiment to its runs.
#include "tools/run/Experiment.h"

#include "support/File.h"
#include "support/NearestName.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <map>
#include <set>

namespace attnres::run {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view configPrefix = "config.", trainPrefix = "train.";
constexpr size_t mostRuns = 1000;
constexpr std::string_view nameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

bool hasPrefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string showValue(const json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Whether a folder can be called so.
bool isFolderName(const std::string &name) {
  return !name.empty() && name[0] != '.' && name[0] != '-' &&
         name.find_first_not_of(nameCharacters) == std::string::npos;
}

/// How a value of the grid is part of a run's name: "off", "seed1".
std::string nameOfValue(const std::string &field, const json &value) {
  std::string text = showValue(value);
  if (!value.is_string())
    text = field.substr(field.rfind('.') + 1) + text;
  std::string name;
  for (char c : text)
    if (nameCharacters.find(c) != std::string_view::npos)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name;
}

Status expectObject(const json &value, const std::string &where) {
  if (value.is_object())
    return {};
  return invalidData(where, ": expected an object, got ", value.type_name());
}

/// Makes runs of fields, each run's over those of all.
class RunBuilder {
public:
  RunBuilder(const json &document, const std::string &where)
      : where(where), preset(document.value("preset", "")),
        configPath(document.value("config", "")) {}

  /// Takes fields; later ones replace earlier ones of their name.
  Status take(const json &fields, const std::string &from) {
    for (const auto &[name, value] : fields.items()) {
      if (name == "preset") {
        if (!value.is_string())
          return invalidData(from, ": field 'preset': expected a name, got ",
                             value.dump());
        preset = value.get<std::string>();
        configPath.clear();
      } else if (hasPrefix(name, configPrefix)) {
        config[name.substr(configPrefix.size())] = value;
      } else if (hasPrefix(name, trainPrefix)) {
        train[name.substr(trainPrefix.size())] = value;
      } else {
        return invalidData(from, ": unknown field ", inQuotes(name),
                           "; fields are 'config.NAME' of config.json, "
                           "'train.NAME' of the options of train, and "
                           "'preset'",
                           suggestion(name));
      }
    }
    return {};
  }

  Result<ExperimentRun> build(const std::string &name) const {
    std::string from = concat(where, ": run ", inQuotes(name));
    ExperimentRun run;
    run.name = name;
    run.preset = preset;
    run.configPath = configPath;
    if (preset.empty() && configPath.empty())
      return invalidData(from, ": expected 'preset' or 'config' for its model");
    for (const auto &[field, value] : config.items())
      run.assignments.push_back(concat(field, "=", value.dump()));
    Result<ModelConfig> base = preset.empty()
                                   ? ModelConfig::fromFile(configPath)
                                   : ModelConfig::preset(preset);
    if (!base.ok())
      return invalidData(from, ": ", base.status().message());
    Result<ModelConfig> model = base->with(run.assignments, from);
    if (!model.ok())
      return model.status();
    run.config = *std::move(model);
    Result<TrainSettings> settings = TrainSettings().with(train, from);
    if (!settings.ok())
      return settings.status();
    run.settings = *std::move(settings);
    if (Status status = run.settings.validate(); !status.ok())
      return invalidData(from, ": ", status.message());
    return run;
  }

private:
  /// For a field without its prefix.
  static std::string suggestion(const std::string &name) {
    const std::vector<std::string> &fields = ModelConfig::fieldNames();
    if (std::find(fields.begin(), fields.end(), name) != fields.end())
      return concat("; did you mean 'config.", name, "'?");
    if (TrainSettings().toJson().contains(name))
      return concat("; did you mean 'train.", name, "'?");
    return "";
  }

  const std::string &where;
  std::string preset, configPath;
  json config = json::object(), train = json::object();
};

/// The fields of the file that may be there, with their types.
Status checkShape(const json &document, const std::string &where) {
  if (Status status = expectObject(document, where); !status.ok())
    return status;
  const std::map<std::string, json::value_t> known = {
      {"title", json::value_t::string},  {"preset", json::value_t::string},
      {"config", json::value_t::string}, {"common", json::value_t::object},
      {"runs", json::value_t::array},    {"grid", json::value_t::object}};
  std::vector<std::string> names;
  for (const auto &[name, type] : known)
    names.push_back(name);
  for (const auto &[name, value] : document.items()) {
    auto found = known.find(name);
    if (found == known.end())
      return invalidData(where, ": unknown field ", inQuotes(name),
                         didYouMean(name, names));
    if (value.type() != found->second)
      return invalidData(where, ": field '", name, "': expected ",
                         json(found->second).type_name(), ", got ",
                         value.type_name());
  }
  if (document.contains("preset") && document.contains("config"))
    return invalidData(where, ": 'preset' and 'config' are both there");
  if (!document.contains("runs") && !document.contains("grid"))
    return invalidData(where, ": expected 'runs', 'grid' or both");
  return {};
}

/// The names of "runs" with their fields.
Result<std::vector<std::pair<std::string, json>>>
readList(const json &document, const std::string &where) {
  std::vector<std::pair<std::string, json>> list;
  if (!document.contains("runs")) {
    list.emplace_back("", json::object());
    return list;
  }
  for (const json &entry : document["runs"]) {
    std::string from = concat(where, ": runs[", list.size(), "]");
    if (Status status = expectObject(entry, from); !status.ok())
      return status;
    if (!entry.contains("name") || !entry["name"].is_string())
      return invalidData(from, ": expected a 'name'");
    std::string name = entry["name"].get<std::string>();
    if (!isFolderName(name))
      return invalidData(from, ": name ", inQuotes(name),
                         ": expected letters, digits, '.', '_' and '-'");
    json fields = entry;
    fields.erase("name");
    list.emplace_back(std::move(name), std::move(fields));
  }
  if (list.empty())
    return invalidData(where, ": field 'runs': expected at least one run");
  return list;
}

/// One combination of the grid's values.
struct Combination {
  json fields = json::object();
  std::string name, group; ///< "-off-seed1", "-off"
};

Result<std::vector<Combination>> readGrid(const json &document,
                                          const std::string &where) {
  std::vector<Combination> all(1);
  if (!document.contains("grid"))
    return all;
  for (const auto &[field, values] : document["grid"].items()) {
    if (!values.is_array() || values.empty())
      return invalidData(where, ": field 'grid.", field,
                         "': expected a list of values");
    if (all.size() * values.size() > mostRuns)
      return invalidData(where, ": more than ", mostRuns, " runs");
    std::vector<Combination> longer;
    for (const Combination &begun : all)
      for (const json &value : values) {
        Combination next = begun;
        next.fields[field] = value;
        std::string name = "-" + nameOfValue(field, value);
        next.name += name;
        if (field != "train.seed")
          next.group += name;
        longer.push_back(std::move(next));
      }
    all = std::move(longer);
  }
  return all;
}

} // namespace

std::vector<std::string> ExperimentRun::arguments() const {
  std::vector<std::string> arguments = {
      preset.empty() ? "--config=" + configPath : "--preset=" + preset};
  for (const std::string &assignment : assignments)
    arguments.push_back("--set=" + assignment);
  for (std::string &argument : settings.toArguments())
    arguments.push_back(std::move(argument));
  return arguments;
}

ordered_json ExperimentRun::toJson() const {
  return {{"name", name},
          {"group", group},
          {"arguments", arguments()},
          {"config", ordered_json::parse(config.toJson())}};
}

Result<Experiment> Experiment::parse(std::string_view text,
                                     const std::string &where) {
  Result<json> document = parseStrictJson(text, where);
  if (!document.ok())
    return document.status();
  if (Status status = checkShape(*document, where); !status.ok())
    return status;
  RunBuilder common(*document, where);
  if (document->contains("common"))
    if (Status status = common.take((*document)["common"], where + ": common");
        !status.ok())
      return status;
  auto list = readList(*document, where);
  if (!list.ok())
    return list.status();
  auto grid = readGrid(*document, where);
  if (!grid.ok())
    return grid.status();
  if (list->size() * grid->size() > mostRuns)
    return invalidData(where, ": more than ", mostRuns, " runs");

  Experiment experiment;
  experiment.title = document->value("title", "");
  std::set<std::string> names;
  for (const auto &[listed, fields] : *list)
    for (const Combination &chosen : *grid) {
      // Without a listed name that of the values begins with its dash.
      size_t cut = listed.empty() ? 1 : 0;
      auto named = [&](const std::string &suffix) {
        return suffix.size() < cut ? std::string()
                                   : listed + suffix.substr(cut);
      };
      std::string name = named(chosen.name);
      if (!isFolderName(name))
        return invalidData(where, ": a run of the grid has no name; list it in "
                                  "'runs' with one");
      if (!names.insert(name).second)
        return invalidData(where, ": two runs are called ", inQuotes(name));
      RunBuilder builder = common;
      for (const json *part : {&fields, &chosen.fields})
        if (Status status =
                builder.take(*part, concat(where, ": run ", inQuotes(name)));
            !status.ok())
          return status;
      Result<ExperimentRun> run = builder.build(name);
      if (!run.ok())
        return run.status();
      run->group = named(chosen.group);
      if (run->group.empty())
        run->group = "all seeds";
      experiment.runs.push_back(*std::move(run));
    }
  return experiment;
}

Result<Experiment> Experiment::read(const std::string &path) {
  Result<std::string> text = readFile(path, 1 << 20);
  if (!text.ok())
    return text.status();
  return parse(withoutByteOrderMark(*text), path);
}

} // namespace attnres::run
