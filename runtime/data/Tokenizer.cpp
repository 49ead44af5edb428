// The tokenizers without files, and the choice of a folder's tokenizer.
#include "runtime/data/Tokenizer.h"

#include "runtime/data/BpeTokenizer.h"
#include "runtime/data/Multiplication.h"
#include "runtime/data/SentencePieceTokenizer.h"
#include "runtime/data/Utf8.h"
#include "support/File.h"
#include "support/Hash.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <filesystem>

namespace attnres::runtime {

size_t Tokenizer::chunkLength(std::string_view text, size_t most) const {
  if (text.size() <= most)
    return text.size();
  size_t newline = text.rfind('\n', most - 1);
  return newline == std::string_view::npos ? cutUtf8(text, most) : newline + 1;
}

Result<std::vector<int64_t>>
ByteTokenizer::encode(std::string_view text) const {
  std::vector<int64_t> tokens;
  tokens.reserve(text.size());
  for (char c : text)
    tokens.push_back(static_cast<unsigned char>(c));
  return tokens;
}

std::string ByteTokenizer::decode(const std::vector<int64_t> &tokens) const {
  std::string text;
  text.reserve(tokens.size());
  for (int64_t token : tokens)
    text += static_cast<char>(token);
  return text;
}

int64_t MultiplicationTokenizer::vocabularySize() const {
  return multiplication::vocabularySize;
}

std::optional<int64_t> MultiplicationTokenizer::endToken() const {
  return multiplication::eos;
}

Result<std::vector<int64_t>>
MultiplicationTokenizer::encode(std::string_view text) const {
  std::vector<int64_t> tokens = multiplication::encode(text);
  auto foreign =
      std::find(tokens.begin(), tokens.end(), multiplication::unknown);
  if (foreign == tokens.end())
    return tokens;
  auto position = static_cast<size_t>(foreign - tokens.begin());
  return invalidArgument("character ", position + 1, " is ",
                         inQuotes(text.substr(position, 1)),
                         ", expected one of ", multiplication::characters);
}

std::string
MultiplicationTokenizer::decode(const std::vector<int64_t> &tokens) const {
  return multiplication::decode(tokens);
}

uint64_t ByteTokenizer::fingerprint() const { return fnv1a64("bytes"); }

uint64_t MultiplicationTokenizer::fingerprint() const {
  return fnv1a64("multiplication");
}

namespace {

/// What FOLDER/tokenizer.json says.
struct Description {
  std::string text; ///< of the file
  nlohmann::json content;
  std::string kind; ///< empty for a file of Hugging Face
  std::string file; ///< of a SentencePiece model; otherwise empty
};

Result<Description> readDescription(const std::string &path) {
  JsonLimits limits;
  limits.maxBytes = 1 << 28;
  limits.maxDepth = 12;
  limits.maxArray = 1 << 24; // merges
  Result<std::string> text = readFile(path, limits.maxBytes);
  if (!text.ok())
    return text.status();
  Result<nlohmann::json> parsed = parseStrictJson(*text, path, limits);
  if (!parsed.ok())
    return parsed.status();
  if (!parsed->is_object())
    return invalidData(path, ": expected an object");
  Description description;
  description.text = *std::move(text);
  if (BpeTokenizer::isOne(*parsed)) {
    description.content = *std::move(parsed);
    return description;
  }
  auto kind = parsed->find("kind"), file = parsed->find("file");
  if (kind == parsed->end() || !kind->is_string())
    return invalidData(path, ": field 'kind': expected a string");
  description.kind = kind->get<std::string>();
  if (description.kind != "bytes" && description.kind != "multiplication" &&
      description.kind != "sentencepiece")
    return invalidData(path,
                       ": field 'kind': expected 'bytes', 'multiplication' or "
                       "'sentencepiece', got ",
                       inQuotes(description.kind));
  bool hasFile = description.kind == "sentencepiece";
  for (const auto &[field, value] : parsed->items())
    if (field != "kind" && !(hasFile && field == "file"))
      return invalidData(path, ": unknown field ", inQuotes(field));
  if (!hasFile)
    return description;
  if (file == parsed->end() || !file->is_string())
    return invalidData(path, ": field 'file': expected a string");
  description.file = file->get<std::string>();
  if (description.file.empty() ||
      description.file.find('/') != std::string::npos)
    return invalidData(path,
                       ": field 'file': expected the name of a file in "
                       "the same folder, got ",
                       inQuotes(description.file));
  return description;
}

constexpr const char *configName = "tokenizer_config.json";

/// What stands beside a file of Hugging Face; null when nothing does.
Result<nlohmann::json> readConfig(const std::string &folder) {
  std::string path = folder + "/" + configName;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return nlohmann::json();
  JsonLimits limits;
  limits.maxBytes = 1 << 24;
  Result<std::string> text = readFile(path, limits.maxBytes);
  if (!text.ok())
    return text.status();
  return parseStrictJson(*text, path, limits);
}

} // namespace

Result<std::unique_ptr<Tokenizer>>
Tokenizer::openFolder(const std::string &folder) {
  Result<Description> description = readDescription(folder + "/tokenizer.json");
  if (!description.ok())
    return description.status();
  if (description->kind.empty()) {
    Result<nlohmann::json> config = readConfig(folder);
    if (!config.ok())
      return config.status();
    return BpeTokenizer::create(description->content, *config,
                                folder + "/tokenizer.json");
  }
  if (description->kind == "bytes")
    return std::unique_ptr<Tokenizer>(std::make_unique<ByteTokenizer>());
  if (description->kind == "multiplication")
    return std::unique_ptr<Tokenizer>(
        std::make_unique<MultiplicationTokenizer>());
  return SentencePieceTokenizer::open(folder + "/" + description->file);
}

Result<std::map<std::string, std::string>>
Tokenizer::readFolder(const std::string &folder) {
  constexpr size_t maxBytes = 1 << 28;
  Result<Description> description = readDescription(folder + "/tokenizer.json");
  if (!description.ok())
    return description.status();
  std::map<std::string, std::string> files;
  files["tokenizer.json"] = description->text;
  std::string other = description->file;
  std::error_code error;
  if (description->kind.empty() &&
      std::filesystem::exists(folder + "/" + configName, error))
    other = configName;
  if (other.empty())
    return files;
  Result<std::string> text = readFile(folder + "/" + other, maxBytes);
  if (!text.ok())
    return text.status();
  files[other] = *std::move(text);
  return files;
}

Result<std::unique_ptr<Tokenizer>> Tokenizer::open(const std::string &folder,
                                                   int64_t vocabularySize) {
  std::string path = folder + "/tokenizer.json";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    if (error)
      return ioError(path, ": ", error.message());
    if (vocabularySize == ByteTokenizer().vocabularySize())
      return std::unique_ptr<Tokenizer>(std::make_unique<ByteTokenizer>());
    if (vocabularySize == multiplication::vocabularySize)
      return std::unique_ptr<Tokenizer>(
          std::make_unique<MultiplicationTokenizer>());
    return invalidData(folder, ": no tokenizer.json, and a vocabulary of ",
                       vocabularySize, " tokens is neither that of bytes (256)",
                       " nor that of multiplications (",
                       multiplication::vocabularySize, ")");
  }
  Result<std::unique_ptr<Tokenizer>> tokenizer = openFolder(folder);
  if (tokenizer.ok() && (*tokenizer)->vocabularySize() > vocabularySize)
    return invalidData(path, ": the tokenizer has ",
                       (*tokenizer)->vocabularySize(), " tokens, the model ",
                       vocabularySize);
  return tokenizer;
}

} // namespace attnres::runtime
