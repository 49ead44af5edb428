// The tokenizer of a model that reads and writes text.
#ifndef ATTNRES_TOOLS_RUN_MODELTOKENIZER_H
#define ATTNRES_TOOLS_RUN_MODELTOKENIZER_H

#include "runtime/data/Tokenizer.h"
#include "tools/run/ModelFiles.h"

#include <memory>
#include <string>

namespace attnres::run {

/// That of the model's run, or for a model without a record of one, what its
/// folder says, or with a `given` folder what that says. Throws CommandError
/// when there is none, and when it has more tokens than the model.
std::unique_ptr<runtime::Tokenizer>
openModelTokenizer(const ModelFiles &model, const std::string &given);

} // namespace attnres::run

#endif
