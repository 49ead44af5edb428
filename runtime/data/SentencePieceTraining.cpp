// Feeds lines to the trainer of the library, in a process of its own: on texts
// with hardly any pieces it ends the process that it runs in.
#include "runtime/data/SentencePieceTraining.h"

#include "runtime/data/Utf8.h"
#include "support/File.h"

#include <sentencepiece_trainer.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <unordered_map>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// The number that follows `words` in `text`, or 0.
int64_t numberAfter(const std::string &text, std::string_view words) {
  size_t at = text.find(words);
  return at == std::string::npos
             ? 0
             : std::strtoll(text.c_str() + at + words.size(), nullptr, 10);
}

/// What went wrong, in terms of what one can choose here. The library speaks of
/// its own options.
Status describeFailure(const std::string &reason, int64_t size) {
  if (reason.find("smaller than required_chars") != std::string::npos)
    return invalidArgument(
        "a vocabulary of ", size, " tokens is too small: bytes and the ",
        "characters of the text need at least ", numberAfter(reason, " vs "));
  if (int64_t most = numberAfter(reason, "value <= "); most > 0)
    return invalidArgument("a vocabulary of ", size,
                           " tokens is too large: ", "the text gives at most ",
                           most);
  return invalidArgument("the text has too few different pieces for a "
                         "vocabulary of ",
                         size,
                         " tokens of this kind; give more text, a "
                         "smaller vocabulary, or the kind bpe");
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// What `compute` returns, computed in a child process; nothing if it ended in
/// another way.
template <typename Compute>
std::optional<std::string> computeApart(Compute compute) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  pid_t child = ::fork();
  if (child == 0) {
    // Its last words are not ours.
    if (int null = ::open("/dev/null", O_WRONLY); null >= 0)
      ::dup2(null, STDERR_FILENO);
    ::_exit(writeAll(ends[1], compute()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string result;
  char piece[1 << 16];
  for (ssize_t got = 0; child > 0; result.append(piece, size_t(got))) {
    got = ::read(ends[0], piece, sizeof piece);
    if (got < 0 && errno == EINTR)
      got = 0;
    else if (got <= 0)
      break;
  }
  ::close(ends[0]);
  int status = -1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || status != 0)
    return std::nullopt;
  return result;
}

} // namespace

Result<std::string> SentencePieceTraining::run() const {
  if (vocabularySize < smallestVocabulary || vocabularySize > largestVocabulary)
    return invalidArgument("a vocabulary of ", vocabularySize,
                           " tokens, expected ", smallestVocabulary, " to ",
                           largestVocabulary);
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
  constexpr char trained = '+', failed = '-';
  std::optional<std::string> result = computeApart([&] {
    std::string model;
    sentencepiece::util::Status status =
        sentencepiece::SentencePieceTrainer::Train(options, &lines, &model);
    return status.ok() ? trained + model
                       : failed + std::string(status.message());
  });
  if (result && result->size() > 1 && result->front() == trained)
    return result->substr(1);
  return describeFailure(result.value_or(""), vocabularySize);
}

} // namespace attnres::runtime
