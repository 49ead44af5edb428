// The file format of several programs:
//
//   magic "ATNRPACK" | u32 version | u32 count
//   of each: u64 size | a program file of that size, with its own checksum
#include "runtime/ProgramPack.h"

#include "runtime/device/Device.h"
#include "support/File.h"

#include <cstring>

namespace attnres::runtime {
namespace {

constexpr std::string_view packMagic = "ATNRPACK";
constexpr uint32_t currentVersion = 1;
constexpr size_t maxPackBytes = size_t{1} << 36;

template <typename T>
void append(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <typename T>
bool take(std::string_view &bytes, T &value) {
  if (bytes.size() < sizeof value)
    return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

} // namespace

std::string purposeOf(const Program &program) {
  auto found = program.metadata.find(kPurposeMetadata);
  return found == program.metadata.end() ? "?" : found->second;
}

Result<std::shared_ptr<const Program>>
ProgramPack::choose(const Device &device, std::string_view purpose) const {
  Status why;
  std::string all;
  for (const std::shared_ptr<const Program> &program : programs) {
    all += concat(all.empty() ? "" : ", ", purposeOf(*program), " for ",
                  program->target);
    if (!purpose.empty() && purposeOf(*program) != purpose)
      continue;
    Status runs = device.expectTarget(program->target);
    if (runs.ok())
      return program;
    if (why.ok())
      why = runs;
  }
  if (!why.ok() && programs.size() == 1)
    return why;
  return unsupported("no program ", purpose.empty() ? "" : "to ", purpose,
                     purpose.empty() ? "" : " ", "that ", device.name(),
                     " runs; the file has ", all);
}

bool ProgramPack::has(std::string_view purpose) const {
  for (const std::shared_ptr<const Program> &program : programs)
    if (purposeOf(*program) == purpose)
      return true;
  return false;
}

Status ProgramPack::save(const std::string &path) const {
  for (const std::shared_ptr<const Program> &program : programs)
    if (Status status = program->validate(path); !status.ok())
      return status;
  if (programs.size() == 1)
    return programs.front()->save(path);
  std::string bytes(packMagic);
  append(bytes, currentVersion);
  append(bytes, static_cast<uint32_t>(programs.size()));
  for (const std::shared_ptr<const Program> &program : programs) {
    std::string one = program->serialize();
    append(bytes, uint64_t{one.size()});
    bytes += one;
  }
  return writeFileAtomically(path, {bytes});
}

Result<ProgramPack> ProgramPack::parse(std::string_view bytes,
                                       const std::string &where) {
  ProgramPack pack;
  auto add = [&](std::string_view one) {
    Result<Program> program = Program::parse(one, where);
    if (program.ok())
      pack.programs.push_back(
          std::make_shared<const Program>(*std::move(program)));
    return program.status();
  };
  if (bytes.substr(0, packMagic.size()) != packMagic) {
    if (Status status = add(bytes); !status.ok())
      return status;
    return pack;
  }
  bytes.remove_prefix(packMagic.size());
  uint32_t version = 0, count = 0;
  if (!take(bytes, version) || !take(bytes, count))
    return invalidData(where, ": ends within its header");
  if (version != currentVersion)
    return unsupported(where, ": version ", version, " of files of programs, ",
                       "expected ", currentVersion, "; compile it again");
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t size = 0;
    if (!take(bytes, size) || size > bytes.size())
      return invalidData(where, ": ends within program ", i, " of ", count);
    if (Status status = add(bytes.substr(0, size)); !status.ok())
      return status;
    bytes.remove_prefix(size);
  }
  if (!bytes.empty())
    return invalidData(where, ": ", bytes.size(), " bytes after its programs");
  if (pack.programs.empty())
    return invalidData(where, ": has no programs");
  return pack;
}

Result<ProgramPack> ProgramPack::load(const std::string &path) {
  Result<std::string> bytes = readFile(path, maxPackBytes);
  if (!bytes.ok())
    return bytes.status();
  return parse(*bytes, path);
}

} // namespace attnres::runtime
