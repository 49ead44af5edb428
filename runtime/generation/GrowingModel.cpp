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
  int64_t end = 0;
  for (int64_t b = 0; b < model->batch(); ++b)
    if (tokens[b] != noToken)
      end = std::max(end, positions[b] + 1);
  if (Status status = makeRoomFor(end); !status.ok())
    return status;
  return model->readNext(tokens, positions, logits);
}

Status GrowingModel::copyText(int64_t place, const GrowingModel &from) {
  if (Status status = makeRoomFor(from.model->length(0)); !status.ok())
    return status;
  return model->copyText(place, *from.model);
}

} // namespace attnres::runtime
