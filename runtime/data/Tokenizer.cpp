// The tokenizers without files, and the choice of a folder's tokenizer.
#include "runtime/data/Tokenizer.h"

#include "runtime/File.h"
#include "runtime/StrictJson.h"
#include "runtime/data/Multiplication.h"

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

/// The tokenizer that FOLDER/tokenizer.json asks for, `path`.
static Result<std::unique_ptr<Tokenizer>> fromFile(const std::string &path) {
  constexpr size_t maxBytes = 1 << 16;
  Result<std::string> text = readFile(path, maxBytes);
  if (!text.ok())
    return text.status();
  Result<nlohmann::json> parsed = parseStrictJson(*text, path);
  if (!parsed.ok())
    return parsed.status();
  if (!parsed->is_object())
    return invalidData(path, ": expected an object");
  auto kind = parsed->find("kind");
  if (kind == parsed->end() || !kind->is_string())
    return invalidData(path, ": field 'kind': expected a string");
  for (const auto &[name, value] : parsed->items())
    if (name != "kind")
      return invalidData(path, ": unknown field ", inQuotes(name));
  auto name = kind->get<std::string>();
  if (name == "bytes")
    return std::unique_ptr<Tokenizer>(std::make_unique<ByteTokenizer>());
  if (name == "multiplication")
    return std::unique_ptr<Tokenizer>(
        std::make_unique<MultiplicationTokenizer>());
  return invalidData(path,
                     ": field 'kind': expected 'bytes' or "
                     "'multiplication', got ",
                     inQuotes(name));
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
  Result<std::unique_ptr<Tokenizer>> tokenizer = fromFile(path);
  if (tokenizer.ok() && (*tokenizer)->vocabularySize() != vocabularySize)
    return invalidData(path, ": the tokenizer has ",
                       (*tokenizer)->vocabularySize(), " tokens, the model ",
                       vocabularySize);
  return tokenizer;
}

} // namespace attnres::runtime
