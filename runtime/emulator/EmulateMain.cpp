// The emulator's command as a program of its own.

#include "support/machine/Isa.h"
#include "runtime/Streams.h"
#include "runtime/emulator/Command.h"

#include <cstdio>

int main(int argc, char **argv) {
  attnres::runtime::openStandardStreams();
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    std::fprintf(stderr, "attnres-emulate: %s\n", error.c_str());
    return 2;
  }
  return attnres::runtime::closeStandardOutput(
      "attnres-emulate", attnres::emulator::runEmulateCommand(argc, argv));
}
