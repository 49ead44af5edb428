// Worked multiplications among other data: of the others' length, and in text
// as text.
#ifndef ATTNRES_RUNTIME_DATA_WRITTENMULTIPLICATION_H
#define ATTNRES_RUNTIME_DATA_WRITTENMULTIPLICATION_H

#include "runtime/data/Multiplication.h"
#include "runtime/data/Tokenizer.h"

#include <memory>

namespace attnres::runtime {

/// Samples of `length` tokens. What a multiplication leaves of them is zeros
/// without targets, as targets inside the prompt are ignored.
class WrittenMultiplication final : public Dataset {
public:
  /// Without a tokenizer in the alphabet of multiplications, whose end token
  /// comes last. With one, which has to outlive this object, as the text of
  /// prompt and solution, each encoded on its own, and then its end token or
  /// the end of a line if it has none. Fails when a sample is longer, which in
  /// text is known of the first one alone.
  static Result<std::unique_ptr<Dataset>>
  create(std::unique_ptr<multiplication::Samples> samples,
         const Tokenizer *tokenizer, int64_t length);

  int64_t vocabularySize() const override;
  int64_t size() const override { return samples->size(); }
  int64_t length() const override { return width; }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;

private:
  WrittenMultiplication(std::unique_ptr<multiplication::Samples> samples,
                        const Tokenizer *tokenizer, int64_t length)
      : samples(std::move(samples)), tokenizer(tokenizer), width(length) {}

  std::unique_ptr<multiplication::Samples> samples;
  const Tokenizer *tokenizer;
  int64_t width;
};

} // namespace attnres::runtime
#endif
