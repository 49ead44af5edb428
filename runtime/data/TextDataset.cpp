// Windows of mapped files.
#include "runtime/data/TextDataset.h"

#include <algorithm>

namespace attnres::runtime {

Result<std::unique_ptr<TextDataset>>
TextDataset::open(const std::vector<std::string> &paths, int64_t length,
                  Part part) {
  std::vector<File> files;
  int64_t bytes = 0;
  for (const std::string &path : paths) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok())
      return file.status();
    if (file->bytes().empty())
      return invalidData(path, ": the file is empty");
    bytes += static_cast<int64_t>(file->bytes().size());
    files.push_back({*std::move(file), bytes});
  }
  Result<Windows> windows =
      Windows::of(bytes, "bytes", length, part, joinNames(paths));
  if (!windows.ok())
    return windows.status();
  return std::unique_ptr<TextDataset>(
      new TextDataset(std::move(files), *windows));
}

void TextDataset::sample(int64_t index, int64_t *tokens,
                         int64_t *targets) const {
  int64_t position = windows.begin(index), end = position + windows.length;
  auto file = std::upper_bound(
      files.begin(), files.end(), position,
      [](int64_t at, const File &candidate) { return at < candidate.end; });
  // Every byte is a token, except the last, and the target of the one before.
  for (int64_t at = position; at <= end; ++file) {
    std::string_view content = file->mapping.bytes();
    int64_t start = file->end - static_cast<int64_t>(content.size());
    for (; at <= end && at < file->end; ++at) {
      int64_t byte = static_cast<unsigned char>(content[at - start]);
      if (at < end)
        tokens[at - position] = byte;
      if (at > position)
        targets[at - position - 1] = byte;
    }
  }
}

} // namespace attnres::runtime
