// Texts that grow token by token, as strings, up to where they end.
#ifndef ATTNRES_TOOLS_RUN_TEXTSTREAM_H
#define ATTNRES_TOOLS_RUN_TEXTSTREAM_H

#include "runtime/data/Tokenizer.h"
#include "runtime/generation/Generate.h"

#include <string>
#include <vector>

namespace attnres::run {

/// What continuations of prompts read, cut before the first stop text in each;
/// and who prints them one after the other while they grow side by side: the
/// first one that has not ended as it grows, what the others got once it is
/// their turn. Bytes that may begin a stop text are held back until they do
/// not.
class TextStream {
public:
  /// `tokenizer` outlives the stream; `stops` are not empty.
  TextStream(const runtime::Tokenizer &tokenizer,
             const std::vector<std::vector<int64_t>> &prompts,
             std::vector<std::string> stops, bool prints);

  /// These refer to the stream.
  runtime::GenerationObserver observer();
  /// GenerationOptions::ends.
  std::function<bool(int64_t row, int64_t token)> ends();

  const std::string &text(size_t row) const { return rows[row].text; }

private:
  struct Row {
    int64_t last; ///< token
    std::string text;
    size_t shown = 0; ///< bytes
    bool hasStopped = false, isCut = false;
  };

  void grow(Row &row, int64_t token);
  void print();
  /// Bytes of the text that no stop text can begin in.
  size_t certain(const Row &row) const;

  const runtime::Tokenizer &tokenizer;
  std::vector<std::string> stops;
  bool prints;
  std::vector<Row> rows;
  size_t current = 0;
};

} // namespace attnres::run

#endif
