// Atomics on shared and global memory, loads and stores of every width,
// exchanges between lanes, votes, barriers with reductions, special registers.

#include "RegisterKernel.h"

using namespace attnres::emulator;

namespace {

constexpr uint64_t ones64 = ~uint64_t(0);

class WarpInstructionsTest : public RegisterKernelTest {
protected:
  /// `text` with a cell of 16 bytes of shared memory per lane at [%c], which
  /// holds operand 0.
  static std::string withCell(const std::string &text) {
    return "{\n.shared .align 16 .b8 cells[512];\n.reg .b32 %c;\n"
           "mov.u32 %c, %tid.x;\nshl.b32 %c, %c, 4;\nmov.u32 %rx, cells;\n"
           "add.u32 %c, %c, %rx;\nst.shared.b64 [%c], %d0;\n" +
           text + "\n}";
  }
  struct Atomic {
    uint64_t old, b, c, result;
  };
  /// Both what the operation returns and what it leaves, for atom and red.
  void checkAtomic(const std::string &operation, const std::string &type,
                   const std::vector<Atomic> &rows) {
    unsigned bits = type.find("64") != std::string::npos               ? 64
                    : type == "b16" || type == "f16" || type == "bf16" ? 16
                                                                       : 32;
    char letter = bits == 64 ? 'd' : bits == 32 ? 'r' : 'h';
    std::string operands = fmt::format("%{}1", letter);
    if (operation.substr(0, 3) == "cas")
      operands += fmt::format(", %{}2", letter);
    std::vector<Row> returned;
    std::vector<Row> left;
    for (const Atomic &row : rows) {
      returned.push_back({{row.old, row.b, row.c}, row.old});
      left.push_back({{row.old, row.b, row.c}, row.result});
    }
    std::string name = operation + "." + type;
    check(withCell(fmt::format("atom.shared.{} %{}o, [%c], {};", name, letter,
                               operands)),
          returned);
    check(withCell(fmt::format("atom.acq_rel.cta.shared.{0} %{1}x, [%c], {2};\n"
                               "ld.shared.b{3} %{1}o, [%c];",
                               name, letter, operands, bits)),
          left);
    if (operation != "cas" && operation != "exch")
      check(withCell(fmt::format("red.shared.{0} [%c], {2};\n"
                                 "ld.shared.b{3} %{1}o, [%c];",
                                 name, letter, operands, bits)),
            left);
  }
};

TEST_F(WarpInstructionsTest, IntegerAtomics) {
  checkAtomic("add", "u32", {{0xffffffff, 3, 0, 2}});
  checkAtomic("add", "s32", {{5, 0xfffffffe, 0, 3}});
  checkAtomic("add", "u64", {{ones64, 3, 0, 2}});
  checkAtomic("min", "s32", {{0xffffffff, 3, 0, 0xffffffff}});
  checkAtomic("min", "u32", {{0xffffffff, 3, 0, 3}});
  checkAtomic("max", "s64", {{ones64, 3, 0, 3}});
  checkAtomic("max", "u64", {{ones64, 3, 0, ones64}});
  checkAtomic("and", "b32", {{0xff0f, 0x1ff3, 0, 0x1f03}});
  checkAtomic("or", "b64", {{uint64_t(1) << 40, 1, 0, uint64_t(1) << 40 | 1}});
  checkAtomic("xor", "b32", {{5, 6, 0, 3}});
  checkAtomic("exch", "b32", {{5, 6, 0, 6}});
  checkAtomic("exch", "b64", {{5, ones64, 0, ones64}});
  checkAtomic("cas", "b16", {{5, 5, 9, 9}, {5, 6, 9, 5}});
  checkAtomic("cas", "b32", {{5, 5, 9, 9}, {5, 6, 9, 5}});
  checkAtomic("cas", "b64", {{ones64, ones64, 9, 9}, {ones64, 6, 9, ones64}});
  checkAtomic("inc", "u32", {{4, 5, 0, 5}, {5, 5, 0, 0}, {9, 5, 0, 0}});
  checkAtomic("dec", "u32", {{4, 5, 0, 3}, {0, 5, 0, 5}, {9, 5, 0, 5}});
}

TEST_F(WarpInstructionsTest, FloatAtomics) {
  checkAtomic("add", "f32",
              {{0x3f800000, 0x40000000, 0, 0x40400000},
               {0x7f800000, 0xff800000, 0, 0x7fffffff}});
  checkAtomic(
      "add", "f64",
      {{0x3ff0000000000000, 0x4000000000000000, 0, 0x4008000000000000}});
  checkAtomic("add.noftz", "f16",
              {{0x3c00, 0x4000, 0, 0x4200}, {0x0001, 0x0001, 0, 0x0002}});
  checkAtomic("add.noftz", "bf16", {{0x3f80, 0x4000, 0, 0x4040}});
  checkAtomic("add.noftz", "f16x2", {{0x3c004000, 0x40003c00, 0, 0x42004200}});
  checkAtomic("add.noftz", "bf16x2", {{0x3f804000, 0x40003f80, 0, 0x40404040}});
}

TEST_F(WarpInstructionsTest, VectorAtomicsOfGlobalMemory) {
  load(wrapPtx("shl.b32 %r1, %r0, 4;\ncvt.u64.u32 %rd4, %r1;\n"
               "add.u64 %rd5, %rd0, %rd4;\nadd.u64 %rd6, %rd1, %rd4;\n"
               "mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f40000000;\n"
               "atom.global.v4.f32.add {%f4,%f5,%f6,%f7}, [%rd5], "
               "{%f1,%f2,%f1,%f2};\n"
               "st.global.v4.f32 [%rd6], {%f4,%f5,%f6,%f7};\n"
               "red.global.add.v2.f32 [%rd5+8], {%f2, %f2};"));
  std::vector<float> x(32 * 4);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  uint64_t values = upload(x);
  uint64_t before = output<float>(x.size());
  run("k", shape(1, 32), values, before, values, values);
  EXPECT_EQ(download<float>(before, x.size()), x);
  std::vector<float> after = download<float>(values, x.size());
  const float added[] = {1, 2, 3, 4};
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(after[i], x[i] + added[i % 4]);
}

TEST_F(WarpInstructionsTest, AtomicsThatDoNotExist) {
  auto error = [&](const std::string &text) {
    Device fresh;
    return fresh.loadModule(wrapPtx(text)).message();
  };
  for (const char *bad : {"atom.global.add.tf32 %r1, [%rd0], %r2;",
                          "atom.global.and.f32 %f1, [%rd0], %f2;",
                          "atom.global.inc.u64 %rd5, [%rd0], %rd4;",
                          "atom.global.min.f64 %fd1, [%rd0], %fd2;",
                          "atom.global.exch.f16 %h1, [%rd0], %h2;",
                          "atom.global.add.e4m3x2 %h1, [%rd0], %h2;",
                          "red.global.cas.b32 [%rd0], %r1, %r2;",
                          "red.global.exch.b32 [%rd0], %r1;"})
    EXPECT_NE(error(bad), "") << bad;
}

TEST_F(WarpInstructionsTest, LoadsAndStoresOfEveryWidth) {
  const uint64_t bytes = 0xfedcba9876543280;
  check(withCell("ld.shared.u8 %ro, [%c];"), {{{bytes}, 0x80}});
  check(withCell("ld.shared.s8 %ro, [%c];"), {{{bytes}, 0xffffff80}});
  check(withCell("ld.shared.s8 %do, [%c];"), {{{bytes}, ones64 << 7}});
  check(withCell("ld.shared.s8 %ho, [%c];"), {{{bytes}, 0xff80}});
  check(withCell("ld.shared.b8 %ho, [%c+7];"), {{{bytes}, 0xfe}});
  check(withCell("ld.shared.u16 %do, [%c+6];"), {{{bytes}, 0xfedc}});
  check(withCell("ld.shared.s16 %do, [%c+6];"),
        {{{bytes}, 0xfffffffffffffedc}});
  check(withCell("ld.shared.s32 %do, [%c+4];"),
        {{{bytes}, 0xfffffffffedcba98}});
  check(withCell("ld.shared.u32 %do, [%c+4];"), {{{bytes}, 0xfedcba98}});
  check(withCell("ld.shared.v4.u16 {%hx, %ho, _, _}, [%c];"),
        {{{bytes}, 0x7654}});
  check(withCell("ld.shared.v4.u8 {%hx, %hx, %ho, _}, [%c];"),
        {{{bytes}, 0x54}});
  check(withCell("ld.shared.v2.b32 {_, %ro}, [%c];"), {{{bytes}, 0xfedcba98}});
  check(withCell("st.shared.u8 [%c+1], %r1;\nld.shared.u32 %ro, [%c];"),
        {{{bytes, 0x1ff}, 0x7654ff80}});
  check(withCell("st.shared.u16 [%c+2], %d1;\nld.shared.u32 %ro, [%c];"),
        {{{bytes, 0xabcd1234}, 0x12343280}});
  check(withCell("st.shared.v2.u32 [%c], {%r1, %r2};\nld.shared.b64 %do, "
                 "[%c];"),
        {{{bytes, 1, 2}, 0x200000001}});
  check(withCell("st.shared.v2.b64 [%c], {%d1, %d2};\n"
                 "ld.shared.v4.u32 {_, _, %ro, _}, [%c];"),
        {{{bytes, 1, 0x700000005}, 5}});
  check(withCell(".reg .b128 %q;\nst.shared.b64 [%c+8], %d1;\n"
                 "ld.shared.b128 %q, [%c];\nst.shared.b128 [%c], %q;\n"
                 "mov.b128 {%dx, %do}, %q;"),
        {{{bytes, 77}, 77}});
  check(withCell("st.volatile.shared.u32 [%c], %r1;\n"
                 "ld.volatile.shared.u32 %ro, [%c];"),
        {{{bytes, 9}, 9}});
  check(withCell("st.release.cta.shared.u32 [%c], %r1;\n"
                 "ld.acquire.cta.shared.u32 %ro, [%c];"),
        {{{bytes, 9}, 9}});
  // Generic addresses, and what space they are in.
  check(withCell("cvt.u64.u32 %dx, %c;\ncvta.shared.u64 %dx, %dx;\n"
                 "ld.u32 %ro, [%dx];"),
        {{{bytes}, 0x76543280}});
  check(withCell("cvt.u64.u32 %dx, %c;\ncvta.shared.u64 %dx, %dx;\n"
                 "cvta.to.shared.u64 %dx, %dx;\ncvt.u32.u64 %rx, %dx;\n"
                 "sub.u32 %ro, %rx, %c;"),
        {{{bytes}, 0}});
  for (const auto &[space, expected] :
       {std::pair("global", 0), std::pair("shared", 1), std::pair("local", 0),
        std::pair("param", 0), std::pair("shared::cluster", 1)})
    check(withCell(fmt::format("cvt.u64.u32 %dx, %c;\n"
                               "cvta.shared.u64 %dx, %dx;\n"
                               "isspacep.{} %po, %dx;",
                               space)),
          {{{bytes}, uint64_t(expected)}});
  check("{\n.local .align 8 .b8 frame[16];\nmov.u64 %dx, frame;\n"
        "st.local.u32 [%dx+4], %r0;\ncvta.local.u64 %dx, %dx;\n"
        "isspacep.local %po, %dx;\nld.u32 %rx, [%dx+4];\n"
        "setp.eq.and.u32 %po, %rx, %r0, %po;\n}",
        {{{5}, 1}});
}

// The definition of the manual, for all modes, segments and offsets.
TEST_F(WarpInstructionsTest, Shuffles) {
  Numbers numbers(3);
  const char *const modes[] = {"up", "down", "bfly", "idx"};
  for (int mode = 0; mode < 4; ++mode) {
    device = Device();
    load(wrapPtx(fmt::format(
        "shl.b32 %r1, %r0, 4;\ncvt.u64.u32 %rd4, %r1;\n"
        "add.u64 %rd5, %rd0, %rd4;\nadd.u64 %rd6, %rd1, %rd4;\n"
        "ld.global.v4.u32 {{%r2, %r3, %r4, %r5}}, [%rd5];\n"
        "shfl.sync.{}.b32 %r6|%p1, %r2, %r3, %r4, -1;\n"
        "selp.u32 %r7, 1, 0, %p1;\nst.global.v2.u32 [%rd6], {{%r6, %r7}};",
        modes[mode])));
    for (int round = 0; round < 40; ++round) {
      std::vector<std::array<uint32_t, 4>> in(32);
      uint32_t clamp =
          numbers.bits() % 2 ? mode == 0 ? 0 : 31 : numbers.bits() % 32;
      uint32_t segment = (32 - (1u << numbers.bits() % 6)) & 31;
      for (auto &[a, b, c, unused] : in) {
        a = numbers.bits();
        b = numbers.bits() % 40;
        c = segment << 8 | clamp;
        unused = 0;
      }
      uint64_t data = upload(in);
      uint64_t out = output<uint32_t>(32 * 4);
      run("k", shape(1, 32), data, out, data, data);
      std::vector<uint32_t> result = download<uint32_t>(out, 32 * 4);
      for (int lane = 0; lane < 32; ++lane) {
        int offset = in[lane][1] & 31;
        int mask = int(segment);
        int most = (lane & mask) | (int(clamp) & ~mask);
        int least = lane & mask;
        int from = mode == 0   ? lane - offset
                   : mode == 1 ? lane + offset
                   : mode == 2 ? lane ^ offset
                               : least | (offset & ~mask);
        bool valid = mode == 0 ? from >= most : from <= most;
        if (!valid)
          from = lane;
        ASSERT_EQ(result[lane * 4], in[from][0]) << modes[mode] << lane;
        ASSERT_EQ(result[lane * 4 + 1], uint32_t(valid)) << modes[mode] << lane;
      }
    }
  }
}

TEST_F(WarpInstructionsTest, VotesMatchesAndReductions) {
  // Lanes 0 to 15 and 16 to 31 exchange among themselves.
  auto perLane = [&](const std::string &text) {
    device = Device();
    load(wrapPtx("setp.lt.u32 %p9, %r0, 16;\n"
                 "selp.b32 %r1, 0xffff, 0xffff0000, %p9;\n"
                 "shl.b32 %r2, %r0, 2;\ncvt.u64.u32 %rd4, %r2;\n"
                 "add.u64 %rd5, %rd0, %rd4;\nadd.u64 %rd6, %rd1, %rd4;\n"
                 "ld.global.u32 %r3, [%rd5];\nsetp.gt.s32 %p1, %r3, 9;\n" +
                 text + "\nst.global.u32 [%rd6], %r4;"));
    std::vector<uint32_t> in(32);
    for (uint32_t i = 0; i < 32; ++i)
      in[i] = i < 16 ? i % 4 : 10 + i;
    uint64_t data = upload(in);
    uint64_t out = output<uint32_t>(32);
    run("k", shape(1, 32), data, out, data, data);
    std::vector<uint32_t> all = download<uint32_t>(out, 32);
    return std::pair(all[1], all[17]);
  };
  using P = std::pair<uint32_t, uint32_t>;
  const std::string select = "\nselp.u32 %r4, 1, 0, %p2;";
  EXPECT_EQ(perLane("vote.sync.all.pred %p2, %p1, %r1;" + select), P(0, 1));
  EXPECT_EQ(perLane("vote.sync.any.pred %p2, !%p1, %r1;" + select), P(1, 0));
  EXPECT_EQ(perLane("vote.sync.uni.pred %p2, %p1, %r1;" + select), P(1, 1));
  EXPECT_EQ(perLane("vote.sync.ballot.b32 %r4, %p1, %r1;"), P(0, 0xffff0000));
  EXPECT_EQ(perLane("match.any.sync.b32 %r4, %r3, %r1;"), P(0x2222, 0x20000));
  EXPECT_EQ(perLane("match.all.sync.b32 %r4|%p2, %r3, %r1;"), P(0, 0));
  EXPECT_EQ(perLane("cvt.u64.u32 %rd7, 5;\n"
                    "match.all.sync.b64 %r4|%p2, %rd7, %r1;"),
            P(0xffff, 0xffff0000));
  EXPECT_EQ(perLane("redux.sync.add.u32 %r4, %r3, %r1;"), P(24, 536));
  EXPECT_EQ(perLane("redux.sync.min.s32 %r4, %r3, %r1;"), P(0, 26));
  EXPECT_EQ(perLane("redux.sync.max.u32 %r4, %r3, %r1;"), P(3, 41));
  EXPECT_EQ(perLane("redux.sync.and.b32 %r4, %r3, %r1;"), P(0, 0));
  EXPECT_EQ(perLane("redux.sync.or.b32 %r4, %r3, %r1;"), P(3, 63));
  EXPECT_EQ(perLane("redux.sync.xor.b32 %r4, %r3, %r1;"), P(0, 0));
  EXPECT_EQ(perLane("elect.sync %r4|%p2, %r1;"), P(0, 16));
  EXPECT_EQ(perLane("elect.sync _|%p2, %r1;" + select), P(0, 0));
  EXPECT_EQ(perLane("@%p9 bra A;\nactivemask.b32 %r4;\nbra B;\nA:\n"
                    "activemask.b32 %r4;\nB:"),
            P(0xffff, 0xffff0000));
}

TEST_F(WarpInstructionsTest, BarriersWithReductions) {
  load(wrapPtx("setp.lt.u32 %p1, %r0, 40;\n"
               "bar.red.popc.u32 %r1, 1, %p1;\n"
               "barrier.cta.red.and.aligned.pred %p2, 2, %p1;\n"
               "bar.red.or.pred %p3, 3, 96, !%p1;\n"
               "selp.u32 %r2, 1000, 0, %p2;\nselp.u32 %r3, 2000, 0, %p3;\n"
               "add.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\n"
               "mul.wide.u32 %rd4, %r0, 4;\nadd.u64 %rd4, %rd0, %rd4;\n"
               "st.global.u32 [%rd4], %r1;"));
  uint64_t out = output<uint32_t>(96);
  run("k", shape(1, 96), out, out, out, out);
  EXPECT_EQ(download<uint32_t>(out, 96), std::vector<uint32_t>(96, 2040));
}

// A producer that arrives and goes on, a consumer that waits.
TEST_F(WarpInstructionsTest, BarrierArrive) {
  load(
      wrapPtx("shr.u32 %r1, %r0, 5;\nsetp.eq.u32 %p1, %r1, 1;\n"
              "and.b32 %r2, %r0, 31;\nshl.b32 %r2, %r2, 2;\n"
              "mov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n@%p1 bra CONSUMER;\n"
              "st.shared.u32 [%r3], %r0;\nbarrier.cta.arrive 5, 64;\nret;\n"
              "CONSUMER:\nbarrier.cta.sync 5, 64;\n"
              "ld.shared.u32 %r4, [%r3];\ncvt.u64.u32 %rd4, %r2;\n"
              "add.u64 %rd5, %rd0, %rd4;\nst.global.u32 [%rd5], %r4;",
              ".shared .align 4 .b8 tile[128];"));
  uint64_t out = output<uint32_t>(32);
  run("k", shape(1, 64), out, out, out, out);
  std::vector<uint32_t> result = download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i);
}

TEST_F(WarpInstructionsTest, SpecialRegisters) {
  std::string body = "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.z;\n"
                     "mad.lo.u32 %r3, %r2, 2, %r1;\n"
                     "mad.lo.u32 %r3, %r3, 5, %r0;\n"
                     "mov.u32 %r4, %ctaid.y;\nmad.lo.u32 %r4, %r4, 30, %r3;\n"
                     "mul.wide.u32 %rd4, %r4, 64;\nadd.u64 %rd4, %rd0, %rd4;\n";
  const char *const names[] = {"laneid",      "warpid",
                               "nwarpid",     "ntid.x",
                               "ntid.y",      "ntid.z",
                               "nctaid.y",    "ctaid.x",
                               "lanemask_eq", "lanemask_le",
                               "lanemask_lt", "lanemask_ge",
                               "lanemask_gt", "dynamic_smem_size",
                               "clusterid.y", "cluster_nctarank"};
  for (size_t i = 0; i < std::size(names); ++i)
    body += fmt::format("mov.u32 %r5, %{};\nst.global.u32 [%rd4+{}], %r5;\n",
                        names[i], 4 * i);
  load(wrapPtx(body));
  LaunchConfig config;
  config.grid = {1, 2, 1};
  config.block = {5, 2, 3};
  config.dynamicSharedBytes = 96;
  uint64_t out = output<uint32_t>(60 * 16);
  run("k", config, out, out, out, out);
  std::vector<uint32_t> result = download<uint32_t>(out, 60 * 16);
  for (uint32_t i = 0; i < 60; ++i) {
    uint32_t lane = i % 30;
    uint32_t eq = 1u << lane;
    const std::vector<uint32_t> expected = {lane,
                                            0,
                                            1,
                                            5,
                                            2,
                                            3,
                                            2,
                                            0,
                                            eq,
                                            2 * eq - 1,
                                            eq - 1,
                                            ~(eq - 1),
                                            ~(2 * eq - 1),
                                            96,
                                            i / 30,
                                            1};
    for (size_t j = 0; j < 16; ++j)
      EXPECT_EQ(result[i * 16 + j], expected[j]) << names[j] << " of " << i;
  }
}

TEST_F(WarpInstructionsTest, IndirectBranchesAndCalls) {
  load(wrapPtx("T: .branchtargets A, B, C;\nrem.u32 %r1, %r0, 3;\n"
               "brx.idx %r1, T;\nA:\nmov.u32 %r2, 10;\nbra.uni D;\nB:\n"
               "mov.u32 %r2, 20;\nbra D;\nC:\nmov.u32 %r2, 30;\nD:\n"
               "setp.eq.u32 %p1, %r1, 1;\nmov.u64 %rd5, twice;\n"
               "mov.u64 %rd6, square;\nselp.u64 %rd5, %rd6, %rd5, %p1;\n{\n"
               ".param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r2;\n"
               "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
               "call (r), %rd5, (a), P;\nld.param.b32 %r3, [r];\n}\n"
               "mul.wide.u32 %rd4, %r0, 4;\nadd.u64 %rd4, %rd0, %rd4;\n"
               "st.global.u32 [%rd4], %r3;",
               ".func (.param .b32 r) twice(.param .b32 a)\n{\n"
               ".reg .b32 %x;\nld.param.b32 %x, [a];\nadd.u32 %x, %x, %x;\n"
               "st.param.b32 [r], %x;\nret;\n}\n"
               ".func (.param .b32 r) square(.param .b32 a)\n{\n"
               ".reg .b32 %x;\nld.param.b32 %x, [a];\nmul.lo.u32 %x, %x, %x;\n"
               "st.param.b32 [r], %x;\nret;\n}\n"));
  uint64_t out = output<uint32_t>(32);
  run("k", shape(1, 32), out, out, out, out);
  std::vector<uint32_t> result = download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i % 3 == 0 ? 20u : i % 3 == 1 ? 400u : 60u);
}

} // namespace
