// A model that continues texts of any length in memory for those so far.
#ifndef ATTNRES_RUNTIME_GENERATION_GROWINGMODEL_H
#define ATTNRES_RUNTIME_GENERATION_GROWINGMODEL_H

#include "runtime/generation/CachedModel.h"

namespace attnres::runtime {

/// A CachedModel whose caches are made larger, to four times as many positions,
/// when a text has filled them. Programs are for caches of one size, so each
/// size has one of its own.
class GrowingModel final : public TextModel {
public:
  /// The decode program for caches of `capacity` positions.
  using ProgramSource =
      std::function<Result<std::shared_ptr<const Program>>(int64_t capacity)>;

  /// `capacity` is the most that `model` may grow to.
  GrowingModel(std::unique_ptr<CachedModel> model, int64_t capacity,
               ProgramSource programs)
      : model(std::move(model)), most(capacity), programs(std::move(programs)) {
  }

  int64_t batch() const override { return model->batch(); }
  int64_t capacity() const override { return most; }
  int64_t vocabularySize() const override { return model->vocabularySize(); }
  /// Positions that there is memory for.
  int64_t currentCapacity() const { return model->capacity(); }

  Status read(const std::vector<std::vector<int64_t>> &prompts,
              float *logits) override;
  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override;

  /// Makes text `place` what text 0 of `from` is, see CachedModel.
  Status copyText(int64_t place, const GrowingModel &from);
  const CachedModel &current() const { return *model; }

private:
  Status makeRoomFor(int64_t positions);

  std::unique_ptr<CachedModel> model;
  int64_t most;
  ProgramSource programs;
};

} // namespace attnres::runtime
#endif
