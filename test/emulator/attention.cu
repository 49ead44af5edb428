// The kernels of attention-residual models, for sm_80: flash attention with
// mma.sync and a double buffer of cp.async, the softmax over depth, RMSNorm.
#include <cuda_bf16.h>

using Brain = __nv_bfloat16;

__device__ unsigned sharedAddress(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Sixteen bytes, or zeros where there is no row.
__device__ void copy16(Brain *to, const Brain *from, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   sharedAddress(to)),
               "l"(from), "r"(exists ? 16 : 0)
               : "memory");
}

constexpr int width = 64; // of a head
constexpr int rowsOfQ = 64;
constexpr int rowsOfK = 32;

// Rows of 128 bytes; the 16-byte chunks of a row are permuted by its number, so
// that ldmatrix has no bank conflicts.
__device__ int place(int row, int column) {
  return row * width + (column / 8 ^ row % 8) * 8 + column % 8;
}

template <int rows>
__device__ void loadTile(Brain *tile, const Brain *from, int first, int n) {
  for (int i = threadIdx.x; i < rows * width / 8; i += blockDim.x) {
    int row = i / (width / 8);
    int column = i % (width / 8) * 8;
    bool exists = first + row < n;
    copy16(tile + place(row, column),
           from + (exists ? (first + row) * width + column : 0), exists);
  }
}

__device__ void loadMatrices(unsigned (&r)[4], const Brain *at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(at))
               : "memory");
}
__device__ void loadTransposed(unsigned (&r)[4], const Brain *at) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(sharedAddress(at))
      : "memory");
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                         unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ unsigned pack(float low, float high) {
  __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<unsigned *>(&pair);
}

// Causal attention of one head per blockIdx.y, 64 queries per block.
extern "C" __global__ void flashAttention(int n, float scale, const Brain *q,
                                          const Brain *k, const Brain *v,
                                          Brain *out) {
  __shared__ __align__(128) Brain tileQ[rowsOfQ * width];
  __shared__ __align__(128) Brain tileK[2][rowsOfK * width];
  __shared__ __align__(128) Brain tileV[2][rowsOfK * width];
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  size_t head = size_t(blockIdx.y) * n * width;
  int first = blockIdx.x * rowsOfQ;
  int chunks = (min(n, first + rowsOfQ) + rowsOfK - 1) / rowsOfK;
  auto load = [&](int chunk) {
    loadTile<rowsOfK>(tileK[chunk % 2], k + head, chunk * rowsOfK, n);
    loadTile<rowsOfK>(tileV[chunk % 2], v + head, chunk * rowsOfK, n);
  };
  loadTile<rowsOfQ>(tileQ, q + head, first, n);
  load(0);
  asm volatile("cp.async.commit_group;" ::: "memory");

  unsigned a[width / 16][4];
  float o[width / 8][4] = {};
  float most[2] = {-INFINITY, -INFINITY};
  float sum[2] = {0, 0};
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (chunk + 1 < chunks)
      load(chunk + 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (chunk == 0)
      for (int i = 0; i < width / 16; ++i)
        loadMatrices(a[i], tileQ + place(warp * 16 + lane % 16,
                                         i * 16 + lane / 16 * 8));
    // Scores: 16 queries by 32 keys.
    float s[rowsOfK / 8][4] = {};
    for (int i = 0; i < width / 16; ++i)
      for (int j = 0; j < rowsOfK / 16; ++j) {
        unsigned b[4];
        loadMatrices(b, tileK[chunk % 2] +
                            place(j * 16 + lane / 16 * 8 + lane % 8,
                                  i * 16 + lane / 8 % 2 * 8));
        multiply(s[2 * j], a[i], b[0], b[1]);
        multiply(s[2 * j + 1], a[i], b[2], b[3]);
      }
    // Online softmax of rows lane / 4 and lane / 4 + 8.
    for (int half = 0; half < 2; ++half) {
      int row = first + warp * 16 + lane / 4 + 8 * half;
      float largest = most[half];
      for (int j = 0; j < rowsOfK / 8; ++j)
        for (int e = 0; e < 2; ++e) {
          int column = chunk * rowsOfK + j * 8 + lane % 4 * 2 + e;
          float &score = s[j][2 * half + e];
          score = column <= row ? score * scale : -INFINITY;
          largest = fmaxf(largest, score);
        }
      largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
      largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
      float correction = exp2f(most[half] - largest);
      most[half] = largest;
      sum[half] *= correction;
      for (int j = 0; j < width / 8; ++j) {
        o[j][2 * half] *= correction;
        o[j][2 * half + 1] *= correction;
      }
      for (int j = 0; j < rowsOfK / 8; ++j)
        for (int e = 0; e < 2; ++e) {
          float &score = s[j][2 * half + e];
          score = exp2f(score - largest);
          sum[half] += score;
        }
    }
    for (int i = 0; i < rowsOfK / 16; ++i) {
      unsigned p[4] = {pack(s[2 * i][0], s[2 * i][1]),
                       pack(s[2 * i][2], s[2 * i][3]),
                       pack(s[2 * i + 1][0], s[2 * i + 1][1]),
                       pack(s[2 * i + 1][2], s[2 * i + 1][3])};
      for (int j = 0; j < width / 16; ++j) {
        unsigned b[4];
        loadTransposed(b, tileV[chunk % 2] +
                              place(i * 16 + lane % 16, j * 16 + lane / 16 * 8));
        multiply(o[2 * j], p, b[0], b[1]);
        multiply(o[2 * j + 1], p, b[2], b[3]);
      }
    }
    asm volatile("// the buffer is free" ::: "memory");
    __syncthreads();
  }
  for (int half = 0; half < 2; ++half) {
    float total = sum[half];
    total += __shfl_xor_sync(~0u, total, 1);
    total += __shfl_xor_sync(~0u, total, 2);
    int row = first + warp * 16 + lane / 4 + 8 * half;
    if (row < n)
      for (int j = 0; j < width / 8; ++j)
        *reinterpret_cast<unsigned *>(out + head + row * width + j * 8 +
                                      lane % 4 * 2) =
            pack(o[j][2 * half] / total, o[j][2 * half + 1] / total);
  }
}

__device__ float sumOfWarp(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

// A warp mixes the residual stream of one token over `sources` layers:
// softmax over l of query . rmsnorm(h[l]), applied to h[l]. h is
// [sources][tokens][128].
extern "C" __global__ void depthSoftmax(int tokens, int sources, float epsilon,
                                        const Brain *h, const float *query,
                                        Brain *out) {
  constexpr int perLane = 4;
  constexpr int features = 32 * perLane;
  int token = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (token >= tokens)
    return;
  float mixed[perLane] = {};
  float most = -INFINITY;
  float sum = 0;
  for (int l = 0; l < sources; ++l) {
    const __nv_bfloat162 *row = reinterpret_cast<const __nv_bfloat162 *>(
        h + (size_t(l) * tokens + token) * features + lane * perLane);
    float2 low = __bfloat1622float2(row[0]);
    float2 high = __bfloat1622float2(row[1]);
    float x[perLane] = {low.x, low.y, high.x, high.y};
    float dot = 0;
    float square = 0;
    for (int i = 0; i < perLane; ++i) {
      dot += x[i] * query[lane * perLane + i];
      square += x[i] * x[i];
    }
    dot = sumOfWarp(dot);
    square = sumOfWarp(square);
    float score = dot * rsqrtf(square / features + epsilon);
    float largest = fmaxf(most, score);
    float correction = __expf(most - largest);
    float weight = __expf(score - largest);
    most = largest;
    sum = sum * correction + weight;
    for (int i = 0; i < perLane; ++i)
      mixed[i] = mixed[i] * correction + weight * x[i];
  }
  for (int i = 0; i < perLane; ++i)
    out[size_t(token) * features + lane * perLane + i] =
        __float2bfloat16(mixed[i] / sum);
}

// One block per row: out = x * gain / sqrt(mean(x^2) + epsilon).
extern "C" __global__ void rmsNorm(int features, float epsilon, const float *x,
                                   const float *gain, Brain *out) {
  __shared__ float partial[32];
  x += size_t(blockIdx.x) * features;
  out += size_t(blockIdx.x) * features;
  float square = 0;
  for (int i = threadIdx.x * 4; i < features; i += blockDim.x * 4) {
    float4 v = *reinterpret_cast<const float4 *>(x + i);
    square += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  square = sumOfWarp(square);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = square;
  __syncthreads();
  if (threadIdx.x < 32) {
    square = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    square = sumOfWarp(square);
    if (threadIdx.x == 0)
      partial[0] = square;
  }
  __syncthreads();
  float factor = rsqrtf(partial[0] / features + epsilon);
  for (int i = threadIdx.x; i < features; i += blockDim.x)
    out[i] = __float2bfloat16(x[i] * factor * gain[i]);
}
