// When to grow; CachedModel knows how.
#include "runtime/generation/GrowingModel.h"

#include <algorithm>

namespace attnres::runtime {

Status GrowingModel::makeRoomFor(int64_t positions) {
  int64_t capacity = model->capacity();
  if (positions <= capacity || positions > most)
    return {}; // what is too much the model refuses
  while (capacity < positions)
    capacity = capacity > most / 4 ? most : capacity * 4;
  Result<std::shared_ptr<const Program>> program = programs(capacity);
  if (!program.ok())
    return program.status();
  return model->enlarge(*std::move(program));
}

Status GrowingModel::read(const std::vector<std::vector<int64_t>> &prompts,
                          float *logits) {
  size_t longest = 0;
  for (const std::vector<int64_t> &prompt : prompts)
    longest = std::max(longest, prompt.size());
  if (Status status = makeRoomFor(static_cast<int64_t>(longest)); !status.ok())
    return status;
  return model->read(prompts, logits);
}

Status GrowingModel::readNext(const int64_t *tokens, const int64_t *positions,
                              float *logits) {
  int64_t last = *std::max_element(positions, positions + model->batch());
  if (Status status = makeRoomFor(last + 1); !status.ok())
    return status;
  return model->readNext(tokens, positions, logits);
}

} // namespace attnres::runtime
