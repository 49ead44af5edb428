// Reading, writing and comparing records.
#include "tools/run/RunRecord.h"

#include "runtime/training/Checkpoint.h"
#include "support/ContentHash.h"
#include "support/File.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace attnres::run {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using runtime::DataFile;
using runtime::DataFiles;
using runtime::FileFingerprint;
using runtime::Tokenizer;

namespace {

std::optional<uint64_t> readHash(const json &object, const char *field) {
  auto found = object.find(field);
  if (found == object.end() || !found->is_string())
    return std::nullopt;
  std::string text = found->get<std::string>();
  uint64_t hash = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return hash;
}

std::optional<int64_t> readCount(const json &object, const char *field) {
  auto found = object.find(field);
  if (found == object.end() || !found->is_number_unsigned() ||
      found->get<uint64_t>() > INT64_MAX)
    return std::nullopt;
  return found->get<int64_t>();
}

std::optional<FileFingerprint> parseFingerprint(const json &file) {
  std::optional<int64_t> bytes = readCount(file, "bytes");
  std::optional<uint64_t> hash = readHash(file, "hash");
  auto path = file.find("path");
  if (!bytes || !hash || path == file.end() || !path->is_string())
    return std::nullopt;
  return FileFingerprint{path->get<std::string>(), *bytes, *hash};
}

Status readFingerprints(const json &from, const std::string &where,
                        RunRecord &record) {
  auto malformed = [&](const char *what) {
    return invalidData(where, ": field 'fingerprints': ", what,
                       " is missing or malformed");
  };
  if (!from.is_object())
    return malformed("an object");
  auto readFiles = [&](const char *field, std::vector<FileFingerprint> &files) {
    auto list = from.find(field);
    if (list == from.end() || !list->is_array())
      return false;
    for (const json &file : *list) {
      std::optional<FileFingerprint> read;
      if (file.is_object())
        read = parseFingerprint(file);
      if (!read)
        return false;
      files.push_back(*std::move(read));
    }
    return true;
  };
  if (!readFiles("data", record.data))
    return malformed("'data'");
  if (from.contains("validation") &&
      !readFiles("validation", record.validation))
    return malformed("'validation'");
  if (auto tokenizer = from.find("tokenizer"); tokenizer != from.end()) {
    if (!tokenizer->is_object())
      return malformed("'tokenizer'");
    std::optional<int64_t> tokens = readCount(*tokenizer, "tokens");
    std::optional<uint64_t> hash = readHash(*tokenizer, "hash");
    if (!tokens || !hash)
      return malformed("'tokenizer'");
    record.tokenizer = TokenizerFingerprint{*tokens, *hash};
  }
  if (auto model = from.find("model"); model != from.end()) {
    record.model = readHash(from, "model");
    if (!record.model)
      return malformed("'model'");
  }
  return {};
}

/// What a run of `settings` reads at once, from what else run.json says.
int64_t deriveLength(const json &file) {
  const json &settings = file["settings"];
  auto length = readCount(settings, "seq_len");
  if (length && *length > 0)
    return *length;
  auto perStep = readCount(file, "tokens_per_step");
  auto batch = readCount(settings, "batch_size");
  auto parts = readCount(settings, "grad_accumulation");
  if (!perStep || !batch || !parts || *batch < 1 || *parts < 1)
    return 0;
  return *perStep / *batch / *parts;
}

} // namespace

std::string TokenizerFingerprint::describe() const {
  return concat(tokens, " tokens, ", showHash(hash));
}

ordered_json RunRecord::toJson() const {
  auto describeFiles = [](const std::vector<FileFingerprint> &files) {
    ordered_json list = ordered_json::array();
    for (const FileFingerprint &file : files)
      list.push_back({{"path", file.path},
                      {"bytes", file.bytes},
                      {"hash", showHash(file.hash)}});
    return list;
  };
  ordered_json fingerprints = {{"data", describeFiles(data)}};
  if (!validation.empty())
    fingerprints["validation"] = describeFiles(validation);
  if (tokenizer)
    fingerprints["tokenizer"] = {{"tokens", tokenizer->tokens},
                                 {"hash", showHash(tokenizer->hash)}};
  if (model)
    fingerprints["model"] = showHash(*model);
  return {{"seq_len", seqLen}, {"fingerprints", fingerprints}};
}

Result<RunRecord> RunRecord::read(const std::string &path) {
  constexpr size_t maxBytes = 1 << 24;
  Result<std::string> text = readFile(path, maxBytes);
  if (!text.ok())
    return text.status();
  JsonLimits limits;
  limits.maxBytes = maxBytes;
  Result<json> parsed = parseStrictJson(*text, path, limits);
  if (!parsed.ok())
    return parsed.status();
  if (!parsed->is_object())
    return invalidData(path, ": expected an object");
  RunRecord record;
  record.where = path;
  record.settings = ordered_json::object();
  if (auto settings = parsed->find("settings"); settings != parsed->end()) {
    if (!settings->is_object())
      return invalidData(path, ": field 'settings': expected an object");
    record.settings = *settings;
    record.seqLen = deriveLength(*parsed);
  }
  if (auto config = parsed->find("config"); config != parsed->end())
    record.config = *config;
  if (auto fork = parsed->find("forked_from"); fork != parsed->end())
    record.forkedFrom = *fork;
  if (std::optional<int64_t> length = readCount(*parsed, "seq_len"))
    record.seqLen = *length;
  if (auto found = parsed->find("fingerprints"); found != parsed->end())
    if (Status status = readFingerprints(*found, path, record); !status.ok())
      return status;
  return record;
}

Result<std::optional<RunRecord>>
RunRecord::ofCheckpoint(const std::string &path) {
  std::error_code error;
  std::string state = path + "/trainer.json";
  std::optional<RunRecord> none;
  if (fs::exists(state, error)) {
    Result<RunRecord> record = read(state);
    if (!record.ok())
      return record.status();
    if (!record->settings.empty())
      return std::optional(*std::move(record));
  }
  std::string run = runtime::runOfCheckpoint(path);
  if (run.empty())
    return none;
  Result<RunRecord> record = read(run + "/run.json");
  if (!record.ok())
    return record.status();
  return std::optional(*std::move(record));
}

Status RunRecord::compareSettings(const RunRecord &other) const {
  for (const auto &[name, value] : settings.items())
    // These may have moved; their content is compared.
    if (name != "data" && name != "val_data" && name != "tokenizer" &&
        other.settings.contains(name) && other.settings[name] != value)
      return invalidData(where, ": setting ", inQuotes(name), " is ",
                         value.dump(), ", and ", other.settings[name].dump(),
                         " in ", other.where);
  return {};
}

Status RunRecord::compareModel(const std::string &text,
                               const std::string &path) const {
  uint64_t hash = fnv1a64(text);
  if (!model || *model == hash)
    return {};
  return invalidData(path, ": not the model of the run (", showHash(hash),
                     ", and ", showHash(*model), " in ", where, ")");
}

Result<DataFiles> openRecorded(const std::vector<std::string> &paths,
                               const std::vector<FileFingerprint> &recorded,
                               const DataSearch &search) {
  if (recorded.empty())
    return runtime::openDataFiles(paths);
  if (paths.size() != recorded.size() && !search.acceptChanged)
    return invalidData("the run was ", search.use, " ", recorded.size(),
                       recorded.size() == 1 ? " file" : " files", ", not ",
                       paths.size(), "; ", search.advice);
  DataFiles files;
  for (size_t i = 0; i < paths.size(); ++i) {
    Result<std::shared_ptr<const DataFile>> here = DataFile::open(paths[i]);
    bool known = i < recorded.size();
    if (here.ok() &&
        (!known || (*here)->fingerprint().sameContent(recorded[i]))) {
      files.push_back(*std::move(here));
      continue;
    }
    if (known && !search.named) {
      Result<std::shared_ptr<const DataFile>> there =
          DataFile::open(recorded[i].path);
      if (there.ok() && (*there)->fingerprint().sameContent(recorded[i])) {
        search.note(concat("data: ", paths[i],
                           here.ok()
                               ? concat(" is not what the run was ", search.use)
                               : " is not here",
                           "; reading ", recorded[i].path));
        files.push_back(*std::move(there));
        continue;
      }
    }
    if (!here.ok() && !known)
      return here.status();
    if (!here.ok())
      return Status(here.status().code(),
                    concat(here.status().message(), "; the run was ",
                           search.use, " ", recorded[i].describe(), "; ",
                           search.option, " names its new place"));
    std::string change = concat("data: ", (*here)->fingerprint().describe(),
                                " is not what the run was ", search.use, ", ",
                                recorded[i].describe());
    if (!search.acceptChanged || (*here)->size() == 0)
      return invalidData(change, "; ", search.advice);
    search.note(change + "; going on with it");
    files.push_back(*std::move(here));
  }
  return files;
}

Result<FoundTokenizer> openTokenizer(const std::string &folder) {
  FoundTokenizer found;
  Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::openFolder(folder);
  if (!tokenizer.ok())
    return tokenizer.status();
  found.tokenizer = *std::move(tokenizer);
  auto files = Tokenizer::readFolder(folder);
  if (!files.ok())
    return files.status();
  found.files = *std::move(files);
  return found;
}

FoundTokenizer builtInTokenizer(bool multiplies) {
  FoundTokenizer found;
  if (multiplies)
    found.tokenizer = std::make_unique<runtime::MultiplicationTokenizer>();
  else
    found.tokenizer = std::make_unique<runtime::ByteTokenizer>();
  found.files["tokenizer.json"] =
      concat("{\"kind\": \"", multiplies ? "multiplication" : "bytes", "\"}\n");
  return found;
}

Result<FoundTokenizer> tokenizerOf(const std::string &checkpoint,
                                   const std::string &given,
                                   const RunRecord *record) {
  const std::string &folder = given.empty() ? checkpoint : given;
  std::string path = folder + "/tokenizer.json";
  std::optional<TokenizerFingerprint> expected;
  if (record)
    expected = record->tokenizer;
  std::error_code error;
  if (!given.empty() && !expected &&
      fs::exists(checkpoint + "/tokenizer.json", error)) {
    Result<FoundTokenizer> own = openTokenizer(checkpoint);
    if (!own.ok())
      return own;
    expected = TokenizerFingerprint::of(*own->tokenizer);
  }
  if (given.empty() && !fs::exists(path, error)) {
    if (!expected)
      return FoundTokenizer();
    for (bool multiplies : {false, true})
      if (FoundTokenizer found = builtInTokenizer(multiplies);
          TokenizerFingerprint::of(*found.tokenizer) == *expected)
        return found;
    return invalidData(path, " is missing; the run's tokenizer has ",
                       expected->describe(),
                       "; --tokenizer DIR names a folder that has it");
  }
  Result<FoundTokenizer> found = openTokenizer(folder);
  if (!found.ok() || !expected)
    return found;
  TokenizerFingerprint fingerprint =
      TokenizerFingerprint::of(*found->tokenizer);
  if (fingerprint == *expected)
    return found;
  return invalidData(path, ": not the run's tokenizer: it has ",
                     fingerprint.describe(), ", the run's has ",
                     expected->describe(),
                     given.empty() ? "; --tokenizer DIR names a folder that "
                                     "has it"
                                   : "");
}

std::string RunRecord::difference(const RunRecord &other) const {
  for (const auto &[name, value] : settings.items()) {
    ordered_json there = other.settings.value(name, ordered_json());
    if (there != value)
      return concat(name, " ", value.dump(), ", not ", there.dump());
  }
  auto differ = [](const auto &mine, const auto &theirs) {
    return !std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                       [](const FileFingerprint &a, const FileFingerprint &b) {
                         return a.sameContent(b);
                       });
  };
  if (differ(data, other.data) || differ(validation, other.validation))
    return "other content of the data";
  if (tokenizer && other.tokenizer && !(*tokenizer == *other.tokenizer))
    return "another tokenizer";
  bool sameModel = model == other.model && json(config) == json(other.config);
  return sameModel ? "" : "another model";
}

} // namespace attnres::run
