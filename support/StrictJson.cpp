// Builds the document from parser events, checking limits as it goes, so that
// a hostile text never grows memory beyond a small multiple of its size.
#include "support/StrictJson.h"

#include "support/File.h"

#include <algorithm>
#include <vector>

using nlohmann::json;

namespace attnres {
namespace {

class Builder final : public json::json_sax_t {
public:
  explicit Builder(const JsonLimits &limits) : limits(limits) {}

  json root;
  std::string error;
  size_t errorPosition = std::string::npos;

  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(int64_t value) override { return add(value) != nullptr; }
  bool number_unsigned(uint64_t value) override {
    return add(value) != nullptr;
  }
  bool number_float(double value, const std::string &) override {
    return add(value) != nullptr;
  }
  bool string(std::string &value) override {
    return add(std::move(value)) != nullptr;
  }
  bool binary(json::binary_t &) override { return fail("binary value"); }

  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string &value) override {
    if (stack.back()->contains(value))
      return fail(concat("duplicate key ", inQuotes(value)));
    pendingKey = std::move(value);
    return true;
  }

  bool parse_error(size_t position, const std::string &,
                   const json::exception &exception) override {
    // "[json.exception.NAME] parse error at PLACE: REASON", or without a place.
    std::string_view what = exception.what();
    what.remove_prefix(what.find(' ') + 1);
    if (what.substr(0, 11) == "parse error")
      what.remove_prefix(what.find(": ") + 2);
    std::string reason = inQuotes(what);
    errorPosition = position;
    return fail(reason.substr(1, reason.size() - 2));
  }

private:
  bool fail(std::string reason) {
    error = std::move(reason);
    return false;
  }

  json *add(json value) {
    if (stack.empty()) {
      root = std::move(value);
      return &root;
    }
    json &parent = *stack.back();
    if (parent.is_object())
      return &(parent[pendingKey] = std::move(value));
    if (parent.size() >= limits.maxArray) {
      fail(concat("array of more than ", limits.maxArray, " elements"));
      return nullptr;
    }
    parent.push_back(std::move(value));
    return &parent.back();
  }

  bool open(json container) {
    if (stack.size() >= static_cast<size_t>(limits.maxDepth))
      return fail(concat("nesting deeper than ", limits.maxDepth, " levels"));
    json *added = add(std::move(container));
    if (added)
      stack.push_back(added);
    return added != nullptr;
  }

  bool close() {
    stack.pop_back();
    return true;
  }

  const JsonLimits &limits;
  std::vector<json *> stack; // open containers; only the last one grows
  std::string pendingKey;
};

} // namespace

Result<json> parseStrictJson(std::string_view text, const std::string &where,
                             const JsonLimits &limits) {
  if (text.size() > limits.maxBytes)
    return invalidData(where, ": ", text.size(), " bytes of JSON, limit is ",
                       limits.maxBytes);
  if (isUtf16(text))
    return invalidData(where, ": text in UTF-16, expected UTF-8");
  // The parser takes a NUL for the end of the text and ignores what follows.
  if (text.find('\0') != std::string_view::npos)
    return invalidData(where, ": NUL byte in JSON");
  Builder builder(limits);
  if (json::sax_parse(text.begin(), text.end(), &builder))
    return std::move(builder.root);
  // Only syntax errors carry a position.
  if (builder.errorPosition == std::string::npos)
    return invalidData(where, ": ", builder.error);
  std::string_view before =
      text.substr(0, std::min(builder.errorPosition, text.size()));
  size_t line = 1 + std::count(before.begin(), before.end(), '\n');
  size_t lineStart = before.rfind('\n');
  size_t column =
      before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1);
  std::string place = limits.oneLine ? "" : concat("line ", line, ", ");
  return invalidData(where, ": ", place, "column ", column, ": ",
                     builder.error);
}

} // namespace attnres
