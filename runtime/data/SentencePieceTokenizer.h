// Tokens of a SentencePiece model.
#ifndef ATTNRES_RUNTIME_DATA_SENTENCEPIECETOKENIZER_H
#define ATTNRES_RUNTIME_DATA_SENTENCEPIECETOKENIZER_H

#include "runtime/data/Tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace attnres::runtime {

/// Text is UTF-8; anything else is an error with the position of the byte.
///
/// With a model of SentencePieceTraining.h decoding gives back every text byte
/// by byte: characters that are no piece become tokens of their bytes, and so
/// does U+2581, which pieces use for the space. Models from elsewhere may
/// normalize the text; unknown characters decode to U+FFFD, and special tokens
/// to nothing.
class SentencePieceTokenizer final : public Tokenizer {
public:
  static Result<std::unique_ptr<Tokenizer>> open(const std::string &path);
  ~SentencePieceTokenizer() override;

  int64_t vocabularySize() const override;
  std::optional<int64_t> endToken() const override;
  Result<std::vector<int64_t>> encode(std::string_view text) const override;
  std::string decode(const std::vector<int64_t> &tokens) const override;
  uint64_t fingerprint() const override { return hash; }

private:
  explicit SentencePieceTokenizer(
      std::unique_ptr<sentencepiece::SentencePieceProcessor> processor,
      uint64_t hash);

  Status appendTokens(std::string_view text,
                      std::vector<int64_t> &tokens) const;

  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor;
  uint64_t hash;
  std::vector<std::string> texts;  ///< of every token
  std::vector<int64_t> byteTokens; ///< of every byte; empty without them
  bool addsSpace = false;          ///< the model puts a space before every text
};

} // namespace attnres::runtime
#endif
