// Looking for stop texts at the end of what is there.
#include "tools/run/TextStream.h"

#include "support/Streams.h"

#include <algorithm>
#include <iostream>

namespace attnres::run {

using runtime::StopReason;

TextStream::TextStream(const runtime::Tokenizer &tokenizer,
                       const std::vector<std::vector<int64_t>> &prompts,
                       std::vector<std::string> stops, bool prints)
    : tokenizer(tokenizer), stops(std::move(stops)), prints(prints) {
  for (const std::vector<int64_t> &prompt : prompts)
    rows.push_back({prompt.back(), "", 0, false, false});
}

runtime::GenerationObserver TextStream::observer() {
  return {[this](int64_t row, int64_t token) {
            grow(rows[static_cast<size_t>(row)], token);
            print();
          },
          [this](int64_t row, StopReason) {
            rows[static_cast<size_t>(row)].hasStopped = true;
            print();
          }};
}

std::function<bool(int64_t, int64_t)> TextStream::ends() {
  if (stops.empty())
    return {};
  return [this](int64_t row, int64_t) {
    return rows[static_cast<size_t>(row)].isCut;
  };
}

void TextStream::grow(Row &row, int64_t token) {
  // What a token stands for may depend on the one before.
  std::string before = tokenizer.decode({row.last});
  size_t old = row.text.size();
  row.text += tokenizer.decode({row.last, token}).substr(before.size());
  row.last = token;
  size_t cut = std::string::npos;
  for (const std::string &stop : stops)
    cut = std::min(cut, row.text.find(stop, old - std::min(old, stop.size())));
  if (cut == std::string::npos)
    return;
  row.text.resize(cut);
  row.isCut = true;
}

size_t TextStream::certain(const Row &row) const {
  size_t size = row.text.size();
  if (row.hasStopped || row.isCut)
    return size;
  size_t held = 0;
  for (const std::string &stop : stops)
    for (size_t length = std::min(stop.size() - 1, size); length > held;
         --length)
      if (row.text.compare(size - length, length, stop, 0, length) == 0) {
        held = length;
        break;
      }
  return size - held;
}

void TextStream::print() {
  if (!prints)
    return;
  for (; current < rows.size(); ++current) {
    Row &row = rows[current];
    size_t end = std::max(certain(row), row.shown);
    std::cout << std::string_view(row.text).substr(row.shown, end - row.shown);
    row.shown = end;
    if (!row.hasStopped)
      break;
    std::cout << '\n';
  }
  flushStandardOutput();
}

} // namespace attnres::run
