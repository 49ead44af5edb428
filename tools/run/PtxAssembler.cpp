#include "tools/run/PtxAssembler.h"

#include "support/File.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace attnres::run {
namespace {

/// What a command writes, and how it ends.
struct Outcome {
  std::string text;
  int status = -1;
};

Outcome runCommand(const std::string &command) {
  Outcome outcome;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return outcome;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.text.append(buffer, count);
  outcome.status = pclose(pipe);
  return outcome;
}

/// The number that ends where `end` is.
int64_t numberBefore(std::string_view line, size_t end) {
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  int64_t number = 0;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

std::string quoted(const std::string &path) {
  std::string text = "'";
  for (char c : path)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// Reads what `ptxas -v` says.
void parse(std::string_view text, std::map<std::string, AssembledKernel> &to) {
  AssembledKernel *kernel = nullptr;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    constexpr std::string_view entry = "Compiling entry function '";
    if (size_t at = line.find(entry); at != line.npos) {
      line.remove_prefix(at + entry.size());
      kernel = &to[std::string(line.substr(0, line.find('\'')))];
    } else if (kernel) {
      if (size_t at = line.find(" bytes spill stores"); at != line.npos)
        kernel->spilledBytes += numberBefore(line, at);
      if (size_t at = line.find(" registers"); at != line.npos)
        kernel->registers = numberBefore(line, at);
    }
  }
}

} // namespace

std::string findPtxAssembler() {
  std::string path = "/usr/local/cuda/bin";
  if (const char *variable = std::getenv("PATH"))
    path = concat(variable, ":", path);
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find(':', begin), path.size());
    std::string tool = path.substr(begin, end - begin) + "/ptxas";
    if (access(tool.c_str(), X_OK) == 0)
      return tool;
    begin = end + 1;
  }
  return "";
}

Result<std::map<std::string, AssembledKernel>>
assembleKernels(const runtime::Program &program, const std::string &tool) {
  std::error_code error;
  std::string folder =
      (std::filesystem::temp_directory_path(error) / "attnres-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return ioError("cannot make a temporary folder like ", folder);
  std::map<std::string, AssembledKernel> kernels;
  Status status;
  for (const std::string &blob : program.blobs) {
    std::string source = folder + "/code.ptx";
    status = writeFileAtomically(source, {blob});
    if (!status.ok())
      break;
    Outcome outcome = runCommand(
        concat(quoted(tool), " -v -arch=", program.target, " ", quoted(source),
               " -o ", quoted(folder + "/code.bin")));
    if (outcome.status != 0) {
      status = invalidData(tool, ": ",
                           outcome.text.substr(0, outcome.text.find('\n')));
      break;
    }
    parse(outcome.text, kernels);
  }
  std::filesystem::remove_all(folder, error);
  if (!status.ok())
    return status;
  return kernels;
}

} // namespace attnres::run
