// attnres-run tokenizer: learns vocabularies and applies them.
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include "runtime/data/DataFormat.h"
#include "runtime/data/SentencePieceTokenizer.h"
#include "runtime/data/SentencePieceTraining.h"
#include "support/File.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>

namespace attnres::run {
namespace {

using runtime::SentencePieceTraining;
using runtime::Tokenizer;

/// A file, or standard input when the path is empty.
std::string readInput(const std::string &path) {
  constexpr size_t maxBytes = size_t{1} << 30;
  if (!path.empty())
    return unwrap(readFile(path, maxBytes));
  return unwrap(readStandardInput(maxBytes));
}

// --------------------------------------------------------------------- train

struct TokenizerTrain {
  SentencePieceTraining training;
  std::string kind = "bpe", out;
  bool json = false;

  void run() {
    training.kind = kind == "bpe" ? SentencePieceTraining::Kind::Bpe
                                  : SentencePieceTraining::Kind::Unigram;
    if (training.vocabularySize < SentencePieceTraining::smallestVocabulary)
      throw CommandError(
          concat("--vocab-size: expected at least ",
                 SentencePieceTraining::smallestVocabulary,
                 " (256 bytes, two special tokens and a piece), got ",
                 training.vocabularySize));
    check(runtime::expectText(unwrap(runtime::openDataFiles(training.inputs)),
                              ""));
    Result<std::string> trained = training.run();
    if (trained.status().code() == StatusCode::InvalidArgument)
      throw CommandError("--vocab-size: " + trained.status().message());
    std::string model = unwrap(std::move(trained));
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (error)
      throw CommandError(out + ": cannot create: " + error.message());
    check(writeFileAtomically(out + "/tokenizer.model", {model}));
    check(writeFileAtomically(
        out + "/tokenizer.json",
        {"{\"kind\": \"sentencepiece\", \"file\": \"tokenizer.model\"}\n"}));
    auto tokenizer = unwrap(Tokenizer::openFolder(out));
    report(*tokenizer);
  }

private:
  /// How well the tokenizer fits: bytes per token on the first input.
  void report(const Tokenizer &tokenizer) const {
    constexpr size_t most = 1 << 20;
    auto file = unwrap(MappedFile::open(training.inputs.front()));
    std::string_view text = file.bytes().substr(0, most);
    text = text.substr(0, text.rfind('\n'));
    size_t tokens = unwrap(tokenizer.encode(text)).size();
    double ratio = static_cast<double>(text.size()) /
                   static_cast<double>(std::max<size_t>(tokens, 1));
    if (json)
      writeText(nlohmann::ordered_json(
                    {{"out", out},
                     {"vocabulary_size", tokenizer.vocabularySize()},
                     {"bytes_per_token", ratio}})
                        .dump(2) +
                    "\n",
                "");
    else
      writeText(concat("wrote ", out, ": ", tokenizer.vocabularySize(),
                       " tokens, ", std::round(ratio * 100) / 100,
                       " bytes per token\n"),
                "");
  }
};

void addTrain(CLI::App &parent) {
  CLI::App *command =
      parent.add_subcommand("train", "learn a vocabulary from text");
  auto state = std::make_shared<TokenizerTrain>();
  command->add_option("--input", state->training.inputs, "text in UTF-8")
      ->type_name("FILE...")
      ->required();
  command
      ->add_option("--vocab-size", state->training.vocabularySize,
                   "tokens, with 256 for bytes and 2 special ones")
      ->type_name("N")
      ->required();
  command
      ->add_option("--out", state->out,
                   "folder for tokenizer.json and tokenizer.model")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--kind", state->kind,
                   "bpe merges frequent pairs; unigram keeps likely pieces")
      ->check(CLI::IsMember({"bpe", "unigram"}))
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Decoding what was encoded gives the same bytes back.\n"
                  "Example:\n  attnres-run tokenizer train --input book.txt "
                  "--vocab-size 4096 --out tokenizers/book");
  command->callback([state] { state->run(); });
}

// ---------------------------------------------------------- encode and decode

struct TokenizerUse {
  std::string folder, input;
  bool json = false;

  void add(CLI::App &command, const std::string &what) {
    command.add_option("--tokenizer", folder, "folder with tokenizer.json")
        ->type_name("DIR")
        ->required();
    command.add_option("--input", input, what + "; standard input by default")
        ->type_name("FILE");
  }

  void encode() const {
    auto tokenizer = unwrap(Tokenizer::openFolder(folder));
    std::string text = readInput(input);
    std::vector<int64_t> tokens = unwrap(tokenizer->encode(text));
    if (json)
      return writeText(
          nlohmann::ordered_json({{"bytes", text.size()}, {"tokens", tokens}})
                  .dump() +
              "\n",
          "");
    std::string line;
    for (int64_t token : tokens)
      line += concat(line.empty() ? "" : " ", token);
    writeText(line + "\n", "");
  }

  void decode() const {
    auto tokenizer = unwrap(Tokenizer::openFolder(folder));
    writeText(
        tokenizer->decode(parse(readInput(input), tokenizer->vocabularySize())),
        "");
  }

private:
  /// Numbers between white space.
  std::vector<int64_t> parse(const std::string &text,
                             int64_t vocabularySize) const {
    std::vector<int64_t> tokens;
    std::istringstream words{std::string(withoutByteOrderMark(text))};
    for (std::string word; words >> word;) {
      int64_t token = -1;
      auto [end, error] =
          std::from_chars(word.data(), word.data() + word.size(), token);
      if (error != std::errc() || end != word.data() + word.size() ||
          token < 0 || token >= vocabularySize)
        throw CommandError(concat("token ", tokens.size() + 1, " is ",
                                  inQuotes(word), ", expected 0 to ",
                                  vocabularySize - 1));
      tokens.push_back(token);
    }
    return tokens;
  }
};

void addEncode(CLI::App &parent) {
  CLI::App *command =
      parent.add_subcommand("encode", "print the tokens of a text");
  auto state = std::make_shared<TokenizerUse>();
  state->add(*command, "the text");
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Example:\n  echo hello | attnres-run tokenizer encode "
                  "--tokenizer tokenizers/book");
  command->callback([state] { state->encode(); });
}

void addDecode(CLI::App &parent) {
  CLI::App *command =
      parent.add_subcommand("decode", "print the text of tokens");
  auto state = std::make_shared<TokenizerUse>();
  state->add(*command, "numbers between white space");
  command->footer("Example:\n  echo 17 300 42 | attnres-run tokenizer decode "
                  "--tokenizer tokenizers/book");
  command->callback([state] { state->decode(); });
}

} // namespace

void addTokenizerCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("tokenizer", "learn vocabularies and apply them");
  command->require_subcommand(1);
  addTrain(*command);
  addEncode(*command);
  addDecode(*command);
  command->footer(
      "`attnres-run tokenizer SUBCOMMAND --help` describes a subcommand.\n"
      "Example:\n  attnres-run tokenizer train --input book.txt --vocab-size "
      "4096 --out tokenizers/book");
}

} // namespace attnres::run
