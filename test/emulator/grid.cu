// A barrier of the whole grid.

#include <cooperative_groups.h>

// Every thread takes what the thread 101 further on has written.
extern "C" __global__ void rotate(int *data, int count) {
  auto grid = cooperative_groups::this_grid();
  int i = static_cast<int>(grid.thread_rank());
  data[i] = i;
  grid.sync();
  int value = data[(i + 101) % count];
  grid.sync();
  data[i] = value;
}
