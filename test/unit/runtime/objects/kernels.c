/* What code in a program may need of the loader: calls inside and outside the
 * object, constants, tables of addresses, jump tables, data and bss. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static const int32_t squares[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
int64_t counter = 40;
int64_t zeroed[1000];
static char text[] = "attention";

static __attribute__((noinline)) int64_t twice(int64_t x) { return 2 * x; }
__attribute__((noinline)) int64_t next(int64_t x) { return x + 1; }

typedef int64_t (*unary)(int64_t);
static const unary table[] = {twice, next};
unary writable_table[] = {next, twice};

int64_t square(int64_t i) { return squares[i]; }
int64_t count(void) { return ++counter; }
int64_t apply(int64_t which, int64_t x) { return table[which](x); }
int64_t apply_writable(int64_t which, int64_t x) {
  return writable_table[which](x);
}
int64_t fill(int64_t i, int64_t x) {
  int64_t old = zeroed[i];
  zeroed[i] = next(x);
  return old;
}
const char *name(void) { return text; }
void copy(void *to, const void *from, int64_t size) {
  memcpy(to, from, (size_t)size);
}
/* The address of an outside function as a value. */
void *address_of_memset(void) { return (void *)memset; }

int64_t choose(int64_t i) {
  switch (i) {
  case 0: return 11;
  case 1: return next(20);
  case 2: return counter;
  case 3: return twice(7);
  case 4: return -3;
  case 5: return 99;
  default: return 0;
  }
}

/* With the calling convention of kernels: y[i] = tanh(x[i]) + exp(x[i]). */
void kernel(void *const *args, void *scratch, int64_t begin, int64_t end) {
  const float *x = args[0];
  float *y = args[1];
  for (int64_t i = begin; i < end; ++i)
    y[i] = tanhf(x[i]) + expf(x[i]);
}
