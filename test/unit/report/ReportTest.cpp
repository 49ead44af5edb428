// Reading of run folders, thinning, formatting, and what pages hold.
#include "tools/report/Comparison.h"
#include "tools/report/Inspection.h"
#include "tools/report/LineChart.h"
#include "tools/report/Page.h"
#include "tools/report/RunFolder.h"
#include "tools/report/Series.h"
#include "tools/report/Summary.h"
#include "tools/report/Text.h"
#include "tools/report/TextTable.h"

#include "models/DepthLayout.h"
#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace attnres;
using namespace attnres::report;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// ------------------------------------------------------------------- layout

std::vector<std::string> describe(const ModelConfig &config) {
  DepthLayout layout(config);
  std::vector<std::string> lines;
  for (const DepthMixture &mixture : layout.mixtures) {
    std::string line = mixture.name + ":";
    for (size_t k = 0; k < mixture.numSources(); ++k)
      line += (k ? ", " : " ") + layout.sourceName(mixture, k);
    lines.push_back(line);
  }
  return lines;
}

TEST(DepthLayout, EveryMode) {
  ModelConfig config;
  config.numHiddenLayers = 2;
  EXPECT_EQ(describe(config), std::vector<std::string>());
  config.attnres = AttnResMode::Static;
  EXPECT_EQ(describe(config),
            (std::vector<std::string>{"block 0: embedding",
                                      "block 1: embedding, block 0"}));
  config.attnres = AttnResMode::Full;
  EXPECT_EQ(
      describe(config),
      (std::vector<std::string>{
          "block 0 attn: embedding", "block 0 ffn: embedding, block 0 attn",
          "block 1 attn: embedding, block 0 attn, block 0 ffn",
          "block 1 ffn: embedding, block 0 attn, block 0 ffn, block 1 attn",
          "final: embedding, block 0 attn, block 0 ffn, block 1 attn, block 1 "
          "ffn"}));
  config.attnresFinalAggregate = false;
  EXPECT_EQ(describe(config).size(), 4u);
}

TEST(DepthLayout, BlocksWithARemainder) {
  ModelConfig config;
  config.numHiddenLayers = 3;
  config.attnres = AttnResMode::Block;
  config.attnresBlockSize = 2;
  EXPECT_EQ(
      describe(config),
      (std::vector<std::string>{
          "block 0 attn: embedding", "block 0 ffn: embedding, partial sum",
          "block 1 attn: embedding, partial sum",
          "block 1 ffn: embedding, partial sum",
          "block 2 attn: embedding, block sum 0",
          "block 2 ffn: embedding, block sum 0, partial sum",
          "final: embedding, block sum 0, block sum 1"}));
  std::vector<DepthBlock> blocks = depthBlocks(config);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1].begin, 4);
  EXPECT_EQ(blocks[1].end, 6);
}

// ------------------------------------------------------------------- series

TEST(Series, ThinningKeepsTheOutline) {
  Series series;
  for (int i = 0; i < 100000; ++i)
    series.push_back({double(i), std::sin(i * 0.01)});
  series[34567].y = 50; // a spike
  series[70000].y = nan;
  Series thinned = thin(series, 100);
  EXPECT_LE(thinned.size(), 202u);
  EXPECT_EQ(thinned.front().x, 0);
  EXPECT_EQ(thinned.back().x, 99999);
  bool spike = false;
  for (size_t i = 0; i < thinned.size(); ++i) {
    spike |= thinned[i].y == 50;
    EXPECT_FALSE(std::isnan(thinned[i].y));
    if (i > 0) {
      EXPECT_LT(thinned[i - 1].x, thinned[i].x);
    }
  }
  EXPECT_TRUE(spike);
}

TEST(Series, ShortOnesStayWhole) {
  Series series{{1, 3}, {2, nan}, {3, 5}};
  Series thinned = thin(series, 1);
  ASSERT_EQ(thinned.size(), 2u);
  EXPECT_EQ(thinned[1].y, 5);
  EXPECT_TRUE(thin({}, 10).empty());
}

TEST(Series, Smoothing) {
  Series constant(50, {0, 7});
  for (Point point : smooth(constant, 10))
    EXPECT_DOUBLE_EQ(point.y, 7);
  Series two = smooth({{1, 0}, {2, 1}}, 3); // halves the weight of the past
  EXPECT_DOUBLE_EQ(two[0].y, 0);
  EXPECT_DOUBLE_EQ(two[1].y, 2.0 / 3);
  EXPECT_DOUBLE_EQ(smooth({{1, 4}, {2, 9}}, 1)[1].y, 9) << "no smoothing";
}

TEST(Series, EvenlySpaced) {
  EXPECT_EQ(evenlySpaced(3, 5), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(evenlySpaced(11, 3), (std::vector<size_t>{0, 5, 10}));
  EXPECT_EQ(evenlySpaced(11, 1), (std::vector<size_t>{10}));
  EXPECT_TRUE(evenlySpaced(0, 4).empty());
}

// ------------------------------------------------------------------ texts

TEST(Text, Html) {
  EXPECT_EQ(escapeHtml("<b a=\"x\" c='y'>&\n"),
            "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;\n");
  EXPECT_EQ(escapeHtml(std::string("\0\x01\x7f", 3)),
            "\xe2\x90\x80\xe2\x90\x81\xe2\x90\xa1");
  EXPECT_EQ(escapeHtml("\xc3\xa9"), "\xc3\xa9");
}

TEST(Text, Numbers) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(4743168), "4,743,168");
  EXPECT_EQ(formatCount(-1234567), "-1,234,567");
  EXPECT_EQ(formatCount(-123), "-123");
  EXPECT_EQ(formatNumber(nan), "-");
  EXPECT_EQ(formatNumber(0.123456), "0.1235");
  EXPECT_EQ(formatNumber(12345.6), "12,346");
  EXPECT_EQ(formatNumber(HUGE_VAL), "inf");
  EXPECT_EQ(formatShort(1500), "1.5k");
  EXPECT_EQ(formatShort(2e7), "20M");
  EXPECT_EQ(formatShort(0.00003), "3e-05");
  EXPECT_EQ(formatPercent(0.4567), "45.7%");
  EXPECT_EQ(formatDuration(3.14159), "3.14 s");
  EXPECT_EQ(formatDuration(725), "12 min 05 s");
  EXPECT_EQ(formatDuration(12000), "3 h 20 min");
}

TEST(Text, Table) {
  TextTable table({"name", "count"});
  table.add({"a", "12345"});
  table.add({"longer"});
  EXPECT_EQ(table.print(), "name    count\n"
                           "a       12345\n"
                           "longer\n");
}

// -------------------------------------------------------------- run folders

constexpr const char *runFile = R"({
  "version": 1, "parameters": 1234, "tokens_per_step": 64,
  "settings": {"lr": 0.001, "data": ["a.txt", "b.txt"], "dtype": "bf16"},
  "config": {"num_hidden_layers": 1, "attnres": "full"}})";
constexpr const char *step1 =
    R"({"kind":"step","step":1,"loss":3.5,"grad_norm":2.0,"learning_rate":0.1,"tokens":64,"tokens_per_second":100.0,"seconds":1.0})"
    "\n";
constexpr const char *step2 =
    R"({"kind":"step","step":2,"loss":2.5,"grad_norm":null,"learning_rate":0.2,"tokens":128,"tokens_per_second":300.0,"seconds":2.0})"
    "\n";
constexpr const char *eval2 =
    R"({"kind":"eval","step":2,"loss":2.0,"perplexity":7.4,"accuracy":0.25,"gradient_norms":{"lm_head":0.5,"blocks.10.attn":2,"blocks.2.ffn":3,"blocks.2.attn":4,"mixer":6,"norm":7,"embedding":1},"depth_weights":[[1.0],[0.25,0.75],[0.5,0.25,0.25]],"seconds":2.5})"
    "\n";

class RunFolderTest : public testing::Test {
protected:
  RunFolder read(const std::string &metrics) {
    auto run = open(metrics);
    EXPECT_TRUE(run.ok()) << run.status().message();
    return run.ok() ? *run : RunFolder();
  }

  std::string errorOf(const std::string &metrics,
                      const std::string &description = runFile) {
    auto run = open(metrics, description);
    if (run.ok())
      return "";
    std::string message = run.status().message();
    std::string prefix = directory.path.string() + "/";
    EXPECT_EQ(message.substr(0, prefix.size()), prefix);
    return message.substr(prefix.size());
  }

  /// What the run notes about the one line that it leaves out.
  std::string leftOut(const std::string &metrics,
                      const std::string &description = runFile) {
    auto opened = open(metrics, description);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    RunFolder run = *std::move(opened);
    std::string prefix = "left out: " + directory.path.string() + "/";
    EXPECT_EQ(run.notes.size(), 1u);
    std::string note = run.notes.empty() ? "" : run.notes[0];
    EXPECT_EQ(note.substr(0, prefix.size()), prefix);
    return note.size() < prefix.size() ? note : note.substr(prefix.size());
  }

  Result<RunFolder> open(const std::string &metrics,
                         const std::string &description = runFile) {
    directory.write("run.json", description);
    directory.write("metrics.jsonl", metrics);
    return RunFolder::open(directory.path.string());
  }

  TemporaryDirectory directory;
};

TEST_F(RunFolderTest, ReadsRecords) {
  RunFolder run = read(
      std::string(step1) + step2 + eval2 +
      R"({"kind":"sample","step":2,"prompt":"p","text":"t","expected":"e","correct":false})"
      "\n"
      R"({"kind":"sample","step":2,"prompt":"p","text":"t"})"
      "\n"
      R"({"kind":"save","step":2,"path":"checkpoints/step-00000002","seconds":0.1})"
      "\n");
  EXPECT_EQ(run.name, directory.path.filename());
  EXPECT_EQ(run.version, "1");
  EXPECT_EQ(run.parameters, 1234);
  EXPECT_EQ(run.tokensPerStep, 64);
  EXPECT_EQ(run.settings["dtype"], "bf16");
  EXPECT_EQ(run.config->attnres, AttnResMode::Full);
  ASSERT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.steps[0].loss, 3.5);
  EXPECT_TRUE(std::isnan(run.steps[1].gradNorm));
  ASSERT_EQ(run.evaluations.size(), 1u);
  std::string parts;
  for (const auto &[name, norm] : run.evaluations[0].gradientNorms)
    parts += name + " ";
  EXPECT_EQ(parts, "embedding blocks.2.attn blocks.2.ffn blocks.10.attn mixer "
                   "norm lm_head ");
  EXPECT_EQ(run.evaluations[0].depthWeights[1],
            (std::vector<double>{0.25, 0.75}));
  ASSERT_EQ(run.samples.size(), 2u);
  EXPECT_EQ(run.samples[0].expected, "e");
  EXPECT_EQ(run.samples[0].correct, false);
  EXPECT_FALSE(run.samples[1].correct.has_value());
  EXPECT_EQ(run.saves[0].path, "checkpoints/step-00000002");
  EXPECT_TRUE(run.notes.empty());
}

TEST_F(RunFolderTest, AnUnfinishedLastLineIsNoted) {
  std::string path = directory.file("metrics.jsonl");
  RunFolder run = read(std::string(step1) + R"({"kind":"step","st)");
  EXPECT_EQ(run.steps.size(), 1u);
  EXPECT_EQ(run.notes, std::vector<std::string>{"the last line of " + path +
                                                " is incomplete and left out"});
  // Whole, but without its line end.
  run = read(std::string(step1).substr(0, std::string(step1).size() - 1));
  EXPECT_EQ(run.steps.size(), 1u);
  EXPECT_TRUE(run.notes.empty());
  EXPECT_TRUE(read("").steps.empty());
}

TEST_F(RunFolderTest, TheLastTimeOfAStepCounts) {
  RunFolder run = read(std::string(step1) + step2 + eval2 + step1);
  EXPECT_EQ(run.steps.size(), 1u);
  EXPECT_TRUE(run.evaluations.empty());
  EXPECT_EQ(run.notes, std::vector<std::string>{
                           "the run went back to step 1; what had been "
                           "recorded from there on is left out"});
  EXPECT_EQ(read(std::string(step1) + step2 + eval2 + eval2).evaluations.size(),
            1u);
}

TEST_F(RunFolderTest, UnknownKindsAreNoted) {
  RunFolder run = read(std::string(step1) + "{\"kind\":\"new\"}\n");
  EXPECT_EQ(run.notes, std::vector<std::string>{
                           "1 records of unknown kind 'new' are left out"});
}

TEST_F(RunFolderTest, MalformedLinesAreLeftOutAndNoted) {
  std::string good = step1;
  EXPECT_EQ(leftOut(good + "{\"kind\n" + step2).substr(0, 31),
            "metrics.jsonl: line 2: column 6");
  EXPECT_EQ(leftOut(good + "\n" + step2).substr(0, 23),
            "metrics.jsonl: line 2: ");
  EXPECT_EQ(leftOut(good + "[]\n"),
            "metrics.jsonl: line 2: expected an object");
  EXPECT_EQ(leftOut("{}\n"), "metrics.jsonl: line 1: field 'kind' is missing");
  EXPECT_EQ(leftOut("{\"kind\":1}\n"),
            "metrics.jsonl: line 1: field 'kind': expected a string, got 1");
  EXPECT_EQ(leftOut("{\"kind\":\"step\",\"loss\":1}\n"),
            "metrics.jsonl: line 1: field 'step' is missing");
  EXPECT_EQ(leftOut("{\"kind\":\"step\",\"step\":1}\n"),
            "metrics.jsonl: line 1: field 'loss' is missing");
  EXPECT_EQ(leftOut("{\"kind\":\"step\",\"step\":-1,\"loss\":1}\n"),
            "metrics.jsonl: line 1: field 'step': expected an integer of at "
            "least 0, got -1");
  EXPECT_EQ(leftOut("{\"kind\":\"step\",\"step\":1,\"loss\":\"x\"}\n"),
            "metrics.jsonl: line 1: field 'loss': expected a number, got "
            "\"x\"");
  EXPECT_EQ(leftOut(R"({"kind":"eval","step":1,"gradient_norms":{"a":"b"}})"
                    "\n"),
            "metrics.jsonl: line 1: field 'gradient_norms.a': expected a "
            "number, got \"b\"");
  EXPECT_EQ(leftOut(R"({"kind":"eval","step":1,"gradient_norms":[]})"
                    "\n"),
            "metrics.jsonl: line 1: field 'gradient_norms': expected an "
            "object, got []");
  EXPECT_EQ(leftOut(R"({"kind":"eval","step":1,"depth_weights":[[1]]})"
                    "\n"),
            "metrics.jsonl: line 1: field 'depth_weights': expected 3 "
            "mixtures, got 1");
  EXPECT_EQ(
      leftOut(R"({"kind":"eval","step":1,"depth_weights":[[1],[1],[1]]})"
              "\n"),
      "metrics.jsonl: line 1: field 'depth_weights': mixture 'block 0 ffn': "
      "expected 2 numbers");
  for (const char *rows : {"[[]]", "[1]", "[[null]]"})
    EXPECT_EQ(leftOut(concat(R"({"kind":"eval","step":1,"router_load":)", rows,
                             "}\n")),
              "metrics.jsonl: line 1: field 'router_load': expected lists of "
              "numbers");
  EXPECT_EQ(leftOut(R"({"kind":"sample","step":1,"prompt":"x"})"
                    "\n"),
            "metrics.jsonl: line 1: field 'text' is missing");
  EXPECT_EQ(
      leftOut(R"({"kind":"sample","step":1,"prompt":"x","text":"","correct":1})"
              "\n"),
      "metrics.jsonl: line 1: field 'correct': expected true or false, got 1");
  // The lines around them are read.
  RunFolder run = read(good + "noise\n" + step2 + std::string("\0\0\n", 3) +
                       eval2 + "[]\n");
  EXPECT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.evaluations.size(), 1u);
  ASSERT_EQ(run.notes.size(), 1u);
  EXPECT_NE(run.notes[0].find("line 2: column"), std::string::npos);
  EXPECT_NE(run.notes[0].find("and 2 more lines"), std::string::npos);
}

TEST_F(RunFolderTest, BadRunFiles) {
  EXPECT_EQ(errorOf("", "[]"), "run.json: expected an object");
  EXPECT_EQ(errorOf("", "{}"), "run.json: field 'settings' is missing");
  EXPECT_EQ(errorOf("", R"({"settings":{}})"),
            "run.json: field 'parameters' is missing");
  EXPECT_EQ(errorOf("", R"({"settings":1,"parameters":1,"tokens_per_step":1})"),
            "run.json: field 'settings': expected an object, got 1");
  EXPECT_EQ(errorOf("", R"({"settings":{},"parameters":1,"tokens_per_step":1,
                            "version":1,"config":{"hidden_sise":1}})"),
            "run.json: config: unknown field 'hidden_sise'; did you mean "
            "'hidden_size'?");
  auto none = RunFolder::open(directory.file("none"));
  EXPECT_NE(none.status().message().find("none/run.json: cannot open"),
            std::string::npos);
  directory.write("run.json", runFile);
  std::filesystem::remove(directory.path / "metrics.jsonl");
  EXPECT_FALSE(RunFolder::open(directory.path.string()).ok());
}

TEST_F(RunFolderTest, ModelsOfOnesOwnHaveNumberedMixtures) {
  std::string description =
      R"({"version":1,"parameters":1,"tokens_per_step":1,"settings":{}})";
  auto run = open(eval2, description);
  ASSERT_TRUE(run.ok()) << run.status().message();
  EXPECT_FALSE(run->config.has_value());
  ASSERT_EQ(run->depth.mixtures.size(), 3u);
  EXPECT_EQ(run->depth.mixtures[1].name, "mixture 1");
  EXPECT_EQ(run->depth.sourceName(run->depth.mixtures[2], 2), "source 2");
  EXPECT_NE(drawPage({*run}).find("mixture 2"), std::string::npos);
  // Later evaluations have to agree with the first.
  std::string other = eval2;
  other.replace(other.find("[[1.0],"), 7, "[");
  EXPECT_EQ(leftOut(std::string(step1) + eval2 + other, description),
            "metrics.jsonl: line 3: field 'depth_weights': expected 3 "
            "mixtures, got 2");
}

// ------------------------------------------------------------------ summary

TEST_F(RunFolderTest, Summary) {
  std::string better =
      R"({"kind":"eval","step":1,"loss":1.5,"perplexity":4.5,"accuracy":0.5})"
      "\n";
  Summary summary(read(std::string(step1) + better + step2 + eval2));
  EXPECT_EQ(summary.attnres, "full");
  EXPECT_EQ(summary.lastStep, 2);
  EXPECT_EQ(summary.tokens, 128);
  EXPECT_EQ(summary.seconds, 2);
  EXPECT_EQ(summary.trainLoss, 2.5);
  EXPECT_EQ(summary.validationLoss, 2);
  EXPECT_EQ(summary.bestLoss, 1.5);
  EXPECT_EQ(summary.bestStep, 1);
  EXPECT_EQ(summary.accuracy, 0.25);
  EXPECT_EQ(summary.bestAccuracy, 0.5);
  EXPECT_EQ(summary.tokensPerSecond, 300);
}

TEST_F(RunFolderTest, SummaryOfNothing) {
  Summary summary(read(""));
  EXPECT_EQ(summary.lastStep, 0);
  EXPECT_TRUE(std::isnan(summary.trainLoss));
  EXPECT_TRUE(std::isnan(summary.bestLoss));
  EXPECT_TRUE(std::isnan(summary.tokensPerSecond));
  auto json = summariesToJson({read("")});
  EXPECT_NE(json.dump().find("\"train_loss\":null"), std::string::npos);
}

// -------------------------------------------------------------------- pages

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RunFolderTest, PageOfAnEmptyRun) {
  std::string page = drawPage({read("")});
  EXPECT_TRUE(contains(page, "Settings"));
  EXPECT_FALSE(contains(page, "<h2>Training"));
  EXPECT_FALSE(contains(page, "nan"));
}

TEST_F(RunFolderTest, PageEscapesTexts) {
  std::string page = drawPage({read(
      std::string(step1) +
      R"({"kind":"sample","step":1,"prompt":"<script>","text":"ab&\u0000","expected":"abc","correct":false})"
      "\n")});
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;"));
  EXPECT_TRUE(contains(page, "ab<mark>&amp;\xe2\x90\x80</mark>"));
  EXPECT_TRUE(contains(page, "sample wrong"));
  EXPECT_TRUE(contains(page, "0 of 1 right"));
}

TEST_F(RunFolderTest, PageNamesDepthWeights) {
  std::string page = drawPage({read(std::string(step1) + eval2)});
  EXPECT_TRUE(contains(page, "block 0 ffn, block 0 attn: 0.750"));
  EXPECT_TRUE(contains(page, "final, embedding: 0.500"));
  EXPECT_TRUE(contains(page, "blocks.2.attn, step 2: 4"));
}

TEST_F(RunFolderTest, PageShowsExpertsAndStates) {
  std::string page = drawPage({read(
      std::string(step1) +
      R"({"kind":"eval","step":1,"router_load":[[0.75,0.25]],"decay":[[0.5,0.5]],"state_norms":[[1,3]]})"
      "\n"
      R"({"kind":"eval","step":2,"router_load":[[0.5,0.5]],"decay":[[0.125,0.875]],"state_norms":[[2,4]]})"
      "\n")});
  // In units of an equal share, now and over time.
  EXPECT_TRUE(contains(page, "router 0, expert 1: 1"));
  EXPECT_TRUE(contains(page, "router 0, step 1: 1.5"));
  EXPECT_TRUE(contains(page, "expert 1, step 1: 0.5"));
  EXPECT_TRUE(contains(page, "state 0, to 1.0: 0.875"));
  EXPECT_TRUE(contains(page, "state 0, step 2: 3"));
  std::string without = drawPage({read(std::string(step1) + eval2)});
  EXPECT_FALSE(contains(without, "<h2>Experts"));
  EXPECT_FALSE(contains(without, "<h2>States"));
}

TEST_F(RunFolderTest, ComparisonMarksTheBestAndDifferences) {
  RunFolder first = read(std::string(step1) + eval2), second = first;
  first.name = "one";
  second.name = "two";
  second.evaluations[0].loss = 1;
  second.settings["lr"] = 0.5;
  std::string page = drawPage({first, second});
  EXPECT_TRUE(contains(page, "<tr><th>validation loss</th><td "
                             "class=\"number\">2</td><td class=\"number "
                             "best\">1</td></tr>"));
  // What differs comes before what all runs share.
  size_t settings = page.find("<h2>Settings"),
         shared = page.find("that all runs share", settings),
         rate = page.find("<tr><th>lr</th>", settings),
         type = page.find("<tr><th>dtype</th>", settings);
  ASSERT_NE(type, std::string::npos);
  EXPECT_LT(settings, rate);
  EXPECT_LT(rate, shared);
  EXPECT_LT(shared, type);
  EXPECT_TRUE(contains(page, "one validation"));
}

/// Tables of many runs come in pieces, with the steps before each; "epoch" is a
/// name like others.
TEST(Comparison, PiecesOfTables) {
  Comparison comparison;
  for (int i = 0; i < 14; ++i) {
    RunFolder run{};
    run.name = i == 0 ? "epoch" : "run" + std::to_string(i);
    run.settings = nlohmann::json::object();
    Evaluation evaluation{};
    evaluation.step = 7;
    evaluation.loss = 100 + i;
    evaluation.accuracy = nan;
    run.evaluations.push_back(evaluation);
    comparison.runs.push_back(run);
    comparison.groups.push_back(run.name);
  }
  std::string text = comparison.toText();
  size_t first = text.find("Validation loss"),
         second = text.find("Validation loss", first + 1);
  ASSERT_NE(second, std::string::npos);
  std::string above = text.substr(first, second - first),
              below = text.substr(second);
  for (int i = 0; i < 14; ++i)
    EXPECT_NE((i < 12 ? above : below).find(std::to_string(100 + i)),
              std::string::npos)
        << i;
  EXPECT_EQ(below.find("epoch"), std::string::npos) << below;
  EXPECT_NE(below.find("step  run12  run13\n7       112    113\n"),
            std::string::npos)
      << below;

  // With epochs, both stand before each.
  for (RunFolder &run : comparison.runs)
    run.settings = {{"epochs", 2.0}, {"steps", 14}};
  below = comparison.toText();
  below = below.substr(below.rfind("Validation loss"));
  EXPECT_NE(
      below.find("step  epoch  run12  run13\n7         1    112    113\n"),
      std::string::npos)
      << below;
}

TEST_F(RunFolderTest, PagesStaySmall) {
  RunFolder run = read("");
  for (int i = 1; i <= 300000; ++i)
    run.steps.push_back({i, 3 + std::sin(i), 1, 0.1, 64.0 * i, 100, 0.1 * i});
  EXPECT_LT(drawPage({run}).size(), 200000u);
}

TEST(LineChart, NothingToDraw) {
  LineChart chart;
  EXPECT_EQ(chart.draw(), "");
  chart.lines.push_back({"a", 0, Line::Style::Solid, {{1, nan}}});
  EXPECT_EQ(chart.draw(), "");
}

TEST(LineChart, DegenerateRanges) {
  for (double y : {0.0, 5.0, -3.0, 1e-30, 1e30}) {
    LineChart chart;
    chart.lines.push_back({"a", 0, Line::Style::Dotted, {{7, y}}});
    for (bool fromZero : {false, true}) {
      chart.fromZero = fromZero;
      std::string svg = chart.draw();
      EXPECT_TRUE(contains(svg, "step 7\na "));
      EXPECT_FALSE(contains(svg, "nan"));
      EXPECT_FALSE(contains(svg, "inf"));
    }
  }
}

/// Ranges beyond what a double holds, and steps below what it tells apart.
TEST(LineChart, ExtremeRanges) {
  constexpr double big = 1.7976931348623157e308, tiny = 5e-324;
  for (auto [low, high] :
       std::vector<std::pair<double, double>>{{-big, big},
                                              {0, big},
                                              {big, big},
                                              {std::nextafter(big, 0), big},
                                              {0, tiny},
                                              {tiny, 2 * tiny},
                                              {tiny, big},
                                              {1, std::nextafter(1, 2)},
                                              {1e300, 1.0000000000000002e300}})
    for (bool fromZero : {false, true})
      for (bool logarithmic : {false, true}) {
        LineChart chart;
        chart.title = "t";
        chart.fromZero = fromZero;
        chart.mayBeLogarithmic = logarithmic;
        chart.lines = {
            {"l", 0, Line::Style::Solid, {{1, low}, {2, high}, {0x1p63, low}}}};
        std::string svg = chart.draw();
        EXPECT_EQ(svg.find("nan"), std::string::npos) << low << " " << high;
        EXPECT_EQ(svg.find("inf"), std::string::npos) << low << " " << high;
        EXPECT_LT(svg.size(), 20000u);
      }
}

TEST(LineChart, LogarithmicAxis) {
  LineChart chart;
  chart.mayBeLogarithmic = true;
  chart.lines.push_back({"a", 0, Line::Style::Solid, {{1, 0.01}, {2, 100}}});
  EXPECT_TRUE(contains(chart.draw(), ">0.1</text>"));
  chart.lines[0].points[0].y = 10; // the range is too small
  EXPECT_FALSE(contains(chart.draw(), ">0.1</text>"));
}

// --------------------------------------------------------------- inspection

TEST(Inspection, StatisticsOfGroups) {
  ModelConfig config;
  config.vocabSize = 2;
  config.hiddenSize = 2;
  config.numHiddenLayers = 1;
  config.numAttentionHeads = config.numKeyValueHeads = 1;
  config.headDim = 2;
  config.intermediateSize = 1;
  config.attnres = AttnResMode::Full;
  config.attnresFinalAggregate = false;
  config.tieWordEmbeddings = true;
  TemporaryDirectory directory;
  std::vector<std::pair<std::string, std::vector<float>>> values = {
      {"embedding.weight", {3, -4, NAN, 1}},
      {"blocks.0.attn_norm.weight", {1, 1}},
      {"blocks.0.attn.q_proj.weight", {1, 1, 1, 1}},
      {"blocks.0.attn.k_proj.weight", {1, 1, 1, 1}},
      {"blocks.0.attn.v_proj.weight", {1, 1, 1, 1}},
      {"blocks.0.attn.o_proj.weight", {-1, -1, -1, -1}},
      {"blocks.0.ffn_norm.weight", {1, 1}},
      {"blocks.0.ffn.gate_proj.weight", {0, 0}},
      {"blocks.0.ffn.up_proj.weight", {0, 0}},
      {"blocks.0.ffn.down_proj.weight", {0, 0}},
      {"mixer.residuals.0.query", {3, 4}},
      {"mixer.residuals.0.norm.weight", {1, 0}},
      {"mixer.residuals.1.query", {0, 0}},
      {"mixer.residuals.1.norm.weight", {1, 1}},
      {"norm.weight", {1, 1}}};
  std::vector<runtime::TensorView> tensors;
  for (auto &[name, data] : values) {
    std::vector<int64_t> shape{static_cast<int64_t>(data.size())};
    tensors.push_back({name, runtime::DType::F32, shape, data.data(),
                       static_cast<int64_t>(4 * data.size())});
  }
  std::string path = directory.file("model.safetensors");
  ASSERT_TRUE(runtime::writeSafetensors(path, tensors).ok());
  auto file = runtime::SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok());
  Inspection inspection(config, *file);
  std::vector<std::string> names;
  for (const ParameterGroup &group : inspection.groups)
    names.push_back(group.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"embedding", "attention", "feed-forward",
                                      "norms", "depth mixing"}));
  const ParameterGroup &embedding = inspection.groups[0];
  EXPECT_EQ(embedding.count, 4);
  EXPECT_EQ(embedding.bytes, 16);
  EXPECT_EQ(embedding.nonFinite, 1);
  EXPECT_EQ(embedding.mean, 0);
  EXPECT_DOUBLE_EQ(embedding.rms, std::sqrt(26 / 3.0));
  EXPECT_EQ(embedding.maxAbs, 4);
  EXPECT_EQ(inspection.groups[1].mean, 0.5);
  EXPECT_EQ(inspection.groups[1].tensors, 4);
  EXPECT_EQ(inspection.groups[3].tensors, 3);
  ASSERT_EQ(inspection.queries.size(), 2u);
  EXPECT_EQ(inspection.queries[0].mixture, "block 0 attn");
  EXPECT_EQ(inspection.queries[0].query, 5);
  EXPECT_EQ(inspection.queries[0].gain, 1);
  EXPECT_EQ(inspection.queries[0].product, 3);
}

} // namespace
