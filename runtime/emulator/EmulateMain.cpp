// The emulator's command as a program of its own.

#include "machine/Isa.h"
#include "runtime/emulator/Command.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    std::fprintf(stderr, "attnres-emulate: %s\n", error.c_str());
    return 2;
  }
  return attnres::emulator::runEmulateCommand(argc, argv);
}
