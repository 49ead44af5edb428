// Reading of the values on the command line, exactly or not at all.

#include "runtime/emulator/CommandValues.h"

#include "runtime/emulator/MatrixTile.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace attnres::emulator {
namespace {

constexpr uint64_t maxBufferBytes = uint64_t(1) << 32;

// The digits that `base` has.
bool readDigits(const std::string &text, uint64_t base, uint64_t &value) {
  value = 0;
  for (char c : text) {
    unsigned digit =
        c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
        : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
        : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                               : 16;
    if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, uint64_t(digit), &value))
      return false;
  }
  return !text.empty();
}

bool isHexadecimal(const std::string &text) {
  return text.size() > 2 && text[0] == '0' &&
         (text[1] == 'x' || text[1] == 'X');
}

// The numbers that a command can hold in registers of the host.
bool isKnown(Type type) {
  return (isInteger(type) && typeBytes(type) <= 8) || type == Type::F16 ||
         type == Type::BF16 || type == Type::F32 || type == Type::F64;
}

// A whole number that the type holds; hexadecimal digits may be its bits.
Status parseInteger(const std::string &text, Type type, uint64_t &bits) {
  auto unfit = [&] {
    return invalidArgument(
        fmt::format("{} does not fit {}", text, typeName(type)));
  };
  bool negative = !text.empty() && text[0] == '-';
  std::string digits = text.substr(negative);
  bool isBits = isHexadecimal(digits);
  uint64_t magnitude = 0;
  if (digits.empty() ||
      digits.substr(isBits ? 2 : 0)
              .find_first_not_of(isBits ? "0123456789abcdefABCDEF"
                                        : "0123456789") != std::string::npos)
    return invalidArgument(fmt::format("'{}' is not a whole number", text));
  if (!readCount(digits, magnitude))
    return unfit();
  uint64_t most = ~uint64_t(0) >> (64 - 8 * typeBytes(type));
  bool isSignedNumber = isSigned(type) && !isBits;
  if (negative ? isUnsigned(type) || magnitude > most / 2 + 1
               : magnitude > (isSignedNumber ? most / 2 : most))
    return unfit();
  bits = negative ? ~magnitude + 1 : magnitude;
  return {};
}

uint64_t bfloatBits(float value) {
  uint32_t wide = 0;
  std::memcpy(&wide, &value, sizeof wide);
  if (std::isnan(value))
    return (wide >> 16) | 0x40;
  return (wide + 0x7fff + ((wide >> 16) & 1)) >> 16;
}

// The bits of the number that is nearest in a floating type.
uint64_t encodeFloat(double value, Type type) {
  uint64_t bits = 0;
  if (type == Type::F64) {
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  float narrow = static_cast<float>(value);
  if (type == Type::F16)
    return halfBits(narrow);
  if (type == Type::BF16)
    return bfloatBits(narrow);
  std::memcpy(&bits, &narrow, sizeof narrow);
  return bits;
}

// A decimal or hexadecimal number, inf or nan. Too large or small for the type
// is an error, rounding is not.
Status parseFloat(const std::string &text, Type type, uint64_t &bits) {
  char *end = nullptr;
  const char *start = text.c_str();
  double value =
      type == Type::F64 ? std::strtod(start, &end) : std::strtof(start, &end);
  if (text.empty() || *end != '\0' || std::isspace(*start))
    return invalidArgument(fmt::format("'{}' is not a number", text));
  bool isNamed = text.find_first_of("iInN") != std::string::npos;
  double largest = type == Type::F16 ? 65519.996 : HUGE_VAL;
  bits = encodeFloat(value, type);
  bool isZero = text.find_first_of("123456789") == std::string::npos;
  bool isInfinite = type == Type::BF16 && (bits & 0x7fff) == 0x7f80;
  uint64_t sign = uint64_t(1) << (8 * typeBytes(type) - 1);
  if (!isNamed && (std::isinf(value) || std::fabs(value) > largest ||
                   isInfinite || (!isZero && (bits & ~sign) == 0)))
    return invalidArgument(
        fmt::format("{} does not fit {}", text, typeName(type)));
  return {};
}

Status parseValue(const std::string &text, Type type, uint64_t &bits) {
  return isFloat(type) ? parseFloat(text, type, bits)
                       : parseInteger(text, type, bits);
}

// How many whole numbers from 0 on the type holds; 0: all.
uint64_t wholeNumbers(Type type) {
  switch (type) {
  case Type::F16:
    return (1u << 11) + 1;
  case Type::BF16:
    return (1u << 8) + 1;
  case Type::F32:
    return (1u << 24) + 1;
  case Type::F64:
    return (uint64_t(1) << 53) + 1;
  default:
    break;
  }
  unsigned width = 8 * typeBytes(type) - (isSigned(type) ? 1 : 0);
  return width == 64 ? 0 : uint64_t(1) << width;
}

Status readFile(const std::string &name, std::vector<uint8_t> &data) {
  std::ifstream file(name, std::ios::binary);
  if (!file.read(reinterpret_cast<char *>(data.data()),
                 static_cast<std::streamsize>(data.size())))
    return invalidArgument(
        fmt::format("cannot read {} bytes of '{}'", data.size(), name));
  if (file.peek() != std::ifstream::traits_type::eof())
    return invalidArgument(fmt::format("'{}' has more than the {} bytes of the "
                                       "buffer",
                                       name, data.size()));
  return {};
}

Status fillBuffer(const std::string &fill, Type type, uint64_t count,
                  std::vector<uint8_t> &data) {
  if (!fill.empty() && fill[0] == '@')
    return readFile(fill.substr(1), data);
  unsigned bytes = typeBytes(type);
  bool isIota = fill == "iota";
  bool isRandom = fill == "random";
  uint64_t constant = 0;
  if (!isIota && !isRandom)
    if (Status status = parseValue(fill, type, constant); !status.ok())
      return status;
  uint64_t whole = wholeNumbers(type);
  if (isIota && whole != 0 && count > whole)
    return invalidArgument(fmt::format("iota of {} elements, {} holds whole "
                                       "numbers to {} only",
                                       count, typeName(type), whole - 1));
  uint64_t state = 1;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = constant;
    if (isIota)
      bits = isFloat(type) ? encodeFloat(static_cast<double>(i), type) : i;
    if (isRandom) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bits = isFloat(type)
                 ? encodeFloat(static_cast<double>(state >> 11) * 0x1p-53, type)
                 : state >> 40;
    }
    std::memcpy(data.data() + i * bytes, &bits, bytes);
  }
  return {};
}

// TYPE[COUNT] or TYPE[COUNT]=FILL.
Status makeBuffer(Device &device, const std::string &text, size_t open,
                  Argument &argument) {
  size_t close = text.find(']', open);
  if (close == std::string::npos)
    return invalidArgument("missing ']'");
  std::string count = text.substr(open + 1, close - open - 1);
  if (!readCount(count, argument.count))
    return invalidArgument(fmt::format("'{}' is not a count", count));
  unsigned bytes = typeBytes(argument.type);
  if (argument.count > maxBufferBytes / bytes)
    return invalidArgument(fmt::format("more than {} bytes", maxBufferBytes));
  std::string fill = "0";
  if (close + 1 < text.size()) {
    if (text[close + 1] != '=')
      return invalidArgument(fmt::format(
          "'{}' after ']', expected '=' or the end", text.substr(close + 1)));
    fill = text.substr(close + 2);
  }
  std::vector<uint8_t> data(fill == "none" ? 0 : argument.count * bytes);
  if (fill != "none")
    if (Status status = fillBuffer(fill, argument.type, argument.count, data);
        !status.ok())
      return status;
  Result<uint64_t> address = device.allocate(argument.count * bytes);
  if (!address.ok())
    return address.status();
  argument.address = *address;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &argument.address, 8);
  return device.copyToDevice(argument.address, data.data(), data.size());
}

Status readArgument(Device &device, const std::string &text, size_t split,
                    Argument &argument) {
  argument.type = typeFromName(text.substr(0, split));
  if (!isKnown(argument.type))
    return invalidArgument(
        fmt::format("unknown type '{}'", text.substr(0, split)));
  if (text[split] == '[')
    return makeBuffer(device, text, split, argument);
  uint64_t bits = 0;
  if (Status status = parseValue(text.substr(split + 1), argument.type, bits);
      !status.ok())
    return status;
  argument.bytes.resize(typeBytes(argument.type));
  std::memcpy(argument.bytes.data(), &bits, argument.bytes.size());
  return {};
}

} // namespace

bool readCount(const std::string &text, uint64_t &value) {
  return isHexadecimal(text) ? readDigits(text.substr(2), 16, value)
                             : readDigits(text, 10, value);
}

Result<Dim3> parseDim(const std::string &text) {
  Dim3 dim;
  uint32_t *parts[] = {&dim.x, &dim.y, &dim.z};
  size_t at = 0;
  for (size_t i = 0;; ++i) {
    size_t comma = text.find(',', at);
    uint64_t value = 0;
    if (i >= 3 || !readCount(text.substr(at, comma - at), value) ||
        value == 0 || value > 0x7fffffff)
      return invalidArgument(fmt::format(
          "'{}' is not of the form X, X,Y or X,Y,Z with positive numbers",
          text));
    *parts[i] = static_cast<uint32_t>(value);
    if (comma == std::string::npos)
      return dim;
    at = comma + 1;
  }
}

Status parseArgument(Device &device, const std::string &text,
                     Argument &argument) {
  size_t split = text.find_first_of(":[");
  if (split == std::string::npos)
    return invalidArgument(fmt::format(
        "argument '{}' is not of the form TYPE:VALUE or TYPE[COUNT]=FILL",
        text));
  Status status = readArgument(device, text, split, argument);
  return status.ok() ? status
                     : invalidArgument(fmt::format("argument '{}': {}", text,
                                                   status.message()));
}

} // namespace attnres::emulator
