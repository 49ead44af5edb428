// Marks at the beginning of files, and counts of bytes.
#include "runtime/data/DataFormat.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace attnres::runtime {
namespace {

using std::string_view_literals::operator""sv;

struct Mark {
  size_t offset;
  std::string_view bytes;
  const char *description;
};

constexpr const char *numpyArray = "a NumPy array (.npy)";
constexpr const char *llmcShard = "a token shard of llm.c";
constexpr const char *numbers16 =
    "numbers of 16 bits, such as a shard of tokens of nanoGPT, or "
    "another binary format";
constexpr const char *unpackFirst = "; unpack it first";
constexpr const char *convertFirst = "; convert it to UTF-8 first";

// UTF-32 begins like UTF-16 and comes first.
constexpr Mark marks[] = {
    {0, "\x93NUMPY"sv, numpyArray},
    {0, "\xff\xfe\0\0"sv, "text in UTF-32"},
    {0, "\0\0\xfe\xff"sv, "text in UTF-32"},
    {0, "\xff\xfe"sv, "text in UTF-16"},
    {0, "\xfe\xff"sv, "text in UTF-16"},
    {0, "\x1f\x8b"sv, "compressed by gzip"},
    {0, "PK\3\4"sv, "a zip archive (also .npz, .pt, .docx)"},
    {0, "PK\5\6"sv, "an empty zip archive"},
    {0, "\x28\xb5\x2f\xfd"sv, "compressed by zstd"},
    {0, "\xfd\x37zXZ\0"sv, "compressed by xz"},
    {0, "BZh"sv, "compressed by bzip2"},
    {0, "\x04\x22\x4d\x18"sv, "compressed by lz4"},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    {257, "ustar"sv, "a tar archive"},
    {0, "PAR1"sv, "a Parquet table"},
    {0, "ARROW1"sv, "an Arrow table"},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {0, "SQLite format 3\0"sv, "an SQLite database"},
    {0, "%PDF-"sv, "a PDF document"},
    {0, "\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    {0, "\xff\xd8\xff"sv, "a JPEG image"},
    {0,
     "\x7f"
     "ELF"sv,
     "an ELF program"},
    {0, "GGUF"sv, "a GGUF model"},
};

/// What the marks are of that say how to go on.
std::string_view hintFor(std::string_view description) {
  if (description.find("compressed") != std::string_view::npos ||
      description.find("archive") != std::string_view::npos)
    return unpackFirst;
  return description.find("UTF-") != std::string_view::npos ? convertFirst : "";
}

uint64_t numberInHead(std::string_view bytes, size_t offset, size_t width) {
  uint64_t value = 0;
  if (offset + width <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, width);
  return value;
}

std::string formatByMark(std::string_view head, int64_t size) {
  for (const Mark &mark : marks)
    if (head.size() > mark.offset &&
        head.substr(mark.offset, mark.bytes.size()) == mark.bytes) {
      // "BZh" may begin a text; a digit and the first block's mark do not.
      if (mark.bytes == "BZh" && head.substr(4, 6) != "1AY&SY")
        continue;
      return concat(mark.description, hintFor(mark.description));
    }
  // 256 numbers of 32 bits before the tokens of a shard.
  uint64_t shard = numberInHead(head, 0, 4);
  if ((shard == 20240520 || shard == 20240801) && size >= 1024)
    return llmcShard;
  // Eight bytes of length, then JSON.
  uint64_t header = numberInHead(head, 0, 8);
  if (header >= 2 && header < static_cast<uint64_t>(size) &&
      head.substr(8, 1) == "{")
    return "a safetensors file";
  if (head.substr(0, 1) == "\x80" && head.size() > 2 && head[1] >= 2 &&
      head[1] <= 5 && size > 2)
    return "a Python pickle";
  return "";
}

/// Bytes by the remainder of their position by four.
struct Counts {
  std::array<int64_t, 4> all{}, zero{};
  int64_t control = 0;

  void add(std::string_view bytes, int64_t offset) {
    for (char c : bytes) {
      auto byte = static_cast<unsigned char>(c);
      auto place = static_cast<size_t>(offset++ % 4);
      ++all[place];
      zero[place] += byte == 0;
      bool inText = byte == '\t' || byte == '\n' || byte == '\v' ||
                    byte == '\f' || byte == '\r' || byte == '\b' ||
                    byte == 0x1b || byte >= 0x20;
      control += !inText || byte == 0x7f;
    }
  }

  int64_t total() const { return all[0] + all[1] + all[2] + all[3]; }
  double zeros(size_t place) const {
    return static_cast<double>(zero[place]) /
           static_cast<double>(std::max<int64_t>(all[place], 1));
  }
};

std::string formatByCounts(const Counts &counts, int64_t size) {
  // A text of some length may hold a stray byte.
  if (counts.control * 100 <= counts.total())
    return "";
  double most = 0.9, few = 0.5;
  bool evenZero = counts.zeros(0) > most && counts.zeros(2) > most;
  bool oddZero = counts.zeros(1) > most && counts.zeros(3) > most;
  // Of UTF-16 in ASCII all that is not zero is printable.
  int64_t zeros =
      counts.zero[0] + counts.zero[1] + counts.zero[2] + counts.zero[3];
  bool printable = (counts.control - zeros) * 100 <= counts.total();
  if (evenZero != oddZero && printable)
    return concat("text in UTF-16", convertFirst);
  if (size % 4 == 0 && counts.zeros(3) > most && counts.zeros(2) > few &&
      counts.zeros(0) < few)
    return "numbers of 32 bits, such as a shard of tokens";
  if (size % 2 == 0)
    return numbers16;
  return "a binary format";
}

} // namespace

Result<std::string> foreignFormat(const DataFile &file) {
  constexpr int64_t piece = 1 << 16;
  std::string bytes;
  auto read = [&](int64_t offset, int64_t count) {
    bytes.resize(static_cast<size_t>(count));
    return file.read(offset, count, bytes.data());
  };
  int64_t size = file.size();
  if (Status status = read(0, std::min(piece, size)); !status.ok())
    return status;
  if (std::string format = formatByMark(bytes, size); !format.empty())
    return format;
  Counts counts;
  counts.add(bytes, 0);
  if (size > piece)
    for (int64_t offset :
         {std::max(piece, size / 2), std::max(piece, size - piece)}) {
      if (Status status = read(offset, std::min(piece, size - offset));
          !status.ok())
        return status;
      counts.add(bytes, offset);
    }
  return formatByCounts(counts, size);
}

Result<FileContent> contentOf(const DataFile &file) {
  Result<std::string> format = foreignFormat(file);
  if (!format.ok())
    return format.status();
  return *format == numpyArray  ? FileContent::Npy
         : *format == llmcShard ? FileContent::LlmC
         : *format == numbers16 ? FileContent::Numbers16
                                : FileContent::Other;
}

Status expectText(const DataFiles &files, const std::string &option) {
  for (const auto &file : files) {
    Result<std::string> format = foreignFormat(*file);
    if (!format.ok())
      return format.status();
    if (!format->empty())
      return invalidData(
          file->path(), ": not text, but looks like ", *format,
          option.empty()
              ? ""
              : concat(" (", option, " takes its bytes as they are)"));
  }
  return {};
}

} // namespace attnres::runtime
