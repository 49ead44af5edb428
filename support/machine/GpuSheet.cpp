#include "support/machine/GpuSheet.h"

namespace attnres::machine {

// Sources, in the order of the fields:
// * processors, clocks, tensor cores, DRAM: NVIDIA's data sheets and
//   architecture whitepapers of the A100 (80 GB SXM: 312 TFLOP/s dense, 2.04
//   TB/s), H200 (SXM: 989 TFLOP/s, 4.8 TB/s) and B200 (2250 TFLOP/s, 8 TB/s).
//   The clock is what the rate divides to.
// * mma.sync of the H200: 62 % of wgmma was measured (arXiv 2402.13499). Of the
//   B200 nothing is published that we know; that of the A100 is assumed.
// * lanes, shared memory, registers, warps and blocks: the tables of arithmetic
//   throughput and of compute capabilities in NVIDIA's CUDA programming guide.
// * second-level cache: between what microbenchmarks of others reached (4 to 5,
//   5.5 to 7 and about 10 TB/s).
static constexpr int64_t kKiB = 1024;

const std::vector<GpuSheet> &gpuSheets() {
  static const std::vector<GpuSheet> sheets = {
      {"A100", "sm_80", 108, 1.41e9, 0, 1024, 4, 64, 64, 16, 128, 4.5e12,
       2.04e12, 164 * kKiB, 163 * kKiB, 65536, 64, 32},
      {"H200", "sm_90a", 132, 1.83e9, 2048, 1270, 4, 128, 64, 16, 128, 6e12,
       4.8e12, 228 * kKiB, 227 * kKiB, 65536, 64, 32},
      {"B200", "sm_100a", 148, 1.85e9, 0, 1024, 4, 128, 64, 16, 128, 10e12,
       8e12, 228 * kKiB, 227 * kKiB, 65536, 64, 32},
  };
  return sheets;
}

const GpuSheet *gpuOfTarget(std::string_view target) {
  for (const GpuSheet &sheet : gpuSheets())
    if (target == sheet.target)
      return &sheet;
  return nullptr;
}

std::vector<GpuSheet::Fact> GpuSheet::facts() const {
  auto number = [](int64_t value) { return static_cast<double>(value); };
  const char *sheet = "data sheet", *guide = "CUDA programming guide",
             *measured = "published measurements";
  return {
      {"multiprocessors", number(processors), "", sheet},
      {"clock", clock * 1e-9, "GHz", sheet},
      {"group_products", groupMultiplyAdds, "bf16/clk", sheet},
      {"warp_products", warpMultiplyAdds, "bf16/clk", measured},
      {"issue", warpInstructions, "warp/clk", guide},
      {"floats", floatLanes, "lane/clk", guide},
      {"integers", integerLanes, "lane/clk", guide},
      {"special", specialLanes, "lane/clk", guide},
      {"shared_traffic", sharedBytes, "byte/clk", guide},
      {"cache_traffic", cacheBytes * 1e-12, "TB/s", measured},
      {"memory_traffic", memoryBytes * 1e-12, "TB/s", sheet},
      {"shared_memory", number(sharedCapacity), "bytes", guide},
      {"shared_of_block", number(blockShared), "bytes", guide},
      {"registers", number(registers), "", guide},
      {"warps", number(warps), "", guide},
      {"blocks", number(blocks), "", guide},
  };
}

} // namespace attnres::machine
