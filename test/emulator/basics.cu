// Kernels of everyday shapes: reductions, transposes, scans, histograms,
// tiled products, divergent control flow, calls, half and bfloat16 arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Sum of x by shuffles within warps, shared memory across them.
extern "C" __global__ void reduceSum(int n, const float *x, float *out) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += x[i];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? partial[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0)
      atomicAdd(out, sum);
  }
}

// 32x32 tiles through padded shared memory.
extern "C" __global__ void transpose(int rows, int columns, const float *in,
                                     float *out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < columns && y + i < rows)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < columns)
      out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

// The same without padding: every column of the tile is one bank.
extern "C" __global__ void transposeConflicts(const float *in, float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Inclusive scan of 256 integers per block.
extern "C" __global__ void scan(const int *x, int *out) {
  __shared__ int sums[8];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int value = x[blockIdx.x * 256 + threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  for (int i = 0; i < warp; ++i)
    value += sums[i];
  out[blockIdx.x * 256 + threadIdx.x] = value;
}

extern "C" __global__ void histogram(int n, const unsigned char *x,
                                     unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i])
      atomicAdd(&bins[i], local[i]);
}

// c = a*b for m x k times k x n, 16x16 tiles, dynamic shared memory.
extern "C" __global__ void matmul(int m, int n, int k, const float *a,
                                  const float *b, float *c) {
  extern __shared__ float tiles[];
  float *ta = tiles;
  float *tb = tiles + 256;
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    int ka = t + threadIdx.x;
    int kb = t + threadIdx.y;
    ta[threadIdx.y * 16 + threadIdx.x] =
        row < m && ka < k ? a[row * k + ka] : 0.0f;
    tb[threadIdx.y * 16 + threadIdx.x] =
        kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += ta[threadIdx.y * 16 + i] * tb[i * 16 + threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// Steps of the Collatz sequence: every lane loops as long as it needs, with
// breaks and a switch inside.
extern "C" __global__ void diverge(int n, const unsigned *x, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned v = x[i];
  int steps = 0;
  while (v != 1) {
    if (v % 2 == 0)
      v /= 2;
    else
      v = 3 * v + 1;
    if (++steps > 200)
      break;
  }
  switch (i % 5) {
  case 0:
    steps += 1000;
    break;
  case 1:
    steps *= 3;
    break;
  case 2:
    steps = -steps;
    break;
  case 3:
    steps ^= 0x55;
    break;
  default:
    break;
  }
  out[i] = steps;
}

__device__ __noinline__ int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
struct Pair {
  long long first;
  int second;
};
__device__ __noinline__ Pair combine(Pair a, int b) {
  Pair result;
  result.first = a.first * b;
  result.second = a.second + b;
  return result;
}
// Recursion, structures by value, local arrays.
extern "C" __global__ void calls(int n, const int *x, const int *y,
                                 long long *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int table[8];
  for (int j = 0; j < 8; ++j)
    table[(j + i) % 8] = j;
  Pair pair = {gcd(x[i], y[i]), table[i % 8]};
  pair = combine(pair, x[i] % 7);
  out[i] = pair.first * 1000 + pair.second;
}

extern "C" __global__ void halfMath(int n, const __half *x, const __half *y,
                                    __half *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n)
    return;
  __half2 a = reinterpret_cast<const __half2 *>(x)[i];
  __half2 b = reinterpret_cast<const __half2 *>(y)[i];
  __half2 c = __hfma2(a, b, __hadd2(a, b));
  c = __hmax2(c, __hmul2(a, __float2half2_rn(0.5f)));
  reinterpret_cast<__half2 *>(out)[i] = c;
}

extern "C" __global__ void bfloatMath(int n, const __nv_bfloat16 *x,
                                      const __nv_bfloat16 *y,
                                      __nv_bfloat16 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 sum = __hfma(x[i], y[i], x[i]);
  out[i] = __float2bfloat16(__bfloat162float(sum) + 1.0f);
}

__device__ int counter;
__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 4.0f};
// The last block to finish adds up what the others wrote (fence and atomic).
extern "C" __global__ void lastBlock(int n, const float *x, float *partial,
                                     float *out) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
      sum += x[i] * weights[i % 4];
    partial[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicAdd(&counter, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    __threadfence();
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i)
      sum += reinterpret_cast<volatile float *>(partial)[i];
    *out = sum;
  }
}

// Every block waits for all the others: they have to be resident together.
__device__ unsigned arrivals;
extern "C" __global__ void gridBarrier(int *data) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    atomicAdd(&arrivals, 1u);
    while (*reinterpret_cast<volatile unsigned *>(&arrivals) < gridDim.x)
      ;
    __threadfence();
    data[gridDim.x + blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
  }
}

// Lanes of a warp take a lock one after the other.
__device__ int lock;
extern "C" __global__ void spinLock(volatile int *value) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      *value = *value + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

// Votes, matches, reductions of a warp, and named barriers.
extern "C" __global__ void warpOps(const int *x, int *out) {
  int lane = threadIdx.x % 32;
  int value = x[threadIdx.x];
  unsigned odd = __ballot_sync(0xffffffffu, value & 1);
  unsigned same = __match_any_sync(0xffffffffu, value % 4);
  int sum = __reduce_add_sync(0xffffffffu, value);
  int most = __reduce_max_sync(0xffffffffu, value);
  int all = __all_sync(0xffffffffu, value > -100);
  unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  int sub = __shfl_sync(half, value, 3, 16);
  int part = __reduce_add_sync(half, value);
  int count = __syncthreads_count(value & 1);
  out[threadIdx.x * 8 + 0] = odd;
  out[threadIdx.x * 8 + 1] = same;
  out[threadIdx.x * 8 + 2] = sum;
  out[threadIdx.x * 8 + 3] = most;
  out[threadIdx.x * 8 + 4] = all;
  out[threadIdx.x * 8 + 5] = sub;
  out[threadIdx.x * 8 + 6] = part;
  out[threadIdx.x * 8 + 7] = count;
}

extern "C" __global__ void functions(int n, const float *x, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  out[i * 8 + 0] = expf(v);
  out[i * 8 + 1] = logf(fabsf(v) + 1.0f);
  out[i * 8 + 2] = sqrtf(fabsf(v));
  out[i * 8 + 3] = 1.0f / (v * v + 1.0f);
  out[i * 8 + 4] = tanhf(v);
  out[i * 8 + 5] = sinf(v);
  out[i * 8 + 6] = rsqrtf(fabsf(v) + 0.5f);
  out[i * 8 + 7] = powf(fabsf(v), 0.75f);
}
