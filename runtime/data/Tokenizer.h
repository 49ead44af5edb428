// From text to tokens and back.
#ifndef ATTNRES_RUNTIME_DATA_TOKENIZER_H
#define ATTNRES_RUNTIME_DATA_TOKENIZER_H

#include "support/Status.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

class Tokenizer {
public:
  virtual ~Tokenizer() = default;

  /// Every token is in [0, vocabularySize()).
  virtual int64_t vocabularySize() const = 0;
  /// The token that ends a text, if the vocabulary has one.
  virtual std::optional<int64_t> endToken() const = 0;
  /// The tokens of a text, without an end token. What no token stands for is an
  /// error that gives its position.
  virtual Result<std::vector<int64_t>> encode(std::string_view text) const = 0;
  /// The bytes that the tokens stand for. A text in UTF-8 may be cut inside a
  /// character, and no byte depends on later tokens: decode(a) is the
  /// beginning of decode(a + b), which is how a text is printed as it grows.
  virtual std::string decode(const std::vector<int64_t> &tokens) const = 0;
  /// Equal for tokenizers that encode every text alike: what tokens in a file
  /// are marked with.
  virtual uint64_t fingerprint() const = 0;
  /// How much of a text to encode at once when it is too long for that: at most
  /// `most` bytes of the beginning, and whole lines where there are any. `text`
  /// has at least one byte more, unless it ends there.
  virtual size_t chunkLength(std::string_view text, size_t most) const;

  /// The tokenizer of a model folder whose model knows `vocabularySize` tokens.
  ///
  /// FOLDER/tokenizer.json says which: {"kind": "bytes"} or {"kind":
  /// "multiplication"}, or {"kind": "sentencepiece", "file": NAME} for a model
  /// of SentencePiece in the same folder; or it is one of Hugging Face (see
  /// BpeTokenizer.h). Without that file the size of the vocabulary tells. A
  /// tokenizer with more tokens than the model is an error; one with fewer is
  /// not, vocabularies are often filled up.
  static Result<std::unique_ptr<Tokenizer>> open(const std::string &folder,
                                                 int64_t vocabularySize);

  /// The tokenizer of a folder, as open() finds it, of any size; the folder has
  /// to have a tokenizer.json.
  static Result<std::unique_ptr<Tokenizer>>
  openFolder(const std::string &folder);

  /// The files that openFolder() reads, by name: what makes another folder have
  /// the same tokenizer.
  static Result<std::map<std::string, std::string>>
  readFolder(const std::string &folder);
};

/// Bytes are tokens. There is no end token.
class ByteTokenizer final : public Tokenizer {
public:
  int64_t vocabularySize() const override { return 256; }
  std::optional<int64_t> endToken() const override { return std::nullopt; }
  Result<std::vector<int64_t>> encode(std::string_view text) const override;
  std::string decode(const std::vector<int64_t> &tokens) const override;
  uint64_t fingerprint() const override;
};

/// The alphabet of Multiplication.h.
class MultiplicationTokenizer final : public Tokenizer {
public:
  int64_t vocabularySize() const override;
  std::optional<int64_t> endToken() const override;
  /// Characters alone: special tokens have no spelling.
  Result<std::vector<int64_t>> encode(std::string_view text) const override;
  /// Special tokens read <pad>, <bos>, <eos>, <unk>.
  std::string decode(const std::vector<int64_t> &tokens) const override;
  uint64_t fingerprint() const override;
};

} // namespace attnres::runtime
#endif
