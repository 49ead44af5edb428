// Which part of a model a parameter belongs to.
#include "runtime/training/ParameterGroup.h"

namespace attnres::runtime {

std::string parameterGroup(std::string_view name) {
  if (name.substr(0, 6) == "mixer.")
    return "mixer";
  if (name.substr(0, 7) != "blocks.")
    return std::string(name.substr(0, name.rfind('.')));
  // blocks.2.attn.q_proj.weight, blocks.2.attn_norm.weight
  size_t index = name.find('.', 7);
  if (index == std::string_view::npos)
    return std::string(name);
  std::string_view sublayer = name.substr(index + 1);
  sublayer = sublayer.substr(0, sublayer.find_first_of("._"));
  return std::string(name.substr(0, index + 1)) + std::string(sublayer);
}

} // namespace attnres::runtime
