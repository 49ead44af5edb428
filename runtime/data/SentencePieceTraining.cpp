// Feeds lines to the trainer of the library.
#include "runtime/data/SentencePieceTraining.h"

#include "runtime/File.h"
#include "runtime/data/Utf8.h"

#include <sentencepiece_trainer.h>

#include <unordered_map>

namespace attnres::runtime {
namespace {

/// The lines of the files that are not empty, long ones in pieces.
class Lines final : public sentencepiece::SentenceIterator {
public:
  explicit Lines(const std::vector<MappedFile> &files) : files(files) {
    Next();
  }

  bool done() const override { return finished; }
  const std::string &value() const override { return line; }
  sentencepiece::util::Status status() const override { return {}; }

  void Next() override {
    constexpr size_t longest = 4096; // the trainer drops lines above 4,192
    while (rest.empty()) {
      if (next == files.size()) {
        finished = true;
        return;
      }
      rest = files[next++].bytes();
    }
    while (!rest.empty() && rest[0] == '\n')
      rest.remove_prefix(1);
    if (rest.empty())
      return Next();
    std::string_view piece = rest.substr(0, rest.find('\n'));
    piece = piece.substr(0, cutUtf8(piece, longest));
    line = piece;
    rest.remove_prefix(piece.size());
  }

private:
  const std::vector<MappedFile> &files;
  size_t next = 0;       ///< file to open after `rest`
  std::string_view rest; ///< of the present file
  std::string line;
  bool finished = false;
};

/// "Vocabulary size too high" of "Internal: src/x.cc(7) [a < b] Vocabulary size
/// too high".
std::string reasonOf(const sentencepiece::util::Status &status) {
  std::string text = status.message();
  if (size_t bracket = text.rfind("] "); bracket != std::string::npos)
    text.erase(0, bracket + 2);
  if (text.empty())
    text = "no reason given";
  std::string quoted = inQuotes(text);
  return quoted.substr(1, quoted.size() - 2);
}

} // namespace

Result<std::string> SentencePieceTraining::run() const {
  if (vocabularySize < smallestVocabulary || vocabularySize > INT32_MAX)
    return invalidArgument("a vocabulary of ", vocabularySize,
                           " tokens, expected at least ", smallestVocabulary);
  std::vector<MappedFile> files;
  for (const std::string &path : inputs) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok())
      return file.status();
    if (file->bytes().empty())
      return invalidData(path, ": the file is empty");
    if (size_t valid = validUtf8Prefix(file->bytes());
        valid != file->bytes().size())
      return invalidData(path, ": byte ", valid + 1, " is not UTF-8");
    files.push_back(*std::move(file));
  }
  Lines lines(files);
  if (lines.done())
    return invalidData(inputs.empty() ? "no files" : inputs.front(),
                       ": no text but empty lines");
  // Sums depend on the number of threads, so that is fixed.
  std::unordered_map<std::string, std::string> options = {
      {"model_type", kind == Kind::Bpe ? "bpe" : "unigram"},
      {"vocab_size", std::to_string(vocabularySize)},
      {"num_threads", "2"},
      {"byte_fallback", "true"},
      {"character_coverage", "0.9995"},
      {"normalization_rule_name", "identity"},
      {"add_dummy_prefix", "false"},
      {"remove_extra_whitespaces", "false"},
      {"unk_id", "0"},
      {"eos_id", "1"},
      {"bos_id", "-1"},
      {"pad_id", "-1"},
      {"minloglevel", "3"}};
  std::string model;
  sentencepiece::util::Status status =
      sentencepiece::SentencePieceTrainer::Train(options, &lines, &model);
  if (!status.ok())
    return invalidData("training the tokenizer: ", reasonOf(status));
  return model;
}

} // namespace attnres::runtime
