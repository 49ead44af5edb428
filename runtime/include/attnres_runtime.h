/* Runs compiled attnres programs from C or any language that can call C.
 *
 *   attnres_error error = {.struct_size = sizeof error};
 *   attnres_program *program;
 *   if (attnres_program_load("toy.program", NULL, &program, &error) != 0)
 *     puts(error.message);
 *   attnres_bind(program, 0, tokens, token_bytes, &error);
 *   ...
 *   attnres_run(program, &error);
 *   attnres_program_destroy(program);
 *
 * Structures start with their size, which the caller sets to the sizeof that it
 * was compiled with; fields are only ever appended, so a library and a caller
 * of different versions understand each other. No function throws, exits or
 * prints. A program is used by one thread at a time; different programs are
 * independent.
 */
#ifndef ATTNRES_RUNTIME_H
#define ATTNRES_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define ATTNRES_API
#else
#define ATTNRES_API __attribute__((visibility("default")))
#endif

typedef enum attnres_status {
  ATTNRES_OK = 0,
  ATTNRES_INVALID_ARGUMENT = 1, /* the caller asked for something impossible */
  ATTNRES_INVALID_DATA = 2,     /* a program file is malformed */
  ATTNRES_IO_ERROR = 3,         /* the operating system refused */
  ATTNRES_UNSUPPORTED = 4,      /* not on this processor or library version */
  ATTNRES_INTERNAL = 5          /* out of memory, or a defect */
} attnres_status;

/* Where a function that fails writes one line of text. Optional everywhere:
 * pass NULL. On success the message is empty. */
typedef struct attnres_error {
  size_t struct_size;
  char message[512]; /* zero-terminated, cut when longer */
} attnres_error;

typedef struct attnres_options {
  size_t struct_size;
  /* Threads of the program; 0: OMP_NUM_THREADS, else as many as processors. */
  int32_t threads;
} attnres_options;

typedef enum attnres_dtype {
  ATTNRES_F64 = 0,
  ATTNRES_F32 = 1,
  ATTNRES_F16 = 2,
  ATTNRES_BF16 = 3,
  ATTNRES_I64 = 4,
  ATTNRES_I32 = 5,
  ATTNRES_I16 = 6,
  ATTNRES_I8 = 7,
  ATTNRES_U8 = 8,
  ATTNRES_BOOL = 9
} attnres_dtype;

/* What a tensor is to whoever runs the program. */
typedef enum attnres_role {
  ATTNRES_DATA = 0,             /* given to every run, or returned by it */
  ATTNRES_PARAMETER = 1,        /* learned */
  ATTNRES_STATE = 2,            /* of each text, replaced by every run */
  ATTNRES_GRADIENT = 3,         /* of the loss, for a parameter */
  ATTNRES_GRADIENT_SUM = 4,     /* of a batch in parts, gradients so far */
  ATTNRES_GRADIENT_SQUARES = 5, /* sums of the squared norm of a gradient */
  ATTNRES_GRADIENT_NORM = 6,    /* of all gradients together */
  ATTNRES_FIRST_MOMENT = 7,     /* of the optimizer, for a parameter */
  ATTNRES_SECOND_MOMENT = 8,
  ATTNRES_CACHE = 9 /* of each position of each text, [B, capacity, ...] */
} attnres_role;

/* A tensor that the caller provides memory for. Pointers are valid as long as
 * the program. */
typedef struct attnres_binding {
  size_t struct_size;
  const char *name;
  int32_t dtype;     /* attnres_dtype */
  int32_t is_output; /* 0 or 1 */
  int64_t rank;
  const int64_t *shape; /* rank sizes, row-major without padding */
  int64_t bytes;
  /* Of an output: the index of the input that it overwrites in place, which is
   * where to find it after a run; -1 when it has memory of its own. */
  int64_t updates;
  /* Since version 2. */
  int32_t role; /* attnres_role */
  /* Of a role "for a parameter": the index of its input; otherwise -1. */
  int64_t parameter;
} attnres_binding;

typedef struct attnres_program attnres_program;

/* Of this header; attnres_version() is that of the library. */
#define ATTNRES_RUNTIME_VERSION 2
ATTNRES_API int32_t attnres_version(void);

/* Loads a program and makes it ready to run. `options` may be NULL. On success
 * *program is to be destroyed by the caller, otherwise it is NULL. Programs
 * contain machine code: load only files that you trust. */
ATTNRES_API attnres_status attnres_program_load(const char *path,
                                                const attnres_options *options,
                                                attnres_program **program,
                                                attnres_error *error);

/* The same from memory, which is copied. */
ATTNRES_API attnres_status attnres_program_load_memory(
    const void *data, size_t size, const attnres_options *options,
    attnres_program **program, attnres_error *error);

ATTNRES_API void attnres_program_destroy(attnres_program *program);

ATTNRES_API int64_t attnres_num_bindings(const attnres_program *program);

/* Fills *binding, whose struct_size the caller has set. */
ATTNRES_API attnres_status attnres_get_binding(const attnres_program *program,
                                               int64_t index,
                                               attnres_binding *binding,
                                               attnres_error *error);

/* The index of an input or output by name, or -1. */
ATTNRES_API int64_t attnres_find_binding(const attnres_program *program,
                                         const char *name, int32_t is_output);

/* The value of a metadata entry, valid as long as the program, or NULL. */
ATTNRES_API const char *attnres_metadata(const attnres_program *program,
                                         const char *key);

/* Gives a binding its memory: exactly its bytes, starting at a multiple of the
 * size of an element (of 64 is fastest), kept alive by the caller until the
 * program is destroyed or another address is bound. Outputs that update an
 * input cannot be bound. */
ATTNRES_API attnres_status attnres_bind(attnres_program *program, int64_t index,
                                        void *data, int64_t bytes,
                                        attnres_error *error);

/* Computes all outputs from all inputs. Every binding must have memory, and no
 * element of an integer input may choose from outside a table of the program:
 * otherwise ATTNRES_INVALID_ARGUMENT, with a message that names the input, the
 * element, its value and what it may be, and nothing is written. */
ATTNRES_API attnres_status attnres_run(attnres_program *program,
                                       attnres_error *error);

#ifdef __cplusplus
}
#endif
#endif
