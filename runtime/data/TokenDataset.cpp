// Encoding into the cache, and windows of it.
#include "runtime/data/TokenDataset.h"

#include "support/File.h"
#include "support/Hash.h"

#include <algorithm>
#include <cstring>
#include <vector>

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
uint64_t keyOf(const DataFiles &files, const Tokenizer &tokenizer) {
  // Caches of earlier versions did not say where files end.
  std::string text = concat("ends ", tokenizer.fingerprint());
  for (const auto &file : files)
    text += concat('\n', file->size(), ' ', file->fingerprint().hash);
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

  void endFile() { ends.push_back(count); }

  Status finish(uint64_t key) {
    size_t bytes = count * width;
    buffer.append((8 - bytes % 8) % 8, '\0');
    buffer.append(reinterpret_cast<const char *>(ends.data()),
                  ends.size() * sizeof ends[0]);
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
  std::vector<uint64_t> ends;
};

constexpr int64_t mostEncodedAtOnce = 1 << 16;

Status encodeFile(const DataFile &file, const Tokenizer &tokenizer,
                  TokenWriter &writer) {
  std::string text;
  for (int64_t begin = 0; begin < file.size();) {
    // One byte more than is encoded, to see whether a character goes on.
    int64_t count = std::min(file.size() - begin, mostEncodedAtOnce + 1);
    text.resize(static_cast<size_t>(count));
    if (Status status = file.read(begin, count, text.data()); !status.ok())
      return status;
    size_t length = tokenizer.chunkLength(text, mostEncodedAtOnce);
    Result<std::vector<int64_t>> tokens =
        tokenizer.encode(std::string_view(text).substr(0, length));
    if (!tokens.ok())
      return invalidData(file.path(), ": from byte ", begin + 1, " on, ",
                         tokens.status().message());
    if (Status status = writer.add(*tokens); !status.ok())
      return status;
    begin += static_cast<int64_t>(length);
  }
  std::optional<int64_t> end = tokenizer.endToken();
  return end ? writer.add({*end}) : Status();
}

Status writeCache(const DataFiles &files, const Tokenizer &tokenizer,
                  const std::string &cachePath, uint64_t key) {
  Result<AtomicFileWriter> file = AtomicFileWriter::create(cachePath);
  if (!file.ok())
    return file.status();
  TokenWriter writer(*file, widthFor(tokenizer.vocabularySize()));
  for (const auto &source : files) {
    if (Status status = encodeFile(*source, tokenizer, writer); !status.ok())
      return status;
    writer.endFile();
  }
  if (Status status = writer.finish(key); !status.ok())
    return status;
  return file->commit();
}

} // namespace

bool TokenDataset::isCache(const std::string &path) {
  Result<std::shared_ptr<const DataFile>> file = DataFile::open(path);
  uint64_t last = 0;
  constexpr auto width = static_cast<int64_t>(sizeof last);
  return file.ok() && (*file)->size() >= width &&
         (*file)
             ->read((*file)->size() - width, width,
                    reinterpret_cast<char *>(&last))
             .ok() &&
         last == magic;
}

/// The cache at `path`; null when it is absent, of another key, or damaged.
Result<std::unique_ptr<TokenDataset>>
TokenDataset::openCache(const std::string &path, uint64_t key, size_t files,
                        int64_t vocabulary) {
  std::unique_ptr<TokenDataset> none;
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return none;
  Result<std::shared_ptr<const DataFile>> file = DataFile::open(path);
  if (!file.ok())
    return file.status();
  Footer footer;
  constexpr auto footerBytes = static_cast<int64_t>(sizeof footer);
  int64_t endBytes = static_cast<int64_t>(files * sizeof(uint64_t));
  int64_t dataBytes = (*file)->size() - footerBytes - endBytes;
  if (dataBytes < 0)
    return none;
  if (Status status = (*file)->read(dataBytes + endBytes, footerBytes,
                                    reinterpret_cast<char *>(&footer));
      !status.ok())
    return status;
  auto width = static_cast<uint64_t>(widthFor(vocabulary));
  auto bytes = static_cast<uint64_t>(dataBytes);
  if (footer.magic != magic || footer.key != key || footer.width != width ||
      footer.count > bytes || (footer.count * width + 7) / 8 * 8 != bytes)
    return none;
  std::unique_ptr<TokenDataset> dataset(
      new TokenDataset(*std::move(file), static_cast<int64_t>(footer.count),
                       static_cast<int64_t>(width), vocabulary));
  if (Status status = dataset->readEnds(files, dataBytes); !status.ok())
    return status;
  if (dataset->ends.empty())
    return none;
  Result<bool> known = dataset->everyTokenIsKnown();
  if (!known.ok())
    return known.status();
  return *known ? std::move(dataset) : std::move(none);
}

/// Reads where files end; leaves nothing of what cannot be right.
Status TokenDataset::readEnds(size_t files, int64_t offset) {
  ends.resize(files);
  if (Status status =
          cache->read(offset, static_cast<int64_t>(files * sizeof ends[0]),
                      reinterpret_cast<char *>(ends.data()));
      !status.ok())
    return status;
  if (ends.front() < 0 || !std::is_sorted(ends.begin(), ends.end()) ||
      ends.back() != count)
    ends.clear();
  return {};
}

Result<std::unique_ptr<TokenDataset>>
TokenDataset::open(const DataFiles &files, const Tokenizer &tokenizer,
                   const std::string &cachePath, int64_t length, Part part) {
  uint64_t key = keyOf(files, tokenizer);
  int64_t vocabulary = tokenizer.vocabularySize();
  Result<std::unique_ptr<TokenDataset>> dataset =
      openCache(cachePath, key, files.size(), vocabulary);
  if (dataset.ok() && !*dataset) {
    if (Status status = writeCache(files, tokenizer, cachePath, key);
        !status.ok())
      return status;
    dataset = openCache(cachePath, key, files.size(), vocabulary);
  }
  if (!dataset.ok())
    return dataset;
  if (!*dataset)
    return ioError(cachePath, ": what was just written does not read back");
  for (const auto &file : files)
    (*dataset)->names.push_back(file->path());
  return (*dataset)->select(length, part);
}

Result<std::unique_ptr<TokenDataset>> TokenDataset::select(int64_t length,
                                                           Part part) const {
  return select(0, ends.size(), length, part);
}

Result<std::unique_ptr<TokenDataset>> TokenDataset::select(size_t file,
                                                           size_t number,
                                                           int64_t length,
                                                           Part part) const {
  int64_t first = file == 0 ? 0 : ends[file - 1];
  auto chosen = names.begin() + static_cast<std::ptrdiff_t>(file);
  std::vector<std::string> files(chosen,
                                 chosen + static_cast<std::ptrdiff_t>(number));
  Result<Windows> selected =
      Windows::of(ends[file + number - 1] - first, "tokens", length, part,
                  joinNames(files));
  if (!selected.ok())
    return selected.status();
  std::unique_ptr<TokenDataset> dataset(
      new TokenDataset(cache, count, width, vocabulary));
  dataset->names = names;
  dataset->ends = ends;
  dataset->begin = first;
  dataset->windows = *selected;
  return dataset;
}

Status TokenDataset::read(int64_t begin, int64_t number,
                          int64_t *tokens) const {
  std::string bytes(static_cast<size_t>(number * width), '\0');
  if (Status status = cache->read(begin * width, number * width, bytes.data());
      !status.ok())
    return status;
  for (int64_t i = 0; i < number; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + i * width, static_cast<size_t>(width));
    tokens[i] = value;
  }
  return {};
}

Result<bool> TokenDataset::everyTokenIsKnown() const {
  constexpr int64_t piece = 1 << 16;
  std::vector<int64_t> tokens(static_cast<size_t>(std::min(piece, count)));
  for (int64_t begin = 0; begin < count; begin += piece) {
    int64_t number = std::min(piece, count - begin);
    if (Status status = read(begin, number, tokens.data()); !status.ok())
      return status;
    if (*std::max_element(tokens.begin(), tokens.begin() + number) >=
        vocabulary)
      return false;
  }
  return true;
}

Status TokenDataset::sample(int64_t index, int64_t *tokens,
                            int64_t *targets) const {
  int64_t live = windows.targets(index);
  std::vector<int64_t> window(static_cast<size_t>(live + 1));
  if (Status status =
          read(begin + windows.begin(index), live + 1, window.data());
      !status.ok())
    return status;
  fillWindow(live, windows.length, tokens, targets,
             [&](int64_t t) { return window[static_cast<size_t>(t)]; });
  return {};
}

} // namespace attnres::runtime
