// Byte-level vocabularies of merged pairs, as Hugging Face's tokenizer.json has
// them: those of GPT-2, Llama 3, Qwen and others.
#ifndef ATTNRES_RUNTIME_DATA_BPETOKENIZER_H
#define ATTNRES_RUNTIME_DATA_BPETOKENIZER_H

#include "runtime/data/TextSplitter.h"
#include "runtime/data/Tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <unordered_map>
#include <vector>

namespace attnres::runtime {

/// A text is cut at the added tokens that it spells, then by regular
/// expressions; in each piece, bytes that the vocabulary has as a pair become
/// one token, the pair that was learned first before the others, and of its
/// places the first. The tokens are those of the library `tokenizers` without
/// what it adds around a text (add_special_tokens=False).
///
/// Text is UTF-8; decoding gives back its bytes, unless the tokenizer
/// normalizes (NFC), and the names of added tokens.
class BpeTokenizer final : public Tokenizer {
public:
  /// Whether a JSON object looks like the tokenizer.json of that library.
  static bool isOne(const nlohmann::json &file);

  /// `file` is the content of tokenizer.json, and `config` that of
  /// tokenizer_config.json, which names the end token; null without one. What
  /// the library has and this class has not is an error that names it; messages
  /// begin with `where`.
  static Result<std::unique_ptr<Tokenizer>> create(const nlohmann::json &file,
                                                   const nlohmann::json &config,
                                                   const std::string &where);

  int64_t vocabularySize() const override {
    return static_cast<int64_t>(texts.size());
  }
  std::optional<int64_t> endToken() const override { return end; }
  Result<std::vector<int64_t>> encode(std::string_view text) const override;
  std::string decode(const std::vector<int64_t> &tokens) const override;
  uint64_t fingerprint() const override { return hash; }
  /// After a line break between two characters that are no white space, where
  /// there is one: no pattern in use joins what comes before and after it.
  size_t chunkLength(std::string_view text, size_t most) const override;

private:
  class Reader;

  struct Merge {
    int32_t rank, token;
  };
  struct Added {
    std::string text;
    int32_t token;
  };

  explicit BpeTokenizer(TextSplitter splitter)
      : splitter(std::move(splitter)) {}

  const Added *addedAt(std::string_view text) const;
  Status appendText(std::string_view text, std::vector<int64_t> &tokens) const;
  Status appendPiece(std::string_view piece,
                     std::vector<int64_t> &tokens) const;

  TextSplitter splitter;
  bool normalizes = false;
  bool ignoresMerges = false;     ///< pieces that are tokens need no merges
  std::vector<std::string> texts; ///< the bytes of every token
  std::unordered_map<std::string, int32_t> tokenOf; ///< by bytes, not added
  std::vector<int32_t> byteTokens;            ///< of every byte; -1 for none
  std::unordered_map<uint64_t, Merge> merges; ///< by both tokens
  std::vector<Added> added;                   ///< the longest first
  std::vector<bool> beginsAdded;              ///< by first byte
  std::optional<int64_t> end;
  uint64_t hash = 0;
};

} // namespace attnres::runtime
#endif
