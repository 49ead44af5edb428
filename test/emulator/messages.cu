// printf and assert in kernels, constant memory, variables of a module that
// point to each other.
#include <cassert>
#include <cstdio>

__constant__ float weights[4] = {0.5f, 1.0f, 2.0f, 4.0f};
__device__ int numbers[3] = {10, 20, 30};
__device__ int *const second = &numbers[1];

extern "C" __global__ void messages(int limit, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = weights[i % 4] * *second;
  if (i % 3 == 0)
    printf("%d of block %u: %.2f, %s, %c, %5lld, 0x%llx, 100%%\n", i,
           blockIdx.x, out[i], i % 2 ? "odd" : "even", 'a' + i,
           -(long long)i << 33, ~0ull >> i);
  assert(i < limit);
}
