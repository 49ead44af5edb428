// Folders of checkpoints, and the metrics file.
#include "runtime/training/Checkpoint.h"
#include "runtime/training/MetricsLog.h"
#include "runtime/training/TrainingLoop.h"
#include "support/File.h"
#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace attnres;
using namespace attnres::runtime;
namespace fs = std::filesystem;

namespace {

class CheckpointTest : public testing::Test {
protected:
  TensorView view(const std::string &name) {
    return {name, DType::F32, {2, 2}, values, sizeof values};
  }
  CheckpointContent content() {
    return {{{"trainer.json", "{\"step\": 7, \"tokens\": 70}"}},
            {view("w")},
            {view("m.w"), view("v.w")},
            {}};
  }
  void put(const std::string &path, const std::string &text) {
    std::ofstream(path) << text;
  }

  TemporaryDirectory directory;
  float values[4] = {1, 2, 3, 4};
  CheckpointFolder folder{directory.path.string()};
};

TEST_F(CheckpointTest, RoundTripIsBitEqual) {
  values[3] = -0.0f;
  std::string path = *folder.save(7, content());
  float loaded[4] = {};
  TensorView into = view("w");
  into.data = loaded;
  ASSERT_TRUE(loadTensors(path + "/model.safetensors", {into}).ok());
  EXPECT_EQ(std::memcmp(loaded, values, sizeof values), 0);
  EXPECT_EQ(readProgress(path)->step, 7);
  EXPECT_EQ(readProgress(path)->tokens, 70);
}

TEST_F(CheckpointTest, LatestIsByNumberAndPruneKeepsTheLast) {
  for (int64_t step : {9, 100, 123456789, 20})
    ASSERT_TRUE(folder.save(step, content()).ok());
  EXPECT_EQ(folder.list(),
            (std::vector<std::string>{"step-00000009", "step-00000020",
                                      "step-00000100", "step-123456789"}));
  EXPECT_EQ(resolveCheckpoint(directory.path.string()),
            directory.path.string() + "/checkpoints/step-123456789");
  folder.prune(2);
  EXPECT_EQ(folder.list(),
            (std::vector<std::string>{"step-00000100", "step-123456789"}));
  folder.prune(0);
  EXPECT_EQ(folder.list().size(), 1u);
}

/// What a reader holds stays until it lets go; the run goes on meanwhile.
TEST_F(CheckpointTest, HeldCheckpointsAreNotPruned) {
  ASSERT_TRUE(folder.save(1, content()).ok());
  {
    HeldCheckpoint first = HeldCheckpoint::open(directory.path.string());
    HeldCheckpoint again = HeldCheckpoint::open(first.path());
    EXPECT_EQ(first.path(),
              directory.path.string() + "/checkpoints/step-00000001");
    for (int64_t step : {2, 3}) {
      ASSERT_TRUE(folder.save(step, content()).ok());
      folder.prune(1);
    }
    EXPECT_EQ(folder.list(),
              (std::vector<std::string>{"step-00000001", "step-00000003"}));
    EXPECT_TRUE(fs::exists(first.path() + "/model.safetensors"));
    EXPECT_EQ(HeldCheckpoint::open(directory.path.string()).path(),
              folder.latest());
  }
  folder.prune(1);
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"step-00000003"}));
  EXPECT_EQ(folder.find(3), folder.latest());
  EXPECT_EQ(folder.find(1), "");
  // A folder that is none is for the caller to complain about.
  EXPECT_EQ(HeldCheckpoint::open(directory.file("none")).path(),
            directory.file("none"));
}

TEST_F(CheckpointTest, NamesOfOtherLengthsAreOrderedByTheirNumbers) {
  for (const char *name :
       {"step-6", "step-00000003", "step-0000000000000000000011", "step-007",
        "step-99999999999999999999", "step--1", "step-", "step-1x", "step-+2"})
    std::filesystem::create_directories(directory.path / "checkpoints" / name);
  EXPECT_EQ(folder.list(),
            (std::vector<std::string>{"step-00000003", "step-6", "step-007",
                                      "step-0000000000000000000011"}));
}

TEST_F(CheckpointTest, SavingAgainReplacesAndLeavesNothingBehind) {
  ASSERT_TRUE(folder.save(7, content()).ok());
  values[0] = 5;
  std::string path = *folder.save(7, content());
  float loaded[4] = {};
  TensorView into = view("w");
  into.data = loaded;
  ASSERT_TRUE(loadTensors(path + "/model.safetensors", {into}).ok());
  EXPECT_EQ(loaded[0], 5);
  for (const auto &entry :
       fs::recursive_directory_iterator(directory.path.string()))
    EXPECT_EQ(entry.path().string().find("unfinished"), std::string::npos);
}

TEST_F(CheckpointTest, UnfinishedFoldersDoNotCountAndAreRemoved) {
  std::string unfinished =
      directory.path.string() + "/checkpoints/.unfinished-step-00000009.1";
  fs::create_directories(unfinished);
  put(unfinished + "/config.json", "{}");
  fs::create_directories(directory.path.string() + "/checkpoints/step-9.old");
  EXPECT_EQ(folder.latest(), "");
  EXPECT_EQ(resolveCheckpoint(directory.path.string()),
            directory.path.string());
  folder.removeUnfinished();
  EXPECT_FALSE(fs::exists(unfinished));
}

TEST_F(CheckpointTest, LoadingNamesWhatDisagrees) {
  std::string file = *folder.save(7, content()) + "/model.safetensors";
  TensorView other = view("w");
  other.shape = {4};
  EXPECT_EQ(loadTensors(file, {other}).message(),
            file + ": tensor 'w': expected shape [4], got [2, 2]");
  EXPECT_EQ(loadTensors(file, {view("w"), view("x")}).message(),
            file + ": tensor 'x' is missing");
  EXPECT_EQ(loadTensors(file, {}).message(),
            file + ": tensor 'w' is not part of the model");
}

TEST_F(CheckpointTest, DamagedProgressIsOneLine) {
  for (const char *text : {"", "{}", "[]", "{\"step\": -1, \"tokens\": 0}",
                           "{\"step\": 1.5, \"tokens\": 0}",
                           "{\"step\": 18446744073709551615, \"tokens\": 0}"}) {
    put(directory.path.string() + "/trainer.json", text);
    Result<TrainingProgress> progress = readProgress(directory.path.string());
    ASSERT_FALSE(progress.ok()) << text;
    EXPECT_NE(progress.status().message().find("trainer.json: "),
              std::string::npos);
    EXPECT_EQ(progress.status().message().find('\n'), std::string::npos);
  }
}

TEST_F(CheckpointTest, MetricsOfLaterStepsAndHalfLinesGo) {
  std::string path = directory.path.string() + "/metrics.jsonl";
  put(path, "{\"kind\":\"step\",\"step\":1}\n{\"kind\":\"save\",\"step\":2}\n"
            "{\"kind\":\"step\",\"step\":3}\n{\"kind\":\"st");
  {
    Result<MetricsLog> log = MetricsLog::open(path, 2);
    ASSERT_TRUE(log.ok());
    ASSERT_TRUE(log->append({{"kind", "step"}, {"step", 3}}).ok());
  }
  EXPECT_EQ(*readFile(path, 1000),
            "{\"kind\":\"step\",\"step\":1}\n{\"kind\":\"save\",\"step\":2}\n"
            "{\"kind\":\"step\",\"step\":3}\n");
}

TEST_F(CheckpointTest, TheBestStaysAndHasAName) {
  std::string run = directory.path.string(), best = run + "/best";
  for (int64_t step : {5, 10, 15, 20})
    ASSERT_TRUE(folder.save(step, content()).ok());
  ASSERT_TRUE(folder.setBest(5).ok());
  folder.prune(1, 5);
  EXPECT_EQ(folder.list(),
            (std::vector<std::string>{"step-00000005", "step-00000020"}));
  EXPECT_TRUE(fs::equivalent(best, folder.find(5)));
  EXPECT_EQ(resolveCheckpoint(best), best);
  // Another one takes its place, also where the folder is moved.
  ASSERT_TRUE(folder.setBest(20).ok());
  folder.prune(1, 20);
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"step-00000020"}));
  EXPECT_EQ(readBytes(best + "/trainer.json"), content().files["trainer.json"]);
  EXPECT_EQ(fs::read_symlink(best), "checkpoints/step-00000020");
  EXPECT_EQ(directory.numFiles(), 2u) << "no leftovers";
}

TEST_F(CheckpointTest, ProgressKnowsTheBest) {
  auto progressOf = [&](const std::string &text) {
    put(directory.file("trainer.json"), text);
    return *readProgress(directory.path.string());
  };
  TrainingProgress progress = progressOf(
      R"({"step": 7, "tokens": 70, "best": {"step": 5, "loss": 1.5},
          "evaluations_since_best": 2})");
  EXPECT_EQ(progress.bestLoss, 1.5);
  EXPECT_EQ(progress.bestStep, 5);
  EXPECT_EQ(progress.evaluationsSinceBest, 2);
  EXPECT_FALSE(progressOf(R"({"step": 7, "tokens": 70})").bestLoss);
}

} // namespace
