// Learning a vocabulary from text.
#ifndef ATTNRES_RUNTIME_DATA_SENTENCEPIECETRAINING_H
#define ATTNRES_RUNTIME_DATA_SENTENCEPIECETRAINING_H

#include "support/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::runtime {

struct SentencePieceTraining {
  enum class Kind { Bpe, Unigram };

  std::vector<std::string> inputs; ///< files of UTF-8 text
  /// <unk>, </s> (the end token), 256 bytes, and at least one piece.
  int64_t vocabularySize = 0;
  Kind kind = Kind::Bpe;

  static constexpr int64_t smallestVocabulary = 2 + 256 + 1;
  /// The library does not end for sizes that nearly fill its integers.
  static constexpr int64_t largestVocabulary = 1 << 24;

  /// The learned model, as SentencePieceTokenizer::open reads it from a file.
  /// The same texts give the same bytes. The text is not normalized. All of it
  /// is in memory while this runs. Fails when the texts have too few different
  /// pieces for the vocabulary, or too many different characters: the message
  /// is of kind InvalidArgument then and gives the bound, where there is one.
  Result<std::string> run() const;
};

} // namespace attnres::runtime
#endif
