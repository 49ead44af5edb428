// Functions that the device's system provides: printf, assertions and the heap.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"

#include <cctype>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

// Reads `bytes` at a generic address for printf; false at its end.
bool readByte(Warp &warp, uint64_t address, unsigned lane, uint8_t &value) {
  Warp::Target target;
  if (!warp.resolve(Space::Generic, address, 1, 1, lane, Warp::AccessKind::Load,
                    target))
    return false;
  value = *target.data;
  return true;
}

uint64_t readWord(Warp &warp, uint64_t address, unsigned bytes, unsigned lane) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    uint8_t byte = 0;
    if (!readByte(warp, address + i, lane, byte))
      break;
    value |= uint64_t(byte) << (8 * i);
  }
  return value;
}

std::string readString(Warp &warp, uint64_t address, unsigned lane) {
  std::string text;
  uint8_t byte = 0;
  while (text.size() < 4096 &&
         readByte(warp, address + text.size(), lane, byte) && byte != 0)
    text.push_back(static_cast<char>(byte));
  return text;
}

// One conversion of a format, such as "%5.2f", with its value.
std::string formatOne(const std::string &spec, char conversion, uint64_t bits,
                      Warp &warp, unsigned lane) {
  char buffer[512];
  std::string flags = spec.substr(0, spec.find_first_of("hljzt"));
  if (flags.size() == spec.size())
    flags.pop_back();
  if (flags.size() > 16)
    return "?";
  switch (conversion) {
  case 'd':
  case 'i':
    std::snprintf(buffer, sizeof buffer, (flags + "lld").c_str(),
                  static_cast<long long>(bits));
    return buffer;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    std::snprintf(buffer, sizeof buffer, (flags + "ll" + conversion).c_str(),
                  static_cast<unsigned long long>(bits));
    return buffer;
  case 'c':
    return std::string(1, static_cast<char>(bits));
  case 's':
    return readString(warp, bits, lane);
  case 'p':
    return fmt::format("{:#x}", bits);
  default: {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    std::snprintf(buffer, sizeof buffer, (flags + conversion).c_str(), value);
    return buffer;
  }
  }
}

std::string formatPrintf(Warp &warp, const std::string &format,
                         uint64_t arguments, unsigned lane) {
  std::string out;
  uint64_t at = arguments;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    size_t end = i + 1;
    while (end < format.size() && !std::isalpha(format[end]) &&
           format[end] != '%')
      ++end;
    bool wide = false;
    while (end < format.size() && std::strchr("hljzt", format[end])) {
      wide |= format[end] != 'h';
      ++end;
    }
    if (end >= format.size())
      break;
    char conversion = format[end];
    if (conversion == '%') {
      out.push_back('%');
    } else {
      bool isInteger = std::strchr("diuxXoc", conversion) != nullptr;
      unsigned bytes = isInteger && !wide ? 4 : 8;
      at = (at + bytes - 1) / bytes * bytes;
      uint64_t bits = readWord(warp, at, bytes, lane);
      if (bytes == 4 && (conversion == 'd' || conversion == 'i'))
        bits = static_cast<uint64_t>(
            static_cast<int64_t>(static_cast<int32_t>(bits)));
      at += bytes;
      out += formatOne(format.substr(i, end - i + 1), conversion, bits, warp,
                       lane);
    }
    i = end;
  }
  return out;
}

uint64_t argument(const Warp &warp, const CallExtra &call, size_t index,
                  unsigned lane) {
  uint64_t value = 0;
  if (index < call.arguments.size())
    std::memcpy(&value,
                warp.local.data() + size_t(lane) * warp.localBytes +
                    warp.frame->localBase + call.arguments[index].first,
                std::min(8u, call.arguments[index].second));
  return value;
}

void giveResult(Warp &warp, const CallExtra &call, uint64_t value,
                unsigned lane) {
  if (call.results.empty())
    return;
  size_t at = size_t(lane) * warp.localBytes + warp.frame->localBase +
              call.results[0].first;
  uint32_t bytes = std::min(8u, call.results[0].second);
  std::memcpy(warp.local.data() + at, &value, bytes);
  std::memset(warp.localInit.data() + at, 1, bytes);
}

void executePrintf(Warp &warp, const CallExtra &call, uint32_t mask) {
  warp.enterOrdered();
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    std::string format = readString(warp, argument(warp, call, 0, lane), lane);
    std::string text =
        formatPrintf(warp, format, argument(warp, call, 1, lane), lane);
    LaunchState &launch = warp.block.launch;
    std::lock_guard<std::mutex> lock(launch.printMutex);
    launch.printed += text;
    giveResult(warp, call, 0, lane);
  }
}

void executeAssert(Warp &warp, const CallExtra &call, uint32_t mask) {
  unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
  warp.report(
      FindingKind::Trap, lane, 0,
      fmt::format("assertion failed: {}",
                  readString(warp, argument(warp, call, 0, lane), lane)));
  warp.block.launch.abort("an assertion of the kernel failed");
  warp.exitLanes(mask);
}

void executeMalloc(Warp &warp, const CallExtra &call, uint32_t mask) {
  warp.enterOrdered();
  LaunchState &launch = warp.block.launch;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t bytes = argument(warp, call, 0, lane);
    giveResult(warp, call,
               launch.memory->allocateOnHeap(bytes, launch.heapBytes), lane);
  }
}

void executeFree(Warp &warp, const CallExtra &call, uint32_t mask) {
  warp.enterOrdered();
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address = argument(warp, call, 0, lane);
    if (address == 0)
      continue;
    Status status = warp.block.launch.memory->releaseOnHeap(address);
    if (!status.ok())
      warp.report(FindingKind::InvalidOperation, lane, address,
                  status.message());
  }
}

} // namespace

void executeSystemCall(Warp &warp, const CallExtra &call, uint32_t mask) {
  switch (call.system) {
  case CallExtra::Printf:
    return executePrintf(warp, call, mask);
  case CallExtra::Assert:
    return executeAssert(warp, call, mask);
  case CallExtra::Malloc:
    return executeMalloc(warp, call, mask);
  case CallExtra::Free:
    return executeFree(warp, call, mask);
  case CallExtra::None:
    break;
  }
}

} // namespace attnres::emulator
