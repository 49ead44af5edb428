// Which part of a model a parameter belongs to, for reports.
#ifndef ATTNRES_RUNTIME_TRAINING_PARAMETERGROUP_H
#define ATTNRES_RUNTIME_TRAINING_PARAMETERGROUP_H

#include <string>
#include <string_view>

namespace attnres::runtime {

/// "blocks.2.attn" and "blocks.2.ffn" for the sublayers with their norms,
/// "mixer" for everything that mixes over depth, and otherwise the name without
/// its last part: "embedding.weight" is of "embedding".
std::string parameterGroup(std::string_view name);

} // namespace attnres::runtime
#endif
