// Reading tokenizer.json, and merging.
#include "runtime/data/BpeTokenizer.h"

#include "runtime/data/Utf8.h"
#include "support/Hash.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <queue>

namespace attnres::runtime {

using nlohmann::json;

namespace {

/// What `tokenizers` cuts by when ByteLevel has no pattern of its own.
constexpr const char *gpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

uint64_t pairKey(int32_t left, int32_t right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 |
         static_cast<uint32_t>(right);
}

/// The code point that stands for each byte in a vocabulary: printable bytes of
/// Latin-1 for themselves, the others in order from 256 on.
std::array<int, 256> byteCharacters() {
  std::array<int, 256> characters{};
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    bool isPrintable = (byte >= '!' && byte <= '~') ||
                       (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    characters[static_cast<size_t>(byte)] = isPrintable ? byte : next++;
  }
  return characters;
}

/// The bytes that a name in a vocabulary stands for; nothing when it has other
/// characters.
std::optional<std::string> bytesOf(std::string_view name) {
  static const std::vector<int> byteOf = [] {
    std::vector<int> bytes(512, -1);
    std::array<int, 256> characters = byteCharacters();
    for (int byte = 0; byte < 256; ++byte)
      bytes[static_cast<size_t>(characters[static_cast<size_t>(byte)])] = byte;
    return bytes;
  }();
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    auto code = static_cast<unsigned>(static_cast<unsigned char>(name[i]));
    if (code >= 0x80) { // two bytes of UTF-8, or none of the characters
      if (code < 0xc2 || code > 0xc5 || i + 1 == name.size())
        return std::nullopt;
      code = (code & 31) << 6 | (static_cast<unsigned char>(name[++i]) & 63);
    }
    if (code >= byteOf.size() || byteOf[code] < 0)
      return std::nullopt;
    text += static_cast<char>(byteOf[code]);
  }
  return text;
}

/// A regular expression that matches `text` and nothing else.
std::string literally(std::string_view text) {
  std::string pattern;
  for (char c : text)
    pattern +=
        std::string_view("\\^$.|?*+()[]{}-").find(c) == std::string_view::npos
            ? std::string(1, c)
            : concat('\\', c);
  return pattern;
}

} // namespace

/// Takes tokenizer.json apart. Every part that is not known is an error.
class BpeTokenizer::Reader {
public:
  Reader(const json &file, const json &config, const std::string &where)
      : file(file), config(config), where(where) {}

  Result<std::unique_ptr<Tokenizer>> read() {
    for (const Status &status :
         {readNormalizer(), readPatterns(), readDecoder()})
      if (!status.ok())
        return status;
    Result<TextSplitter> splitter = TextSplitter::create(patterns);
    if (!splitter.ok())
      return invalidData(where, ": ", splitter.status().message());
    std::unique_ptr<BpeTokenizer> made(new BpeTokenizer(*std::move(splitter)));
    made->normalizes = normalizes;
    result = made.get();
    for (auto readPart : {&Reader::readVocabulary, &Reader::readMerges,
                          &Reader::readAdded, &Reader::readEnd})
      if (Status status = (this->*readPart)(); !status.ok())
        return status;
    result->hash = fnv1a64(
        concat(file.dump(), made->end ? concat(*made->end) : std::string()));
    return std::unique_ptr<Tokenizer>(std::move(made));
  }

private:
  template <typename... Parts>
  Status refuse(const Parts &...parts) const {
    return unsupported(where, ": ", parts...);
  }

  static std::string typeOf(const json &part) {
    return part.is_object() && part.contains("type") && part["type"].is_string()
               ? part["type"].get<std::string>()
               : "";
  }
  /// The field, or null.
  static const json &field(const json &part, const char *name) {
    static const json none;
    auto found = part.find(name);
    return found == part.end() ? none : *found;
  }
  static bool isTrue(const json &value) {
    return value.is_boolean() && value.get<bool>();
  }

  Status readNormalizer() {
    const json &normalizer = field(file, "normalizer");
    normalizes = typeOf(normalizer) == "NFC";
    if (normalizer.is_null() || normalizes)
      return {};
    return refuse("normalizer ", inQuotes(typeOf(normalizer)),
                  ", expected none or 'NFC'");
  }

  Status readPatterns() {
    const json &first = field(file, "pre_tokenizer");
    if (typeOf(first) != "Sequence")
      return readPattern(first, true);
    const json &list = field(first, "pretokenizers");
    for (size_t i = 0; i < list.size(); ++i)
      if (Status status = readPattern(list[i], i + 1 == list.size());
          !status.ok())
        return status;
    return {};
  }

  Status readPattern(const json &part, bool isLast) {
    std::string type = typeOf(part);
    if ((type == "ByteLevel") != isLast)
      return refuse("pre_tokenizer ", inQuotes(type),
                    ", expected 'ByteLevel', after any 'Split' and 'Digits'",
                    type == "Metaspace"
                        ? "; text goes by the tokenizer.model of SentencePiece "
                          "that the model was made with"
                        : "");
    if (type == "ByteLevel") {
      if (isTrue(field(part, "add_prefix_space")))
        return refuse("pre_tokenizer 'ByteLevel' with add_prefix_space");
      const json &useRegex = field(part, "use_regex");
      if (useRegex.is_null() || isTrue(useRegex))
        patterns.emplace_back(gpt2Pattern);
      return {};
    }
    if (type == "Digits") {
      patterns.emplace_back(
          isTrue(field(part, "individual_digits")) ? "\\p{N}" : "\\p{N}+");
      return {};
    }
    if (type != "Split")
      return refuse("pre_tokenizer ", inQuotes(type),
                    ", expected 'Split', 'Digits' or 'ByteLevel'");
    const json &pattern = field(part, "pattern");
    if (field(part, "behavior") != json("Isolated") ||
        isTrue(field(part, "invert")) || !pattern.is_object() ||
        pattern.size() != 1 || !pattern.begin()->is_string())
      return refuse("pre_tokenizer 'Split' whose behavior is ",
                    field(part, "behavior").dump(),
                    ", expected 'Isolated', not inverted, with a pattern");
    auto text = pattern.begin()->get<std::string>();
    patterns.push_back(pattern.begin().key() == "Regex" ? text
                                                        : literally(text));
    return {};
  }

  Status readDecoder() {
    std::string type = typeOf(field(file, "decoder"));
    if (type == "ByteLevel")
      return {};
    return refuse("decoder ", inQuotes(type), ", expected 'ByteLevel'");
  }

  Status readVocabulary() {
    const json &model = field(file, "model");
    // Old files do not name the type.
    if (std::string type = typeOf(model); !type.empty() && type != "BPE")
      return refuse("model ", inQuotes(type), ", expected 'BPE'");
    for (const char *name : {"continuing_subword_prefix", "end_of_word_suffix"})
      if (const json &value = field(model, name);
          !value.is_null() && value != json(""))
        return refuse("model with ", name, " ", value.dump());
    if (const json &dropout = field(model, "dropout");
        dropout.is_number() && dropout != json(0.0))
      return refuse("model with dropout");
    if (isTrue(field(model, "byte_fallback")))
      return refuse("model with byte_fallback");
    result->ignoresMerges = isTrue(field(model, "ignore_merges"));
    const json &vocabulary = field(model, "vocab");
    if (!vocabulary.is_object() || vocabulary.empty())
      return invalidData(where, ": model: field 'vocab': expected an object");
    result->byteTokens.assign(256, -1);
    for (const auto &[name, number] : vocabulary.items()) {
      std::optional<int32_t> token = readToken(number);
      if (!token)
        return invalidData(where, ": token ", inQuotes(name),
                           ": expected a number below ", mostTokens, ", got ",
                           number.dump());
      // Special tokens are among the others in some files.
      std::optional<std::string> bytes = bytesOf(name);
      if (!bytes)
        continue;
      if (Status status = setText(*token, *bytes); !status.ok())
        return status;
      result->tokenOf[*bytes] = *token;
      if (bytes->size() == 1)
        result->byteTokens[static_cast<unsigned char>((*bytes)[0])] = *token;
    }
    return {};
  }

  Status readMerges() {
    const json &merges = field(field(file, "model"), "merges");
    if (!merges.is_array())
      return invalidData(where, ": model: field 'merges': expected an array");
    int32_t rank = 0;
    for (const json &merge : merges) {
      std::optional<std::pair<std::string, std::string>> names = pairOf(merge);
      auto find = [&](const std::optional<std::string> &bytes) {
        auto found =
            bytes ? result->tokenOf.find(*bytes) : result->tokenOf.end();
        return found == result->tokenOf.end() ? -1 : found->second;
      };
      std::optional<std::string> left, right;
      if (names) {
        left = bytesOf(names->first);
        right = bytesOf(names->second);
      }
      int32_t a = find(left), b = find(right);
      int32_t both = a < 0 || b < 0 ? -1 : find(*left + *right);
      if (both < 0)
        return invalidData(where, ": merge ", rank + 1, ": ", merge.dump(),
                           " is no pair of tokens that make a token");
      // Of a pair that is there twice, the library keeps the last.
      result->merges[pairKey(a, b)] = {rank++, both};
    }
    return {};
  }

  static std::optional<std::pair<std::string, std::string>>
  pairOf(const json &merge) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
        merge[1].is_string())
      return std::pair(merge[0].get<std::string>(),
                       merge[1].get<std::string>());
    if (!merge.is_string())
      return std::nullopt;
    auto text = merge.get<std::string>();
    size_t space = text.find(' ');
    if (space == std::string::npos)
      return std::nullopt;
    return std::pair(text.substr(0, space), text.substr(space + 1));
  }

  Status readAdded() {
    result->beginsAdded.assign(256, false);
    for (const json &token : field(file, "added_tokens")) {
      if (!token.is_object() || !field(token, "content").is_string() ||
          token["content"].get_ref<const std::string &>().empty())
        return invalidData(where,
                           ": added token without content: ", token.dump());
      auto text = token["content"].get<std::string>();
      std::optional<int32_t> number = readToken(field(token, "id"));
      if (!number)
        return invalidData(where, ": added token ", inQuotes(text),
                           ": expected an id below ", mostTokens);
      for (const char *flag : {"single_word", "lstrip", "rstrip"})
        if (isTrue(field(token, flag)))
          return refuse("added token ", inQuotes(text), " with ", flag);
      auto &texts = result->texts;
      if (static_cast<size_t>(*number) < texts.size())
        texts[static_cast<size_t>(*number)].clear(); // its name counts
      if (Status status = setText(*number, text); !status.ok())
        return status;
      result->beginsAdded[static_cast<unsigned char>(text[0])] = true;
      result->added.push_back({std::move(text), *number});
    }
    std::stable_sort(result->added.begin(), result->added.end(),
                     [](const Added &a, const Added &b) {
                       return a.text.size() > b.text.size();
                     });
    return {};
  }

  /// The token that tokenizer_config.json calls eos_token, or one with a name
  /// that is in use for it.
  Status readEnd() {
    const json &named =
        config.is_object() ? field(config, "eos_token") : config;
    const json &content = named.is_object() ? field(named, "content") : named;
    std::vector<std::string> names;
    if (content.is_string())
      names = {content.get<std::string>()};
    else
      names = {"<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>"};
    for (const std::string &name : names)
      for (const Added &token : result->added)
        if (token.text == name) {
          result->end = token.token;
          return {};
        }
    if (content.is_string())
      return invalidData(where, ": no added token ", inQuotes(names.front()),
                         ", which tokenizer_config.json calls eos_token");
    return {};
  }

  static constexpr int64_t mostTokens = 1 << 24;

  static std::optional<int32_t> readToken(const json &value) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() >= mostTokens)
      return std::nullopt;
    return value.get<int32_t>();
  }

  Status setText(int32_t token, const std::string &text) {
    auto index = static_cast<size_t>(token);
    if (index >= result->texts.size())
      result->texts.resize(index + 1);
    std::string &known = result->texts[index];
    if (!known.empty() && known != text)
      return invalidData(where, ": token ", token, " is both ", inQuotes(known),
                         " and ", inQuotes(text));
    known = text;
    return {};
  }

  const json &file, &config;
  const std::string &where;
  bool normalizes = false;
  std::vector<std::string> patterns;
  BpeTokenizer *result = nullptr;
};

bool BpeTokenizer::isOne(const json &file) {
  return file.is_object() && !file.contains("kind") && file.contains("model") &&
         file["model"].is_object();
}

Result<std::unique_ptr<Tokenizer>>
BpeTokenizer::create(const json &file, const json &config,
                     const std::string &where) {
  return Reader(file, config, where).read();
}

/// The longest added token that `text` begins with, or null.
const BpeTokenizer::Added *BpeTokenizer::addedAt(std::string_view text) const {
  if (!beginsAdded[static_cast<unsigned char>(text[0])])
    return nullptr;
  for (const Added &token : added)
    if (text.substr(0, token.text.size()) == token.text)
      return &token;
  return nullptr;
}

Result<std::vector<int64_t>> BpeTokenizer::encode(std::string_view text) const {
  if (size_t valid = validUtf8Prefix(text); valid < text.size())
    return invalidData("byte ", valid + 1, " is not UTF-8");
  std::vector<int64_t> tokens;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const Added *token = addedAt(text.substr(at));
    if (!token) {
      ++at;
      continue;
    }
    if (Status status = appendText(text.substr(begin, at - begin), tokens);
        !status.ok())
      return status;
    tokens.push_back(token->token);
    begin = at += token->text.size();
  }
  if (Status status = appendText(text.substr(begin), tokens); !status.ok())
    return status;
  return tokens;
}

/// The tokens of text without added tokens.
Status BpeTokenizer::appendText(std::string_view text,
                                std::vector<int64_t> &tokens) const {
  std::string composed;
  if (normalizes) {
    Result<std::string> normalized = TextSplitter::composed(text);
    if (!normalized.ok())
      return normalized.status();
    composed = *std::move(normalized);
    text = composed;
  }
  Result<std::vector<std::string_view>> pieces = splitter.split(text);
  if (!pieces.ok())
    return pieces.status();
  for (std::string_view piece : *pieces)
    if (Status status = appendPiece(piece, tokens); !status.ok())
      return status;
  return {};
}

Status BpeTokenizer::appendPiece(std::string_view piece,
                                 std::vector<int64_t> &tokens) const {
  if (ignoresMerges)
    if (auto found = tokenOf.find(std::string(piece)); found != tokenOf.end()) {
      tokens.push_back(found->second);
      return {};
    }
  // Tokens so far as a list; a merged one leaves its right part with no token.
  struct Symbol {
    int32_t token, before, after;
  };
  std::vector<Symbol> symbols;
  for (char c : piece) {
    int32_t token = byteTokens[static_cast<unsigned char>(c)];
    if (token < 0)
      return invalidData("no token stands for the byte ",
                         static_cast<int>(static_cast<unsigned char>(c)));
    auto index = static_cast<int32_t>(symbols.size());
    symbols.push_back({token, index - 1, index + 1});
  }
  symbols.back().after = -1;
  // Pairs that may be merged: the one learned first, and of its places the
  // first, comes first.
  struct Candidate {
    int32_t rank, place, token;
    bool operator<(const Candidate &other) const {
      return rank != other.rank ? rank > other.rank : place > other.place;
    }
  };
  std::priority_queue<Candidate> queue;
  auto consider = [&](int32_t place) {
    if (place < 0 || symbols[static_cast<size_t>(place)].after < 0)
      return;
    const Symbol &left = symbols[static_cast<size_t>(place)];
    auto found = merges.find(
        pairKey(left.token, symbols[static_cast<size_t>(left.after)].token));
    if (found != merges.end())
      queue.push({found->second.rank, place, found->second.token});
  };
  for (size_t i = 0; i + 1 < symbols.size(); ++i)
    consider(static_cast<int32_t>(i));
  while (!queue.empty()) {
    Candidate next = queue.top();
    queue.pop();
    Symbol &left = symbols[static_cast<size_t>(next.place)];
    if (left.token < 0 || left.after < 0)
      continue;
    Symbol &right = symbols[static_cast<size_t>(left.after)];
    // Another merge may have taken one of the two.
    auto found = merges.find(pairKey(left.token, right.token));
    if (found == merges.end() || found->second.rank != next.rank)
      continue;
    left.token = next.token;
    right.token = -1;
    left.after = right.after;
    if (left.after >= 0)
      symbols[static_cast<size_t>(left.after)].before = next.place;
    consider(left.before);
    consider(next.place);
  }
  for (int32_t at = 0; at >= 0; at = symbols[static_cast<size_t>(at)].after)
    tokens.push_back(symbols[static_cast<size_t>(at)].token);
  return {};
}

std::string BpeTokenizer::decode(const std::vector<int64_t> &tokens) const {
  std::string text;
  for (int64_t token : tokens)
    text += texts[static_cast<size_t>(token)];
  return text;
}

size_t BpeTokenizer::chunkLength(std::string_view text, size_t most) const {
  if (text.size() <= most)
    return text.size();
  auto isGraphic = [&](size_t i) { return text[i] > ' ' && text[i] < 0x7f; };
  for (size_t i = most - 1; i > 0; --i)
    if (text[i] == '\n' && isGraphic(i - 1) && isGraphic(i + 1))
      return i + 1;
  return Tokenizer::chunkLength(text, most);
}

} // namespace attnres::runtime
