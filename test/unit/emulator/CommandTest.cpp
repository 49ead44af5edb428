// attnres-run emulate: what it prints and returns, and one line for every wrong
// option.

#include "EmulatorTestSupport.h"

#include "runtime/emulator/Command.h"

#include <fcntl.h>
#include <iostream>
#include <unistd.h>

using namespace attnres::emulator;

namespace {

struct Answer {
  int code;
  std::string out, error;
};

Answer runCommand(std::vector<std::string> words) {
  words.insert(words.begin(), "emulate");
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int code =
      runEmulateCommand(static_cast<int>(pointers.size()), pointers.data());
  std::string out = testing::internal::GetCapturedStdout();
  return {code, out, testing::internal::GetCapturedStderr()};
}

const std::string saxpy = std::string(EMULATOR_TEST_DATA) + "/saxpy.ptx";

std::vector<std::string> launch(std::vector<std::string> arguments,
                                std::vector<std::string> more = {}) {
  std::vector<std::string> words = {saxpy, "--kernel", "saxpy", "--grid",
                                    "2",   "--block",  "32",    "--args"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CommandTest, RunsAKernel) {
  Answer answer =
      runCommand(launch({"s32:40", "f32:2.5", "f32[40]=iota", "f32[40]=1"},
                        {"--print", "3:4", "--counters"}));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.out.find("argument 3: 1 3.5 6 8.5\n"), 0u) << answer.out;
  EXPECT_NE(answer.out.find("coalescing"), std::string::npos);
}

TEST(CommandTest, FindingsAreReported) {
  Answer answer =
      runCommand(launch({"s32:41", "f32:1", "f32[40]=iota", "f32[41]=none"}));
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.out.find("out of bounds"), std::string::npos);
  EXPECT_NE(answer.out.find("uninitialized memory"), std::string::npos);
}

TEST(CommandTest, ListsKernels) {
  Answer answer = runCommand({saxpy, "--list"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out.find("saxpy: saxpy_param_0 (4 bytes)"), 0u);
}

TEST(CommandTest, ValuesAreExact) {
  struct Case {
    const char *argument;
    const char *printed;
  };
  const Case cases[] = {
      {"u64[1]=18446744073709551615", " 18446744073709551615\n"},
      {"u64[1]=9007199254740993", " 9007199254740993\n"},
      {"s64[1]=-9223372036854775808", " -9223372036854775808\n"},
      {"s8[2]=-128", " -128 -128\n"},
      {"s32[1]=0xffffffff", " -1\n"},
      {"u8[3]=iota", " 0 1 2\n"},
      {"f32[1]=0.1", " 0.1\n"},
      {"f64[1]=0.1", " 0.1\n"},
      {"f32[1]=-inf", " -inf\n"},
      {"f16[1]=65504", " 65504\n"},
  };
  for (const Case &each : cases) {
    // One parameter of this kernel takes the buffer.
    std::vector<std::string> words =
        launch({"s32:0", "f32:0", "f32[1]", each.argument}, {"--print", "3"});
    Answer answer = runCommand(words);
    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.out, std::string("argument 3:") + each.printed);
  }
}

TEST(CommandTest, OutputThatCannotBeWritten) {
  std::fflush(stdout);
  int saved = dup(1);
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  dup2(full, 1);
  std::vector<std::string> words = {"emulate", saxpy, "--list"};
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  testing::internal::CaptureStderr();
  int code =
      runEmulateCommand(static_cast<int>(pointers.size()), pointers.data());
  std::string error = testing::internal::GetCapturedStderr();
  dup2(saved, 1);
  close(saved);
  close(full);
  std::cout.clear();
  EXPECT_EQ(code, 1);
  EXPECT_EQ(error, ""); // which main() says something about
}

TEST(CommandTest, MistakesGiveOneLine) {
  struct Case {
    std::vector<std::string> words;
    const char *message;
  };
  const std::vector<std::string> good = {"s32:9", "f32:1", "f32[9]", "f32[9]"};
  auto with = [&](size_t at, const std::string &argument) {
    std::vector<std::string> arguments = good;
    arguments[at] = argument;
    return launch(arguments);
  };
  const Case cases[] = {
      {{"/nowhere.ptx"}, "cannot read '/nowhere.ptx'"},
      {{saxpy, "--kernel", "other"}, "no kernel 'other'"},
      {{saxpy, "--grid", "0"}, "'0' is not of the form"},
      {{saxpy, "--block", "1,2,3,4"}, "'1,2,3,4' is not of the form"},
      {{saxpy, "--block", "2000"}, "2000 threads"},
      {launch({"s32:9"}), "takes 4 arguments, 1 given"},
      {with(0, "9"), "'9' is not of the form TYPE:VALUE"},
      {with(0, "s33:9"), "unknown type 's33'"},
      {with(0, "s32:1.5"), "'1.5' is not a whole number"},
      {with(0, "s32:"), "'' is not a whole number"},
      {with(0, "s32:-0x"), "'-0x' is not a whole number"},
      {with(0, "s32:4294967296"), "4294967296 does not fit s32"},
      {with(0, "s32:-2147483649"), "-2147483649 does not fit s32"},
      {with(0, "u64:9"), "argument 0 has 8 bytes"},
      {with(1, "f32:two"), "'two' is not a number"},
      {with(2, "f32[9"), "missing ']'"},
      {with(2, "f32[x]"), "'x' is not a count"},
      {with(2, "f64[4000000000]"), "more than 4294967296 bytes"},
      {with(2, "f32[9]=@/nowhere"), "cannot read 36 bytes of '/nowhere'"},
      {with(0, "s32:4294967295"), "4294967295 does not fit s32"},
      {with(0, "u32:-1"), "-1 does not fit u32"},
      {with(0, "s32:0x1ffffffff"), "0x1ffffffff does not fit s32"},
      {with(0, "s32:+5"), "'+5' is not a whole number"},
      {with(2, "s32[9]=5000000000"), "5000000000 does not fit s32"},
      {with(2, "s8[9]=128"), "128 does not fit s8"},
      {with(2, "u64[9]=18446744073709551616"), "does not fit u64"},
      {with(2, "s32[9]=1.7"), "'1.7' is not a whole number"},
      {with(2, "s32[9]=nan"), "'nan' is not a whole number"},
      {with(2, "f32[9]="), "'' is not a number"},
      {with(2, "f32[9]=1e39"), "1e39 does not fit f32"},
      {with(2, "f32[9]=1e-60"), "1e-60 does not fit f32"},
      {with(2, "f16[9]=70000"), "70000 does not fit f16"},
      {with(2, "f32[9]x=3"), "'x=3' after ']'"},
      {with(2, "f32[-1]"), "'-1' is not a count"},
      {with(2, "u8[300]=iota"), "u8 holds whole numbers to 255 only"},
      {with(2, "bf16[300]=iota"), "bf16 holds whole numbers to 256 only"},
      {with(2, "f32[1]=@" + saxpy), "has more than the 4 bytes"},
      {{saxpy, "--grid", ""}, "'' is not of the form"},
      {{saxpy, "--grid", "4,"}, "'4,' is not of the form"},
      {{saxpy, "--grid", "+4"}, "'+4' is not of the form"},
      {{saxpy, "--block", "4294967297"}, "'4294967297' is not of the form"},
      {launch(good, {"--print", "2:x"}), "not of the form INDEX"},
      {launch(good, {"--print", "0"}), "there is no such buffer argument"},
      {launch(good, {"--print", "7"}), "there is no such buffer argument"},
      {launch(good, {"--json", "/nowhere/x"}),
       "/nowhere/x: cannot create: there is no folder '/nowhere'"},
      {launch(good, {"--cluster", ""}), "'' is not of the form"},
      {launch(good, {"--cluster", "3"}), "multiple of cluster"},
  };
  for (const Case &each : cases) {
    Answer answer = runCommand(each.words);
    EXPECT_EQ(answer.code, 1) << each.message;
    EXPECT_EQ(answer.error.find("error: "), 0u) << answer.error;
    EXPECT_NE(answer.error.find(each.message), std::string::npos)
        << answer.error;
    EXPECT_EQ(std::count(answer.error.begin(), answer.error.end(), '\n'), 1)
        << answer.error;
  }
  EXPECT_EQ(runCommand({}).code, 2);
  for (const char *option :
       {"--shared", "--stack", "--heap", "--threads", "--shuffle", "--limit"})
    for (const char *value : {"-1", "1.5", "1e3", "99999999999999999999", ""})
      EXPECT_EQ(runCommand({saxpy, "--list", option, value}).code, 2)
          << option << " " << value;
  EXPECT_EQ(runCommand({saxpy, "--frobnicate"}).code, 2);
}

} // namespace
