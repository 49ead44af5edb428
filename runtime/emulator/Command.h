// The command `attnres-run emulate`: executes a kernel of a PTX file.

#ifndef ATTNRES_RUNTIME_EMULATOR_COMMAND_H
#define ATTNRES_RUNTIME_EMULATOR_COMMAND_H

namespace attnres::emulator {

/// `argv[0]` is the name shown in help texts, the options follow. Returns the
/// process's exit code: 0 when the kernel ran without findings, 1 with findings
/// or an error, 2 for wrong options.
int runEmulateCommand(int argc, char **argv);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_COMMAND_H
