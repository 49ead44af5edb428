// NVIDIA's assembler takes the code of whole training steps, for every
// generation of GPUs, without warnings and with all values in registers.
#include "test/unit/support/TemporaryDirectory.h"
#include "tools/compile/Compiler.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <unistd.h>

using namespace attnres;

namespace {

/// The tool on the path or in the usual place of CUDA; empty where there is
/// none.
std::string findAssembler() {
  std::string path = "/usr/local/cuda/bin";
  if (const char *variable = std::getenv("PATH"))
    path = concat(variable, ":", path);
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find(':', begin), path.size());
    std::string tool = path.substr(begin, end - begin) + "/ptxas";
    if (access(tool.c_str(), X_OK) == 0)
      return tool;
    begin = end + 1;
  }
  return "";
}

/// What a command prints, and how it ends.
struct Outcome {
  std::string text;
  int status = -1;
};

Outcome runCommand(const std::string &command) {
  Outcome outcome;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return outcome;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.text.append(buffer, count);
  outcome.status = pclose(pipe);
  return outcome;
}

/// The numbers that stand before `words`.
std::vector<int> numbersBefore(const std::string &text,
                               const std::string &words) {
  std::vector<int> numbers;
  for (size_t at = text.find(words); at != std::string::npos;
       at = text.find(words, at + 1)) {
    size_t begin = text.find_last_not_of("0123456789", at - 1) + 1;
    numbers.push_back(std::atoi(text.c_str() + begin));
  }
  return numbers;
}

class Assemble : public ::testing::TestWithParam<std::string> {};

TEST_P(Assemble, TrainingStepOfBf16) {
  std::string tool = findAssembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas: the code was not assembled";
  ModelConfig config; // width 32, 4 decoder blocks
  config.attnres = AttnResMode::Block;
  config.attnresBlockSize = 2;
  CompileOptions options;
  options.batch = 2;
  options.seqLen = 16;
  options.bf16 = true;
  options.logits = false;
  options.stages.gradients = options.stages.optimizer = true;
  options.stages.target = GetParam();
  Result<runtime::Program> program = compileModel(config, options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->blobs.size(), 1u);
  TemporaryDirectory directory;
  std::string source = directory.write("code.ptx", program->blobs[0]);
  Outcome outcome = runCommand(concat(tool, " -v -arch=", GetParam(), " ",
                                      source, " -o ", source, ".cubin"));
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_EQ(outcome.text.find("warning"), std::string::npos) << outcome.text;
  std::vector<int> spills = numbersBefore(outcome.text, " bytes spill stores");
  EXPECT_EQ(spills.size(), program->kernels.size());
  // Some bytes lie in memory while the exact division of a rare case is called.
  constexpr int kOfCalls = 16;
  for (int bytes : spills)
    EXPECT_LE(bytes, kOfCalls) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Targets, Assemble,
                         ::testing::Values("sm_80", "sm_90a", "sm_100a"),
                         [](const ::testing::TestParamInfo<std::string> &info) {
                           return info.param;
                         });

} // namespace
