// Tensor-core programs for sm_80: wmma, mma.sync with ldmatrix, cp.async.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

// d = a*b + c, one warp per 16x16 tile.
extern "C" __global__ void wmmaHalf(int n, int k, const __half *a,
                                    const __half *b, float *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  int row = blockIdx.y * 16;
  int column = blockIdx.x * 16;
  for (int t = 0; t < k; t += 16) {
    wmma::load_matrix_sync(fa, a + row * k + t, k);
    wmma::load_matrix_sync(fb, b + column * k + t, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(d + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmmaByte(const signed char *a, const signed char *b,
                                    int *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

__device__ unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// c (16x8) = a (16xk, row-major) * b (k x 8, stored as 8 rows of k), bf16, one
// warp: cp.async in two stages, ldmatrix, mma.sync.
extern "C" __global__ void mmaPipeline(int k, const __nv_bfloat16 *a,
                                       const __nv_bfloat16 *b, float *c) {
  __shared__ __align__(16) __nv_bfloat16 ta[2][16][24];
  __shared__ __align__(16) __nv_bfloat16 tb[2][8][24];
  int lane = threadIdx.x;
  auto fetch = [&](int stage, int t) {
    // 16 rows of two 16-byte pieces, 8 rows of two.
    __pipeline_memcpy_async(&ta[stage][lane / 2][lane % 2 * 8],
                            a + lane / 2 * k + t + lane % 2 * 8, 16);
    if (lane < 16)
      __pipeline_memcpy_async(&tb[stage][lane / 2][lane % 2 * 8],
                              b + lane / 2 * k + t + lane % 2 * 8, 16);
    __pipeline_commit();
  };
  float d[4] = {0, 0, 0, 0};
  fetch(0, 0);
  for (int t = 0; t < k; t += 16) {
    int stage = t / 16 % 2;
    if (t + 16 < k) {
      fetch(stage ^ 1, t + 16);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncwarp();
    unsigned fa[4];
    unsigned fb[2];
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
        : "r"(sharedAddress(&ta[stage][lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(sharedAddress(&tb[stage][lane % 8][lane / 8 % 2 * 8])));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
          "r"(fb[1]));
    __syncwarp();
  }
  int g = lane / 4;
  int column = lane % 4 * 2;
  c[g * 8 + column] = d[0];
  c[g * 8 + column + 1] = d[1];
  c[(g + 8) * 8 + column] = d[2];
  c[(g + 8) * 8 + column + 1] = d[3];
}

// One mma of every other kind, from the documented fragment layouts.
extern "C" __global__ void mmaTf32(const float *a, const float *b, float *c) {
  int g = threadIdx.x / 4;
  int t = threadIdx.x % 4;
  unsigned fa[4];
  unsigned fb[2];
  float values[4] = {a[g * 8 + t], a[(g + 8) * 8 + t], a[g * 8 + t + 4],
                     a[(g + 8) * 8 + t + 4]};
  for (int i = 0; i < 4; ++i)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fa[i]) : "f"(values[i]));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[0]) : "f"(b[t * 8 + g]));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[1]) : "f"(b[(t + 4) * 8 + g]));
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
                 "r"(fb[1]));
  c[g * 8 + 2 * t] = d[0];
  c[g * 8 + 2 * t + 1] = d[1];
  c[(g + 8) * 8 + 2 * t] = d[2];
  c[(g + 8) * 8 + 2 * t + 1] = d[3];
}

extern "C" __global__ void mmaByte(const int *a, const int *b, int *c) {
  int g = threadIdx.x / 4;
  int t = threadIdx.x % 4;
  int fa[4] = {a[g * 8 + t], a[(g + 8) * 8 + t], a[g * 8 + t + 4],
               a[(g + 8) * 8 + t + 4]};
  int fb[2] = {b[g * 8 + t], b[g * 8 + t + 4]};
  int d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
                 "r"(fb[1]));
  c[g * 8 + 2 * t] = d[0];
  c[g * 8 + 2 * t + 1] = d[1];
  c[(g + 8) * 8 + 2 * t] = d[2];
  c[(g + 8) * 8 + 2 * t + 1] = d[3];
}

// f16 accumulators, and the transposed ldmatrix.
extern "C" __global__ void mmaHalf(const __half *a, const __half *b,
                                   __half *c) {
  __shared__ __align__(16) __half tb[16][8];
  int lane = threadIdx.x;
  int g = lane / 4;
  int t = lane % 4;
  for (int i = lane; i < 128; i += 32)
    tb[i / 8][i % 8] = b[i];
  __syncwarp();
  unsigned fa[4];
  for (int i = 0; i < 4; ++i)
    fa[i] = *reinterpret_cast<const unsigned *>(
        a + (g + i % 2 * 8) * 16 + i / 2 * 8 + 2 * t);
  unsigned fb[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1])
               : "r"(sharedAddress(&tb[lane % 16][0])));
  unsigned d[2] = {0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
               "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
                 "r"(fb[1]));
  *reinterpret_cast<unsigned *>(c + g * 8 + 2 * t) = d[0];
  *reinterpret_cast<unsigned *>(c + (g + 8) * 8 + 2 * t) = d[1];
}
