// A product of bf16 matrices for sm_90a as fast kernels are built: one warp
// group loads tiles by TMA into a ring of stages, two multiply by wgmma, and
// mbarriers pass the stages to and fro.
#include <cuda_bf16.h>

constexpr int tileM = 128;
constexpr int tileN = 64;
constexpr int tileK = 64; // 128 bytes, the span of the swizzle
constexpr int stages = 3;

struct alignas(64) Map {
  char bytes[128];
};

__device__ unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void barrierInit(unsigned long long *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(count)
               : "memory");
}
__device__ void barrierExpect(unsigned long long *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void barrierArrive(unsigned long long *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   sharedAddress(barrier))
               : "memory");
}
__device__ void waitForFull(unsigned long long *barrier, unsigned parity) {
  asm volatile("{\n.reg .pred FULL;\nWAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 FULL, [%0], %1;\n"
               "@!FULL bra WAIT;\n}" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}
__device__ void waitForEmpty(unsigned long long *barrier, unsigned parity) {
  asm volatile("{\n.reg .pred EMPTY;\nWAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 EMPTY, [%0], %1;\n"
               "@!EMPTY bra WAIT;\n}" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}
__device__ void loadTile(void *tile, const Map *map, int x, int y,
                         unsigned long long *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(tile)),
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
               : "memory");
}
// A tile with rows of 128 bytes, k innermost, 128-byte swizzle.
__device__ unsigned long long descriptor(const void *tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 |
         1ull << 62;
}

#define F4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
// d = a b, or d += a b.
__device__ void multiply(float (&d)[32], unsigned long long a,
                         unsigned long long b, bool adds) {
  asm volatile("{\n.reg .pred ADDS;\nsetp.ne.b32 ADDS, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
               "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,"
               "%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
               "%32, %33, ADDS, 1, 1, 0, 0;\n}"
               : F4(0), F4(4), F4(8), F4(12), F4(16), F4(20), F4(24), F4(28)
               : "l"(a), "l"(b), "r"(int(adds)));
}

// c[m][n] = a[m][k] b[n][k]^T
extern "C" __global__ void __launch_bounds__(384, 1)
    gemm(int m, int n, int k, const __grid_constant__ Map mapA,
         const __grid_constant__ Map mapB, float *c) {
  extern __shared__ __align__(1024) __nv_bfloat16 tiles[];
  __shared__ unsigned long long full[stages];
  __shared__ unsigned long long empty[stages];
  __nv_bfloat16 *tileOfA = tiles;
  __nv_bfloat16 *tileOfB = tiles + stages * tileM * tileK;
  int group = threadIdx.x / 128;
  int steps = (k + tileK - 1) / tileK;
  int row = blockIdx.y * tileM;
  int column = blockIdx.x * tileN;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      barrierInit(&full[i], 1);
      barrierInit(&empty[i], 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      for (int step = 0; step < steps; ++step) {
        int stage = step % stages;
        waitForEmpty(&empty[stage], (step / stages & 1) ^ 1);
        barrierExpect(&full[stage], (tileM + tileN) * tileK * 2);
        loadTile(tileOfA + stage * tileM * tileK, &mapA, step * tileK, row,
                 &full[stage]);
        loadTile(tileOfB + stage * tileN * tileK, &mapB, step * tileK, column,
                 &full[stage]);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float d[32];
  int consumer = group - 1;
  for (int step = 0; step < steps; ++step) {
    int stage = step % stages;
    waitForFull(&full[stage], step / stages & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    unsigned long long a =
        descriptor(tileOfA + (stage * tileM + consumer * 64) * tileK);
    unsigned long long b = descriptor(tileOfB + stage * tileN * tileK);
    // Sixteen values of k are 32 bytes, two units of the descriptor.
    for (int i = 0; i < tileK / 16; ++i)
      multiply(d, a + 2 * i, b + 2 * i, step > 0 || i > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    // The products of this stage run on; those of the one before are done.
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (step > 0 && threadIdx.x % 128 == 0)
      barrierArrive(&empty[(step - 1) % stages]);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32 % 4;
  for (int i = 0; i < 32; ++i) {
    int r = row + consumer * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    int s = column + i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (r < m && s < n)
      c[size_t(r) * n + s] = d[i];
  }
}
