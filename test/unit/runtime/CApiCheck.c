/* The runtime as a C program sees it, through the shared library alone:
 *
 *   CApiCheck PROGRAM_FILE
 *
 * runs the program of CApiFixture.cpp and exits with 0 when all is well. */
#include <attnres_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(CONDITION)                                                       \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);          \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

enum { ITEMS = 11, WIDTH = 37, ELEMENTS = ITEMS * WIDTH };

static float *tensor(float start) {
  size_t bytes = (ELEMENTS * sizeof(float) + 63) / 64 * 64;
  float *data = aligned_alloc(64, bytes);
  for (int i = 0; i < ELEMENTS; ++i)
    data[i] = start + (float)i;
  return data;
}

static void check_bad_arguments(const char *path) {
  attnres_error error = {.struct_size = sizeof error};
  attnres_program *program = (attnres_program *)&error;
  CHECK(attnres_program_load("/nonexistent", NULL, &program, &error) ==
        ATTNRES_IO_ERROR);
  CHECK(program == NULL);
  CHECK(strcmp(error.message,
               "/nonexistent: cannot open: No such file or directory") == 0);
  CHECK(attnres_program_load(NULL, NULL, &program, NULL) ==
        ATTNRES_INVALID_ARGUMENT);
  CHECK(attnres_program_load_memory("x", 1, NULL, &program, &error) ==
        ATTNRES_INVALID_DATA);
  CHECK(strcmp(error.message, "program: not a compiled program") == 0);
  /* A caller with a smaller structure: nothing past it is written. */
  struct {
    size_t struct_size;
    char message[8], canary[8];
  } small = {sizeof(size_t) + 8, "", "canary"};
  CHECK(attnres_program_load("/nonexistent", NULL, &program,
                             (attnres_error *)&small) == ATTNRES_IO_ERROR);
  CHECK(strcmp(small.message, "/nonexi") == 0);
  CHECK(strcmp(small.canary, "canary") == 0);
  attnres_options options = {sizeof options, -1};
  CHECK(attnres_program_load(path, &options, &program, &error) ==
        ATTNRES_INVALID_ARGUMENT);
  CHECK(strcmp(error.message, "options: -1 threads") == 0);
  CHECK(attnres_num_bindings(NULL) == 0);
  CHECK(attnres_run(NULL, &error) == ATTNRES_INVALID_ARGUMENT);
  attnres_program_destroy(NULL);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  check_bad_arguments(argv[1]);
  CHECK(attnres_version() == ATTNRES_RUNTIME_VERSION);

  attnres_error error = {.struct_size = sizeof error};
  attnres_options options = {sizeof options, 2};
  attnres_program *program;
  if (attnres_program_load(argv[1], &options, &program, &error) != ATTNRES_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  CHECK(error.message[0] == '\0');
  CHECK(strcmp(attnres_metadata(program, "made-by"), "CApiFixture") == 0);
  CHECK(attnres_metadata(program, "x") == NULL);

  CHECK(attnres_num_bindings(program) == 3);
  attnres_binding binding = {.struct_size = sizeof binding};
  CHECK(attnres_get_binding(program, 2, &binding, &error) == ATTNRES_OK);
  CHECK(strcmp(binding.name, "w") == 0 && binding.is_output == 1);
  CHECK(binding.dtype == ATTNRES_F32 && binding.rank == 2);
  CHECK(binding.shape[0] == ITEMS && binding.shape[1] == WIDTH);
  CHECK(binding.bytes == ELEMENTS * (int64_t)sizeof(float));
  CHECK(binding.updates == 1);
  CHECK(binding.role == ATTNRES_PARAMETER && binding.parameter == -1);
  CHECK(attnres_get_binding(program, 0, &binding, &error) == ATTNRES_OK);
  CHECK(binding.role == ATTNRES_GRADIENT_SUM && binding.parameter == 1);
  // A caller of the first version knows no roles.
  binding.struct_size = offsetof(attnres_binding, role);
  binding.role = 99;
  CHECK(attnres_get_binding(program, 1, &binding, &error) == ATTNRES_OK);
  CHECK(binding.role == 99);
  CHECK(attnres_get_binding(program, 3, &binding, &error) ==
        ATTNRES_INVALID_ARGUMENT);
  CHECK(strcmp(error.message, "binding 3 of 3") == 0);
  CHECK(attnres_find_binding(program, "w", 0) == 1);
  CHECK(attnres_find_binding(program, "gradient", 1) == -1);

  CHECK(attnres_run(program, &error) == ATTNRES_INVALID_ARGUMENT);
  CHECK(strcmp(error.message, "input 'gradient' (F32 [11, 37]) is not bound") ==
        0);
  float *gradient = tensor(1), *parameter = tensor(100);
  CHECK(attnres_bind(program, 0, gradient, binding.bytes - 4, &error) ==
        ATTNRES_INVALID_ARGUMENT);
  CHECK(attnres_bind(program, 0, gradient, binding.bytes, &error) ==
        ATTNRES_OK);
  CHECK(attnres_bind(program, 1, parameter, binding.bytes, &error) ==
        ATTNRES_OK);
  CHECK(attnres_run(program, &error) == ATTNRES_OK);
  for (int i = 0; i < ELEMENTS; ++i)
    CHECK(parameter[i] == 100 + (float)i - 0.5f * (1 + (float)i));
  attnres_program_destroy(program);
  free(gradient);
  free(parameter);
  return failures != 0;
}
