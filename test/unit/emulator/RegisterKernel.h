// One instruction on many operand sets: every row of operands is a lane of a
// kernel made around the instruction's text.

#ifndef ATTNRES_TEST_UNIT_EMULATOR_REGISTERKERNEL_H
#define ATTNRES_TEST_UNIT_EMULATOR_REGISTERKERNEL_H

#include "EmulatorTestSupport.h"

#include <array>

namespace attnres::emulator {

using Operands = std::array<uint64_t, 4>;

/// Executes texts such as "add.u32 %ro, %r0, %r1;". Operand i is in %ri (32
/// bits), %di (64), %hi (16) and %pi (a predicate: bit 0); the result is in
/// %ro, %do, %ho or %po, whichever the text names.
class RegisterKernelTest : public EmulatorTest {
protected:
  /// The results of all rows; also checks that lanes which branch around the
  /// text keep what they had.
  std::vector<uint64_t> evaluate(const std::string &text,
                                 const std::vector<Operands> &rows,
                                 DeviceOptions options = {}) {
    // The result's register, how it widens, and what stands in it before.
    struct Output {
      const char *name;
      const char *widen;
      uint64_t before;
    };
    static const Output outputs[] = {
        {"%po", "selp.b64 %d4, 1, 0, %po;\n", 1},
        {"%ho", "cvt.u64.u16 %d4, %ho;\n", 0x5a5a},
        {"%ro", "cvt.u64.u32 %d4, %ro;\n", 0x5a5a5a5a},
        {"%do", "mov.b64 %d4, %do;\n", 0x5a5a5a5a5a5a5a5a}};
    const Output *result = nullptr;
    for (const Output &each : outputs)
      if (text.find(each.name) != std::string::npos)
        result = &each;
    if (!result) {
      ADD_FAILURE() << text << " has no result";
      return std::vector<uint64_t>(rows.size());
    }
    std::string ptx =
        ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .pred %p<5>, %po, %odd;\n.reg .b16 %h<5>, %ho, %hx;\n"
        ".reg .b32 %r<9>, %ro, %rx;\n.reg .b64 %d<9>, %do, %dx;\n"
        "mov.u32 %r5, %tid.x;\nmov.u32 %r6, %ctaid.x;\n"
        "mad.lo.u32 %r7, %r6, 32, %r5;\n"
        "ld.param.u64 %d5, [in];\nmad.wide.u32 %d5, %r7, 32, %d5;\n"
        "ld.param.u64 %d6, [out];\nmad.wide.u32 %d6, %r7, 16, %d6;\n";
    for (int i = 0; i < 4; ++i)
      ptx += fmt::format("ld.global.b64 %d{0}, [%d5+{1}];\n"
                         "cvt.u32.u64 %r{0}, %d{0};\ncvt.u16.u64 %h{0}, %d{0};"
                         "\nand.b32 %r8, %r{0}, 1;\n"
                         "setp.ne.u32 %p{0}, %r8, 0;\n",
                         i, 8 * i);
    ptx += text + "\n" + result->widen + "st.global.b64 [%d6], %d4;\n";
    // Again, by the odd lanes alone.
    ptx += "setp.ne.u32 %po, 0, 1;\nmov.b16 %ho, 0x5a5a;\n"
           "mov.b32 %ro, 0x5a5a5a5a;\nmov.b64 %do, 0x5a5a5a5a5a5a5a5a;\n"
           "and.b32 %r8, %r5, 1;\nsetp.ne.u32 %odd, %r8, 0;\n"
           "@!%odd bra KEEP;\n" +
           text + "\nKEEP:\n" + result->widen +
           "st.global.b64 [%d6+8], %d4;\nret;\n}";
    device = Device(options);
    Status status = device.loadModule(ptx);
    EXPECT_TRUE(status.ok()) << text << ": " << status.message();
    std::vector<uint64_t> results(rows.size());
    if (!status.ok())
      return results;
    // Whole warps: the last row is repeated.
    std::vector<Operands> padded = rows;
    padded.resize((rows.size() + 31) / 32 * 32, rows.back());
    uint64_t in = upload(padded);
    uint64_t out = output<uint64_t>(2 * padded.size());
    uint32_t blocks = static_cast<uint32_t>(padded.size() / 32);
    run("k", shape(blocks, 32), in, out);
    std::vector<uint64_t> all = download<uint64_t>(out, 2 * padded.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      results[i] = all[2 * i];
      EXPECT_EQ(all[2 * i + 1], i % 2 ? results[i] : result->before)
          << text << " by the odd lanes, row " << i;
    }
    return results;
  }

  struct Row {
    Operands in;
    uint64_t out;
  };
  void check(const std::string &text, const std::vector<Row> &rows) {
    std::vector<Operands> operands;
    for (const Row &row : rows)
      operands.push_back(row.in);
    std::vector<uint64_t> results = evaluate(text, operands);
    for (size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(results[i], rows[i].out)
          << fmt::format("{} on {:#x}, {:#x}, {:#x}, {:#x}: {:#x} rather than "
                         "{:#x}",
                         text, rows[i].in[0], rows[i].in[1], rows[i].in[2],
                         rows[i].in[3], results[i], rows[i].out);
  }

  /// Compares the text with `reference` on rows that `operand` draws.
  template <typename Draw, typename Reference>
  void compare(const std::string &text, Draw draw, Reference reference,
               size_t count = 256) {
    std::vector<Row> rows(count);
    for (Row &row : rows) {
      for (uint64_t &value : row.in)
        value = draw();
      row.out = reference(row.in);
    }
    check(text, rows);
  }
};

} // namespace attnres::emulator

#endif // ATTNRES_TEST_UNIT_EMULATOR_REGISTERKERNEL_H
