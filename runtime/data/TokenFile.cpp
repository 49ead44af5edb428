// Headers of token files, and numbers of any width.
#include "runtime/data/TokenFile.h"

#include "runtime/data/DataFormat.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

namespace attnres::runtime {

using std::string_view_literals::operator""sv;

namespace {

/// Numbers of type T, one behind the other.
template <typename T>
void widen(const char *bytes, int64_t number, int64_t *into) {
  for (int64_t i = 0; i < number; ++i) {
    T value;
    std::memcpy(&value, bytes + i * static_cast<int64_t>(sizeof value),
                sizeof value);
    into[i] = static_cast<int64_t>(value);
  }
}

/// What widens numbers of `width` bytes.
auto widenerOf(int64_t width, bool isSigned) {
  switch (width) {
  case 1:
    return isSigned ? widen<int8_t> : widen<uint8_t>;
  case 2:
    return isSigned ? widen<int16_t> : widen<uint16_t>;
  case 4:
    return isSigned ? widen<int32_t> : widen<uint32_t>;
  default:
    return isSigned ? widen<int64_t> : widen<uint64_t>;
  }
}

uint64_t numberAt(std::string_view bytes, size_t offset, size_t width) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, width);
  return value;
}

/// The value of `key` in the header of a .npy, a Python dictionary that NumPy
/// always writes in the same way: up to the comma that ends it.
std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find(concat('\'', key, "': "));
  if (at == std::string_view::npos)
    return {};
  std::string_view value = header.substr(at + key.size() + 4);
  char close = value.substr(0, 1) == "(" ? ')' : ',';
  size_t end = value.find(close);
  return value.substr(0,
                      end == std::string_view::npos ? 0 : end + (close == ')'));
}

Result<std::string> readBeginning(const DataFile &file, int64_t bytes) {
  std::string text(static_cast<size_t>(std::min(bytes, file.size())), '\0');
  Status status = file.read(0, static_cast<int64_t>(text.size()), text.data());
  if (!status.ok())
    return status;
  return text;
}

} // namespace

Result<std::optional<TokenFile>>
TokenFile::readNpy(const std::shared_ptr<const DataFile> &file) {
  // A mark, a version, and the length of the text that follows.
  constexpr int64_t mostHeaderBytes = 1 << 16;
  Result<std::string> head = readBeginning(*file, mostHeaderBytes);
  if (!head.ok())
    return head.status();
  auto malformed = [&](auto &&...reason) {
    return invalidData(file->path(), ": ", reason...);
  };
  int version = head->size() >= 12 ? (*head)[6] : 0;
  if (version < 1 || version > 3)
    return malformed("a NumPy array (.npy) whose header cannot be read");
  size_t lengthBytes = version == 1 ? 2 : 4, begin = 8 + lengthBytes;
  uint64_t length = numberAt(*head, 8, lengthBytes);
  if (length > head->size() - begin)
    return malformed("a NumPy array (.npy) with a header of ", length,
                     " bytes");
  std::string_view header = std::string_view(*head).substr(begin, length);
  std::string_view type = valueOf(header, "descr"),
                   shape = valueOf(header, "shape");
  // '<u2': order, kind and bytes of an element.
  bool isInteger = type.size() == 5 && (type[2] == 'u' || type[2] == 'i') &&
                   "1248"sv.find(type[3]) != std::string_view::npos &&
                   (type[1] == '<' || (type[1] == '|' && type[3] == '1'));
  if (!isInteger)
    return malformed("a NumPy array (.npy) of ", type,
                     ", expected little-endian integers such as '<u2'");
  int64_t count = 0;
  const char *end = shape.data() + shape.size();
  auto [stop, error] =
      std::from_chars(shape.data() + !shape.empty(), end, count);
  if (error != std::errc() ||
      std::string_view(stop, static_cast<size_t>(end - stop)) != ",)")
    return malformed("a NumPy array (.npy) of shape ", shape,
                     ", expected one dimension");
  TokenFile tokens(file, "a NumPy array (.npy)",
                   static_cast<int64_t>(begin + length), type[3] - '0',
                   type[2] == 'i');
  if (count != tokens.tokens ||
      file->size() != tokens.offset + count * tokens.width)
    return malformed("a NumPy array (.npy) of shape ", shape, " and type ",
                     type, " in ", file->size(), " bytes");
  return std::optional(std::move(tokens));
}

Result<std::optional<TokenFile>>
TokenFile::readLlmC(const std::shared_ptr<const DataFile> &file) {
  constexpr int64_t headerBytes = 1024;
  Result<std::string> head = readBeginning(*file, headerBytes);
  if (!head.ok())
    return head.status();
  bool isWide = numberAt(*head, 0, 4) == 20240801;
  uint64_t version = numberAt(*head, 4, 4), count = numberAt(*head, 8, 4);
  TokenFile tokens(file, "a token shard of llm.c", headerBytes, isWide ? 4 : 2,
                   false);
  uint64_t expected = isWide ? 7 : 1;
  if (version != expected)
    return invalidData(file->path(), ": a token shard of llm.c of version ",
                       version, ", expected ", expected);
  if (count != static_cast<uint64_t>(tokens.tokens) ||
      file->size() != headerBytes + tokens.tokens * tokens.width)
    return invalidData(file->path(), ": a token shard of llm.c with ", count,
                       " tokens of ", tokens.width, " bytes in ", file->size(),
                       " bytes");
  return std::optional(std::move(tokens));
}

Result<std::optional<TokenFile>>
TokenFile::readHeader(const std::shared_ptr<const DataFile> &file,
                      bool allowPlain) {
  Result<FileContent> content = contentOf(*file);
  if (!content.ok())
    return content.status();
  switch (*content) {
  case FileContent::Npy:
    return readNpy(file);
  case FileContent::LlmC:
    return readLlmC(file);
  case FileContent::Numbers16:
    if (allowPlain)
      return std::optional(TokenFile(
          file, "numbers of 16 bits, such as a shard of tokens of nanoGPT", 0,
          2, false));
    break;
  default:
    break;
  }
  return std::optional<TokenFile>();
}

Result<std::optional<TokenFile>>
TokenFile::recognize(std::shared_ptr<const DataFile> file, int64_t vocabulary) {
  Result<std::optional<TokenFile>> found = readHeader(file, vocabulary > 0);
  if (!found.ok() || !*found)
    return found;
  if ((*found)->count() == 0)
    return invalidData(file->path(), ": ", (*found)->format(),
                       " without tokens");
  if (Status status = (*found)->check(vocabulary); !status.ok())
    return status;
  return found;
}

Status TokenFile::check(int64_t vocabulary) {
  constexpr int64_t piece = 1 << 16;
  int64_t highest =
      std::min<int64_t>(vocabulary > 0 ? vocabulary - 1 : INT32_MAX, INT32_MAX);
  std::vector<int64_t> values(static_cast<size_t>(std::min(piece, tokens)));
  for (int64_t begin = 0; begin < tokens; begin += piece) {
    int64_t number = std::min(piece, tokens - begin);
    if (Status status = read(begin, number, values.data()); !status.ok())
      return status;
    // All at once; the first that is wrong is only looked for if one is.
    int64_t least = 0, largest = 0;
    for (int64_t i = 0; i < number; ++i) {
      least = std::min(least, values[static_cast<size_t>(i)]);
      largest = std::max(largest, values[static_cast<size_t>(i)]);
    }
    most = std::max(most, largest);
    for (int64_t i = 0; i < number && (least < 0 || largest > highest); ++i) {
      int64_t token = values[static_cast<size_t>(i)];
      if (token < 0 || (vocabulary > 0 && token >= vocabulary))
        return invalidData(file().path(), ": looks like ", format(), ", token ",
                           begin + i + 1, " is ", token, ", expected 0 to ",
                           vocabulary > 0 ? vocabulary - 1 : INT32_MAX);
      if (token > INT32_MAX)
        return invalidData(file().path(), ": looks like ", format(), ", token ",
                           begin + i + 1, " is ", token, ", expected at most ",
                           INT32_MAX);
    }
  }
  return {};
}

Status TokenFile::read(int64_t begin, int64_t number, int64_t *into) const {
  auto bytes = static_cast<size_t>(number * width);
  std::string raw(bytes, '\0');
  if (Status status =
          source->read(offset + begin * width, number * width, raw.data());
      !status.ok())
    return status;
  widenerOf(width, isSigned)(raw.data(), number, into);
  return {};
}

} // namespace attnres::runtime
