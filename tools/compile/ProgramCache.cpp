//===- ProgramCache.cpp - compiled programs on disk -----------------------===//
#include "tools/compile/ProgramCache.h"

#include "passes/Targets.h"
#include "support/File.h"
#include "support/Hash.h"
#include "tools/compile/MemoryEstimate.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <link.h>

using namespace attnres;
using runtime::Program;

namespace fs = std::filesystem;

/// Programs beyond this size together are removed, least recently used first.
static constexpr uintmax_t kMaxBytes = uintmax_t{512} << 20;
static constexpr char kKey[] = "cache_key";
static constexpr char kSuffix[] = ".program";

std::string attnres::describeOptions(const CompileOptions &options) {
  // The bindings stop compiling when an option is added, so that none is
  // forgotten. The number of compile threads changes nothing.
  const auto &[batch, seqLen, bf16, loss, logits, fuseLoss, documents, dropout,
               labelSmoothing, activations, capacity, parts, pipelineStarts,
               stages, compileThreads, isCancelled] = options;
  (void)compileThreads;
  (void)isCancelled;
  const auto &[recordWeights, schedule, gradients, residualBytes, sumGradients,
               optimizer, algorithm, momentum, beta1, beta2, eps, weightDecay,
               clipNorm, frozen, undecayed, rates, attention, target, threads,
               pipelineStages, pipelineStage] = stages;
  std::string text;
  for (double value : {double(batch),
                       double(seqLen),
                       double(bf16),
                       double(loss),
                       double(logits),
                       double(fuseLoss),
                       double(documents),
                       dropout,
                       labelSmoothing,
                       double(activations),
                       double(capacity),
                       double(parts),
                       double(recordWeights),
                       double(schedule),
                       double(gradients),
                       double(residualBytes),
                       double(sumGradients),
                       double(optimizer),
                       double(algorithm),
                       momentum,
                       beta1,
                       beta2,
                       eps,
                       weightDecay,
                       clipNorm,
                       double(attention),
                       double(threads),
                       double(pipelineStages),
                       double(pipelineStage)}) {
    char digits[40]; // exact
    std::snprintf(digits, sizeof digits, "%a ", value);
    text += digits;
  }
  for (int64_t start : pipelineStarts)
    text += concat("start ", start, " ");
  for (const std::vector<std::string> *patterns : {&frozen, &undecayed, &rates})
    for (const std::string &pattern : *patterns)
      text += concat(patterns == &frozen      ? "freeze "
                     : patterns == &undecayed ? "no-decay "
                                              : "rate ",
                     pattern.size(), " ", pattern, " ");
  // What "cpu" means depends on the machine.
  return text + resolveTarget(target);
}

/// The build ID of a loaded object, a hash of its contents that the linker
/// wrote into one of its notes; empty without one.
static std::string_view findBuildId(const dl_phdr_info &object) {
  for (const ElfW(Phdr) & segment :
       llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum)) {
    if (segment.p_type != PT_NOTE)
      continue;
    const char *notes =
        reinterpret_cast<const char *>(object.dlpi_addr + segment.p_vaddr);
    size_t align = segment.p_align == 8 ? 8 : 4;
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= segment.p_memsz;) {
      ElfW(Nhdr) note;
      std::memcpy(&note, notes + at, sizeof note);
      std::string_view owner(notes + at + sizeof note, note.n_namesz);
      size_t contents = llvm::alignTo(at + sizeof note + note.n_namesz, align);
      if (note.n_type == NT_GNU_BUILD_ID && owner == std::string_view("GNU", 4))
        return {notes + contents, note.n_descsz};
      at = llvm::alignTo(contents + note.n_descsz, align);
    }
  }
  return {};
}

namespace {
/// What tells one build of the compiler from others.
struct CompilerBuild {
  std::string id;        ///< of the object that holds this code
  std::string libraries; ///< of LLVM
};
} // namespace

/// Whether the address lies in the loaded object.
static bool isPartOf(const dl_phdr_info &object, uintptr_t address) {
  for (const ElfW(Phdr) & segment :
       llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum))
    if (segment.p_type == PT_LOAD &&
        address - (object.dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      return true;
  return false;
}

/// Adds what the loaded object has to do with the compiler, which is a part of
/// an executable or of a library that a program has loaded.
static int addObject(dl_phdr_info *object, size_t, void *build) {
  auto &result = *static_cast<CompilerBuild *>(build);
  std::string path = object->dlpi_name;
  if (isPartOf(*object, reinterpret_cast<uintptr_t>(&addObject))) {
    result.id = llvm::toHex(findBuildId(*object), /*LowerCase=*/true);
  } else if (path.find("LLVM") != std::string::npos ||
             path.find("MLIR") != std::string::npos) {
    std::error_code error;
    result.libraries +=
        concat(" ", path, " ", fs::file_size(path, error), " ",
               fs::last_write_time(path, error).time_since_epoch().count());
  }
  return 0;
}

/// What changes with the compiler; empty if that cannot be told.
static const std::string &describeCompiler() {
  static const std::string text = [] {
    CompilerBuild build;
    ::dl_iterate_phdr(addObject, &build);
    return build.id.empty() ? "" : build.id + build.libraries;
  }();
  return text;
}

ProgramCache ProgramCache::standard() {
  if (const char *directory = std::getenv("ATTNRES_CACHE_DIR"))
    return ProgramCache(directory);
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches && *caches)
    return ProgramCache(std::string(caches) + "/attnres");
  if (const char *home = std::getenv("HOME"); home && *home)
    return ProgramCache(std::string(home) + "/.cache/attnres");
  return ProgramCache("");
}

Result<Program>
ProgramCache::get(std::string_view model, const CompileOptions &options,
                  const std::function<Result<Program>()> &compile) const {
  if (directory.empty() || describeCompiler().empty())
    return compile();
  std::string key = concat(Program::currentVersion, " ", describeCompiler(),
                           " ", describeOptions(options), "\n", model);
  char name[32];
  std::snprintf(name, sizeof name, "%016llx%s",
                static_cast<unsigned long long>(fnv1a64(key)), kSuffix);
  std::string path = directory + "/" + name;
  std::error_code error;
  if (fs::exists(path, error)) {
    Result<Program> cached = Program::load(path);
    if (cached.ok() && cached->metadata[kKey] == key) {
      cached->metadata.erase(kKey);
      fs::last_write_time(path, fs::file_time_type::clock::now(), error);
      if (Status status = expectMemory(memoryOf(*cached)); !status.ok())
        return status;
      return cached;
    }
  }
  Result<Program> program = compile();
  if (!program.ok())
    return program;
  fs::create_directories(directory, error);
  program->metadata[kKey] = key;
  bool saved = program->save(path).ok();
  program->metadata.erase(kKey);
  if (saved)
    removeOldest();
  return program;
}

/// What kind of a file of the cache `path` certainly is: the folder may be
/// shared with whatever else its owner keeps there.
enum class CacheFile { Foreign, Program, Unfinished };

static CacheFile kindOf(const fs::path &path) {
  constexpr size_t digits = 16;
  std::string name = path.filename();
  std::error_code error;
  if (name.find_first_not_of("0123456789abcdef") != digits ||
      name.compare(digits, std::strlen(kSuffix), kSuffix) != 0 ||
      !fs::is_regular_file(fs::symlink_status(path, error)))
    return CacheFile::Foreign;
  // As serialized programs begin.
  char begin[8] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  if (llvm::StringRef(begin, sizeof begin) != "ATNRPROG")
    return CacheFile::Foreign;
  llvm::StringRef rest =
      llvm::StringRef(name).drop_front(digits + std::strlen(kSuffix));
  if (rest.empty())
    return CacheFile::Program;
  // What AtomicFileWriter leaves when it is killed.
  return rest.consume_front(".tmp.") &&
                 rest.find_first_not_of(".0123456789") == llvm::StringRef::npos
             ? CacheFile::Unfinished
             : CacheFile::Foreign;
}

void ProgramCache::removeOldest() const {
  constexpr auto abandoned = std::chrono::hours(24);
  struct Entry {
    fs::file_time_type used;
    uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator file(directory, error), end;
       !error && file != end; file.increment(error)) {
    CacheFile kind = kindOf(file->path());
    // Another process may have removed it meanwhile.
    std::error_code absent;
    uintmax_t bytes = file->file_size(absent);
    fs::file_time_type used = file->last_write_time(absent);
    if (kind == CacheFile::Foreign || absent)
      continue;
    if (kind == CacheFile::Program) {
      entries.push_back({used, bytes, file->path()});
      total += bytes;
    } else if (fs::file_time_type::clock::now() - used > abandoned) {
      fs::remove(file->path(), absent);
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= kMaxBytes)
      break;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}
