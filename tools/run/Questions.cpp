// Questions in batches that fit into memory.
#include "tools/run/Questions.h"

#include "models/GenerationState.h"
#include "models/Parameters.h"
#include "runtime/MemoryLimit.h"
#include "runtime/data/Multiplication.h"
#include "runtime/generation/CachedModel.h"
#include "runtime/training/Interrupt.h"
#include "tools/compile/ProgramCache.h"
#include "tools/run/Options.h"
#include "tools/run/TrainProgress.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

namespace attnres::run {

namespace multiplication = runtime::multiplication;
using multiplication::EchoKind;
using multiplication::StepKind;
using runtime::Continuation;
using runtime::MultiplicationQuestions;
using Tokens = std::vector<int64_t>;

namespace {

/// Answers longer than the solution by this many tokens are no longer followed.
constexpr int64_t slack = 16;

/// As many of `wanted` texts of `positions` tokens as half of the memory has
/// room for, at least one.
int64_t textsThatFit(const ModelConfig &config, const CompileOptions &options,
                     int64_t positions, int64_t wanted) {
  double element = options.bf16 ? 2 : 4;
  StateBytes state = countStateBytes(config, element);
  // A cache, and what a token passes through on its way.
  double text =
      state.fixed + state.perPosition * static_cast<double>(positions) +
      element * static_cast<double>(
                    16 * config.hiddenSize * (config.numHiddenLayers + 1) +
                    4 * config.intermediateSize + config.vocabSize);
  double fixed = static_cast<double>(countParameters(config)) * 2 * element;
  double room = 0.5 * static_cast<double>(runtime::memoryLimit().bytes) - fixed;
  auto fitting = static_cast<int64_t>(std::max(room / text, 1.0));
  return std::min(wanted, fitting);
}

/// A model that answers a batch of questions of one length.
class Answerer {
public:
  Answerer(const ModelFiles &files, runtime::Device &device,
           CompileOptions options, int64_t batch, int64_t prompt,
           int64_t capacity) {
    options.batch = batch;
    options.capacity = capacity;
    auto compile = [&](int64_t tokens) {
      options.seqLen = tokens;
      return std::make_shared<const runtime::Program>(unwrap(
          ProgramCache::standard().get(files.config.toJson(), options, [&] {
            return compileModel(files.config, options);
          })));
    };
    auto decode = compile(1);
    model = unwrap(runtime::CachedModel::create(
        device, compile(prompt), decode,
        [&](const std::string &name) { return files.parameters.find(name); }));
  }

  std::vector<Continuation>
  answer(const std::vector<Tokens> &prompts,
         const runtime::GenerationOptions &generation) {
    return unwrap(runtime::generate(*model, prompts, generation));
  }

private:
  std::unique_ptr<runtime::CachedModel> model;
};

/// The answer in what a model wrote: up to the end token, if there is one.
Answer read(const QuestionOptions &options, multiplication::Operands operands,
            const Continuation &continuation) {
  Answer answer;
  answer.a = operands.a;
  answer.b = operands.b;
  auto begin = continuation.tokens.begin();
  auto end = std::find(begin, continuation.tokens.end(), multiplication::eos);
  bool echoes = end != continuation.tokens.end();
  answer.ended = echoes || continuation.reason == runtime::StopReason::EndToken;
  answer.text = multiplication::decode(Tokens(begin, end));
  answer.wrong = multiplication::firstWrongStep(
      options.digits, answer.a, answer.b, answer.text, answer.ended);
  if (echoes) {
    Tokens following(end + 1, continuation.tokens.end());
    answer.following = multiplication::decode(following);
    answer.echo = multiplication::classifyEcho(
        multiplication::prompt(options.digits, answer.a, answer.b) +
            answer.text,
        following);
  }
  return answer;
}

} // namespace

QuestionResult askQuestions(const ModelFiles &model, runtime::Device &device,
                            CompileOptions options,
                            const QuestionOptions &questions,
                            const std::function<void(int64_t)> &progress) {
  if (model.config.vocabSize < multiplication::vocabularySize)
    throw CommandError(concat(
        "multiplication has a vocabulary of ", multiplication::vocabularySize,
        " tokens, the model one of ", model.config.vocabSize));
  auto set = unwrap(MultiplicationQuestions::create(
      questions.digits, questions.count, questions.seed));
  int64_t prompt = set.promptLength();
  int64_t solution = set.length() + 1 - prompt; // with the end token
  int64_t most = solution + slack + questions.echoTokens;

  QuestionResult result;
  std::filesystem::path folder =
      runtime::runOfCheckpoint(model.directory).empty()
          ? model.directory
          : runtime::runOfCheckpoint(model.directory);
  result.run = (folder.has_filename() ? folder : folder.parent_path())
                   .filename()
                   .string();
  result.mode = toString(model.config.attnres);
  result.options = questions;
  result.all = set.areAll();
  int64_t fitting = textsThatFit(model.config, options, prompt + most,
                                 std::min(questions.batch, set.size()));
  // Batches of one size: programs are for so many texts.
  int64_t batches = (set.size() + fitting - 1) / fitting;
  result.batch = (set.size() + batches - 1) / batches;

  Answerer answerer(model, device, options, result.batch, prompt,
                    prompt + most);
  auto start = std::chrono::steady_clock::now();
  for (int64_t first = 0; first < set.size(); first += result.batch) {
    if (int signal = runtime::interruptSignal())
      throw Interrupted{signal};
    std::vector<multiplication::Operands> operands;
    std::vector<Tokens> prompts;
    for (int64_t i = 0; i < result.batch; ++i) {
      // The last batch is filled up with what it has.
      operands.push_back(set.operands(std::min(first + i, set.size() - 1)));
      prompts.push_back(multiplication::encode(multiplication::prompt(
          questions.digits, operands.back().a, operands.back().b)));
    }
    runtime::GenerationOptions generation;
    generation.maxNewTokens = most;
    generation.vocabulary = multiplication::vocabularySize;
    std::vector<int64_t> behindEnd(prompts.size(), -1);
    if (questions.echoTokens == 0)
      generation.endToken = multiplication::eos;
    else
      generation.ends = [&](int64_t row, int64_t token) {
        int64_t &count = behindEnd[static_cast<size_t>(row)];
        if (count >= 0 || token == multiplication::eos)
          ++count;
        return count >= questions.echoTokens;
      };
    std::vector<Continuation> texts = answerer.answer(prompts, generation);
    for (size_t i = 0;
         i < texts.size() && first + static_cast<int64_t>(i) < set.size();
         ++i) {
      result.answers.push_back(read(questions, operands[i], texts[i]));
      result.written += static_cast<int64_t>(texts[i].tokens.size());
    }
    progress(static_cast<int64_t>(result.answers.size()));
  }
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

int64_t QuestionResult::right() const {
  return std::count_if(answers.begin(), answers.end(),
                       [](const Answer &answer) { return !answer.wrong; });
}

double QuestionResult::accuracy() const {
  return static_cast<double>(right()) / static_cast<double>(answers.size());
}

std::pair<double, double> QuestionResult::range() const {
  if (all)
    return {accuracy(), accuracy()};
  return confidence(accuracy(), static_cast<int64_t>(answers.size()));
}

int64_t QuestionResult::countEchoes(EchoKind kind) const {
  return std::count_if(answers.begin(), answers.end(), [&](const Answer &a) {
    return a.echo && a.echo->kind == kind;
  });
}

int64_t QuestionResult::countLoops() const {
  return std::count_if(answers.begin(), answers.end(),
                       [](const Answer &a) { return a.echo && a.echo->loops; });
}

int64_t QuestionResult::countWrong(StepKind kind) const {
  return std::count_if(answers.begin(), answers.end(), [&](const Answer &a) {
    return a.wrong && a.wrong->kind == kind;
  });
}

} // namespace attnres::run
