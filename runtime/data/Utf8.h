// Well-formed UTF-8, as Unicode defines it: no overlong forms, no surrogates,
// nothing above U+10FFFF.
#ifndef ATTNRES_RUNTIME_DATA_UTF8_H
#define ATTNRES_RUNTIME_DATA_UTF8_H

#include <cstddef>
#include <string_view>

namespace attnres::runtime {

/// How many bytes at the start of `text` are whole characters. All of them, if
/// the text is well formed.
size_t validUtf8Prefix(std::string_view text);

/// The length of the longest beginning of a well-formed text that has at most
/// `limit` bytes (at least 4) and does not end inside a character.
size_t cutUtf8(std::string_view text, size_t limit);

} // namespace attnres::runtime
#endif
