// The emulator's command as a program of its own.

#include "runtime/emulator/Command.h"
#include "support/Streams.h"
#include "support/machine/Isa.h"

#include <cstdio>

int main(int argc, char **argv) {
  attnres::openStandardStreams();
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    std::fprintf(stderr, "attnres-emulate: %s\n", error.c_str());
    return 2;
  }
  return attnres::closeStandardOutput(
      "attnres-emulate", attnres::emulator::runEmulateCommand(argc, argv));
}
