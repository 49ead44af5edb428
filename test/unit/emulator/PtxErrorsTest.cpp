// Texts that no assembler takes, each with the line and what is wrong, and
// unusual ones that are right.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

const std::string head = ".version 8.7\n.target sm_90a\n.address_size 64\n";

std::string loadError(const std::string &ptx) {
  Device device;
  return device.loadModule(ptx).message();
}

// The kernel's body begins in line 8, behind so many more as declarations have.
std::string inKernel(const std::string &body,
                     const std::string &declarations = "") {
  return head + declarations + "\n.visible .entry k(.param .u64 p0)\n{\n" +
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; "
         ".reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n" +
         body + "\nret;\n}\n";
}

struct Case {
  std::string text;
  const char *message;
};

void expectErrors(const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    std::string error = loadError(each.text);
    EXPECT_NE(error.find(each.message), std::string::npos)
        << each.text << "\n-> " << error << "\nrather than " << each.message;
    EXPECT_EQ(error.compare(0, 5, "line "), 0) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}
void expectGood(const std::vector<std::string> &texts) {
  for (const std::string &text : texts)
    EXPECT_EQ(loadError(text), "") << text;
}

std::string module(const std::string &version, const std::string &target) {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n.visible .entry k() { ret; }\n";
}

TEST(PtxErrorsTest, VersionsAndTargets) {
  expectErrors({
      {module("8.0", "sm_banana"), "line 2: unknown target 'sm_banana'"},
      {module("8.0", "sm_81"), "unknown target 'sm_81'"},
      {module("8.0", "sm_80a"), "unknown target 'sm_80a'"},
      {module("8.0", "SM_80"), "unknown target 'SM_80'"},
      {module("8.0", "sm_80, banana"), "unknown target 'banana'"},
      {module("6.5", "sm_80"), "'sm_80' needs PTX version 7.0 or later"},
      {module("7.8", "sm_90a"), "'sm_90a' needs PTX version 8.0"},
      {module("6.9", "sm_70"), "line 1: there is no PTX version 6.9"},
      {module("8", "sm_80"), "expected a version such as 8.0"},
      {module("10.0", "sm_80"), "PTX version 10.0 is not supported"},
      {".version 8.0\n.visible .entry k() { ret; }", "expected .target"},
      {".target sm_80\n.version 8.0\n", "no .version directive"},
      {head + ".version 8.7\n", "line 4: '.version' is not at the start"},
  });
  expectGood({module("8.0", "sm_80"), module("7.8", "sm_90"),
              module("8.0", "sm_80, texmode_unified"),
              module("9.0", "sm_100f")});
}

TEST(PtxErrorsTest, ArraysAndInitialValues) {
  expectErrors({
      {inKernel(".shared .b8 s[0];"), "line 8: array 's' of zero elements"},
      {inKernel(".local .b8 s[];"), "array 's' of zero elements"},
      {inKernel("", ".global .b8 s[];"), "array 's' of zero elements"},
      {inKernel("", ".global .b8 s[2][0];"), "arrays of zero elements"},
      {inKernel("", ".shared .b32 s = 1;"), "neither .global nor .const"},
      {inKernel("", ".global .u32 s[2] = 1;"), "expected '{'"},
      {inKernel("", ".global .u32 s[2] = {1,2,3};"), "more than 2 elements"},
      {inKernel("", ".global .u32 s[2] = {1.0};"), "which has type u32"},
      {inKernel("", ".global .f32 s[2] = {1};"), "which has type f32"},
      {inKernel("", ".global .u64 s = t;\n.global .b32 t;"),
       "'t', which is not declared before"},
      {inKernel("", ".global .b8 s = t;"), "'t', which is not declared"},
      {inKernel("", ".global .pred s;"), "type pred"},
      {inKernel(".reg .bf16 b;"), "'.bf16' is for instructions only"},
      {head + ".visible .entry k(.param .b8 s[]) { ret; }", "has no size"},
  });
  expectGood({inKernel("", ".extern .shared .b8 s[];"),
              inKernel("", ".global .b32 s[] = {1,2,3};"),
              inKernel("", ".global .b32 s[2][2] = {{1},{3,4}};"),
              inKernel("", ".global .u32 s[2] = {(1+2)*3, 1<<4};")});
}

TEST(PtxErrorsTest, NamesDeclaredTwice) {
  const std::string function = ".func f(.param .b32 x) { ret; }\n";
  expectErrors({
      {inKernel(".reg .b32 x;\n.reg .b32 x;"), "line 9: 'x' is declared twice"},
      {inKernel(".reg .b32 a<4>;\n.reg .b32 a2;"), "'a2' is declared twice"},
      {inKernel(".reg .b32 %r<40>;"), "'%r' is declared twice"},
      {inKernel(".reg .b32 x;\n.local .b32 x;"), "'x' is declared twice"},
      {inKernel(".reg .b64 p0;"), "'p0' is declared twice"},
      {inKernel("L: mov.u32 %r1, 1;\nL: mov.u32 %r1, 2;"),
       "line 9: 'L' is declared twice"},
      {inKernel("", ".global .b32 x;\n.global .b32 x;"), "is declared twice"},
      {inKernel("", function + ".global .b32 f;"), "declared as a function"},
      {inKernel("", ".global .b32 f;\n" + function), "declared as a variable"},
      {inKernel("", function + function), "is declared twice"},
      {inKernel("", ".func f(.param .b64 x);\n" + function),
       "with other parameters"},
      {inKernel("", ".func f();\n"), "declared but has no body"},
      // A body whose names hide the function it calls.
      {inKernel("f: call f;", ".func f() { ret; }"), "stands for something"},
      {inKernel(".local .b32 f;\ncall f;", ".func f() { ret; }"),
       "stands for something"},
      {inKernel("bra L;"), "unknown label 'L'"},
      {inKernel("{\nL: mov.u32 %r1, 1;\n}\nbra L;"), "unknown label 'L'"},
  });
  expectGood({inKernel("{ .reg .b32 x; }\n{ .reg .b64 x; }"),
              inKernel("L: mov.u32 %r1, 1;\n{\nL: bra L;\n}")});
}

TEST(PtxErrorsTest, CallsFitTheFunction) {
  const std::string function =
      ".func (.param .b32 r) f(.param .b32 x, .param .b64 y) { ret; }\n"
      ".func g(.param .align 8 .b8 s[12]) { ret; }\n";
  const std::string variables =
      "{\n.param .b32 a; .param .b64 b; .param .b32 c; .param .align 8 .b8 "
      "s[12]; .param .align 4 .b8 t[12];\n"
      "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n";
  auto call = [&](const char *text) {
    return inKernel(variables + text + "\n}", function);
  };
  expectErrors({
      {call("call (c), f, (a);"), "line 13: call: 1 arguments, expected 2"},
      {call("call (c), f, (a, b, a);"), "3 arguments, expected 2"},
      {call("call f, (a, b);"), "0 results, expected 1"},
      {call("call (b), f, (a, b);"), "'b' has type b64"},
      {call("call (c), f, (b, a);"), "'b' has type b64"},
      {call("call g, (t);"), "alignment 4"},
      {call("call (c), h, (a, b);"), "'h', which is not declared before"},
      {call("call (c), k, (a, b);"), "'k' is a kernel"},
      {call("call (c), %rd1, (a), P;"), "1 arguments, expected 2"},
      {call("call (c), %rd1, (a, b), Q;"), "unknown prototype 'Q'"},
      {call("call (c), %rd1, (a, b);"), "expected a prototype"},
      {call("call (c), f, (a, b), P;"), "prototype at a call"},
  });
  expectGood({call("call (c), f, (a, b);"), call("call g, (s);"),
              call("call (c), %rd1, (a, b), P;"),
              call("call (%r2), f, (7, %rd1);"), call("call (_), f, (a, b);")});
}

TEST(PtxErrorsTest, OperandsHaveTheType) {
  expectErrors({
      {inKernel("mov.u32 %r1, 0f3f800000;"), "floating constant"},
      {inKernel("mov.b32 %r1, 1.5;"), "floating constant"},
      {inKernel("add.f32 %f1, %f2, 1;"), "integer constant"},
      {inKernel("mov.u32 %r1, %f1;"), "register '%f1' of type f32"},
      {inKernel("ld.global.u32 %f1, [%rd1];"), "register '%f1' of type f32"},
      {inKernel("mov.u32 %tid.x, %r1;"), "cannot be written"},
      {inKernel("mov.u32 _, %r1;"), "expected a destination"},
      {inKernel("ld.global.u32 %r1, [%r2];"), "expected 64"},
      {inKernel("ld.global.u32 %r1, [p0];"), "in another state space"},
      {inKernel("bar.sync 16;"), "expected 0 to 15"},
      {inKernel("bar.sync 0, 33;"), "expected a multiple of 32"},
      {inKernel("mov.u64 {%r1, %r2}, %rd1;"), "expected one of bits"},
      {inKernel("fma.f32 %f1, %f2, %f3, %f1;"), "expected .rn"},
      {inKernel("div.f32 %f1, %f2, %f3;"), "expected .approx, .full or"},
      {inKernel("sin.f32 %f1, %f2;"), "expected .approx"},
      {inKernel("cvt.f32.s32 %f1, %r1;"), "expected .rn"},
      {inKernel("cvt.s32.f32 %r1, %f1;"), "expected .rni"},
      {inKernel("cvt.rn.f64.f32 %fd1, %f1;"), "conversion that is exact"},
      {inKernel("add.b32 %r1, %r2, %r3;"), "type b32 is not one of"},
      {inKernel("and.u32 %r1, %r2, %r3;"), "type u32 is not one of"},
      {inKernel("abs.u32 %r1, %r2;"), "type u32 is not one of"},
      {inKernel("setp.lt.b32 %p1, %r1, %r2;"), "expected .eq or .ne"},
      {inKernel("setp.lo.s32 %p1, %r1, %r2;"), "unsigned numbers on another"},
  });
}

TEST(PtxErrorsTest, InstructionsNewerThanTheModule) {
  auto old = [](const char *version, const char *target,
                const std::string &body) {
    return fmt::format(".version {}\n.target {}\n.address_size 64\n"
                       ".visible .entry k(.param .u64 p0)\n{{\n.reg .b16 "
                       "%h<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 "
                       "%f<8>; .reg .pred %p;\n{}\nret;\n}}\n",
                       version, target, body);
  };
  const std::string copy = "cp.async.ca.shared.global [%r1], [%rd1], 16;";
  const std::string bf16 = "fma.rn.bf16 %h1, %h2, %h3, %h1;";
  const std::string bulk = "cp.async.bulk.commit_group;";
  const std::string wide =
      "ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd1];";
  expectErrors({
      {old("6.4", "sm_75", copy), "needs PTX version 7.0"},
      {old("7.0", "sm_75", copy), "needs target sm_80 or later, the module"},
      {old("7.0", "sm_75", bf16), ".bf16 needs target sm_80"},
      {old("7.8", "sm_90", bulk), "needs PTX version 8.0"},
      {old("8.0", "sm_80", bulk), "needs target sm_90"},
      {old("8.0", "sm_90", "wgmma.fence.sync.aligned;"), "such as sm_90a"},
      {old("8.7", "sm_90a", wide), "needs PTX version 8.8"},
      {old("8.0", "sm_80", "mov.u32 %r1, %clusterid.x;"), "sm_90"},
      {old("6.5", "sm_75", "redux.sync.add.u32 %r1, %r2, -1;"), "7.0"},
  });
  expectGood({old("7.0", "sm_80", copy), old("7.0", "sm_80", bf16),
              old("8.0", "sm_90", bulk), old("8.8", "sm_100", wide),
              old("8.0", "sm_90a", "wgmma.fence.sync.aligned;")});
}

} // namespace
