// What --data names.
#include "tools/run/TrainingData.h"

#include "runtime/data/Multiplication.h"
#include "runtime/data/TextDataset.h"
#include "runtime/data/TokenDataset.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace attnres::run {

using runtime::Dataset;
using runtime::MultiplicationDataset;
using runtime::MultiplicationQuestions;
using runtime::Part;
using runtime::TextDataset;
using runtime::TokenDataset;

namespace {

constexpr std::string_view multiplicationPrefix = "multiplication:";

/// The share of a text, in windows, that is trained on.
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

/// The parts of a text, encoded once if at all.
class TextParts {
public:
  TextParts(const runtime::DataFiles &files, const TextEncoding &encoding)
      : files(files), encoding(encoding) {}

  Result<std::unique_ptr<Dataset>> open(int64_t length, Part part) {
    if (!encoding.tokenizer || encoding.tokenizer->fingerprint() ==
                                   runtime::ByteTokenizer().fingerprint())
      return upcast(TextDataset::open(files, length, part));
    if (encoded)
      return upcast(encoded->select(length, part));
    // Every text with a target has this window.
    Part smallest;
    smallest.whole = true;
    auto opened = TokenDataset::open(files, *encoding.tokenizer, encoding.cache,
                                     length, smallest);
    if (!opened.ok())
      return opened.status();
    encoded = *std::move(opened);
    return open(length, part);
  }

private:
  template <typename T>
  static Result<std::unique_ptr<Dataset>>
  upcast(Result<std::unique_ptr<T>> opened) {
    if (!opened.ok())
      return opened.status();
    return std::unique_ptr<Dataset>(*std::move(opened));
  }

  const runtime::DataFiles &files;
  const TextEncoding &encoding;
  std::unique_ptr<TokenDataset> encoded;
};

} // namespace

Result<std::optional<MultiplicationName>>
MultiplicationName::parse(const std::vector<std::string> &values) {
  for (const std::string &value : values)
    if (namesMultiplication(value)) {
      if (values.size() > 1)
        return invalidArgument("--data: ", inQuotes(value),
                               " cannot be joined with other data");
      MultiplicationName name;
      if (Status status = parseMultiplication(value, name); !status.ok())
        return status;
      return std::optional(name);
    }
  return std::optional<MultiplicationName>();
}

Result<TrainingData> TrainingData::open(const DataSource &source,
                                        int64_t length, uint64_t seed,
                                        const TextEncoding &encoding,
                                        int64_t questions) {
  TrainingData data;
  TextParts text(source.files, encoding);
  auto openPart = [&](bool train) -> Result<std::unique_ptr<Dataset>> {
    if (!source.multiplication)
      return text.open(length > 0 ? length : defaultTextLength,
                       train ? Part{0, trainedOn} : Part{trainedOn, 1});
    if (train)
      return openTrainingSet(*source.multiplication, seed);
    return openQuestions(*source.multiplication, questions, seed,
                         data.allQuestions);
  };
  for (bool train : {true, false}) {
    Result<std::unique_ptr<Dataset>> opened = openPart(train);
    if (!opened.ok())
      return opened.status();
    (train ? data.train : data.validation) = *std::move(opened);
  }
  if (!source.multiplication)
    return data;
  data.digits = source.multiplication->digits;
  if (Status status = checkLength(*data.train, *source.multiplication, length);
      !status.ok())
    return status;
  return data;
}

Result<EvaluationData> EvaluationData::open(const DataSource &source,
                                            const TextEncoding &encoding,
                                            const PartOptions &options) {
  EvaluationData data;
  auto openPart = [&]() -> Result<std::unique_ptr<Dataset>> {
    if (source.multiplication)
      return options.part == DataPart::Train
                 ? openTrainingSet(*source.multiplication, options.seed)
                 : openQuestions(*source.multiplication, options.most,
                                 options.seed, data.allQuestions);
    Part part;
    if (options.part != DataPart::All)
      part = options.part == DataPart::Train ? Part{0, trainedOn}
                                             : Part{trainedOn, 1};
    part.whole = true;
    part.counted = options.runLength;
    return TextParts(source.files, encoding)
        .open(options.length > 0 ? options.length : defaultTextLength, part);
  };
  Result<std::unique_ptr<Dataset>> opened = openPart();
  if (!opened.ok())
    return opened.status();
  data.set = *std::move(opened);
  if (!source.multiplication)
    return data;
  data.digits = source.multiplication->digits;
  if (Status status =
          checkLength(*data.set, *source.multiplication, options.length);
      !status.ok())
    return status;
  return data;
}

} // namespace attnres::run
