// What a loop promises or wants, in the words of GCC and of Clang.
#ifndef ATTNRES_SUPPORT_LOOPS_H
#define ATTNRES_SUPPORT_LOOPS_H

#define ATTNRES_PRAGMA(TEXT) _Pragma(#TEXT)

#ifdef __clang__
/// No iteration writes what another reads: the loop can be vectorized.
#define ATTNRES_INDEPENDENT_ITERATIONS                                         \
  ATTNRES_PRAGMA(clang loop vectorize(assume_safety))
#define ATTNRES_UNROLL(COUNT) ATTNRES_PRAGMA(clang loop unroll_count(COUNT))
#else
#define ATTNRES_INDEPENDENT_ITERATIONS ATTNRES_PRAGMA(GCC ivdep)
#define ATTNRES_UNROLL(COUNT) ATTNRES_PRAGMA(GCC unroll COUNT)
#endif

#endif
