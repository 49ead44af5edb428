// The tokenizers without files, and the choice of a folder's tokenizer.
#include "runtime/data/Tokenizer.h"

#include "runtime/File.h"
#include "runtime/Hash.h"
#include "runtime/StrictJson.h"
#include "runtime/data/Multiplication.h"
#include "runtime/data/SentencePieceTokenizer.h"

#include <algorithm>
#include <filesystem>

namespace attnres::runtime {

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

Result<std::unique_ptr<Tokenizer>>
Tokenizer::openFolder(const std::string &folder) {
  constexpr size_t maxBytes = 1 << 16;
  std::string path = folder + "/tokenizer.json";
  Result<std::string> text = readFile(path, maxBytes);
  if (!text.ok())
    return text.status();
  Result<nlohmann::json> parsed = parseStrictJson(*text, path);
  if (!parsed.ok())
    return parsed.status();
  if (!parsed->is_object())
    return invalidData(path, ": expected an object");
  auto kind = parsed->find("kind"), file = parsed->find("file");
  if (kind == parsed->end() || !kind->is_string())
    return invalidData(path, ": field 'kind': expected a string");
  auto name = kind->get<std::string>();
  bool hasFile = name == "sentencepiece";
  for (const auto &[field, value] : parsed->items())
    if (field != "kind" && !(hasFile && field == "file"))
      return invalidData(path, ": unknown field ", inQuotes(field));
  if (name == "bytes")
    return std::unique_ptr<Tokenizer>(std::make_unique<ByteTokenizer>());
  if (name == "multiplication")
    return std::unique_ptr<Tokenizer>(
        std::make_unique<MultiplicationTokenizer>());
  if (!hasFile)
    return invalidData(path,
                       ": field 'kind': expected 'bytes', "
                       "'multiplication' or 'sentencepiece', got ",
                       inQuotes(name));
  if (file == parsed->end() || !file->is_string())
    return invalidData(path, ": field 'file': expected a string");
  auto fileName = file->get<std::string>();
  if (fileName.empty() || fileName.find('/') != std::string::npos)
    return invalidData(path,
                       ": field 'file': expected the name of a file in "
                       "the same folder, got ",
                       inQuotes(fileName));
  return SentencePieceTokenizer::open(folder + "/" + fileName);
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
  if (tokenizer.ok() && (*tokenizer)->vocabularySize() != vocabularySize)
    return invalidData(path, ": the tokenizer has ",
                       (*tokenizer)->vocabularySize(), " tokens, the model ",
                       vocabularySize);
  return tokenizer;
}

} // namespace attnres::runtime
