// How the parameters of a compiled program begin, so that it can be trained
// where no compiler knows its model. JSON in the program's metadata:
//
//   {"seed": 0, "parameters": {"embed.weight": {"normal": 0.02},
//    "norm.weight": {"constant": 1}, "A_log": {"values": [0.5, ...]}}}
//
// "normal" is drawn by seed, name and position; a stack begins as separate
// parameters of the names of its slices would.
#ifndef ATTNRES_RUNTIME_TRAINING_INITIALRULES_H
#define ATTNRES_RUNTIME_TRAINING_INITIALRULES_H

#include "runtime/Safetensors.h"
#include "support/Status.h"

#include <string>
#include <vector>

namespace attnres::runtime {

/// The key of the metadata.
inline constexpr char kInitialMetadata[] = "initial";

/// Writes what each tensor, f32, begins with. Fails for text that is no such
/// rules, and for a tensor without one.
Status initializeByRules(const std::string &rules,
                         const std::vector<TensorView> &tensors);

} // namespace attnres::runtime
#endif
