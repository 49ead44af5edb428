// Windows of files.
#include "runtime/data/TextDataset.h"

#include <algorithm>

namespace attnres::runtime {

Result<std::unique_ptr<TextDataset>>
TextDataset::open(const DataFiles &files, int64_t length, Part part) {
  int64_t bytes = 0;
  for (const auto &file : files)
    bytes += file->size();
  Result<Windows> windows =
      Windows::of(bytes, "bytes", length, part, joinNames(files));
  if (!windows.ok())
    return windows.status();
  return std::unique_ptr<TextDataset>(new TextDataset(files, *windows));
}

Status TextDataset::sample(int64_t index, int64_t *tokens,
                           int64_t *targets) const {
  // The window's bytes and the one after them, from as many files as it takes.
  int64_t begin = windows.begin(index), live = windows.targets(index);
  std::string bytes(static_cast<size_t>(live + 1), '\0');
  int64_t start = 0, have = 0;
  for (const auto &file : files) {
    int64_t from = std::max(begin + have - start, int64_t{0});
    int64_t count = std::min(file->size() - from, live + 1 - have);
    if (count > 0) {
      if (Status status = file->read(from, count, bytes.data() + have);
          !status.ok())
        return status;
      have += count;
    }
    start += file->size();
  }
  fillWindow(live, windows.length, tokens, targets, [&](int64_t t) {
    return static_cast<unsigned char>(bytes[static_cast<size_t>(t)]);
  });
  return {};
}

} // namespace attnres::runtime
