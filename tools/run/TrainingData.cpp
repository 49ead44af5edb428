// What --data names.
#include "tools/run/TrainingData.h"

#include "runtime/data/Multiplication.h"
#include "runtime/data/TextDataset.h"
#include "runtime/data/TokenDataset.h"

#include <algorithm>
#include <charconv>

namespace attnres::run {

using runtime::inQuotes;
using runtime::invalidArgument;
using runtime::MultiplicationDataset;
using runtime::Result;
using runtime::Status;
using runtime::TextDataset;
using runtime::TokenDataset;
using runtime::Tokenizer;

namespace {

constexpr std::string_view multiplicationPrefix = "multiplication:";
constexpr int64_t defaultTextLength = 256;

bool parseNumber(std::string_view text, int64_t &value) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// DIGITS[,count=N]
Status parseMultiplication(std::string_view text,
                           MultiplicationDataset::Options &options) {
  auto malformed = [&] {
    return invalidArgument("--data: expected multiplication:DIGITS[,count=N], "
                           "got ",
                           inQuotes(text));
  };
  std::string_view rest = text.substr(multiplicationPrefix.size());
  size_t comma = rest.find(',');
  if (!parseNumber(rest.substr(0, comma), options.digits))
    return malformed();
  if (comma == std::string_view::npos)
    return {};
  constexpr std::string_view count = "count=";
  std::string_view option = rest.substr(comma + 1);
  if (option.substr(0, count.size()) != count ||
      !parseNumber(option.substr(count.size()), options.size))
    return malformed();
  return {};
}

Result<TrainingData> openMultiplication(std::string_view text, int64_t length,
                                        uint64_t seed) {
  MultiplicationDataset::Options options;
  options.size = 100000;
  options.seed = seed;
  if (Status status = parseMultiplication(text, options); !status.ok())
    return status;
  TrainingData data;
  data.digits = options.digits;
  for (auto [split, result] :
       {std::make_pair(MultiplicationDataset::Split::Train, &data.train),
        std::make_pair(MultiplicationDataset::Split::Test, &data.validation)}) {
    options.split = split;
    Result<MultiplicationDataset> created =
        MultiplicationDataset::create(options);
    if (!created.ok())
      return created.status();
    *result = std::make_unique<MultiplicationDataset>(*std::move(created));
  }
  if (length != 0 && length != data.train->length())
    return invalidArgument("--seq-len: samples of ", text, " have ",
                           data.train->length(), " tokens, got ", length);
  return data;
}

bool namesMultiplication(const std::string &value) {
  return value.compare(0, multiplicationPrefix.size(), multiplicationPrefix) ==
         0;
}

constexpr double heldOut = 0.1;

/// `open` makes the data set of a part of the files.
template <typename Open>
Result<TrainingData> openParts(Open open) {
  TrainingData data;
  for (auto [part, result] :
       {std::make_pair(runtime::Part{0, 1 - heldOut}, &data.train),
        std::make_pair(runtime::Part{1 - heldOut, 1}, &data.validation)}) {
    auto opened = open(part);
    if (!opened.ok())
      return opened.status();
    *result = *std::move(opened);
  }
  return data;
}

} // namespace

bool readsText(const std::vector<std::string> &values) {
  return std::none_of(values.begin(), values.end(), namesMultiplication);
}

Result<TrainingData> TrainingData::open(const std::vector<std::string> &values,
                                        int64_t length, uint64_t seed,
                                        const TextEncoding &encoding) {
  for (const std::string &value : values)
    if (namesMultiplication(value)) {
      if (values.size() > 1)
        return invalidArgument("--data: ", inQuotes(value),
                               " cannot be joined with other data");
      if (!encoding.tokenizer.empty())
        return invalidArgument("--tokenizer is for text, and ", inQuotes(value),
                               " has an alphabet of its own");
      return openMultiplication(value, length, seed);
    }
  if (length == 0)
    length = defaultTextLength;
  if (encoding.tokenizer.empty())
    return openParts([&](runtime::Part part) {
      return TextDataset::open(values, length, part);
    });
  auto tokenizer = Tokenizer::openFolder(encoding.tokenizer);
  if (!tokenizer.ok())
    return tokenizer.status();
  return openParts([&](runtime::Part part) {
    return TokenDataset::open(values, **tokenizer, encoding.cache, length,
                              part);
  });
}

} // namespace attnres::run
