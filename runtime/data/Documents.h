// Several texts in one row of tokens.
#ifndef ATTNRES_RUNTIME_DATA_DOCUMENTS_H
#define ATTNRES_RUNTIME_DATA_DOCUMENTS_H

#include <cstdint>

namespace attnres::runtime {

/// Writes for each of the tokens [rows, length] where its text begins in its
/// row: at the last token that is `first` up to there, or at 0. What a row
/// begins with is the rest of a text that was cut.
inline void findDocuments(const int64_t *tokens, int64_t rows, int64_t length,
                          int64_t first, int64_t *documents) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t t = 0, begin = 0; t < length; ++t) {
      int64_t i = row * length + t;
      if (tokens[i] == first)
        begin = t;
      documents[i] = begin;
    }
}

} // namespace attnres::runtime
#endif
