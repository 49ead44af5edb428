/* What attnres-run asks of MPI, as C. The library libattnres_mpi.so answers it;
 * it is the only part that is built against an MPI, and is loaded only in a
 * process that MPI started. */
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_MPISHIM_H
#define ATTNRES_RUNTIME_DISTRIBUTED_MPISHIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATTNRES_MPI_VERSION 1

struct AttnresMpiRange {
  void *data; /* only read where it is sent */
  int64_t bytes;
};

/* Functions that return int return 0, or an error that describe() explains. */
struct AttnresMpi {
  int32_t version;
  /* Joins the job. Afterwards calls may come from any thread, one at a time. */
  int (*begin)(int *rank, int *size);
  /* Starts to send sent[r] to and receive received[r] from each rank r but this
   * one. Both arrays have one entry for each rank and last until the end. */
  int (*start)(const struct AttnresMpiRange *sent,
               const struct AttnresMpiRange *received);
  /* Whether what start() began is over. */
  int (*test)(int *done);
  /* Leaves the job: every rank has to. */
  int (*end)(void);
  void (*describe)(int error, char *text, int size);
  /* The implementation, in one line. */
  void (*library)(char *text, int size);
};

/* The one symbol that is looked up. */
const struct AttnresMpi *attnres_mpi(void);
typedef const struct AttnresMpi *(*AttnresMpiFunction)(void);

#ifdef __cplusplus
}
#endif
#endif
