// Windows of token files.
#include "runtime/data/ShardDataset.h"

#include <algorithm>

namespace attnres::runtime {

Result<std::unique_ptr<ShardDataset>>
ShardDataset::open(std::vector<TokenFile> files, int64_t vocabulary,
                   int64_t length, Part part) {
  int64_t tokens = 0;
  std::vector<std::string> names;
  for (const TokenFile &file : files) {
    tokens += file.count();
    names.push_back(file.file().path());
  }
  Result<Windows> windows =
      Windows::of(tokens, "tokens", length, part, joinNames(names));
  if (!windows.ok())
    return windows.status();
  return std::unique_ptr<ShardDataset>(
      new ShardDataset(std::move(files), vocabulary, *windows));
}

Status ShardDataset::sample(int64_t index, int64_t *tokens,
                            int64_t *targets) const {
  // The window's tokens and the one after them, from as many files as it takes.
  int64_t begin = windows.begin(index), live = windows.targets(index);
  std::vector<int64_t> window(static_cast<size_t>(live + 1));
  int64_t start = 0, have = 0;
  for (const TokenFile &file : files) {
    int64_t from = std::max(begin + have - start, int64_t{0});
    int64_t count = std::min(file.count() - from, live + 1 - have);
    if (count > 0) {
      if (Status status = file.read(from, count, window.data() + have);
          !status.ok())
        return status;
      have += count;
    }
    start += file.count();
  }
  fillWindow(live, windows.length, tokens, targets,
             [&](int64_t t) { return window[static_cast<size_t>(t)]; });
  return {};
}

} // namespace attnres::runtime
