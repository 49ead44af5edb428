// JSON from untrusted files: nlohmann-json with the checks that it lacks.
#ifndef ATTNRES_SUPPORT_STRICTJSON_H
#define ATTNRES_SUPPORT_STRICTJSON_H

#include "support/Status.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attnres {

struct JsonLimits {
  size_t maxBytes = 1 << 20;
  int maxDepth = 8;          ///< of nested objects and arrays
  size_t maxArray = 1 << 16; ///< elements of one array
  bool oneLine = false;      ///< the text is one line: errors name the column
};

/// Parses one JSON document. Besides syntax errors, duplicate keys, numbers
/// that are not finite in double, invalid UTF-8 and documents over the limits
/// are errors. The message is "WHERE: REASON", or for a syntax error
/// "WHERE: line L, column C: REASON", or "WHERE: column C: REASON".
Result<nlohmann::json> parseStrictJson(std::string_view text,
                                       const std::string &where,
                                       const JsonLimits &limits = {});

} // namespace attnres
#endif
