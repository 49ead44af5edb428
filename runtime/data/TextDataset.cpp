// Windows of a mapped file.
#include "runtime/data/TextDataset.h"

#include <cmath>

namespace attnres::runtime {

Result<std::unique_ptr<TextDataset>>
TextDataset::open(const std::string &path, int64_t length, Part part) {
  if (length < 1)
    return invalidArgument(path, ": windows of ", length, " bytes");
  if (!(0 <= part.begin && part.begin <= part.end && part.end <= 1))
    return invalidArgument(path, ": part from ", part.begin, " to ", part.end,
                           " of the file");
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  auto bytes = static_cast<int64_t>(file->bytes().size());
  // The last byte is only ever a target.
  int64_t windows = bytes > 0 ? (bytes - 1) / length : 0;
  auto windowAt = [&](double fraction) {
    return static_cast<int64_t>(
        std::floor(fraction * static_cast<double>(windows)));
  };
  int64_t begin = windowAt(part.begin), end = windowAt(part.end);
  if (begin == end)
    return invalidData(path, ": ", bytes, " bytes, no window of ", length,
                       " and a target in the part from ", part.begin, " to ",
                       part.end);
  return std::unique_ptr<TextDataset>(
      new TextDataset(*std::move(file), length, begin, end - begin));
}

void TextDataset::sample(int64_t index, int64_t *tokens,
                         int64_t *targets) const {
  const char *window =
      file.bytes().data() + (firstWindow + index) * windowLength;
  for (int64_t t = 0; t < windowLength; ++t) {
    tokens[t] = static_cast<unsigned char>(window[t]);
    targets[t] = static_cast<unsigned char>(window[t + 1]);
  }
}

} // namespace attnres::runtime
