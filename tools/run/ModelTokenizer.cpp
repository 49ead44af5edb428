// The tokenizer of a model that reads and writes text.
#include "tools/run/ModelTokenizer.h"

#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"

namespace attnres::run {

std::unique_ptr<runtime::Tokenizer>
openModelTokenizer(const ModelFiles &model, const std::string &given) {
  auto record = unwrap(RunRecord::ofCheckpoint(model.directory));
  FoundTokenizer found =
      unwrap(tokenizerOf(model.directory, given, record ? &*record : nullptr));
  if (!found.tokenizer)
    return unwrap(
        runtime::Tokenizer::open(model.directory, model.config.vocabSize));
  if (found.tokenizer->vocabularySize() > model.config.vocabSize)
    throw CommandError(concat(given.empty() ? model.directory : given,
                              "/tokenizer.json: the tokenizer has ",
                              found.tokenizer->vocabularySize(),
                              " tokens, the model ", model.config.vocabSize));
  return std::move(found.tokenizer);
}

} // namespace attnres::run
