// The standard streams of a program, at its start and at its end.
#ifndef ATTNRES_SUPPORT_STREAMS_H
#define ATTNRES_SUPPORT_STREAMS_H

namespace attnres {

/// What main() does first. A standard stream that is closed would give its
/// number to the next file that is opened, and messages would land there:
/// /dev/null takes its place. Reading a closed standard input and writing to a
/// closed standard output fail; what goes to a closed standard error is lost,
/// as it was asked for. A write beyond a limit on file sizes becomes an error
/// like that on a full disk, not a signal.
void openStandardStreams();

/// Writes what is buffered for standard output. To be called after what takes
/// long to follow; a failure is remembered for closeStandardOutput().
void flushStandardOutput();

/// What main() does last: writes what is still buffered for standard output.
/// Returns `exitCode`, or 1 in place of 0 if anything that was printed is
/// lost, after a line that says so.
int closeStandardOutput(const char *program, int exitCode);

} // namespace attnres
#endif
