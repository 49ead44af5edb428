// sm_90a programs with inline PTX: TMA, mbarrier, wgmma, clusters.
#include <cuda_bf16.h>

__device__ unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void barrierInit(void *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(count)
               : "memory");
}
__device__ void barrierExpect(void *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void barrierWait(void *barrier, unsigned parity) {
  asm volatile("{\n.reg .pred P;\nWAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;\n"
               "@P bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(
                   sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}
__device__ void loadTile(void *tile, const void *map, int x, int y,
                         void *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(tile)),
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
               : "memory");
}

struct alignas(64) Map {
  char bytes[128];
};

// A 64x32 tile of 32-bit elements in, doubled, out by TMA as well.
extern "C" __global__ void tmaCopy(const __grid_constant__ Map in,
                                   const __grid_constant__ Map out) {
  __shared__ __align__(128) float tile[32][64];
  __shared__ __align__(8) unsigned long long barrier;
  if (threadIdx.x == 0) {
    barrierInit(&barrier, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int x = blockIdx.x * 64;
  int y = blockIdx.y * 32;
  if (threadIdx.x == 0) {
    barrierExpect(&barrier, sizeof tile);
    loadTile(tile, &in, x, y, &barrier);
  }
  barrierWait(&barrier, 0);
  for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x)
    tile[i / 64][i % 64] *= 2.0f;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&out),
                 "r"(x), "r"(y), "r"(sharedAddress(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Descriptor of a k-major tile of bf16 with 128-byte swizzle.
__device__ unsigned long long descriptor(const void *tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 |
         1ull << 62;
}

#define ACCUMULATORS                                                           \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),      \
      "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),             \
      "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])

__device__ void storeAccumulators(const float *d, float *c) {
  int warp = threadIdx.x / 32 % 4;
  int g = threadIdx.x % 32 / 4;
  int t = threadIdx.x % 4;
  for (int i = 0; i < 16; ++i)
    c[(warp * 16 + g + i / 2 % 2 * 8) * 32 + i / 4 * 8 + 2 * t + i % 2] = d[i];
}

// c (64x32) = a (64xk) * b (32xk)^T, both k-major through TMA with swizzle,
// two stages of 64 columns, wgmma from shared memory.
extern "C" __global__ void __launch_bounds__(128)
    wgmmaShared(int k, const __grid_constant__ Map mapA,
                const __grid_constant__ Map mapB, float *c) {
  __shared__ __align__(1024) __nv_bfloat16 ta[2][64 * 64];
  __shared__ __align__(1024) __nv_bfloat16 tb[2][32 * 64];
  __shared__ __align__(8) unsigned long long full[2];
  if (threadIdx.x == 0) {
    barrierInit(&full[0], 1);
    barrierInit(&full[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  auto fetch = [&](int step) {
    int stage = step % 2;
    barrierExpect(&full[stage], 64 * 64 * 2 + 32 * 64 * 2);
    loadTile(ta[stage], &mapA, step * 64, 0, &full[stage]);
    loadTile(tb[stage], &mapB, step * 64, 0, &full[stage]);
  };
  int steps = k / 64;
  if (threadIdx.x == 0)
    fetch(0);
  float d[16];
  for (int i = 0; i < 16; ++i)
    d[i] = 0;
  for (int step = 0; step < steps; ++step) {
    int stage = step % 2;
    if (threadIdx.x == 0 && step + 1 < steps)
      fetch(step + 1);
    barrierWait(&full[stage], step / 2 % 2);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int i = 0; i < 4; ++i)
      asm volatile(
          "{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
          "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, %16, %17, "
          "p, 1, 1, 0, 0;\n}"
          : ACCUMULATORS
          : "l"(descriptor(ta[stage] + 16 * i)),
            "l"(descriptor(tb[stage] + 16 * i)), "r"(step + i));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : ACCUMULATORS::"memory");
    // The stage is free again when all warps have read it.
    __syncthreads();
  }
  storeAccumulators(d, c);
}

// c (64x32) = a (64x16, from registers) * b (16x32, n-major without swizzle).
extern "C" __global__ void __launch_bounds__(128)
    wgmmaRegisters(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c) {
  // Blocks of 8 k by 8 n, the eight n contiguous.
  __shared__ __align__(128) __nv_bfloat16 tb[2][4][8][8];
  for (int i = threadIdx.x; i < 512; i += 128)
    tb[i / 32 / 8][i % 32 / 8][i / 32 % 8][i % 8] = b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  int warp = threadIdx.x / 32;
  int g = threadIdx.x % 32 / 4;
  int t = threadIdx.x % 4;
  unsigned fa[4];
  for (int i = 0; i < 4; ++i)
    fa[i] = *reinterpret_cast<const unsigned *>(
        a + (warp * 16 + g + i % 2 * 8) * 16 + i / 2 * 8 + 2 * t);
  float d[16];
  for (int i = 0; i < 16; ++i)
    d[i] = 3.0f;
  // Without swizzle, leading is the distance of the 8-row groups of k, stride
  // that of the 8-column groups of n.
  unsigned long long descriptorB = (sharedAddress(tb) & 0x3ffff) >> 4 |
                                   (512ull >> 4) << 16 | (128ull >> 4) << 32;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, "
      "{%16,%17,%18,%19}, %20, 1, 1, 1, 1;"
      : ACCUMULATORS
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "l"(descriptorB));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : ACCUMULATORS::"memory");
  storeAccumulators(d, c);
}

// Producer warp and consumer warp with full and empty barriers and bulk copies.
extern "C" __global__ void bulkPipeline(int chunks, const float *in,
                                        float *out) {
  __shared__ __align__(16) float ring[2][128];
  __shared__ __align__(8) unsigned long long full[2];
  __shared__ __align__(8) unsigned long long empty[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      barrierInit(&full[i], 1);
      barrierInit(&empty[i], 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int i = 0; i < chunks; ++i) {
        if (i >= 2)
          barrierWait(&empty[i % 2], (i / 2 - 1) % 2);
        barrierExpect(&full[i % 2], 512);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1], 512, [%2];" ::"r"(sharedAddress(ring[i % 2])),
            "l"(in + i * 128), "r"(sharedAddress(&full[i % 2]))
            : "memory");
      }
  } else {
    int lane = threadIdx.x - 32;
    for (int i = 0; i < chunks; ++i) {
      barrierWait(&full[i % 2], i / 2 % 2);
      for (int j = lane; j < 128; j += 32)
        out[i * 128 + j] = ring[i % 2][127 - j];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                       sharedAddress(&empty[i % 2]))
                   : "memory");
    }
  }
}

// Blocks of a cluster add up their neighbours' values in shared memory.
extern "C" __global__ void __cluster_dims__(4, 1, 1)
    clusterSum(const int *x, int *out) {
  __shared__ int value;
  if (threadIdx.x == 0)
    value = x[blockIdx.x];
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x < 4) {
    unsigned remote;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(remote)
                 : "r"(sharedAddress(&value)), "r"(threadIdx.x));
    int other;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(other) : "r"(remote));
    int sum = __reduce_add_sync(0xfu, other);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sum;
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
