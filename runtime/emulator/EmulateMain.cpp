// The emulator's command as a program of its own.

#include "runtime/emulator/Command.h"

int main(int argc, char **argv) {
  return attnres::emulator::runEmulateCommand(argc, argv);
}
