// Table 3-7 of the Unicode standard.
#include "runtime/data/Utf8.h"

namespace attnres::runtime {

/// Bytes of the character at the start of `text`; 0 when it is malformed.
static size_t characterLength(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80)
    return 1;
  size_t length = first < 0xc2   ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length == 0 || text.size() < length)
    return 0;
  // The second byte excludes overlong forms, surrogates and what is too large.
  unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high)
    return 0;
  for (size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  return length;
}

size_t validUtf8Prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t length = characterLength(text.substr(at));
    if (length == 0)
      break;
    at += length;
  }
  return at;
}

size_t cutUtf8(std::string_view text, size_t limit) {
  if (text.size() <= limit)
    return text.size();
  // A character has at most three bytes after its first.
  for (int i = 0; i < 3 && (text[limit] & 0xc0) == 0x80; ++i)
    --limit;
  return limit;
}

} // namespace attnres::runtime
