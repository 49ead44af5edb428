// CLI11 that takes numbers exactly or not at all. To be included in place of
// <CLI/CLI.hpp>, everywhere: the library turns what is beyond a type into its
// largest value, -1 into the largest unsigned number, a leading zero into
// octal, and 1e999 or "nan" into infinity or no number.
#ifndef ATTNRES_SUPPORT_EXACTNUMBERS_H
#define ATTNRES_SUPPORT_EXACTNUMBERS_H

#ifdef CLI11_VERSION
#error "include support/ExactNumbers.h in place of CLI/CLI.hpp"
#endif
#include <CLI/TypeTools.hpp>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace attnres {

/// Whether all of `text` is one finite decimal number that `Number` holds:
/// exactly if it is an integer, else rounded, but not to zero or infinity.
template <typename Number>
bool parseExactly(const std::string &text, Number &value) {
  const char *begin = text.data(), *end = begin + text.size();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    ++begin;
  auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end)
    return false;
  if constexpr (std::is_floating_point_v<Number>)
    return std::isfinite(value);
  return true;
}

} // namespace attnres

// The functions by which CLI11 reads every number, of options and of the
// bounds in checks.
#define ATTNRES_EXACT_NUMBER(TYPE)                                             \
  template <>                                                                  \
  inline bool lexical_cast<TYPE>(const std::string &input, TYPE &output) {     \
    return attnres::parseExactly(input, output);                                        \
  }
namespace CLI::detail {
ATTNRES_EXACT_NUMBER(int)
ATTNRES_EXACT_NUMBER(unsigned)
ATTNRES_EXACT_NUMBER(long)
ATTNRES_EXACT_NUMBER(unsigned long)
ATTNRES_EXACT_NUMBER(long long)
ATTNRES_EXACT_NUMBER(unsigned long long)
ATTNRES_EXACT_NUMBER(float)
ATTNRES_EXACT_NUMBER(double)
} // namespace CLI::detail
#undef ATTNRES_EXACT_NUMBER

// After the specializations, which it uses itself.
#include <CLI/CLI.hpp>

#endif
