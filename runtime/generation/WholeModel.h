// A function from whole texts to logits, as a model that continues texts.
#ifndef ATTNRES_RUNTIME_GENERATION_WHOLEMODEL_H
#define ATTNRES_RUNTIME_GENERATION_WHOLEMODEL_H

#include "runtime/device/BoundProgram.h"
#include "runtime/generation/CachedModel.h"

namespace attnres::runtime {

/// A program with the input tokens, i64 or i32 [B, T], and the output logits,
/// f32 or bf16 [B, T, V], of which row t follows from the tokens up to t: what
/// other programs export, which keep nothing of a text. Each token reads the
/// text from its beginning. Inputs of the role parameter are given, all others
/// zero.
class WholeModel final : public TextModel {
public:
  /// Continues `texts` texts, of at most T tokens. Fails when the program is
  /// for fewer or is another kind of program, or a parameter is missing or has
  /// another shape. The device has to outlive the model.
  static Result<std::unique_ptr<WholeModel>>
  create(Device &device, std::shared_ptr<const Program> program,
         const ParameterSource &parameters, int64_t texts);

  int64_t batch() const override { return texts; }
  int64_t capacity() const override { return length; }
  int64_t vocabularySize() const override { return vocabulary; }

  Status read(const std::vector<std::vector<int64_t>> &prompts,
              float *logits) override;
  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override;

private:
  WholeModel(Device &device, BoundProgram program, int64_t texts)
      : device(device), program(std::move(program)), texts(texts) {}

  Status findTokens();
  Status uploadParameters(const ParameterSource &parameters);
  /// Logits behind token at[b] of each text; none where that is negative.
  Status run(const std::vector<int64_t> &at, float *logits);

  Device &device;
  BoundProgram program;
  int64_t texts, rows = 0, length = 0, vocabulary = 0;
  size_t tokensBinding = 0, logitsBinding = 0;
  std::vector<int64_t> held; ///< tokens [B, T]
};

} // namespace attnres::runtime
#endif
