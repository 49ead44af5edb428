// What --data names.
#include "tools/run/TrainingData.h"

#include "runtime/data/DataFormat.h"
#include "runtime/data/MixedDataset.h"
#include "runtime/data/Multiplication.h"
#include "runtime/data/ShardDataset.h"
#include "runtime/data/TextDataset.h"
#include "runtime/data/TokenDataset.h"
#include "runtime/data/WrittenMultiplication.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace attnres::run {

using runtime::DataFiles;
using runtime::Dataset;
using runtime::MixedDataset;
using runtime::MultiplicationDataset;
using runtime::MultiplicationQuestions;
using runtime::Part;
using runtime::ShardDataset;
using runtime::TextDataset;
using runtime::TokenDataset;
using runtime::TokenFile;

namespace {

constexpr std::string_view multiplicationPrefix = "multiplication:";

/// The share of files, in windows, that is trained on.
constexpr double trainedOn = 1 - 0.1;

bool parseNumber(std::string_view text, int64_t &value) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// DIGITS[,count=N]
Status parseMultiplication(std::string_view text, MultiplicationName &name) {
  auto malformed = [&] {
    return invalidArgument("--data: expected multiplication:DIGITS[,count=N], "
                           "got ",
                           inQuotes(text));
  };
  std::string_view rest = text.substr(multiplicationPrefix.size());
  size_t comma = rest.find(',');
  if (!parseNumber(rest.substr(0, comma), name.digits))
    return malformed();
  if (comma == std::string_view::npos)
    return {};
  constexpr std::string_view count = "count=";
  std::string_view option = rest.substr(comma + 1);
  if (option.substr(0, count.size()) != count ||
      !parseNumber(option.substr(count.size()), name.count))
    return malformed();
  return {};
}

bool namesMultiplication(const std::string &value) {
  return value.compare(0, multiplicationPrefix.size(), multiplicationPrefix) ==
         0;
}

Result<std::unique_ptr<Dataset>> openTrainingSet(const MultiplicationName &name,
                                                 uint64_t seed) {
  MultiplicationDataset::Options options;
  options.digits = name.digits;
  options.size = name.count;
  options.seed = seed;
  Result<MultiplicationDataset> created =
      MultiplicationDataset::create(options);
  if (!created.ok())
    return created.status();
  return std::unique_ptr<Dataset>(
      std::make_unique<MultiplicationDataset>(*std::move(created)));
}

/// Sets `all` to whether these are all that there are.
Result<std::unique_ptr<Dataset>> openQuestions(const MultiplicationName &name,
                                               int64_t most, uint64_t seed,
                                               bool &all) {
  Result<MultiplicationQuestions> created = MultiplicationQuestions::create(
      name.digits, std::min(most, name.count), seed);
  if (!created.ok())
    return created.status();
  all = created->areAll();
  return std::unique_ptr<Dataset>(
      std::make_unique<MultiplicationQuestions>(*std::move(created)));
}

Status checkLength(const Dataset &set, const MultiplicationName &name,
                   int64_t length) {
  if (length == 0 || length == set.length())
    return {};
  return invalidArgument("--seq-len: samples of ", multiplicationPrefix,
                         name.digits, " have ", set.length(), " tokens, got ",
                         length);
}

/// Some of the files that follow each other.
struct FileRange {
  size_t begin, end;
};

/// Parts of files, which are token files or text; texts are encoded once if at
/// all.
class FileParts {
public:
  static Result<FileParts> open(const DataSource &source,
                                const Encoding &encoding) {
    FileParts parts(encoding);
    parts.files = source.files;
    parts.files.insert(parts.files.end(), source.validation.begin(),
                       source.validation.end());
    int64_t vocabulary = encoding.tokenizer
                             ? encoding.tokenizer->vocabularySize()
                             : encoding.vocabulary;
    for (const auto &file : parts.files) {
      std::optional<TokenFile> tokens;
      if (source.recognizes) {
        auto recognized = TokenFile::recognize(file, vocabulary);
        if (!recognized.ok())
          return recognized.status();
        tokens = *std::move(recognized);
      }
      if (tokens)
        parts.vocabulary = std::max(parts.vocabulary, tokens->largest() + 1);
      else if (source.recognizes)
        if (Status status = expectText(file, vocabulary); !status.ok())
          return status;
      parts.tokens.push_back(std::move(tokens));
    }
    if (encoding.tokenizer)
      parts.vocabulary = vocabulary;
    return parts;
  }

  Result<std::unique_ptr<Dataset>> open(FileRange range, int64_t length,
                                        Part part) {
    auto begin = static_cast<std::ptrdiff_t>(range.begin),
         end = static_cast<std::ptrdiff_t>(range.end);
    auto shards = std::count_if(tokens.begin() + begin, tokens.begin() + end,
                                [](const auto &file) { return !!file; });
    if (shards != 0 && shards != end - begin)
      return invalidArgument(
          "--data: ", runtime::joinNames(slice(range)),
          ": token files and text cannot be joined; --data-weights gives each "
          "file its share");
    if (shards > 0) {
      std::vector<TokenFile> joined;
      for (size_t i = range.begin; i < range.end; ++i)
        joined.push_back(*tokens[i]);
      return upcast(
          ShardDataset::open(std::move(joined), vocabulary, length, part));
    }
    if (!encoding.tokenizer || encoding.tokenizer->fingerprint() ==
                                   runtime::ByteTokenizer().fingerprint())
      return upcast(TextDataset::open(slice(range), length, part));
    if (Status status = encode(); !status.ok())
      return status;
    // Among the texts alone.
    auto first = std::count_if(tokens.begin(), tokens.begin() + begin,
                               [](const auto &file) { return !file; });
    return upcast(encoded->select(static_cast<size_t>(first),
                                  range.end - range.begin, length, part));
  }

  /// What a file is called among others.
  static std::vector<std::string> names(const DataFiles &files) {
    std::vector<std::string> names;
    for (const auto &file : files) {
      std::string name = std::filesystem::path(file->path()).filename();
      auto isCalledSo = [&](const auto &other) {
        return std::filesystem::path(other->path()).filename() == name;
      };
      bool isUnique =
          std::count_if(files.begin(), files.end(), isCalledSo) == 1;
      names.push_back(isUnique ? name : file->path());
    }
    return names;
  }

private:
  static Status expectText(const std::shared_ptr<const runtime::DataFile> &file,
                           int64_t vocabulary) {
    Result<runtime::FileContent> content = runtime::contentOf(*file);
    if (content.ok() && *content == runtime::FileContent::Numbers16 &&
        vocabulary == 0)
      return invalidData(file->path(),
                         ": looks like numbers of 16 bits, such as a shard of "
                         "tokens of nanoGPT; tokens without a header need a "
                         "vocabulary, from --tokenizer DIR or the vocab_size "
                         "of --config FILE (--as-bytes takes its bytes as they "
                         "are)");
    return runtime::expectText({file}, "--as-bytes");
  }

  explicit FileParts(const Encoding &encoding) : encoding(encoding) {}

  DataFiles slice(FileRange range) const {
    return {files.begin() + static_cast<std::ptrdiff_t>(range.begin),
            files.begin() + static_cast<std::ptrdiff_t>(range.end)};
  }

  Status encode() {
    if (encoded)
      return {};
    DataFiles texts;
    for (size_t i = 0; i < files.size(); ++i)
      if (!tokens[i])
        texts.push_back(files[i]);
    // Every text with a target has this window.
    Part smallest;
    smallest.whole = true;
    auto opened = TokenDataset::open(texts, *encoding.tokenizer, encoding.cache,
                                     defaultTextLength, smallest);
    if (!opened.ok())
      return opened.status();
    encoded = *std::move(opened);
    return {};
  }

  template <typename T>
  static Result<std::unique_ptr<Dataset>>
  upcast(Result<std::unique_ptr<T>> opened) {
    if (!opened.ok())
      return opened.status();
    return std::unique_ptr<Dataset>(*std::move(opened));
  }

  Encoding encoding;
  DataFiles files; ///< of the data, then of its validation sets
  std::vector<std::optional<TokenFile>> tokens; ///< of those, unless text
  int64_t vocabulary = 0;                       ///< of token files
  std::shared_ptr<TokenDataset> encoded;
};

/// What is trained on: the whole of files with own validation sets.
Part trainedPart(const DataSource &source) {
  return {0, source.validation.empty() ? trainedOn : 1};
}

Result<std::unique_ptr<Dataset>>
openTrainingFiles(const DataSource &source, FileParts &files, int64_t length) {
  if (source.weights.empty())
    return files.open({0, source.files.size()}, length, trainedPart(source));
  if (source.weights.size() != source.files.size())
    return invalidArgument("--data-weights: expected one for each of ",
                           source.files.size(), " files, got ",
                           source.weights.size());
  std::vector<MixedDataset::Source> sources;
  for (size_t i = 0; i < source.files.size(); ++i) {
    auto set = files.open({i, i + 1}, length, trainedPart(source));
    if (!set.ok())
      return set.status();
    sources.push_back({*std::move(set), source.weights[i]});
  }
  auto mixed = MixedDataset::create(std::move(sources));
  if (!mixed.ok())
    return invalidArgument("--data-weights: ", mixed.status().message());
  return std::unique_ptr<Dataset>(*std::move(mixed));
}

/// The sets that are held out, or with `part` those parts of what is trained
/// on.
Result<std::vector<NamedSet>> openSets(const DataSource &source,
                                       FileParts &files, int64_t length,
                                       DataPart which, Part shape) {
  bool isOwn = which == DataPart::HeldOut && !source.validation.empty();
  if (which == DataPart::HeldOut && !isOwn)
    shape.begin = trainedOn;
  if (which == DataPart::Train)
    shape.end = trainedPart(source).end;
  std::vector<NamedSet> sets;
  auto add = [&](std::string name, FileRange range) {
    auto set = files.open(range, length, shape);
    if (set.ok())
      sets.push_back({std::move(name), *std::move(set)});
    return set.status();
  };
  size_t trained = source.files.size();
  if (!isOwn && source.weights.empty()) {
    if (Status status = add("", {0, trained}); !status.ok())
      return status;
    return sets;
  }
  const DataFiles &own = isOwn ? source.validation : source.files;
  std::vector<std::string> names = FileParts::names(own);
  for (size_t i = 0; i < own.size(); ++i) {
    size_t at = isOwn ? trained + i : i;
    if (Status status = add(names[i], {at, at + 1}); !status.ok())
      return status;
  }
  return sets;
}

} // namespace

Result<std::optional<MultiplicationName>>
MultiplicationName::parse(const std::vector<std::string> &values) {
  for (const std::string &value : values)
    if (namesMultiplication(value)) {
      if (values.size() > 1)
        return invalidArgument("--data: ", inQuotes(value),
                               " is evaluated without other data");
      MultiplicationName name;
      if (Status status = parseMultiplication(value, name); !status.ok())
        return status;
      return std::optional(name);
    }
  return std::optional<MultiplicationName>();
}

Result<std::vector<std::optional<MultiplicationName>>>
MultiplicationName::parseMixture(const std::vector<std::string> &values) {
  std::vector<std::optional<MultiplicationName>> mixture;
  if (values.size() < 2 ||
      !std::any_of(values.begin(), values.end(), namesMultiplication))
    return mixture;
  std::vector<int64_t> digits;
  for (const std::string &value : values) {
    mixture.emplace_back();
    if (!namesMultiplication(value))
      continue;
    MultiplicationName name;
    if (Status status = parseMultiplication(value, name); !status.ok())
      return status;
    if (std::find(digits.begin(), digits.end(), name.digits) != digits.end())
      return invalidArgument("--data: two multiplications of ", name.digits,
                             " digits; --data-weights gives one its share");
    digits.push_back(name.digits);
    mixture.back() = name;
  }
  return mixture;
}

Result<bool> DataSource::hasTokens() const {
  if (recognizes)
    for (const DataFiles *list : {&files, &validation})
      for (const auto &file : *list) {
        Result<runtime::FileContent> content = runtime::contentOf(*file);
        if (!content.ok())
          return content.status();
        if (*content != runtime::FileContent::Other)
          return true;
      }
  return false;
}

namespace {

/// Opens the sources of a mixture one by one.
class MixtureOpener {
public:
  MixtureOpener(const DataSource &source, int64_t length, uint64_t seed,
                const Encoding &encoding)
      : source(source), length(length), seed(seed), encoding(encoding) {}

  Result<TrainingData> open(int64_t questions) {
    if (Status status = prepare(); !status.ok())
      return status;
    TrainingData data;
    std::vector<MixedDataset::Source> trained;
    size_t file = 0;
    data.allQuestions = true;
    for (size_t i = 0; i < source.mixture.size(); ++i) {
      NamedSet train, held;
      const auto &name = source.mixture[i];
      Status status =
          name ? openComputed(*name, questions, train, held, data.allQuestions)
               : openFile(file++, train, held);
      if (!status.ok())
        return status;
      trained.push_back({std::move(train.set),
                         source.weights.empty() ? 1 : source.weights[i]});
      data.validation.push_back(std::move(held));
      if (name && source.isAllComputed())
        data.digits = std::max(data.digits, name->digits);
    }
    auto mixed = MixedDataset::create(std::move(trained));
    if (!mixed.ok())
      return invalidArgument("--data: ", mixed.status().message());
    data.train = *std::move(mixed);
    return data;
  }

private:
  /// Finds the length of samples, and how multiplications are written.
  Status prepare() {
    if (!source.isAllComputed()) {
      if (!encoding.tokenizer)
        return invalidArgument("--data: multiplications are joined with text, "
                               "or with tokens of a --tokenizer");
      tokenizer = encoding.tokenizer;
      Result<FileParts> opened = FileParts::open(source, encoding);
      if (!opened.ok())
        return opened.status();
      files.emplace(*std::move(opened));
    }
    if (length > 0)
      return {};
    length = tokenizer ? defaultTextLength : 0;
    for (const auto &name : source.mixture)
      if (name) {
        MultiplicationDataset::Options options;
        options.digits = name->digits;
        auto set = MultiplicationDataset::create(options);
        if (!set.ok())
          return set.status();
        length = std::max(length, set->length());
      }
    return {};
  }

  Status openComputed(const MultiplicationName &name, int64_t questions,
                      NamedSet &train, NamedSet &held, bool &allQuestions) {
    MultiplicationDataset::Options options;
    options.digits = name.digits;
    options.size = name.count;
    options.seed = seed;
    auto samples = MultiplicationDataset::create(options);
    auto asked = MultiplicationQuestions::create(
        name.digits, std::min(questions, name.count), seed);
    for (const Status &status : {samples.status(), asked.status()})
      if (!status.ok())
        return status;
    allQuestions = allQuestions && asked->areAll();
    train.name = held.name = name.describe();
    auto write = [&](std::unique_ptr<runtime::multiplication::Samples> from,
                     NamedSet &into) {
      auto set = runtime::WrittenMultiplication::create(std::move(from),
                                                        tokenizer, length);
      if (set.ok())
        into.set = *std::move(set);
      return set.status();
    };
    Status status = write(
        std::make_unique<MultiplicationDataset>(*std::move(samples)), train);
    return status.ok() ? write(std::make_unique<MultiplicationQuestions>(
                                   *std::move(asked)),
                               held)
                       : status;
  }

  Status openFile(size_t index, NamedSet &train, NamedSet &held) {
    FileRange range = {index, index + 1};
    Part rest;
    rest.begin = trainedOn;
    auto trained = files->open(range, length, trainedPart(source));
    auto heldOut = files->open(range, length, rest);
    for (const Status &status : {trained.status(), heldOut.status()})
      if (!status.ok())
        return status;
    train.set = *std::move(trained);
    held = {FileParts::names(source.files)[index], *std::move(heldOut)};
    return {};
  }

  const DataSource &source;
  int64_t length;
  uint64_t seed;
  const Encoding &encoding;
  const runtime::Tokenizer *tokenizer = nullptr; ///< null: the alphabet
  std::optional<FileParts> files;
};

} // namespace

Result<TrainingData> TrainingData::open(const DataSource &source,
                                        int64_t length, uint64_t seed,
                                        const Encoding &encoding,
                                        int64_t questions) {
  if (!source.mixture.empty())
    return MixtureOpener(source, length, seed, encoding).open(questions);
  TrainingData data;
  if (source.multiplication) {
    data.digits = source.multiplication->digits;
    auto train = openTrainingSet(*source.multiplication, seed);
    auto held = openQuestions(*source.multiplication, questions, seed,
                              data.allQuestions);
    for (const Status &status : {train.status(), held.status()})
      if (!status.ok())
        return status;
    data.train = *std::move(train);
    data.validation.push_back({"", *std::move(held)});
    if (Status status =
            checkLength(*data.train, *source.multiplication, length);
        !status.ok())
      return status;
    return data;
  }
  if (length == 0)
    length = defaultTextLength;
  Result<FileParts> files = FileParts::open(source, encoding);
  if (!files.ok())
    return files.status();
  auto train = openTrainingFiles(source, *files, length);
  if (!train.ok())
    return train.status();
  data.train = *std::move(train);
  auto held = openSets(source, *files, length, DataPart::HeldOut, Part());
  if (!held.ok())
    return held.status();
  data.validation = *std::move(held);
  return data;
}

Result<EvaluationData> EvaluationData::open(const DataSource &source,
                                            const Encoding &encoding,
                                            const PartOptions &options) {
  EvaluationData data;
  if (source.multiplication) {
    data.digits = source.multiplication->digits;
    auto set = options.part == DataPart::Train
                   ? openTrainingSet(*source.multiplication, options.seed)
                   : openQuestions(*source.multiplication, options.most,
                                   options.seed, data.allQuestions);
    if (!set.ok())
      return set.status();
    data.sets.push_back({"", *std::move(set)});
    if (Status status = checkLength(*data.sets.front().set,
                                    *source.multiplication, options.length);
        !status.ok())
      return status;
    return data;
  }
  Result<FileParts> files = FileParts::open(source, encoding);
  if (!files.ok())
    return files.status();
  Part shape;
  shape.whole = true;
  shape.counted = options.runLength;
  auto sets = openSets(source, *files,
                       options.length > 0 ? options.length : defaultTextLength,
                       options.part, shape);
  if (!sets.ok())
    return sets.status();
  data.sets = *std::move(sets);
  return data;
}

} // namespace attnres::run
