// Parsing of run.json and metrics.jsonl.
#include "tools/report/RunFolder.h"

#include "support/File.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

using nlohmann::json;

namespace attnres::report {
namespace {

/// Reads the fields of one object; the first field that does not fit decides
/// the status.
class Fields {
public:
  Fields(const json &object, std::string where)
      : object(object), where(std::move(where)) {}

  /// A number; null or absent is NaN.
  double number(const char *name) {
    const json *value = find(name);
    if (!value || value->is_null())
      return std::numeric_limits<double>::quiet_NaN();
    if (!value->is_number())
      fail(name, "a number", *value);
    return value->is_number() ? value->get<double>() : 0;
  }

  int64_t count(const char *name) {
    const json *value = require(name);
    if (!value)
      return 0;
    if (!value->is_number_unsigned() || value->get<uint64_t>() > INT64_MAX) {
      fail(name, "an integer of at least 0", *value);
      return 0;
    }
    return value->get<int64_t>();
  }

  std::optional<std::string> optionalText(const char *name) {
    const json *value = find(name);
    if (!value || value->is_null())
      return std::nullopt;
    if (!value->is_string()) {
      fail(name, "a string", *value);
      return std::nullopt;
    }
    return value->get<std::string>();
  }

  std::string text(const char *name) {
    require(name);
    return optionalText(name).value_or("");
  }

  std::optional<bool> optionalFlag(const char *name) {
    const json *value = find(name);
    if (!value || value->is_null())
      return std::nullopt;
    if (!value->is_boolean()) {
      fail(name, "true or false", *value);
      return std::nullopt;
    }
    return value->get<bool>();
  }

  /// An object or an array, or null after a failure or when it is absent.
  const json *container(const char *name, json::value_t type) {
    const json *value = find(name);
    if (!value || value->is_null())
      return nullptr;
    if (value->type() == type)
      return value;
    fail(name, type == json::value_t::object ? "an object" : "an array",
         *value);
    return nullptr;
  }

  const json *require(const char *name) {
    const json *value = find(name);
    if (!value && status.ok())
      status = invalidData(where, ": field '", name, "' is missing");
    return value;
  }

  template <typename... Reason>
  void fail(const Reason &...reason) {
    if (status.ok())
      status = invalidData(where, ": ", reason...);
  }
  void fail(const char *name, const char *expected, const json &value) {
    std::string got = inQuotes(value.dump());
    fail("field '", name, "': expected ", expected, ", got ",
         got.substr(1, got.size() - 2));
  }

  Status status;

private:
  const json *find(const char *name) const {
    auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
  }

  const json &object;
  std::string where;
};

/// Sorts parts of the model as a token passes them: "embedding", the blocks by
/// number with "attn" before "ffn", then the rest.
std::tuple<int, int64_t, std::string> partOrder(const std::string &name) {
  constexpr std::string_view blocks = "blocks.";
  if (name.compare(0, blocks.size(), blocks) == 0)
    return {1, std::atoll(name.c_str() + blocks.size()), name};
  const char *known[] = {"embedding", "", "mixer", "norm", "lm_head"};
  for (int i = 0; i < 5; ++i)
    if (name == known[i])
      return {i, 0, name};
  return {5, 0, name};
}

class MetricsReader {
public:
  explicit MetricsReader(RunFolder &run) : run(run) {}

  void read(std::string_view text, const std::string &path) {
    int64_t line = 0, unread = 0;
    std::string firstUnread;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = text.find('\n', begin);
      bool complete = end != std::string_view::npos;
      end = complete ? end : text.size();
      ++line;
      Status status = readLine(text.substr(begin, end - begin),
                               concat(path, ": line ", line));
      if (!status.ok() && !complete)
        run.notes.push_back(
            concat("the last line of ", path, " is incomplete and left out"));
      else if (!status.ok() && unread++ == 0)
        firstUnread = status.message();
      begin = end + 1;
    }
    // Crashes and full disks leave such lines; the others are no worse for it.
    if (unread == 1)
      run.notes.push_back(concat("left out: ", firstUnread));
    if (unread > 1)
      run.notes.push_back(concat("left out: ", firstUnread, ", and ",
                                 unread - 1,
                                 " more lines that cannot be read"));
    for (int64_t step : restarts)
      run.notes.push_back(concat("the run went back to step ", step,
                                 "; what had been recorded from there on is "
                                 "left out"));
    for (const auto &[kind, count] : unknownKinds)
      run.notes.push_back(concat(count, " records of unknown kind ",
                                 inQuotes(kind), " are left out"));
  }

private:
  Status readLine(std::string_view text, const std::string &where) {
    JsonLimits limits;
    limits.maxBytes = size_t{1} << 28; // depth weights grow with the square
    limits.oneLine = true;
    Result<json> parsed = parseStrictJson(text, where, limits);
    if (!parsed.ok())
      return parsed.status();
    if (!parsed->is_object())
      return invalidData(where, ": expected an object");
    Fields fields(*parsed, where);
    std::string kind = fields.text("kind");
    if (!fields.status.ok())
      return fields.status;
    if (kind == "step")
      return readStep(fields);
    if (kind == "eval")
      return readEvaluation(fields);
    if (kind == "sample")
      return readSample(fields);
    if (kind == "save")
      return readSave(fields);
    ++unknownKinds[kind];
    return {};
  }

  Status readStep(Fields &fields) {
    Step step{fields.count("step"),       fields.number("loss"),
              fields.number("grad_norm"), fields.number("learning_rate"),
              fields.number("tokens"),    fields.number("tokens_per_second"),
              fields.number("seconds")};
    fields.require("loss");
    if (!fields.status.ok())
      return fields.status;
    if (!run.steps.empty() && step.step <= run.steps.back().step)
      goBackTo(step.step);
    run.steps.push_back(step);
    return {};
  }

  Status readEvaluation(Fields &fields) {
    Evaluation evaluation{fields.count("step"),
                          fields.number("loss"),
                          fields.number("perplexity"),
                          fields.number("accuracy"),
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          fields.number("seconds"),
                          fields.number("peak_bytes")};
    readNumbers(fields, "sets", evaluation.sets);
    readNumbers(fields, "gradient_norms", evaluation.gradientNorms);
    readNumbers(fields, "mean_gradient_norms", evaluation.meanGradientNorms);
    readNumbers(fields, "activation_norms", evaluation.activationNorms);
    for (auto *norms :
         {&evaluation.gradientNorms, &evaluation.meanGradientNorms,
          &evaluation.activationNorms})
      std::sort(norms->begin(), norms->end(), [](const auto &a, const auto &b) {
        return partOrder(a.first) < partOrder(b.first);
      });
    readDepthWeights(fields, evaluation);
    readRows(fields, "router_load", evaluation.routerLoad);
    readRows(fields, "decay", evaluation.decay);
    readRows(fields, "state_norms", evaluation.stateNorms);
    if (!fields.status.ok())
      return fields.status;
    // The last step may be evaluated as one of many and again at the end.
    while (!run.evaluations.empty() &&
           run.evaluations.back().step >= evaluation.step)
      run.evaluations.pop_back();
    run.evaluations.push_back(std::move(evaluation));
    return {};
  }

  /// An object of numbers by name.
  static void readNumbers(Fields &fields, const char *field,
                          std::vector<std::pair<std::string, double>> &list) {
    const json *object = fields.container(field, json::value_t::object);
    if (!object)
      return;
    Fields values(*object, "");
    for (const auto &[name, value] : object->items()) {
      if (!value.is_number() && !value.is_null())
        fields.fail(concat(field, ".", name).c_str(), "a number", value);
      else
        list.emplace_back(name, values.number(name.c_str()));
    }
  }

  void readDepthWeights(Fields &fields, Evaluation &evaluation) {
    const json *rows = fields.container("depth_weights", json::value_t::array);
    if (!rows)
      return;
    if (!run.config && run.depth.mixtures.empty())
      run.depth = numberedLayout(*rows);
    const std::vector<DepthMixture> &mixtures = run.depth.mixtures;
    if (rows->size() != mixtures.size()) {
      fields.fail("field 'depth_weights': expected ", mixtures.size(),
                  " mixtures, got ", rows->size());
      return;
    }
    for (const DepthMixture &mixture : mixtures) {
      const json &row = (*rows)[evaluation.depthWeights.size()];
      if (!row.is_array() || row.size() != mixture.numSources() ||
          !std::all_of(row.begin(), row.end(),
                       [](const json &value) { return value.is_number(); })) {
        fields.fail("field 'depth_weights': mixture ", inQuotes(mixture.name),
                    ": expected ", mixture.numSources(), " numbers");
        return;
      }
      evaluation.depthWeights.push_back(row.get<std::vector<double>>());
    }
  }

  /// Lists of numbers of at least one each.
  static void readRows(Fields &fields, const char *name,
                       std::vector<std::vector<double>> &into) {
    const json *rows = fields.container(name, json::value_t::array);
    if (!rows)
      return;
    for (const json &row : *rows) {
      if (!row.is_array() || row.empty() ||
          !std::all_of(row.begin(), row.end(),
                       [](const json &value) { return value.is_number(); })) {
        fields.fail("field '", name, "': expected lists of numbers");
        return;
      }
      into.push_back(row.get<std::vector<double>>());
    }
  }

  /// As many mixtures and sources as the rows have.
  static DepthLayout numberedLayout(const json &rows) {
    DepthLayout layout;
    for (const json &row : rows)
      layout.mixtures.push_back(
          {concat("mixture ", layout.mixtures.size()), row.size(), false});
    for (size_t k = 0; k < layout.numOutputsRead(); ++k)
      layout.outputs.push_back(concat("source ", k));
    return layout;
  }

  Status readSample(Fields &fields) {
    Sample sample{fields.count("step"), fields.text("prompt"),
                  fields.text("text"), fields.optionalText("expected"),
                  fields.optionalFlag("correct")};
    if (fields.status.ok())
      run.samples.push_back(std::move(sample));
    return fields.status;
  }

  Status readSave(Fields &fields) {
    Save save{fields.count("step"), fields.text("path")};
    if (fields.status.ok())
      run.saves.push_back(std::move(save));
    return fields.status;
  }

  /// Forgets what was recorded at `step` and later.
  void goBackTo(int64_t step) {
    auto forget = [step](auto &records) {
      records.erase(std::remove_if(records.begin(), records.end(),
                                   [step](const auto &record) {
                                     return record.step >= step;
                                   }),
                    records.end());
    };
    forget(run.steps);
    forget(run.evaluations);
    forget(run.samples);
    forget(run.saves);
    restarts.push_back(step);
  }

  RunFolder &run;
  std::vector<int64_t> restarts;
  std::map<std::string, int64_t> unknownKinds;
};

Status readRunFile(RunFolder &run, const std::string &path) {
  Result<std::string> text = readFile(path, 1 << 24);
  if (!text.ok())
    return text.status();
  JsonLimits limits;
  limits.maxBytes = 1 << 24;
  Result<json> document = parseStrictJson(*text, path, limits);
  if (!document.ok())
    return document.status();
  if (!document->is_object())
    return invalidData(path, ": expected an object");
  Fields fields(*document, path);
  fields.require("settings");
  const json *settings = fields.container("settings", json::value_t::object);
  const json *config = fields.container("config", json::value_t::object);
  run.parameters = fields.count("parameters");
  run.tokensPerStep = fields.count("tokens_per_step");
  run.plannedBytes = fields.number("planned_bytes");
  if (!fields.status.ok())
    return fields.status;
  run.settings = settings ? *settings : json::object();
  if (const json *version = fields.require("version"))
    run.version =
        version->is_string() ? version->get<std::string>() : version->dump();
  if (!config)
    return fields.status;
  Result<ModelConfig> model =
      ModelConfig::fromJson(config->dump(), path + ": config");
  if (!model.ok())
    return model.status();
  run.config = *std::move(model);
  run.depth = DepthLayout(*run.config);
  return fields.status;
}

/// "b" for "a/b" and "a/b//".
std::string lastPart(const std::string &path) {
  size_t end = path.find_last_not_of('/');
  if (end == std::string::npos)
    return path;
  size_t slash = path.rfind('/', end);
  size_t begin = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(begin, end + 1 - begin);
}

} // namespace

Result<RunFolder> RunFolder::open(const std::string &directory) {
  RunFolder run;
  run.name = lastPart(directory);
  if (Status status = readRunFile(run, directory + "/run.json"); !status.ok())
    return status;
  std::string path = directory + "/metrics.jsonl";
  Result<MappedFile> metrics = MappedFile::open(path);
  if (!metrics.ok())
    return metrics.status();
  MetricsReader(run).read(metrics->bytes(), path);
  return run;
}

} // namespace attnres::report
