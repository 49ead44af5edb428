// Encoding by the library; decoding by a table.
#include "runtime/data/SentencePieceTokenizer.h"

#include "runtime/data/Utf8.h"
#include "support/File.h"
#include "support/Hash.h"

#include <sentencepiece_processor.h>

namespace attnres::runtime {
namespace {

/// U+2581, the space in pieces.
constexpr std::string_view spaceMark = "\xe2\x96\x81";

/// `text` with every space mark as a space.
std::string withSpaces(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    size_t mark = text.find(spaceMark);
    result += text.substr(0, mark);
    if (mark == std::string_view::npos)
      break;
    result += ' ';
    text.remove_prefix(mark + spaceMark.size());
  }
  return result;
}

/// The byte that "<0x0A>" stands for.
char byteOfPiece(const std::string &piece) {
  return static_cast<char>(std::stoi(piece.substr(3, 2), nullptr, 16));
}

} // namespace

Result<std::unique_ptr<Tokenizer>>
SentencePieceTokenizer::open(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
  if (file->bytes().empty() ||
      !processor->LoadFromSerializedProto(file->bytes()).ok() ||
      processor->GetPieceSize() < 1)
    return invalidData(path, ": not a SentencePiece model");
  return std::unique_ptr<Tokenizer>(
      new SentencePieceTokenizer(std::move(processor), fnv1a64(file->bytes())));
}

SentencePieceTokenizer::SentencePieceTokenizer(
    std::unique_ptr<sentencepiece::SentencePieceProcessor> given, uint64_t hash)
    : processor(std::move(given)), hash(hash) {
  constexpr size_t numBytes = 256;
  size_t found = 0;
  byteTokens.resize(numBytes);
  for (int id = 0; id < processor->GetPieceSize(); ++id) {
    const std::string &piece = processor->IdToPiece(id);
    if (processor->IsByte(id)) {
      texts.emplace_back(1, byteOfPiece(piece));
      byteTokens[static_cast<unsigned char>(texts.back()[0])] = id;
      ++found;
    } else if (processor->IsUnknown(id)) {
      texts.emplace_back("\xef\xbf\xbd"); // U+FFFD
    } else if (processor->IsControl(id) || processor->IsUnused(id)) {
      texts.emplace_back();
    } else {
      texts.push_back(withSpaces(piece));
    }
  }
  if (found != numBytes)
    byteTokens.clear();
  std::vector<int> ids = processor->EncodeAsIds("a");
  addsSpace = !ids.empty() && !texts[ids[0]].empty() && texts[ids[0]][0] == ' ';
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

int64_t SentencePieceTokenizer::vocabularySize() const {
  return static_cast<int64_t>(texts.size());
}

std::optional<int64_t> SentencePieceTokenizer::endToken() const {
  int id = processor->eos_id();
  return id < 0 ? std::nullopt : std::optional<int64_t>(id);
}

Result<std::vector<int64_t>>
SentencePieceTokenizer::encode(std::string_view text) const {
  if (size_t valid = validUtf8Prefix(text); valid != text.size())
    return invalidArgument("byte ", valid + 1, " is not UTF-8");
  std::vector<int64_t> tokens;
  while (!text.empty()) {
    size_t mark =
        byteTokens.empty() ? std::string_view::npos : text.find(spaceMark);
    if (Status status = appendTokens(text.substr(0, mark), tokens);
        !status.ok())
      return status;
    if (mark == std::string_view::npos)
      break;
    for (char byte : spaceMark)
      tokens.push_back(byteTokens[static_cast<unsigned char>(byte)]);
    text.remove_prefix(mark + spaceMark.size());
  }
  return tokens;
}

Status
SentencePieceTokenizer::appendTokens(std::string_view text,
                                     std::vector<int64_t> &tokens) const {
  std::vector<int> ids;
  sentencepiece::util::Status status = processor->Encode(text, &ids);
  if (!status.ok())
    return invalidArgument("SentencePiece: ", status.message());
  tokens.insert(tokens.end(), ids.begin(), ids.end());
  return {};
}

std::string
SentencePieceTokenizer::decode(const std::vector<int64_t> &tokens) const {
  std::string text;
  for (int64_t token : tokens)
    text += texts[static_cast<size_t>(token)];
  if (addsSpace && !text.empty() && text[0] == ' ')
    text.erase(0, 1);
  return text;
}

} // namespace attnres::runtime
