/* The calling convention of compiled kernels. Pure C: the compiler emits code
 * against this page and every device calls kernels through it.
 *
 * A kernel is cut at compile time into `grid` work items. A call runs the items
 * [begin, end); any partition of [0, grid) over threads gives the same bits,
 * because an item never writes what another item reads or writes.
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
 *          to 64 bytes unless it is a view), or at an attnres_list.
 * scratch: memory private to the calling thread, aligned to 64 bytes, of the
 *          size that the program states for the kernel; contents undefined. */
typedef void (*attnres_kernel_fn)(void *const *args, void *scratch,
                                  int64_t begin, int64_t end);

#ifdef __cplusplus
}
#endif
#endif
