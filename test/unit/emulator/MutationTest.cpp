// Mutations of valid programs, loaded and executed: whatever the program, the
// answer is a result, findings or one line. ATTNRES_FUZZ_ROUNDS and
// ATTNRES_FUZZ_SEED make the search longer or another one.

#include "EmulatorTestSupport.h"

#include <cstdlib>

using namespace attnres;
using namespace attnres::emulator;

namespace {

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Words such as %r12, .f32, 16, with what lies between them.
std::vector<std::string> splitWords(const std::string &line) {
  std::vector<std::string> words;
  auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
  };
  for (size_t i = 0; i < line.size();) {
    size_t end = i + 1;
    if (isPart(line[i]) || line[i] == '%' || line[i] == '.')
      while (end < line.size() && isPart(line[end]))
        ++end;
    words.push_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

class Mutator {
public:
  Mutator(std::vector<std::string> pool, Numbers &numbers)
      : lines(std::move(pool)), numbers(numbers) {
    for (const std::string &line : lines)
      for (std::string &word : splitWords(line))
        if (word[0] == '%')
          registers.push_back(word);
        else if (word[0] == '.' && word.size() > 1)
          modifiers.push_back(word);
  }

  /// Changes a few instructions of `kernel`, of which the lines from `first`
  /// on are the body.
  void mutate(std::vector<std::string> &kernel, size_t first) {
    unsigned changes = pick(5) + 1;
    for (unsigned i = 0; i < changes; ++i) {
      size_t at = first + pick(kernel.size() - first - 1);
      switch (pick(8)) {
      case 0:
        kernel.erase(kernel.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        kernel.insert(kernel.begin() + static_cast<std::ptrdiff_t>(at),
                      lines[pick(lines.size())]);
        break;
      case 2:
        std::swap(kernel[at], kernel[first + pick(kernel.size() - first - 1)]);
        break;
      default:
        kernel[at] = changeWord(kernel[at]);
        break;
      }
      if (kernel.size() < first + 3)
        return;
    }
  }

private:
  size_t pick(size_t count) { return numbers.bits() % count; }

  std::string changeWord(const std::string &line) {
    static const char *const constants[] = {
        "0",     "1",     "2",          "7",
        "16",    "31",    "32",         "255",
        "65535", "65536", "2147483647", "4294967295",
        "-1",    "-8",    "0f7FC00000", "0xffffffffffffffff"};
    std::vector<std::string> words = splitWords(line);
    if (words.empty())
      return line;
    std::string &word = words[pick(words.size())];
    if (word[0] == '%')
      word = pick(4) == 0 ? constants[pick(std::size(constants))]
                          : registers[pick(registers.size())];
    else if (word[0] == '.' && word.size() > 1)
      word = pick(4) == 0 ? "" : modifiers[pick(modifiers.size())];
    else if (std::isdigit(static_cast<unsigned char>(word[0])))
      word = constants[pick(std::size(constants))];
    std::string result;
    for (const std::string &each : words)
      result += each;
    return result;
  }

  std::vector<std::string> lines;
  std::vector<std::string> registers;
  std::vector<std::string> modifiers;
  Numbers &numbers;
};

class MutationTest : public EmulatorTest {
protected:
  /// Launches every kernel of `ptx` on buffers, small numbers and a tensor map.
  /// True when it loaded.
  bool execute(const std::string &ptx, Numbers &numbers) {
    DeviceOptions options;
    options.instructionLimit = 3000;
    options.threads = 1 + numbers.bits() % 2;
    options.shuffleSeed = numbers.bits() % 2;
    options.setChecks(numbers.bits() % 8 != 0);
    device = Device(options);
    Status status = device.loadModule(ptx);
    expectLine(status.message(), ptx);
    if (!status.ok())
      return false;
    constexpr uint64_t bytes = 32768;
    TensorMapConfig config;
    config.address = *device.allocate(bytes);
    config.elementBytes = 4;
    config.sizes[0] = config.sizes[1] = 64;
    config.strides[0] = 256;
    config.box[0] = 32;
    config.box[1] = 16;
    TensorMap map = *encodeTensorMap(config);
    for (const std::string &kernel : device.kernels()) {
      std::vector<KernelParameter> parameters = *device.parameters(kernel);
      std::vector<std::vector<uint8_t>> values;
      std::vector<const void *> pointers;
      for (const KernelParameter &parameter : parameters) {
        std::vector<uint8_t> value(std::max<size_t>(parameter.bytes, 1));
        if (parameter.bytes == sizeof map) {
          std::memcpy(value.data(), &map, sizeof map);
        } else if (parameter.bytes == 8) {
          uint64_t address = *device.allocate(bytes);
          EXPECT_TRUE(device.fill(address, 1, bytes).ok());
          std::memcpy(value.data(), &address, sizeof address);
        } else {
          value[0] = static_cast<uint8_t>(numbers.bits() % 100);
        }
        values.push_back(std::move(value));
      }
      for (const std::vector<uint8_t> &value : values)
        pointers.push_back(value.data());
      LaunchConfig launch =
          shape(numbers.bits() % 2 * 2 + 2, numbers.bits() % 2 ? 128 : 40);
      launch.dynamicSharedBytes = 4096;
      expectLine(device.launch(kernel, launch, pointers).message(), ptx);
      for (const Finding &finding : device.findings())
        expectLine(finding.text(), ptx);
      device.clearFindings();
      expectLine(device.counters().json(kernel).empty() ? "\n" : "", ptx);
    }
    return true;
  }

  static void expectLine(const std::string &message, const std::string &ptx) {
    EXPECT_EQ(message.find('\n'), std::string::npos) << message << ptx;
    EXPECT_LT(message.size(), 1000u) << ptx;
  }
};

TEST_F(MutationTest, MutatedProgramsNeverCrash) {
  Numbers numbers(fromEnvironment("ATTNRES_FUZZ_SEED", 1));
  uint64_t rounds = fromEnvironment("ATTNRES_FUZZ_ROUNDS", 400);
  struct Kernel {
    std::vector<std::string> lines;
    size_t body = 0;
  };
  std::vector<Kernel> kernels;
  std::vector<std::string> pool;
  for (const char *name :
       {"saxpy.ptx", "basics.ptx", "matrix.ptx", "hopper.ptx", "llvm.ptx",
        "attention.ptx", "pipeline.ptx", "messages.ptx"}) {
    std::vector<std::string> lines = splitLines(readTestFile(name));
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].find(".entry") == std::string::npos)
        continue;
      Kernel kernel;
      kernel.lines = {".version 8.7", ".target sm_90a", ".address_size 64",
                      ".extern .shared .align 16 .b8 dynamic[];"};
      for (; i < lines.size() && lines[i] != "{"; ++i)
        kernel.lines.push_back(lines[i]);
      for (; i < lines.size() && lines[i] != "}"; ++i) {
        kernel.lines.push_back(lines[i]);
        // The body begins after the declarations.
        if (lines[i].find(".reg") != std::string::npos ||
            lines[i].find(".align") != std::string::npos)
          kernel.body = kernel.lines.size();
        else if (lines[i].find(';') != std::string::npos)
          pool.push_back(lines[i]);
      }
      kernel.lines.push_back("}");
      kernels.push_back(std::move(kernel));
    }
  }
  ASSERT_GT(kernels.size(), 20u);
  Mutator mutator(pool, numbers);
  uint64_t loaded = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    const Kernel &kernel = kernels[numbers.bits() % kernels.size()];
    std::vector<std::string> lines = kernel.lines;
    mutator.mutate(lines, kernel.body);
    std::string ptx;
    for (const std::string &line : lines)
      ptx += line + "\n";
    // A crash leaves the program behind.
    if (const char *path = std::getenv("ATTNRES_FUZZ_FILE"))
      std::ofstream(path) << ptx;
    loaded += execute(ptx, numbers);
    if (HasFailure())
      break;
  }
  // Many mutations are programs.
  EXPECT_GT(loaded, rounds / 5);
}

} // namespace
