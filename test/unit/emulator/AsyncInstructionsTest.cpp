// mbarrier in all its forms, cp.async, copies and arrivals in other blocks of a
// cluster, wmma's shapes, and instructions without an effect.

#include "EmulatorTestSupport.h"

using namespace attnres::emulator;

namespace {

class AsyncInstructionsTest : public EmulatorTest {
protected:
  static constexpr const char *storage = ".shared .align 128 .b8 tile[1024];\n"
                                         ".shared .align 8 .b64 bar;";
  /// 32-bit results of one thread: the text leaves them in %r20 and up.
  std::vector<uint32_t> results(const std::string &text, unsigned count) {
    std::string body = "mov.u32 %r10, tile;\nmov.u32 %r11, bar;\n" + text;
    for (unsigned i = 0; i < count; ++i)
      body += fmt::format("\nst.global.u32 [%rd0+{}], %r{};", 4 * i, 20 + i);
    device = Device();
    load(wrapPtx(body, storage));
    uint64_t out = output<uint32_t>(count);
    std::vector<uint32_t> in(64);
    for (uint32_t i = 0; i < 64; ++i)
      in[i] = 100 + i;
    uint64_t data = upload(in);
    run("k", shape(1, 1), out, data, data, data);
    return download<uint32_t>(out, count);
  }
  using Words = std::vector<uint32_t>;
};

TEST_F(AsyncInstructionsTest, PhasesOfAnMbarrier) {
  const std::string test = "mbarrier.test_wait.shared.b64 %p1, [%r11], %rd10;\n"
                           "selp.u32 %r{}, 1, 0, %p1;\n";
  auto tested = [&](int reg) { return fmt::format(fmt::runtime(test), reg); };
  EXPECT_EQ(
      results("mbarrier.init.shared.b64 [%r11], 4;\n"
              "mbarrier.arrive.shared.b64 %rd10, [%r11], 2;\n"
              "mbarrier.pending_count.b64 %r20, %rd10;\n"
              "mbarrier.arrive.noComplete.shared.b64 %rd11, [%r11], 1;\n"
              "mbarrier.pending_count.b64 %r21, %rd11;\n" +
                  tested(22) +
                  "mbarrier.arrive_drop.shared.b64 %rd12, [%r11];\n" +
                  tested(23) +
                  // One of four arrivals is no longer expected.
                  "mbarrier.arrive.release.cta.shared::cta.b64 %rd10, [%r11], "
                  "2;\n"
                  "mbarrier.test_wait.parity.shared.b64 %p1, [%r11], 1;\n"
                  "selp.u32 %r24, 1, 0, %p1;\n"
                  "mbarrier.arrive.shared.b64 _, [%r11];\n"
                  "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p1, [%r11],"
                  " 1, 1000;\nselp.u32 %r25, 1, 0, %p1;\n",
              6),
      (Words{4, 2, 0, 1, 0, 1}));
  // Bytes keep a phase open, whoever announces and delivers them.
  EXPECT_EQ(
      results("mbarrier.init.shared.b64 [%r11], 1;\n"
              "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r11], 48;\n"
              "mbarrier.arrive.shared.b64 %rd10, [%r11];\n" +
                  tested(20) +
                  "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r11], "
                  "16;\n" +
                  tested(21) +
                  "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r11], "
                  "32;\n" +
                  tested(22) + "mbarrier.inval.shared.b64 [%r11];\n",
              3),
      (Words{0, 0, 1}));
}

TEST_F(AsyncInstructionsTest, CpAsync) {
  EXPECT_EQ(
      results("st.shared.u32 [%r10+28], 7;\n"
              "cp.async.ca.shared.global [%r10], [%rd1], 4;\n"
              "cp.async.ca.shared.global.L2::128B [%r10+8], [%rd1+8], 8;\n"
              "cp.async.cg.shared::cta.global [%r10+16], [%rd1+16], 16, 8;\n"
              "setp.eq.u32 %p1, %r0, 0;\n"
              "cp.async.ca.shared.global [%r10+32], [%rd1+32], 4, %p1;\n"
              "createpolicy.fractional.L2::evict_first.b64 %rd9, 1.0;\n"
              "cp.async.cg.shared.global.L2::cache_hint [%r10+48], [%rd1+48], "
              "16, %rd9;\ncp.async.wait_all;\n"
              "ld.shared.u32 %r20, [%r10];\nld.shared.u32 %r21, [%r10+12];\n"
              "ld.shared.u32 %r22, [%r10+20];\nld.shared.u32 %r23, [%r10+28];\n"
              "ld.shared.u32 %r24, [%r10+32];\nld.shared.u32 %r25, [%r10+60];",
              6),
      (Words{100, 103, 105, 0, 0, 115}));
  // An mbarrier waits for copies instead of a group.
  for (const char *form : {"", ".noinc"}) {
    bool noIncrement = *form != 0;
    EXPECT_EQ(results(fmt::format(
                          "mbarrier.init.shared.b64 [%r11], {};\n"
                          "cp.async.ca.shared.global [%r10], [%rd1], 8;\n"
                          "cp.async.mbarrier.arrive{}.shared.b64 [%r11];\n"
                          "mbarrier.arrive.shared.b64 %rd10, [%r11];\n"
                          "W:\nmbarrier.try_wait.shared.b64 %p1, [%r11], %rd10;"
                          "\n@!%p1 bra W;\nld.shared.u32 %r20, [%r10+4];",
                          noIncrement ? 2 : 1, form),
                      1),
              Words{101});
  }
}

// Two blocks of a cluster give each other numbers.
TEST_F(AsyncInstructionsTest, OtherBlocksOfACluster) {
  const std::string begin =
      "mov.u32 %r10, tile;\nmov.u32 %r11, bar;\nmov.u32 %r1, "
      "%cluster_ctarank;\n"
      "xor.b32 %r2, %r1, 1;\nmapa.shared::cluster.u32 %r12, %r10, %r2;\n"
      "mapa.shared::cluster.u32 %r13, %r11, %r2;\n"
      "mbarrier.init.shared.b64 [%r11], 1;\n"
      "mov.u32 %r3, 0;\nst.shared.v4.u32 [%r10], {%r3,%r3,%r3,%r3};\n"
      "fence.mbarrier_init.release.cluster;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "add.u32 %r4, %r1, 50;\n";
  const std::string end =
      "W:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, "
      "[%r11], 0;\n@!%p1 bra W;\nld.shared.u32 %r5, [%r10];\n"
      "mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd4, %rd0, %rd4;\n"
      "st.global.u32 [%rd4], %r5;\nbarrier.cluster.arrive.aligned;\n"
      "barrier.cluster.wait.aligned;\n";
  struct Case {
    const char *text;
    Words expected;
  };
  const std::string tensor = "";
  const Case cases[] = {
      // A plain store and an arrival.
      {"st.shared::cluster.u32 [%r12], %r4;\n"
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r13];\n",
       {51, 50}},
      // Stores that announce themselves.
      {"mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 16;\n"
       "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 "
       "[%r12], {%r4,%r4,%r4,%r4}, [%r13];\n",
       {51, 50}},
      {"mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 8;\n"
       "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
       "add.u32 [%r12], %r4, [%r13];\n"
       "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
       "max.u32 [%r12], 7, [%r13];\n",
       {51, 50}},
      // Block 0 fetches for both.
      {"mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 64;\n"
       "setp.eq.u32 %p2, %r1, 0;\nmov.u16 %h1, 3;\n"
       "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
       "multicast::cluster [%r10], [%rd1], 64, [%r11], %h1;\n",
       {100, 100}},
  };
  for (const Case &each : cases) {
    device = Device();
    load(wrapPtx(begin + each.text + end, storage));
    Words in(64, 100);
    uint64_t data = upload(in);
    uint64_t out = output<uint32_t>(2);
    LaunchConfig config = shape(2, 1);
    config.cluster = {2, 1, 1};
    run("k", config, out, data, data, data);
    EXPECT_EQ(download<uint32_t>(out, 2), each.expected) << each.text;
  }
  // Which block an address belongs to.
  device = Device();
  load(wrapPtx(begin + "getctarank.shared::cluster.u32 %r6, %r12;\n"
                       "getctarank.shared::cluster.u32 %r7, %r10;\n"
                       "cvt.u64.u32 %rd5, %r10;\ncvta.shared.u64 %rd5, %rd5;\n"
                       "mapa.u64 %rd6, %rd5, 1;\ngetctarank.u64 %r8, %rd6;\n"
                       "mad.lo.u32 %r6, %r6, 10, %r7;\n"
                       "mad.lo.u32 %r6, %r6, 10, %r8;\n"
                       "isspacep.shared::cta %p3, %rd6;\n"
                       "selp.u32 %r7, 1000, 0, %p3;\nadd.u32 %r6, %r6, %r7;\n"
                       "mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd4, %rd0, %rd4;\n"
                       "st.global.u32 [%rd4], %r6;",
               storage));
  uint64_t out = output<uint32_t>(2);
  LaunchConfig config = shape(2, 1);
  config.cluster = {2, 1, 1};
  run("k", config, out, out, out, out);
  // The address in block 1 is block 1's own shared memory, but not block 0's.
  EXPECT_EQ(download<uint32_t>(out, 2), (Words{101, 1011}));
}

TEST_F(AsyncInstructionsTest, InstructionsWithoutAnEffect) {
  EXPECT_EQ(
      results("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;\n"
              "nanosleep.u32 20;\npmevent 3;\nprefetch.global.L2 [%rd1];\n"
              "prefetch.L1 [%rd1];\nprefetchu.L1 [%rd1];\n"
              "prefetch.global.L2::evict_last [%rd1+32];\n"
              "applypriority.global.L2::evict_normal [%rd1], 128;\n"
              "cp.async.bulk.prefetch.L2.global [%rd1], 64;\n"
              "createpolicy.range.global.L2::evict_last.b64 %rd9, [%rd1], 64, "
              "128;\nmembar.cta;\nmembar.sys;\nfence.acq_rel.gpu;\n"
              "fence.sc.cta;\nfence.acquire.sync_restrict::shared::cluster."
              "cluster;\nfence.proxy.alias;\nfence.proxy.async.global;\n"
              "fence.proxy.tensormap::generic.release.gpu;\n"
              "ldu.global.u32 %r20, [%rd1];\n"
              "ld.global.nc.L1::no_allocate.L2::128B.u32 %r21, [%rd1+4];\n"
              "ld.global.L2::cache_hint.u32 %r22, [%rd1+8], %rd9;\n"
              "ld.weak.global.cg.u32 %r23, [%rd1+12];\n"
              "st.global.wt.u32 [%rd1+16], %r20;\n"
              "st.global.L1::evict_last.L2::cache_hint.u32 [%rd1+20], %r20, "
              "%rd9;\nld.relaxed.gpu.global.u32 %r24, [%rd1+20];\n"
              "ld.mmio.relaxed.sys.global.u32 %r25, [%rd1+16];",
              6),
      (Words{100, 101, 102, 103, 100, 100}));
  // discard gives the bytes up; what they are afterwards is not said.
  device = Device();
  load(wrapPtx("discard.global.L2 [%rd0], 128;"));
  uint64_t data = upload(Words(64));
  run("k", shape(1, 1), data, data, data, data);
  device = Device();
  load(wrapPtx("brkpt;"));
  data = upload(Words(1));
  EXPECT_FALSE(tryRun("k", shape(1, 1), data, data, data, data).ok());
}

// wmma: a fragment of each type, both layouts, through shared memory.
TEST_F(AsyncInstructionsTest, WmmaShapesAndLayouts) {
  struct Case {
    unsigned m, n, k;
    const char *type;
    unsigned bytes;
    const char *result;
    unsigned registersA, registersB, registersC;
  };
  const Case cases[] = {
      {16, 16, 16, "f16", 2, "f32", 8, 8, 8},
      {32, 8, 16, "f16", 2, "f32", 8, 8, 8},
      {8, 32, 16, "f16", 2, "f16", 8, 8, 4},
      {16, 16, 16, "bf16", 2, "f32", 4, 4, 8},
      {16, 16, 8, "tf32", 4, "f32", 4, 4, 8},
      {32, 8, 16, "u8", 1, "s32", 4, 1, 8},
      {8, 8, 4, "f64", 8, "f64", 1, 1, 2},
  };
  Numbers numbers(4);
  for (const Case &each : cases)
    for (bool columnA : {false, true})
      for (bool columnB : {false, true}) {
        std::string shapeName =
            fmt::format("m{}n{}k{}", each.m, each.n, each.k);
        SCOPED_TRACE(shapeName + each.type);
        bool isDouble = each.bytes == 8;
        const char *reg = isDouble ? "fd" : "r";
        auto list = [&](unsigned first, unsigned count) {
          std::string text = "{";
          for (unsigned i = 0; i < count; ++i)
            text += fmt::format("{}%{}{}", i ? "," : "", reg, first + i);
          return text + "}";
        };
        const char *a = columnA ? "col" : "row";
        const char *b = columnB ? "col" : "row";
        unsigned strideA = columnA ? each.m : each.k;
        unsigned strideB = columnB ? each.k : each.n;
        std::string types = std::string(each.result) + ".";
        // Of halves, only the result and the accumulator are named.
        if (std::string(each.type) != "f16")
          types += fmt::format("{0}.{0}.", each.type);
        std::string body = fmt::format(
            "wmma.load.a.sync.aligned.{0}.{2}.global.{3} {4}, [%rd0], {5};\n"
            "wmma.load.b.sync.aligned.{1}.{2}.global.{3} {6}, [%rd1], {7};\n"
            "wmma.load.c.sync.aligned.row.{2}.global.{8} {9}, [%rd2], {10};\n"
            "wmma.mma.sync.aligned.{0}.{1}.{2}{13}.{11}{8} {9}, {4}, {6}, "
            "{9};\n"
            "wmma.store.d.sync.aligned.col.{2}.global.{8} [%rd3], {9}, {12};",
            a, b, shapeName, each.type, list(1, each.registersA), strideA,
            list(11, each.registersB), strideB, each.result,
            list(21, each.registersC), each.n, types, each.m,
            isDouble ? ".rn" : "");
        device = Device();
        load(wrapPtx(body));
        std::vector<int> va(each.m * each.k);
        std::vector<int> vb(each.k * each.n);
        std::vector<int> vc(each.m * each.n);
        for (std::vector<int> *values : {&va, &vb, &vc})
          for (int &value : *values)
            value = int(numbers.bits() % 5);
        auto encode = [&](int value, const std::string &type) -> uint64_t {
          float single = float(value);
          double wide = value;
          uint64_t bits = 0;
          if (type == "f16")
            return toHalf(single);
          if (type == "bf16")
            return toBfloat(single);
          if (type == "f64")
            std::memcpy(&bits, &wide, sizeof wide);
          else if (type == "u8" || type == "s32")
            bits = uint64_t(value);
          else
            std::memcpy(&bits, &single, sizeof single);
          return bits;
        };
        auto place = [&](const std::vector<int> &values, unsigned rows,
                         unsigned columns, bool byColumn,
                         const std::string &type, unsigned bytes) {
          std::vector<uint8_t> image(values.size() * bytes);
          for (unsigned i = 0; i < rows; ++i)
            for (unsigned j = 0; j < columns; ++j) {
              uint64_t bits = encode(values[i * columns + j], type);
              std::memcpy(image.data() +
                              (byColumn ? j * rows + i : i * columns + j) *
                                  bytes,
                          &bits, bytes);
            }
          return upload(image);
        };
        unsigned bytesC = isDouble                                      ? 8
                          : *each.result == 'f' && each.registersC == 4 ? 2
                                                                        : 4;
        uint64_t da = place(va, each.m, each.k, columnA, each.type, each.bytes);
        uint64_t db = place(vb, each.k, each.n, columnB, each.type, each.bytes);
        uint64_t dc = place(vc, each.m, each.n, false, each.result, bytesC);
        uint64_t dd = output<uint8_t>(each.m * each.n * bytesC);
        run("k", shape(1, 32), da, db, dc, dd);
        std::vector<uint8_t> got =
            download<uint8_t>(dd, each.m * each.n * bytesC);
        for (unsigned i = 0; i < each.m; ++i)
          for (unsigned j = 0; j < each.n; ++j) {
            int sum = vc[i * each.n + j];
            for (unsigned t = 0; t < each.k; ++t)
              sum += va[i * each.k + t] * vb[t * each.n + j];
            uint64_t bits = 0;
            std::memcpy(&bits, got.data() + (j * each.m + i) * bytesC, bytesC);
            ASSERT_EQ(bits, encode(sum, each.result)) << i << "," << j;
          }
      }
}

} // namespace
