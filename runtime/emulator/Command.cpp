// attnres-run emulate FILE.ptx --kernel NAME --grid 4 --block 128 --args ...

#include "runtime/emulator/Command.h"

#include "runtime/emulator/CommandValues.h"
#include "runtime/emulator/Device.h"
#include "runtime/emulator/MatrixTile.h"
#include "support/ExactNumbers.h"
#include "support/File.h"
#include "support/Streams.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

namespace attnres::emulator {
namespace {

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
  size_t colon = text.find(':');
  uint64_t index = 0;
  uint64_t count = UINT64_MAX;
  if (!readCount(text.substr(0, colon), index) ||
      (colon != std::string::npos && !readCount(text.substr(colon + 1), count)))
    return invalidArgument(fmt::format(
        "--print {} is not of the form INDEX or INDEX:COUNT", text));
  if (index >= arguments.size() || arguments[index].address == 0)
    return invalidArgument(
        fmt::format("--print {}: there is no such buffer argument", text));
  const Argument &argument = arguments[index];
  count = std::min(count, argument.count);
  unsigned bytes = typeBytes(argument.type);
  std::vector<uint8_t> data(count * bytes);
  if (Status status =
          device.copyToHost(data.data(), argument.address, data.size());
      !status.ok())
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
  bool hasCluster = false;
  uint32_t dynamicShared = 0;
  std::vector<std::string> arguments;
  std::vector<std::string> print;
  std::string json;
  DeviceOptions device;
  bool noChecks = false;
  bool counters = false;
  bool list = false;
  bool cooperative = false;
};

Status runKernel(const CommandOptions &options, bool &clean) {
  std::ifstream file(options.file, std::ios::binary);
  if (!file)
    return invalidArgument(fmt::format("cannot read '{}'", options.file));
  std::stringstream text;
  text << file.rdbuf();
  DeviceOptions deviceOptions = options.device;
  if (options.noChecks)
    deviceOptions.setChecks(false);
  Device device(deviceOptions);
  if (Status status = device.loadModule(text.str()); !status.ok())
    return invalidArgument(
        fmt::format("{}: {}", options.file, status.message()));
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
      return invalidArgument(fmt::format(
          "{} kernels in the file, --kernel has to name one", names.size()));
    kernel = names[0];
  }
  LaunchConfig config;
  Result<Dim3> grid = parseDim(options.grid);
  Result<Dim3> block = parseDim(options.block);
  if (!grid.ok())
    return grid.status();
  if (!block.ok())
    return block.status();
  config.grid = *grid;
  config.block = *block;
  if (options.hasCluster) {
    Result<Dim3> cluster = parseDim(options.cluster);
    if (!cluster.ok())
      return cluster.status();
    config.cluster = *cluster;
  }
  config.dynamicSharedBytes = options.dynamicShared;
  config.cooperative = options.cooperative;

  Result<std::vector<KernelParameter>> parameters = device.parameters(kernel);
  if (!parameters.ok())
    return parameters.status();
  std::vector<Argument> arguments(options.arguments.size());
  std::vector<const void *> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (Status status =
            parseArgument(device, options.arguments[i], arguments[i]);
        !status.ok())
      return status;
    if (i < parameters->size() &&
        (*parameters)[i].bytes != arguments[i].bytes.size())
      return invalidArgument(fmt::format(
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
  if (!status.ok())
    return status;
  for (const std::string &which : options.print)
    if (Status printed = printBuffer(device, which, arguments); !printed.ok())
      return printed;
  if (options.counters)
    std::cout << device.counters().table(kernel);
  if (!options.json.empty()) {
    if (Status written = writeFileAtomically(
            options.json, {device.counters().json(kernel) + "\n"});
        !written.ok())
      return invalidArgument(written.message());
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
  app.add_flag("--cooperative", options.cooperative,
               "a cooperative launch, whose blocks may wait for each other");
  app.add_option("--stack", options.device.stackBytes,
                 "bytes of stack of a thread, for recursion (1024)");
  app.add_option("--heap", options.device.heapBytes,
                 "bytes that malloc of the kernel may give out (8388608)");
  app.add_flag("--same-value", options.device.checkSameValue,
               "report writes that race but leave the same value, too");
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
  const CLI::Validator wholeNumber(
      [](const std::string &text) {
        uint64_t value = 0;
        return readCount(text, value)
                   ? std::string()
                   : fmt::format("'{}' is not a whole number up to {}", text,
                                 UINT64_MAX);
      },
      "");
  for (const char *name :
       {"--shared", "--stack", "--heap", "--threads", "--shuffle", "--limit"})
    app.get_option(name)->check(wholeNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  options.hasCluster = app.count("--cluster") != 0;
  bool clean = true;
  Status status = runKernel(options, clean);
  flushStandardOutput(); // main() says when something is lost
  if (!status.ok()) {
    std::cerr << "error: " << status.message() << "\n";
    return 1;
  }
  return clean && std::cout ? 0 : 1;
}

} // namespace attnres::emulator
