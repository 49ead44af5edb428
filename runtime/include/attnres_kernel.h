/* The calling conventions of compiled kernels. Pure C: the compiler emits code
 * against this page and every device calls kernels through it.
 *
 * On a processor
 * --------------
 * A kernel is cut at compile time into `grid` work items. A call runs the items
 * [begin, end); any partition of [0, grid) over threads gives the same bits,
 * because an item never writes what another item reads or writes.
 *
 * On a GPU
 * --------
 * A kernel is a PTX entry, launched with the grid, block, cluster and dynamic
 * shared memory that the program states. Its parameters are the kernel's
 * arguments, inputs first, then outputs:
 *
 *   a tensor   .param .u64: the address in global memory of its first element
 *              (row-major, no padding, at a multiple of 64 bytes unless it is a
 *              view)
 *   a list     .param .align 8 .b8 [8 + 8 * capacity]: the count as u64, then as
 *              many such addresses; capacity is the largest count in any launch
 *              of the kernel in the program, and what is behind the count is 0
 *
 * and behind them, where the program states scratch memory for the kernel,
 *
 *   scratch    .param .u64: the address of that many bytes for the whole
 *              launch, at a multiple of 256; contents undefined
 *
 * Lists lie in parameter memory, so that a kernel reads the addresses of its
 * sources like constants, and a launch needs no copy. Launches of a program
 * follow each other; each sees all that those before have written.
 */
#ifndef ATTNRES_KERNEL_H
#define ATTNRES_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A list argument: `count` tensors of one shape. Lets one kernel serve any
 * number of depth sources. */
typedef struct attnres_list {
  int64_t count;
  void *const *data; /* count pointers */
} attnres_list;

/* args:    one pointer per kernel argument, inputs first, then outputs; each
 *          points at the tensor's first element (row-major, no padding, aligned
 *          to its elements), or at an attnres_list.
 * scratch: memory private to the calling thread, aligned to 64 bytes, of the
 *          size that the program states for the kernel; contents undefined. */
typedef void (*attnres_kernel_fn)(void *const *args, void *scratch,
                                  int64_t begin, int64_t end);

#ifdef __cplusplus
}
#endif
#endif
