// Names of stacks: many tensors of one kind, such as the matrices of experts,
// that are one tensor [E, ...] in memory. One part of the name is a `*`; files
// hold them apart, each under the name with its number in place of the `*`.
#ifndef ATTNRES_SUPPORT_STACKNAME_H
#define ATTNRES_SUPPORT_STACKNAME_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attnres {

/// A `*` that is a part of a name.
inline constexpr std::string_view kStackPart = ".*.";

/// Whether a tensor of this name and rank is a stack.
inline bool isStack(std::string_view name, size_t rank) {
  size_t part = name.find(kStackPart);
  return rank >= 2 && part != std::string_view::npos &&
         name.find(kStackPart, part + 1) == std::string_view::npos;
}

/// "experts.3.weight" for number 3 of the stack "experts.*.weight".
inline std::string sliceName(std::string_view stack, int64_t number) {
  size_t star = stack.find(kStackPart) + 1;
  return std::string(stack.substr(0, star)) + std::to_string(number) +
         std::string(stack.substr(star + 1));
}

} // namespace attnres
#endif
