// The values of the emulator's command line: shapes of grids, scalars and
// buffers. A value that its type cannot hold is refused.

#ifndef ATTNRES_RUNTIME_EMULATOR_COMMANDVALUES_H
#define ATTNRES_RUNTIME_EMULATOR_COMMANDVALUES_H

#include "runtime/emulator/Device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::emulator {

/// One kernel argument: its bytes, and the buffer behind it if it is one.
struct Argument {
  std::vector<uint8_t> bytes;
  uint64_t address = 0;
  uint64_t count = 0;
  Type type = Type::None;
};

/// Digits and nothing else, or 0x and hexadecimal ones.
bool readCount(const std::string &text, uint64_t &value);

/// X, X,Y or X,Y,Z, all positive.
Result<Dim3> parseDim(const std::string &text);

/// TYPE:VALUE, or TYPE[COUNT] or TYPE[COUNT]=FILL for a buffer, which is made
/// and filled; FILL is a number, iota, random, none or @FILE.
Status parseArgument(Device &device, const std::string &text,
                     Argument &argument);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_COMMANDVALUES_H
