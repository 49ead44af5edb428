// Errors of the PTX front end, and mutations of real files: whatever the text,
// the answer is one line.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

std::string loadError(const std::string &ptx) {
  Device device;
  return device.loadModule(ptx).message();
}

TEST(ParserTest, ErrorsNameTheLine) {
  EXPECT_EQ(loadError(""), "line 1: no .version directive");
  EXPECT_EQ(loadError(".version 8.0\n.target sm_80\n.address_size 32\n"),
            "line 3: address size 32 is not supported, expected 64");
  EXPECT_NE(loadError(".version 8.0\n.target sm_80\n/* open")
                .find("comment is not closed"),
            std::string::npos);
  EXPECT_NE(
      loadError(".version 8.0\n.target sm_80\n.entry k()\n{\nfoo.bar %r1;\n}\n")
          .find("unknown register '%r1'"),
      std::string::npos);
}

TEST(ParserTest, UnknownInstructionsAreErrors) {
  std::string unknown = wrapPtx("frobnicate.b32 %r1, %r2;");
  EXPECT_NE(loadError(unknown).find("frobnicate.b32: unknown instruction"),
            std::string::npos)
      << loadError(unknown);
  // Unknown modifiers are not skipped either.
  EXPECT_NE(loadError(wrapPtx("add.fancy.s32 %r1, %r2, %r3;"))
                .find("unknown modifier '.fancy'"),
            std::string::npos);
  EXPECT_NE(loadError(wrapPtx("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [p0];"))
                .find("unknown instruction"),
            std::string::npos);
}

// Modifiers that exist, on types that do not have them.
TEST(ParserTest, ModifiersBelongToTypes) {
  for (const char *text :
       {"add.rz.f16 %h1, %h2, %h3;", "add.sat.f64 %fd1, %fd2, %fd3;",
        "mul.ftz.f64 %fd1, %fd2, %fd3;", "add.relu.f32 %f1, %f2, %f3;",
        "add.sat.u32 %r1, %r2, %r3;", "max.relu.f32 %f1, %f2, %f3;",
        "sqrt.f16 %h1, %h2;", "tanh.f64 %fd1, %fd2;",
        "addc.first.u32 %r1, %r2, %r3;", "shf.l.b32 %r1, %r2, %r3, %r4;",
        "mul.s32 %r1, %r2, %r3;", "bfe.b16 %h1, %h2, %r1, %r2;",
        "setp.lt.tf32 %p1, %r1, %r2;", "cvt.rn.f32.f32.f32 %f1, %f2;"})
    EXPECT_NE(loadError(wrapPtx(text)), "") << text;
}

TEST(ParserTest, OperandsAreChecked) {
  EXPECT_NE(loadError(wrapPtx("add.s32 %r1, %rd2, %r3;"))
                .find("where type s32 is expected"),
            std::string::npos);
  EXPECT_NE(loadError(wrapPtx("add.s32 %r1, %r2;"))
                .find("expected 3 operands, found 2"),
            std::string::npos);
  EXPECT_NE(loadError(wrapPtx("bra NOWHERE;")).find("unknown label 'NOWHERE'"),
            std::string::npos);
  EXPECT_NE(
      loadError(wrapPtx("ld.global.u32 %r1, %r2;")).find("expected an address"),
      std::string::npos);
  EXPECT_NE(
      loadError(wrapPtx("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                        "{%f0,%f1}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1};"))
          .find("expected a vector of 4"),
      std::string::npos);
}

TEST(ParserTest, ScopesAndLabels) {
  // The same names in blocks of their own, as inlined assembly has them.
  std::string body = "{\n.reg .pred P;\nsetp.eq.u32 P, %r0, 0;\n@P bra DONE;\n"
                     "DONE:\n}\n";
  EXPECT_EQ(loadError(wrapPtx(body + body)), "");
}

// Mutates a text: bytes, tokens and lines are changed, dropped, doubled and
// swapped.
std::string mutate(const std::string &text, Numbers &numbers) {
  std::string result = text;
  unsigned changes = numbers.bits() % 4 + 1;
  for (unsigned i = 0; i < changes && !result.empty(); ++i) {
    size_t at = numbers.bits() % result.size();
    size_t length =
        std::min<size_t>(numbers.bits() % 24 + 1, result.size() - at);
    static const char *const pieces[] = {
        "{",
        "}",
        "[",
        "]",
        ";",
        ":",
        ",",
        "(",
        ")",
        "|",
        "@",
        "!",
        "%p1",
        "%rd1",
        "_",
        "0x",
        "-",
        "1e9",
        ".v4",
        ".b128",
        "0f12",
        "\"",
        "/*",
        ".reg",
        "<",
        ">",
        ".f64",
        ".u8",
        "18446744073709551615",
        ".pred",
        "\0",
        "ret",
        "call",
        ".shared .align 4096 .b8 q[2147483647];"};
    switch (numbers.bits() % 6) {
    case 0:
      result[at] = static_cast<char>(numbers.bits());
      break;
    case 1:
      result.erase(at, length);
      break;
    case 2:
      result.insert(at, result.substr(at, length));
      break;
    case 3:
      result.insert(at, pieces[numbers.bits() % std::size(pieces)]);
      break;
    case 4: {
      size_t from = numbers.bits() % result.size();
      result.replace(at, length, result.substr(from, length));
      break;
    }
    default:
      result.resize(at);
      break;
    }
  }
  return result;
}

TEST(ParserTest, MutatedFilesGiveOneLine) {
  std::vector<std::string> files;
  for (const char *name : {"saxpy.ptx", "basics.ptx", "matrix.ptx",
                           "hopper.ptx", "attention.ptx", "pipeline.ptx"})
    files.push_back(readTestFile(name));
  Numbers numbers(fromEnvironment("ATTNRES_FUZZ_SEED", 20240607));
  uint64_t total = fromEnvironment("ATTNRES_FUZZ_ROUNDS", 400);
  uint64_t rejected = 0;
  for (uint64_t round = 0; round < total; ++round) {
    // One kernel of the larger files.
    std::string text = files[round % files.size()];
    if (text.size() > 12000) {
      size_t entry =
          text.find(".visible .entry", numbers.bits() % (text.size() - 6000));
      if (entry == std::string::npos)
        entry = text.find(".visible .entry");
      size_t end = text.find("\n}", entry);
      text = ".version 8.7\n.target sm_90a\n.address_size 64\n" +
             text.substr(entry, end - entry + 3);
    }
    std::string error = loadError(mutate(text, numbers));
    rejected += !error.empty();
    ASSERT_EQ(error.find('\n'), std::string::npos) << error;
    ASSERT_LT(error.size(), 600u) << error;
  }
  // Most mutations break something, a few only a comment or a constant.
  EXPECT_GT(rejected, total / 3);
  EXPECT_LT(rejected, total);
}

} // namespace
