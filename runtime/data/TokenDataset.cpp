// Encoding into the cache, and windows of it.
#include "runtime/data/TokenDataset.h"

#include "runtime/Hash.h"
#include "runtime/data/Utf8.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <sys/stat.h>

namespace attnres::runtime {
namespace {

constexpr uint64_t magic = 0x31534e454b4f5441; // "ATOKENS1"

/// What ends a cache file.
struct Footer {
  uint64_t count, width, key, magic;
};

int64_t widthFor(int64_t vocabulary) { return vocabulary <= 1 << 16 ? 2 : 4; }

/// Identifies what a cache is made of.
Result<uint64_t> keyOf(const std::vector<std::string> &paths,
                       const Tokenizer &tokenizer) {
  std::string text = concat(tokenizer.fingerprint());
  for (const std::string &path : paths) {
    struct stat info;
    if (::stat(path.c_str(), &info) != 0)
      return ioError(path, ": cannot stat: ", std::strerror(errno));
    text += concat('\n', path.size(), ' ', path, ' ', info.st_size, ' ',
                   info.st_mtim.tv_sec, ' ', info.st_mtim.tv_nsec);
  }
  return fnv1a64(text);
}

/// Writes tokens in pieces.
class TokenWriter {
public:
  TokenWriter(AtomicFileWriter &file, int64_t width)
      : file(file), width(static_cast<size_t>(width)) {}

  Status add(const std::vector<int64_t> &tokens) {
    for (int64_t token : tokens) {
      uint32_t value = static_cast<uint32_t>(token);
      buffer.append(reinterpret_cast<const char *>(&value), width);
    }
    count += tokens.size();
    constexpr size_t enough = 1 << 20;
    return buffer.size() < enough ? Status() : flush();
  }

  Status finish(uint64_t key) {
    size_t bytes = count * width;
    buffer.append((8 - bytes % 8) % 8, '\0');
    Footer footer{count, width, key, magic};
    buffer.append(reinterpret_cast<const char *>(&footer), sizeof footer);
    return flush();
  }

private:
  Status flush() {
    Status status = file.write(buffer);
    buffer.clear();
    return status;
  }

  AtomicFileWriter &file;
  size_t width;
  std::string buffer;
  uint64_t count = 0;
};

/// How much of `text` to encode at once: whole lines where there are any.
size_t chunkLength(std::string_view text) {
  constexpr size_t most = 1 << 16;
  if (text.size() <= most)
    return text.size();
  size_t newline = text.rfind('\n', most - 1);
  return newline == std::string_view::npos ? cutUtf8(text, most) : newline + 1;
}

Status encodeFile(const std::string &path, const Tokenizer &tokenizer,
                  TokenWriter &writer) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  std::string_view text = file->bytes();
  if (text.empty())
    return invalidData(path, ": the file is empty");
  for (size_t begin = 0; begin < text.size();) {
    size_t length = chunkLength(text.substr(begin));
    Result<std::vector<int64_t>> tokens =
        tokenizer.encode(text.substr(begin, length));
    if (!tokens.ok())
      return invalidData(path, ": from byte ", begin + 1, " on, ",
                         tokens.status().message());
    if (Status status = writer.add(*tokens); !status.ok())
      return status;
    begin += length;
  }
  std::optional<int64_t> end = tokenizer.endToken();
  return end ? writer.add({*end}) : Status();
}

Status writeCache(const std::vector<std::string> &paths,
                  const Tokenizer &tokenizer, const std::string &cachePath,
                  uint64_t key) {
  Result<AtomicFileWriter> file = AtomicFileWriter::create(cachePath);
  if (!file.ok())
    return file.status();
  TokenWriter writer(*file, widthFor(tokenizer.vocabularySize()));
  for (const std::string &path : paths)
    if (Status status = encodeFile(path, tokenizer, writer); !status.ok())
      return status;
  if (Status status = writer.finish(key); !status.ok())
    return status;
  return file->commit();
}

} // namespace

/// The cache at `path`; null when it is absent, of another key, or damaged.
Result<std::unique_ptr<TokenDataset>>
TokenDataset::openCache(const std::string &path, uint64_t key,
                        int64_t vocabulary) {
  std::unique_ptr<TokenDataset> none;
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return none;
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  std::string_view bytes = file->bytes();
  Footer footer;
  if (bytes.size() < sizeof footer)
    return none;
  size_t dataBytes = bytes.size() - sizeof footer;
  std::memcpy(&footer, bytes.data() + dataBytes, sizeof footer);
  auto width = static_cast<uint64_t>(widthFor(vocabulary));
  if (footer.magic != magic || footer.key != key || footer.width != width ||
      footer.count > dataBytes ||
      (footer.count * width + 7) / 8 * 8 != dataBytes)
    return none;
  std::unique_ptr<TokenDataset> dataset(
      new TokenDataset(*std::move(file), static_cast<int64_t>(footer.count),
                       static_cast<int64_t>(width), vocabulary));
  return dataset->everyTokenIsKnown() ? std::move(dataset) : std::move(none);
}

Result<std::unique_ptr<TokenDataset>>
TokenDataset::open(const std::vector<std::string> &paths,
                   const Tokenizer &tokenizer, const std::string &cachePath,
                   int64_t length, Part part) {
  Result<uint64_t> key = keyOf(paths, tokenizer);
  if (!key.ok())
    return key.status();
  int64_t vocabulary = tokenizer.vocabularySize();
  Result<std::unique_ptr<TokenDataset>> dataset =
      openCache(cachePath, *key, vocabulary);
  if (dataset.ok() && !*dataset) {
    if (Status status = writeCache(paths, tokenizer, cachePath, *key);
        !status.ok())
      return status;
    dataset = openCache(cachePath, *key, vocabulary);
  }
  if (!dataset.ok())
    return dataset;
  if (!*dataset)
    return ioError(cachePath, ": what was just written does not read back");
  Result<Windows> windows =
      Windows::of((*dataset)->count, "tokens", length, part, joinNames(paths));
  if (!windows.ok())
    return windows.status();
  (*dataset)->windows = *windows;
  return dataset;
}

int64_t TokenDataset::token(int64_t position) const {
  uint32_t value = 0;
  std::memcpy(&value, cache.bytes().data() + position * width,
              static_cast<size_t>(width));
  return value;
}

bool TokenDataset::everyTokenIsKnown() const {
  int64_t largest = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = std::max(largest, token(i));
  return largest < vocabulary;
}

void TokenDataset::sample(int64_t index, int64_t *tokens,
                          int64_t *targets) const {
  int64_t begin = windows.begin(index);
  for (int64_t t = 0; t < windows.length; ++t) {
    tokens[t] = token(begin + t);
    targets[t] = token(begin + t + 1);
  }
}

} // namespace attnres::runtime
