// libattnres_mpi.so: MpiShim.h by the C interface of an MPI.
#include "runtime/distributed/MpiShim.h"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

// Counts are int: larger ranges go in several messages, which arrive in order.
constexpr int64_t mostBytes = int64_t{1} << 30;
constexpr int tag = 0;

int ownRank = 0, jobSize = 1;
std::vector<MPI_Request> requests;

int begin(int *rank, int *size) {
  int provided = MPI_THREAD_SINGLE;
  int error =
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (error != MPI_SUCCESS)
    return error;
  if (provided < MPI_THREAD_SERIALIZED)
    return MPI_ERR_UNSUPPORTED_OPERATION;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  error = MPI_Comm_rank(MPI_COMM_WORLD, &ownRank);
  if (error == MPI_SUCCESS)
    error = MPI_Comm_size(MPI_COMM_WORLD, &jobSize);
  *rank = ownRank;
  *size = jobSize;
  return error;
}

/// Calls post(place, count) for the messages that a range goes in.
template <typename Post>
int postAll(const AttnresMpiRange &range, Post post) {
  for (int64_t from = 0; from < range.bytes; from += mostBytes) {
    int64_t count = std::min(mostBytes, range.bytes - from);
    if (int error = post(static_cast<char *>(range.data) + from,
                         static_cast<int>(count)))
      return error;
  }
  return MPI_SUCCESS;
}

int start(const AttnresMpiRange *sent, const AttnresMpiRange *received) {
  requests.clear();
  // Room first. The next rank first, so that not all send to one.
  for (int step = 1; step < jobSize; ++step) {
    int from = (ownRank + jobSize - step) % jobSize;
    if (int error = postAll(received[from], [&](void *place, int count) {
          return MPI_Irecv(place, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
                           &requests.emplace_back());
        }))
      return error;
  }
  for (int step = 1; step < jobSize; ++step) {
    int to = (ownRank + step) % jobSize;
    if (int error = postAll(sent[to], [&](void *place, int count) {
          return MPI_Isend(place, count, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                           &requests.emplace_back());
        }))
      return error;
  }
  return MPI_SUCCESS;
}

int test(int *done) {
  return MPI_Testall(static_cast<int>(requests.size()), requests.data(), done,
                     MPI_STATUSES_IGNORE);
}

void copyText(const char *from, char *text, int size) {
  std::strncpy(text, from, static_cast<size_t>(size - 1));
  text[size - 1] = '\0';
  for (char *c = text; *c; ++c)
    if (*c == '\n')
      *c = *(c + 1) ? ' ' : '\0';
}

void describe(int error, char *text, int size) {
  char buffer[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, buffer, &length);
  copyText(buffer, text, size);
}

void library(char *text, int size) {
  char buffer[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(buffer, &length);
  copyText(buffer, text, size);
}

constexpr AttnresMpi functions = {ATTNRES_MPI_VERSION, begin,    start,  test,
                                  MPI_Finalize,        describe, library};

} // namespace

extern "C" __attribute__((visibility("default"))) const AttnresMpi *
attnres_mpi(void) {
  return &functions;
}
