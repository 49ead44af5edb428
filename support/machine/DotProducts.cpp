#include "support/machine/DotProducts.h"

#include "support/machine/ArithmeticLoops.h"

#include <algorithm>
#include <chrono>
#include <cpuid.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres::machine {
namespace {

constexpr int64_t kSteps = 4000;
constexpr int kRepeats = 12;
/// Between the ratios that exist, 1 and 2.
constexpr double kFastRatio = 1.4;

double timeOf(const ArithmeticLoop &loop) {
  auto start = std::chrono::steady_clock::now();
  loop.run(kSteps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// The folder of compiled programs; empty if there is none.
std::string cacheFolder() {
  if (const char *folder = std::getenv("ATTNRES_CACHE_DIR"))
    return folder;
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches && *caches)
    return std::string(caches) + "/attnres";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/attnres";
  return "";
}

/// What the folder says of `processor`: a file of one character.
std::string cacheFile(const ProcessorName &processor) {
  std::string folder = cacheFolder();
  if (folder.empty())
    return "";
  return folder + "/dot-bf16-" + processor.vendor + "-" +
         std::to_string(processor.family) + "-" +
         std::to_string(processor.model) + "-" +
         std::to_string(processor.stepping);
}

std::optional<bool> readDecision(const std::string &path) {
  std::FILE *file = path.empty() ? nullptr : std::fopen(path.c_str(), "re");
  if (!file)
    return std::nullopt;
  int character = std::fgetc(file);
  std::fclose(file);
  if (character != '0' && character != '1')
    return std::nullopt;
  return character == '1';
}

/// Whole or not at all: of processes that start together, the first one's is
/// what all go by.
void writeDecision(const std::string &path, bool decision) {
  if (path.empty())
    return;
  // The folder's parents exist, or nothing is cached here.
  ::mkdir(path.substr(0, path.rfind('/')).c_str(), 0777);
  std::string temporary = path + "." + std::to_string(::getpid());
  int file =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  bool isWritten = ::write(file, decision ? "1\n" : "0\n", 2) == 2;
  if (::close(file) == 0 && isWritten)
    (void)!::link(temporary.c_str(), path.c_str());
  ::unlink(temporary.c_str());
}

} // namespace

ProcessorName processorName() {
  ProcessorName name;
  unsigned most = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &most, &b, &c, &d))
    return name;
  unsigned words[3] = {b, d, c};
  std::memcpy(name.vendor, words, sizeof words);
  for (char &character : name.vendor) // part of a file's name
    if (character && !std::strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789",
                                  character))
      character = '_';
  unsigned a = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d))
    return name;
  name.stepping = a & 15;
  name.family = a >> 8 & 15;
  name.model = a >> 4 & 15;
  if (name.family == 6 || name.family == 15)
    name.model |= a >> 12 & 0xf0;
  if (name.family == 15)
    name.family += a >> 20 & 0xff;
  return name;
}

std::optional<bool> knownDotProducts(std::string_view vendor, uint32_t family,
                                     uint32_t model) {
  // Zen 4 and Zen 5 do a dot product as often as a multiply-add.
  if (vendor == "AuthenticAMD" && (family == 0x19 || family == 0x1a))
    return true;
  // Sapphire and Emerald Rapids, a quarter as often.
  if (vendor == "GenuineIntel" && family == 6 &&
      (model == 0x8f || model == 0xcf))
    return false;
  return std::nullopt;
}

double measureDotProducts() {
  double multiplyAdds = timeOf(kAvx512MultiplyAdds), dots = timeOf(kBf16Dots);
  // In turn, and the best of each: what disturbs one disturbs the other, and
  // nothing makes a loop faster than it is.
  for (int i = 1; i < kRepeats; ++i) {
    multiplyAdds = std::min(multiplyAdds, timeOf(kAvx512MultiplyAdds));
    dots = std::min(dots, timeOf(kBf16Dots));
  }
  return kBf16Dots.flops / dots / (kAvx512MultiplyAdds.flops / multiplyAdds);
}

bool areDotProductsFast() {
  ProcessorName processor = processorName();
  if (std::optional<bool> known =
          knownDotProducts(processor.vendor, processor.family, processor.model))
    return *known;
  std::string path = cacheFile(processor);
  if (std::optional<bool> decision = readDecision(path))
    return *decision;
  bool measured = measureDotProducts() > kFastRatio;
  writeDecision(path, measured);
  return readDecision(path).value_or(measured);
}

} // namespace attnres::machine
