// What a configuration's parameters begin with, as text that programs carry.
#ifndef ATTNRES_MODELS_INITIALRULES_H
#define ATTNRES_MODELS_INITIALRULES_H

#include "models/Parameters.h"

#include <string>

namespace attnres {

/// The rules of runtime/training/InitialRules.h: what they write is what
/// initializeParameter() writes, bit for bit.
std::string initialRules(const ModelConfig &config, uint64_t seed,
                         const InitialScales &scales = {});

} // namespace attnres

#endif
