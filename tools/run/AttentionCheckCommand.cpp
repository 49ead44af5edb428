// attnres-run attention-check: flash attention against attention with all
// scores in memory, for several block sizes.
//
// Both are compiled from the same module of one operation. Differences are
// those of the outputs; errors are distances from attention in float64, which
// is computed for some of the queries.
#include "passes/Targets.h"
#include "runtime/MemoryLimit.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "support/File.h"
#include "support/Philox.h"
#include "tools/compile/AttentionForms.h"
#include "tools/compile/OperationCases.h"
#include "tools/report/TextTable.h"
#include "tools/run/CompilerCommands.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

namespace attnres::run {
namespace {

using runtime::Direction;

/// Queries of each head that are also computed in float64.
constexpr int64_t checkedQueries = 16;
/// The largest score is then below 100, whatever the head size.
constexpr double inputRange = 1;

using SharedProgram = std::shared_ptr<const runtime::Program>;

/// One compiled form of attention and what it did.
struct Row {
  SharedProgram program; ///< until it has run
  int64_t tokens = 0;
  std::string form;      ///< "naive" or "flash"
  int64_t blockKeys = 0; ///< of flash; 0: the target's choice
  int64_t arenaBytes = 0, scratchBytes = 0;
  double seconds = 0;     ///< of the fastest run
  double difference = 0;  ///< from naive, the largest; NaN without naive
  double error = 0;       ///< from float64, the largest
  std::vector<float> out; ///< [1, T, H, D], kept of naive until compared

  int64_t peakBytes() const { return arenaBytes + scratchBytes; }
};

class Attention {
public:
  Attention(const Shape &shape, SharedProgram compiled,
            runtime::CpuDevice &device)
      : shape(shape), program(std::move(compiled)), device(device),
        bound(unwrap(runtime::BoundProgram::create(device, program))) {
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      if (program->bindings[i].direction == Direction::Output)
        continue;
      auto memory = unwrap(bound.map(i, runtime::Access::Write));
      std::vector<float> values = input(i);
      std::copy(values.begin(), values.end(), memory.as<float>());
      check(memory.unmap());
    }
  }

  void run(int rounds, Row &row) {
    row.arenaBytes = program->workspaceBytes;
    for (const runtime::Kernel &kernel : program->kernels)
      row.scratchBytes = std::max(
          row.scratchBytes, kernel.scratchBytes * device.threads().size());
    runtime::Executable::RunOptions options;
    options.poison = true;
    row.seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      auto start = std::chrono::steady_clock::now();
      check(bound.executable().run(options));
      row.seconds =
          std::min(row.seconds, std::chrono::duration<double>(
                                    std::chrono::steady_clock::now() - start)
                                    .count());
      options.poison = false;
    }
    auto index =
        static_cast<size_t>(program->findBinding("r0", Direction::Output));
    auto memory = unwrap(bound.map(index, runtime::Access::Read));
    row.out.assign(memory.as<float>(), memory.as<float>() + numElements());
    row.error = findError(row.out);
  }

  static std::string moduleText(const Shape &shape) {
    for (const OperationBenchmark &benchmark : operationBenchmarks())
      if (benchmark.name == "attention")
        return benchmark.cases(shape, /*bf16=*/false).front().text;
    throw CommandError("no operation called attention");
  }

private:
  int64_t numElements() const {
    return shape[0] * shape[1] * shape[2] * shape[3];
  }

  /// Input `index` is the same for all forms.
  std::vector<float> input(size_t index) const {
    RandomStream random(/*seed=*/1, index);
    std::vector<float> values(static_cast<size_t>(numElements()));
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = static_cast<float>(inputRange * (2 * random.uniform(k) - 1));
    return values;
  }

  /// The largest distance from causal attention in float64, over some queries,
  /// evenly spaced, the last one among them.
  double findError(const std::vector<float> &out) const {
    int64_t tokens = shape[1], heads = shape[2], width = shape[3];
    std::vector<float> q = input(0), k = input(1), v = input(2);
    int64_t count = std::min(checkedQueries, tokens);
    double largest = 0, scale = 1 / std::sqrt(static_cast<double>(width));
    auto row = [&](int64_t t, int64_t h) {
      return static_cast<size_t>((t * heads + h) * width);
    };
    for (int64_t i = 0; i < count; ++i)
      for (int64_t h = 0; h < heads; ++h) {
        int64_t query = (i + 1) * tokens / count - 1;
        std::vector<double> scores;
        for (int64_t key = 0; key <= query; ++key) {
          double score = 0;
          for (int64_t d = 0; d < width; ++d)
            score += double(q[row(query, h) + size_t(d)]) *
                     double(k[row(key, h) + size_t(d)]);
          scores.push_back(score * scale);
        }
        double most = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (double &score : scores)
          sum += score = std::exp(score - most);
        for (int64_t d = 0; d < width; ++d) {
          double value = 0;
          for (size_t key = 0; key < scores.size(); ++key)
            value += scores[key] / sum *
                     double(v[row(static_cast<int64_t>(key), h) + size_t(d)]);
          largest = std::max(
              largest,
              std::abs(value - double(out[row(query, h) + size_t(d)])));
        }
      }
    return largest;
  }

  Shape shape;
  SharedProgram program;
  runtime::CpuDevice &device;
  runtime::BoundProgram bound;
};

double largestDifference(const std::vector<float> &a,
                         const std::vector<float> &b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double difference = std::abs(double(a[i]) - double(b[i]));
    // Also NaN is the largest.
    if (!(difference <= largest))
      largest = difference;
  }
  return largest;
}

struct AttentionCheckCommand {
  std::vector<int64_t> lengths = {256, 512, 1024, 2048, 4096, 8192};
  std::vector<int64_t> blocks = {32, 64, 128};
  int64_t heads = 2, headSize = 64;
  double tolerance = 1e-5;
  int threads = 0, rounds = 1;
  bool json = false;
  std::string csv;
  CompileOptions options;

  void run();

private:
  Shape shapeOf(int64_t tokens) const { return {1, tokens, heads, headSize}; }
  void compile(int64_t tokens, AttentionForm form, int64_t blockKeys);
  void print() const;
  std::string toCsv() const;

  std::vector<Row> rows;
};

std::string blockName(const Row &row) {
  if (row.form == "naive")
    return "all";
  return row.blockKeys == 0 ? "default" : concat(row.blockKeys);
}

void AttentionCheckCommand::compile(int64_t tokens, AttentionForm form,
                                    int64_t blockKeys) {
  CompileOptions own = options;
  own.stages.attention = form;
  Row row;
  row.program = std::make_shared<const runtime::Program>(unwrap(
      compileInBlocks(Attention::moduleText(shapeOf(tokens)), own, blockKeys)));
  row.tokens = tokens;
  row.form = form == AttentionForm::Naive ? "naive" : "flash";
  row.blockKeys = blockKeys;
  rows.push_back(std::move(row));
}

void AttentionCheckCommand::run() {
  if (!csv.empty())
    check(checkWritable(csv));
  runtime::CpuOptions cpu;
  cpu.threads = threads;
  runtime::CpuDevice device(cpu);
  check(device.expectTarget(resolveTarget(options.stages.target)));
  // All before the first one runs: what is too large is refused at once.
  for (int64_t tokens : lengths) {
    compile(tokens, AttentionForm::Naive, /*blockKeys=*/0);
    for (int64_t size : blocks)
      compile(tokens, AttentionForm::Flash, size);
    compile(tokens, AttentionForm::Flash, /*blockKeys=*/0);
  }
  std::vector<float> expected;
  for (Row &row : rows) {
    Attention(shapeOf(row.tokens), std::move(row.program), device)
        .run(rounds, row);
    if (row.form == "naive")
      expected = std::move(row.out);
    else
      row.difference = largestDifference(row.out, expected);
    row.out = {};
  }
  if (!csv.empty())
    writeText(toCsv(), csv);
  print();
  for (const Row &row : rows)
    if (!(row.difference <= tolerance && row.error <= tolerance))
      throw CommandError(fmt::format(
          "{} tokens, {}, blocks {}: differs by {:.3g}, {:.3g} from "
          "float64; at most {:g} is expected",
          row.tokens, row.form, blockName(row), row.difference, row.error,
          tolerance));
}

void AttentionCheckCommand::print() const {
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row &row : rows) {
      list.push_back({{"tokens", row.tokens}, {"form", row.form}});
      auto &entry = list.back();
      if (row.form == "flash") {
        entry["block_keys"] = row.blockKeys;
        entry["largest_difference"] = row.difference;
      }
      entry["largest_error"] = row.error;
      entry["arena_bytes"] = row.arenaBytes;
      entry["scratch_bytes"] = row.scratchBytes;
      entry["peak_bytes"] = row.peakBytes();
      entry["seconds"] = row.seconds;
    }
    writeText(
        nlohmann::ordered_json{{"target", resolveTarget(options.stages.target)},
                               {"heads", heads},
                               {"head_size", headSize},
                               {"rows", list}}
                .dump(1) +
            "\n",
        "");
    return;
  }
  report::TextTable table({"tokens", "form", "block", "difference", "error",
                           "peak", "of naive", "ms"});
  int64_t naiveBytes = 0;
  for (const Row &row : rows) {
    bool isNaive = row.form == "naive";
    if (isNaive)
      naiveBytes = row.peakBytes();
    table.add({concat(row.tokens), row.form, blockName(row),
               isNaive ? "" : fmt::format("{:.2e}", row.difference),
               fmt::format("{:.2e}", row.error),
               runtime::formatBytes(row.peakBytes()),
               fmt::format("{:.2f} %",
                           100 * double(row.peakBytes()) / double(naiveBytes)),
               fmt::format("{:.2f}", 1e3 * row.seconds)});
  }
  writeText(
      fmt::format("causal attention, {} heads of {}, {}\n\n{}\n"
                  "difference: from naive, the largest; error: from float64; "
                  "peak: arena and scratch of all threads, beside queries, "
                  "keys, values and output\n",
                  heads, headSize, resolveTarget(options.stages.target),
                  table.print()),
      "");
}

std::string AttentionCheckCommand::toCsv() const {
  std::string text = "tokens,form,block,largest_difference,largest_error,"
                     "arena_bytes,scratch_bytes,seconds\n";
  for (const Row &row : rows)
    text += fmt::format(
        "{},{},{},{},{:.6g},{},{},{:.6g}\n", row.tokens, row.form,
        blockName(row),
        row.form == "naive" ? "" : fmt::format("{:.6g}", row.difference),
        row.error, row.arenaBytes, row.scratchBytes, row.seconds);
  return text;
}

} // namespace

void addAttentionCheckCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "attention-check",
      "flash attention against attention with all scores in memory");
  auto state = std::make_shared<AttentionCheckCommand>();
  command->add_option("--seq-len", state->lengths, "tokens; several lengths")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->capture_default_str();
  command
      ->add_option("--block-keys", state->blocks,
                   "keys in a block of flash attention; several sizes, "
                   "besides the target's choice")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->capture_default_str();
  command->add_option("--heads", state->heads, "heads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--head-size", state->headSize, "width of a head")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--tolerance", state->tolerance,
                   "largest difference and error; beyond it the command fails")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  addTarget(*command, state->options);
  addThreads(*command, state->threads);
  command
      ->add_option("--rounds", state->rounds,
                   "timings of each, the fastest "
                   "counts")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->add_option("--csv", state->csv, "the table as a file")
      ->type_name("FILE");
  command->footer("Both forms come from the same attnres.attention; "
                  "docs/stages.md shows where they part.\nExample:\n  "
                  "attnres-run attention-check --seq-len 256 1024 4096");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
