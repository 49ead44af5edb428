/* Kernels of a small program: mix n sources with weights that are constants,
 * sum the squares of the result in two steps, and update a parameter. */
#include <attnres_kernel.h>

enum { WIDTH = 37 }; /* elements per work item */

/* args: list of sources, weights (one float per source), result */
void mix(void *const *args, void *scratch, int64_t begin, int64_t end) {
  const attnres_list *sources = args[0];
  const float *weights = args[1];
  float *result = args[2], *sum = scratch;
  for (int64_t item = begin; item < end; ++item) {
    for (int i = 0; i < WIDTH; ++i)
      sum[i] = 0;
    for (int64_t s = 0; s < sources->count; ++s)
      for (int i = 0; i < WIDTH; ++i)
        sum[i] += weights[s] * ((const float *)sources->data[s])[item * WIDTH + i];
    for (int i = 0; i < WIDTH; ++i)
      result[item * WIDTH + i] = sum[i];
  }
}

/* args: values, one partial sum per item */
void partial_squares(void *const *args, void *scratch, int64_t begin,
                     int64_t end) {
  const float *values = args[0];
  float *partial = args[1];
  for (int64_t item = begin; item < end; ++item) {
    float sum = 0;
    for (int i = 0; i < WIDTH; ++i)
      sum += values[item * WIDTH + i] * values[item * WIDTH + i];
    partial[item] = sum;
  }
}

/* args: partial sums, their number (a constant), result; grid 1 */
void total(void *const *args, void *scratch, int64_t begin, int64_t end) {
  const float *partial = args[0];
  float sum = 0;
  for (int64_t i = 0; i < *(const int64_t *)args[1]; ++i)
    sum += partial[i];
  *(float *)args[2] = sum;
}

/* args: gradient, parameter (read and written) */
void update(void *const *args, void *scratch, int64_t begin, int64_t end) {
  const float *gradient = args[0];
  float *parameter = args[1];
  for (int64_t i = begin * WIDTH; i < end * WIDTH; ++i)
    parameter[i] -= 0.5f * gradient[i];
}
