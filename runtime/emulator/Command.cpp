// attnres-run emulate FILE.ptx --kernel NAME --grid 4 --block 128 --args ...

#include "runtime/emulator/Command.h"

#include "runtime/ExactNumbers.h"
#include "runtime/File.h"
#include "runtime/emulator/Device.h"
#include "runtime/emulator/MatrixTile.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

namespace attnres::emulator {
namespace {

constexpr uint64_t maxBufferBytes = uint64_t(1) << 32;

/// One kernel argument: its bytes, and the buffer behind it if it is one.
struct Argument {
  std::vector<uint8_t> bytes;
  uint64_t address = 0;
  uint64_t count = 0;
  Type type = Type::None;
};

Result<Dim3> parseDim(const std::string &text) {
  Dim3 dim;
  uint32_t *parts[] = {&dim.x, &dim.y, &dim.z};
  std::stringstream stream(text);
  std::string part;
  for (size_t i = 0; std::getline(stream, part, ','); ++i) {
    char *end = nullptr;
    unsigned long value = std::strtoul(part.c_str(), &end, 10);
    if (i >= 3 || part.empty() || *end != '\0' || value == 0 ||
        value > 0x7fffffff)
      return Status::error(
          fmt::format("'{}' is not of the form X, X,Y or X,Y,Z", text));
    *parts[i] = static_cast<uint32_t>(value);
  }
  return dim;
}

// The bits of a number in one of the types.
uint64_t encodeNumber(double value, Type type) {
  uint64_t bits = 0;
  switch (type) {
  case Type::F64:
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  case Type::F32: {
    float narrow = static_cast<float>(value);
    std::memcpy(&bits, &narrow, sizeof narrow);
    return bits;
  }
  case Type::F16:
    return halfBits(static_cast<float>(value));
  case Type::BF16: {
    float narrow = static_cast<float>(value);
    uint32_t wide = 0;
    std::memcpy(&wide, &narrow, sizeof wide);
    return (wide + 0x7fff + ((wide >> 16) & 1)) >> 16;
  }
  default:
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

// A whole number that fits the type, signed or not; 0x is understood.
Status parseInteger(const std::string &text, Type type, uint64_t &bits) {
  bool negative = !text.empty() && text[0] == '-';
  unsigned width = 8 * typeBytes(type);
  uint64_t most = ~uint64_t(0) >> (64 - width);
  char *end = nullptr;
  errno = 0;
  uint64_t magnitude = std::strtoull(text.c_str() + negative, &end, 0);
  if (text.size() == size_t(negative) || *end != '\0' ||
      !std::isdigit(static_cast<unsigned char>(text[negative])))
    return Status::error(fmt::format("'{}' is not a whole number", text));
  if (errno != 0 || magnitude > most || (negative && magnitude > most / 2 + 1))
    return Status::error(
        fmt::format("{} does not fit {}", text, typeName(type)));
  bits = negative ? ~magnitude + 1 : magnitude;
  return {};
}

Status parseNumber(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    return Status::error(fmt::format("'{}' is not a number", text));
  return {};
}

// TYPE[COUNT]=FILL, where FILL is a number, iota, random, none or @FILE.
Status makeBuffer(Device &device, const std::string &text, size_t open,
                  Argument &argument) {
  size_t close = text.find(']', open);
  if (close == std::string::npos)
    return Status::error(fmt::format("argument '{}': missing ']'", text));
  std::string count = text.substr(open + 1, close - open - 1);
  char *end = nullptr;
  argument.count = std::strtoull(count.c_str(), &end, 0);
  if (count.empty() || *end != '\0' || argument.count > uint64_t(1) << 34)
    return Status::error(
        fmt::format("argument '{}': '{}' is not a count", text, count));
  unsigned bytes = typeBytes(argument.type);
  if (argument.count * bytes > maxBufferBytes)
    return Status::error(
        fmt::format("argument '{}': more than {} bytes", text, maxBufferBytes));
  Result<uint64_t> address = device.allocate(argument.count * bytes);
  if (!address)
    return address.status();
  argument.address = *address;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &argument.address, 8);
  std::string fill = close + 1 < text.size() && text[close + 1] == '='
                         ? text.substr(close + 2)
                         : "0";
  if (fill == "none")
    return {};
  std::vector<uint8_t> data(argument.count * bytes);
  if (fill[0] == '@') {
    std::ifstream file(fill.substr(1), std::ios::binary);
    if (!file.read(reinterpret_cast<char *>(data.data()),
                   static_cast<std::streamsize>(data.size())))
      return Status::error(fmt::format("argument '{}': cannot read {} bytes "
                                       "of '{}'",
                                       text, data.size(), fill.substr(1)));
  } else {
    double constant = 0;
    bool iota = fill == "iota";
    bool random = fill == "random";
    if (!iota && !random)
      if (Status status = parseNumber(fill, constant); !status)
        return status;
    uint64_t state = 1;
    for (uint64_t i = 0; i < argument.count; ++i) {
      double value = constant;
      if (iota)
        value = static_cast<double>(i);
      if (random) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<double>(state >> 11) * 0x1p-53;
        if (!isFloat(argument.type))
          value = static_cast<double>(state >> 40);
      }
      uint64_t bits = encodeNumber(value, argument.type);
      std::memcpy(data.data() + i * bytes, &bits, bytes);
    }
  }
  return device.copyToDevice(argument.address, data.data(), data.size());
}

// TYPE:VALUE or TYPE[COUNT]=FILL.
Status parseArgument(Device &device, const std::string &text,
                     Argument &argument) {
  size_t split = text.find_first_of(":[");
  if (split == std::string::npos)
    return Status::error(fmt::format(
        "argument '{}' is not of the form TYPE:VALUE or TYPE[COUNT]=FILL",
        text));
  argument.type = typeFromName(text.substr(0, split));
  if (typeBytes(argument.type) == 0 || typeBytes(argument.type) > 8)
    return Status::error(fmt::format("argument '{}': unknown type '{}'", text,
                                     text.substr(0, split)));
  if (text[split] == '[')
    return makeBuffer(device, text, split, argument);
  std::string number = text.substr(split + 1);
  uint64_t bits = 0;
  if (isFloat(argument.type)) {
    double value = 0;
    if (Status status = parseNumber(number, value); !status)
      return status;
    bits = encodeNumber(value, argument.type);
  } else if (Status status = parseInteger(number, argument.type, bits);
             !status) {
    return status;
  }
  argument.bytes.resize(typeBytes(argument.type));
  std::memcpy(argument.bytes.data(), &bits, argument.bytes.size());
  return {};
}

std::string formatElement(const uint8_t *bytes, Type type) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, typeBytes(type));
  switch (type) {
  case Type::F64: {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return fmt::format("{}", value);
  }
  case Type::F32: {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return fmt::format("{}", value);
  }
  case Type::F16:
    return fmt::format("{}", matrixFloat(bytes, MatrixType::F16));
  case Type::BF16:
    return fmt::format("{}", matrixFloat(bytes, MatrixType::BF16));
  case Type::S8:
    return fmt::format("{}", static_cast<int8_t>(bits));
  case Type::S16:
    return fmt::format("{}", static_cast<int16_t>(bits));
  case Type::S32:
    return fmt::format("{}", static_cast<int32_t>(bits));
  case Type::S64:
    return fmt::format("{}", static_cast<int64_t>(bits));
  default:
    return fmt::format("{}", bits);
  }
}

// INDEX[:COUNT]
Status printBuffer(Device &device, const std::string &text,
                   const std::vector<Argument> &arguments) {
  char *end = nullptr;
  uint64_t index = std::strtoull(text.c_str(), &end, 10);
  if (index >= arguments.size() || arguments[index].address == 0 ||
      (*end != '\0' && *end != ':'))
    return Status::error(
        fmt::format("--print {}: there is no such buffer argument", text));
  const Argument &argument = arguments[index];
  uint64_t count = argument.count;
  if (*end == ':')
    count = std::min<uint64_t>(count, std::strtoull(end + 1, nullptr, 10));
  unsigned bytes = typeBytes(argument.type);
  std::vector<uint8_t> data(count * bytes);
  if (Status status =
          device.copyToHost(data.data(), argument.address, data.size());
      !status)
    return status;
  std::string line = fmt::format("argument {}:", index);
  for (uint64_t i = 0; i < count; ++i)
    line += " " + formatElement(data.data() + i * bytes, argument.type);
  std::cout << line << "\n";
  return {};
}

struct CommandOptions {
  std::string file;
  std::string kernel;
  std::string grid = "1";
  std::string block = "1";
  std::string cluster;
  uint32_t dynamicShared = 0;
  std::vector<std::string> arguments;
  std::vector<std::string> print;
  std::string json;
  DeviceOptions device;
  bool noChecks = false;
  bool counters = false;
  bool list = false;
};

Status runKernel(const CommandOptions &options, bool &clean) {
  std::ifstream file(options.file, std::ios::binary);
  if (!file)
    return Status::error(fmt::format("cannot read '{}'", options.file));
  std::stringstream text;
  text << file.rdbuf();
  DeviceOptions deviceOptions = options.device;
  if (options.noChecks)
    deviceOptions.setChecks(false);
  Device device(deviceOptions);
  if (Status status = device.loadModule(text.str()); !status)
    return Status::error(fmt::format("{}: {}", options.file, status.message()));
  if (options.list) {
    for (const std::string &name : device.kernels()) {
      std::cout << name << ":";
      Result<std::vector<KernelParameter>> parameters = device.parameters(name);
      for (const KernelParameter &parameter : *parameters)
        std::cout << fmt::format(" {} ({} bytes)", parameter.name,
                                 parameter.bytes);
      std::cout << "\n";
    }
    return {};
  }
  std::string kernel = options.kernel;
  if (kernel.empty()) {
    std::vector<std::string> names = device.kernels();
    if (names.size() != 1)
      return Status::error(fmt::format(
          "{} kernels in the file, --kernel has to name one", names.size()));
    kernel = names[0];
  }
  LaunchConfig config;
  Result<Dim3> grid = parseDim(options.grid);
  Result<Dim3> block = parseDim(options.block);
  if (!grid)
    return grid.status();
  if (!block)
    return block.status();
  config.grid = *grid;
  config.block = *block;
  if (!options.cluster.empty()) {
    Result<Dim3> cluster = parseDim(options.cluster);
    if (!cluster)
      return cluster.status();
    config.cluster = *cluster;
  }
  config.dynamicSharedBytes = options.dynamicShared;

  Result<std::vector<KernelParameter>> parameters = device.parameters(kernel);
  if (!parameters)
    return parameters.status();
  std::vector<Argument> arguments(options.arguments.size());
  std::vector<const void *> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (Status status =
            parseArgument(device, options.arguments[i], arguments[i]);
        !status)
      return status;
    if (i < parameters->size() &&
        (*parameters)[i].bytes != arguments[i].bytes.size())
      return Status::error(fmt::format(
          "argument {} has {} bytes, parameter '{}' of the kernel {}", i,
          arguments[i].bytes.size(), (*parameters)[i].name,
          (*parameters)[i].bytes));
    pointers.push_back(arguments[i].bytes.data());
  }
  Status status = device.launch(kernel, config, pointers);
  std::cout << device.takeOutput();
  for (const Finding &finding : device.findings())
    std::cout << finding.text() << "\n";
  clean = device.findings().empty();
  if (!status)
    return status;
  for (const std::string &which : options.print)
    if (Status printed = printBuffer(device, which, arguments); !printed)
      return printed;
  if (options.counters)
    std::cout << device.counters().table(kernel);
  if (!options.json.empty()) {
    if (runtime::Status written = runtime::writeFileAtomically(
            options.json, {device.counters().json(kernel) + "\n"});
        !written.ok())
      return Status::error(written.message());
  }
  return {};
}

} // namespace

int runEmulateCommand(int argc, char **argv) {
  CommandOptions options;
  CLI::App app("Executes a kernel of a PTX file without a GPU and checks it.");
  app.add_option("file", options.file, "PTX text")->required();
  app.add_option("--kernel", options.kernel,
                 "name of the kernel (needed when the file has several)");
  app.add_option("--grid", options.grid, "blocks: X[,Y[,Z]]");
  app.add_option("--block", options.block, "threads of a block: X[,Y[,Z]]");
  app.add_option("--cluster", options.cluster, "blocks of a cluster");
  app.add_option("--shared", options.dynamicShared,
                 "bytes of dynamic shared memory");
  app.add_option("--args", options.arguments,
                 "one per parameter: TYPE:VALUE, or TYPE[COUNT]=FILL for a "
                 "buffer (FILL: a number, iota, random, none, @FILE)");
  app.add_option("--print", options.print,
                 "print buffer arguments afterwards: INDEX[:COUNT]");
  app.add_flag("--counters", options.counters, "print the counters");
  app.add_option("--json", options.json, "write the counters to a file");
  app.add_flag("--list", options.list, "list the kernels and stop");
  app.add_flag("--no-checks", options.noChecks,
               "bounds and alignment only, for speed");
  app.add_option("--threads", options.device.threads,
                 "host threads (0: one per core)");
  app.add_option("--shuffle", options.device.shuffleSeed,
                 "seed of a random order of warps and blocks");
  app.add_flag("--perturb", options.device.perturbApproximations,
               "move .approx results within their documented error");
  app.add_option("--limit", options.device.instructionLimit,
                 "stop after so many instructions of a warp");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  bool clean = true;
  Status status = runKernel(options, clean);
  if (!status) {
    std::cerr << "error: " << status.message() << "\n";
    return 1;
  }
  return clean ? 0 : 1;
}

} // namespace attnres::emulator
