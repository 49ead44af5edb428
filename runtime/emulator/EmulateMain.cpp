// The emulator's command as a program of its own.

#include "runtime/Streams.h"
#include "runtime/emulator/Command.h"

int main(int argc, char **argv) {
  attnres::runtime::openStandardStreams();
  return attnres::runtime::closeStandardOutput(
      "attnres-emulate", attnres::emulator::runEmulateCommand(argc, argv));
}
