// Answered questions as text, JSON and CSV.
#include "tools/run/QuestionReport.h"

#include "runtime/data/Multiplication.h"
#include "tools/report/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attnres::run {

using runtime::multiplication::EchoKind;
using runtime::multiplication::StepKind;

namespace {

constexpr StepKind stepKinds[] = {StepKind::Product, StepKind::Sum,
                                  StepKind::Answer, StepKind::End};
constexpr EchoKind echoKinds[] = {EchoKind::Stopped, EchoKind::Repeats,
                                  EchoKind::Other};

const char *echoMeaning(EchoKind kind) {
  switch (kind) {
  case EchoKind::Stopped:
    return "nothing but special tokens";
  case EchoKind::Repeats:
    return "pieces of the chain";
  case EchoKind::Other:
    return "other characters";
  }
  return "";
}

std::string percent(int64_t part, size_t whole) {
  return fmt::format("{:.2f} %", 100 * static_cast<double>(part) /
                                     static_cast<double>(whole));
}

int64_t countEnded(const QuestionResult &result) {
  int64_t count = 0;
  for (const Answer &answer : result.answers)
    count += answer.ended;
  return count;
}

std::string question(const QuestionResult &result, const Answer &answer) {
  return runtime::multiplication::prompt(result.options.digits, answer.a,
                                         answer.b);
}

std::string echoText(const QuestionResult &result) {
  auto ended = static_cast<size_t>(countEnded(result));
  std::string text =
      fmt::format("behind the end token of {} answers, {} tokens each:\n",
                  ended, result.options.echoTokens);
  if (ended == 0)
    return text;
  for (EchoKind kind : echoKinds) {
    int64_t count = result.countEchoes(kind);
    text += fmt::format("  {:<10} {:>6} {:>9}  {}\n", toString(kind), count,
                        percent(count, ended), echoMeaning(kind));
  }
  return text + fmt::format("  {:<10} {:>6} {:>9}  of these end in a loop\n",
                            "loops", result.countLoops(),
                            percent(result.countLoops(), ended));
}

std::string wrongText(const QuestionResult &result, int64_t listed) {
  auto wrong = static_cast<int64_t>(result.answers.size()) - result.right();
  if (wrong == 0)
    return "";
  std::string text = "first wrong step:";
  for (StepKind kind : stepKinds)
    if (int64_t count = result.countWrong(kind))
      text += fmt::format(" {} {}", toString(kind), count);
  text += "\n\n";
  int64_t shown = 0;
  for (const Answer &answer : result.answers) {
    if (!answer.wrong)
      continue;
    if (shown++ == listed)
      break;
    text +=
        fmt::format("{}{}{}\n  {}\n", question(result, answer), answer.text,
                    answer.ended ? "" : " (no end)", answer.wrong->describe());
    if (answer.echo && answer.echo->characters > 0)
      text += fmt::format("  behind the end: {}\n", answer.following);
  }
  if (wrong > listed)
    text += fmt::format("{} more; --csv FILE and --json have all\n",
                        wrong - listed);
  return text;
}

std::string sectionOf(const QuestionResult &result, int64_t listed) {
  auto [low, high] = result.range();
  const QuestionOptions &options = result.options;
  std::string count = fmt::format("{} different ones", result.answers.size());
  if (result.all)
    count += ", all that no training set has";
  std::string accuracy =
      result.all ? ""
                 : fmt::format(" ({:.2f} to {:.2f} with 95 % confidence)",
                               100 * low, 100 * high);
  return fmt::format(
             "{}, attnres {}\nquestions  {} digits, {}\nright      {}, {}{}\n"
             "no end     {}\nspeed      {:.0f} tokens/s, {} texts side by "
             "side\n",
             result.run, result.mode, options.digits, count, result.right(),
             percent(result.right(), result.answers.size()), accuracy,
             static_cast<int64_t>(result.answers.size()) - countEnded(result),
             static_cast<double>(result.written) / result.seconds,
             result.batch) +
         (options.echoTokens > 0 ? echoText(result) : "") +
         wrongText(result, listed);
}

/// `text` as a field: in quotes where it has to be.
std::string field(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

} // namespace

std::string questionsToText(const std::vector<QuestionResult> &results,
                            int64_t listed) {
  std::string text;
  for (const QuestionResult &result : results)
    text += (text.empty() ? "" : "\n") + sectionOf(result, listed);
  if (results.size() < 2)
    return text;
  bool echoes = results.front().options.echoTokens > 0;
  std::vector<std::string> header = {"run",      "attnres", "questions",
                                     "right",    "from",    "to",
                                     "products", "sums",    "other"};
  if (echoes)
    header.insert(header.end(), {"stopped", "repeats", "else", "loops"});
  report::TextTable table(header);
  for (const QuestionResult &result : results) {
    auto [low, high] = result.range();
    std::vector<std::string> row = {
        result.run,
        result.mode,
        concat(result.answers.size()),
        percent(result.right(), result.answers.size()),
        fmt::format("{:.2f}", 100 * low),
        fmt::format("{:.2f}", 100 * high),
        concat(result.countWrong(StepKind::Product)),
        concat(result.countWrong(StepKind::Sum)),
        concat(result.countWrong(StepKind::Answer) +
               result.countWrong(StepKind::End))};
    if (echoes) {
      for (EchoKind kind : echoKinds)
        row.push_back(concat(result.countEchoes(kind)));
      row.push_back(concat(result.countLoops()));
    }
    table.add(row);
  }
  return text + "\n" + table.print();
}

std::string questionsToJson(const std::vector<QuestionResult> &results) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const QuestionResult &result : results) {
    auto [low, high] = result.range();
    nlohmann::ordered_json run = {
        {"run", result.run},
        {"attnres", result.mode},
        {"digits", result.options.digits},
        {"seed", result.options.seed},
        {"different_questions", result.answers.size()},
        {"all_questions", result.all},
        {"right", result.right()},
        {"accuracy", result.accuracy()},
        {"accuracy_95_percent", {low, high}},
        {"ended", countEnded(result)},
        {"batch", result.batch},
        {"seconds", result.seconds},
        {"tokens", result.written}};
    for (StepKind kind : stepKinds)
      run["first_wrong_step"][std::string(toString(kind))] =
          result.countWrong(kind);
    if (result.options.echoTokens > 0) {
      auto &echo = run["echo"];
      echo["tokens"] = result.options.echoTokens;
      for (EchoKind kind : echoKinds)
        echo[std::string(toString(kind))] = result.countEchoes(kind);
      echo["loops"] = result.countLoops();
    }
    auto &wrong = run["wrong"] = nlohmann::ordered_json::array();
    for (const Answer &answer : result.answers) {
      if (!answer.wrong)
        continue;
      wrong.push_back({{"question", question(result, answer)},
                       {"text", answer.text},
                       {"ended", answer.ended},
                       {"step", toString(answer.wrong->kind)},
                       {"number", answer.wrong->number},
                       {"position", answer.wrong->position},
                       {"written", answer.wrong->written},
                       {"expected", answer.wrong->expected},
                       {"reason", answer.wrong->describe()}});
      if (answer.echo)
        wrong.back()["following"] = answer.following;
    }
    runs.push_back(std::move(run));
  }
  return nlohmann::ordered_json{{"runs", std::move(runs)}}.dump(1) + "\n";
}

std::string questionsToCsv(const std::vector<QuestionResult> &results) {
  std::string csv = "run,attnres,digits,a,b,right,ended,text,step,number,"
                    "written,expected,echo,echo_characters,echo_repeated,"
                    "echo_loops,following\n";
  for (const QuestionResult &result : results)
    for (const Answer &answer : result.answers) {
      csv += fmt::format("{},{},{},{},{},{},{},{}", field(result.run),
                         result.mode, result.options.digits, answer.a, answer.b,
                         int(!answer.wrong), int(answer.ended),
                         field(answer.text));
      csv +=
          answer.wrong
              ? fmt::format(",{},{},{},{}", toString(answer.wrong->kind),
                            answer.wrong->number, field(answer.wrong->written),
                            field(answer.wrong->expected))
              : ",,,,";
      csv += answer.echo
                 ? fmt::format(",{},{},{},{},{}\n", toString(answer.echo->kind),
                               answer.echo->characters, answer.echo->repeated,
                               int(answer.echo->loops), field(answer.following))
                 : ",,,,,\n";
    }
  return csv;
}

} // namespace attnres::run
