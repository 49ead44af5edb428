//===- attnres-fuzz.cpp - random modules through random passes ------------===//
#include "tools/fuzz/Processes.h"
#include "tools/fuzz/Reduce.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace attnres;
using namespace attnres::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of attnres-fuzz");

static cl::list<std::string>
    files(cl::Positional,
          cl::desc("[files: run these cases instead of random ones]"),
          cl::cat(category));
static cl::opt<uint64_t> firstSeed("seed", cl::desc("the first seed"),
                                   cl::init(1), cl::cat(category));
static cl::opt<uint64_t> numRuns("runs", cl::desc("number of seeds"),
                                 cl::init(1000), cl::cat(category));
static cl::opt<int64_t> numJobs("jobs", cl::desc("processes at a time"),
                                cl::init(1), cl::cat(category));
static cl::list<std::string> corpusFolders(
    "corpus",
    cl::desc("folder of .mlir files that are mutated, besides modules that "
             "are generated; may be given several times"),
    cl::cat(category));
static cl::opt<std::string>
    outFolder("out", cl::desc("folder for one case of each kind of finding"),
              cl::cat(category));
static cl::opt<bool>
    reduceCases("reduce",
                cl::desc("make the cases small before they are shown"),
                cl::cat(category));
static cl::opt<bool>
    printCase("print", cl::desc("print the case of --seed and run nothing"),
              cl::cat(category));
static cl::opt<bool> coverage(
    "coverage",
    cl::desc("print how often operations, passes and messages occurred"),
    cl::cat(category));
static cl::opt<bool>
    listPasses("list-passes", cl::desc("print the passes that are drawn from"),
               cl::cat(category));
static cl::opt<int64_t> seconds("seconds",
                                cl::desc("processor time of a run at most"),
                                cl::init(20), cl::cat(category));
static cl::opt<int64_t> megabytes("megabytes",
                                  cl::desc("memory of a process at most"),
                                  cl::init(4096), cl::cat(category));

//===----------------------------------------------------------------------===//
// Cases as files
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kPipelineLine = "// PIPELINE: ";
static constexpr llvm::StringLiteral kSeedLine = "// SEED: ";

static void print(const Case &theCase, llvm::raw_ostream &stream) {
  stream << kPipelineLine << toString(theCase.pipeline) << "\n"
         << kSeedLine << theCase.seed << "\n"
         << theCase.text;
}

static std::optional<std::string> readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "attnres-fuzz: " << path << ": "
                 << buffer.getError().message() << "\n";
    return std::nullopt;
  }
  return (*buffer)->getBuffer().str();
}

/// A module with a line "// PIPELINE: a,b,c".
static std::optional<Case> readCase(llvm::StringRef path) {
  std::optional<std::string> text = readFile(path);
  if (!text)
    return std::nullopt;
  Case theCase;
  theCase.text = *text;
  llvm::StringRef rest(*text);
  bool found = false;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front(kPipelineLine)) {
      theCase.pipeline = {line.trim().str()};
      found = true;
    }
    if (line.consume_front(kSeedLine))
      line.trim().getAsInteger(10, theCase.seed);
  }
  if (found)
    return theCase;
  llvm::errs() << "attnres-fuzz: " << path << ": expected a line '"
               << kPipelineLine << "PASS,PASS,...'\n";
  return std::nullopt;
}

/// The modules of all .mlir files below a folder.
static bool readCorpus(llvm::StringRef folder,
                       std::vector<std::string> &modules) {
  std::error_code error;
  std::set<std::string> paths;
  for (llvm::sys::fs::recursive_directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error))
    if (llvm::StringRef(at->path()).ends_with(".mlir"))
      paths.insert(at->path());
  if (error) {
    llvm::errs() << "attnres-fuzz: " << folder << ": " << error.message()
                 << "\n";
    return false;
  }
  for (const std::string &path : paths) {
    std::optional<std::string> text = readFile(path);
    if (!text)
      return false;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(*text).split(parts, "// -----");
    for (llvm::StringRef part : parts)
      modules.push_back(part.str());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static void describe(const Finding &finding, llvm::raw_ostream &stream) {
  stream << "// " << finding.signature() << "\n";
  for (llvm::StringRef rest = finding.message; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    stream << "//   " << line << "\n";
  }
  for (const Finding::Frame &frame : finding.stack)
    stream << "//   " << (frame.isOwn ? "> " : "  ")
           << llvm::StringRef(frame.function).take_front(110) << "\n";
}

/// Writes the case into --out, or prints it.
static void show(const Finding &finding, size_t number) {
  if (outFolder.empty()) {
    describe(finding, llvm::outs());
    print(finding.theCase, llvm::outs());
    llvm::outs().flush();
    return;
  }
  std::string name = llvm::formatv("{0}-{1}-{2}.mlir", toString(finding.kind),
                                   finding.phase, number)
                         .str();
  std::replace(name.begin(), name.end(), ' ', '-');
  llvm::SmallString<128> path(outFolder);
  llvm::sys::path::append(path, name);
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    llvm::errs() << "attnres-fuzz: " << path << ": " << error.message() << "\n";
    return;
  }
  describe(finding, file);
  print(finding.theCase, file);
}

static void printCoverage(const Totals &totals) {
  struct Row {
    int64_t accepted = 0, refused = 0;
  };
  auto table = [&](llvm::StringRef title, llvm::StringRef first,
                   llvm::StringRef second) {
    std::map<std::string, Row> rows;
    for (const auto &[name, count] : totals.counts) {
      llvm::StringRef text(name);
      if (text.consume_front(first))
        rows[text.str()].accepted += count;
      else if (!second.empty() && text.consume_front(second))
        rows[text.str()].refused += count;
    }
    llvm::outs() << "\n" << title << "\n";
    for (const auto &[name, row] : rows)
      llvm::outs() << llvm::formatv("{0,9} {1,9}  {2}\n", row.accepted,
                                    row.refused, name);
  };
  table("operations: built, refused by their verifiers", "op ", "refused ");
  table("passes: run, ended with an error", "pass ", "error ");
  table("errors of passes", "message ", "");
}

static int runFiles(Runner &runner, const Limits &limits) {
  int status = 0;
  for (const std::string &path : files) {
    std::optional<Case> theCase = readCase(path);
    if (!theCase)
      return 2;
    Finding finding = runCase(runner, *theCase, limits);
    if (finding.kind == FindingKind::None)
      continue;
    if (reduceCases)
      finding = reduce(runner, finding, limits);
    llvm::outs() << "// " << path << "\n";
    show(finding, ++status);
  }
  return status ? 1 : 0;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "attnres-fuzz: random modules through random passes\n\n"
      "Exit status 1 when there was a finding, 2 for wrong usage. See "
      "docs/fuzzing.md.\n");
  if (listPasses) {
    for (const std::string &name : knownPasses())
      llvm::outs() << name << "\n";
    return 0;
  }
  std::vector<std::string> corpus;
  for (const std::string &folder : corpusFolders)
    if (!readCorpus(folder, corpus))
      return 2;
  if (!outFolder.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(outFolder)) {
      llvm::errs() << "attnres-fuzz: " << outFolder << ": " << error.message()
                   << "\n";
      return 2;
    }
  Runner runner(std::move(corpus));
  Limits limits;
  limits.seconds = seconds;
  limits.megabytes = megabytes;
  if (!files.empty())
    return runFiles(runner, limits);
  if (printCase) {
    auto report = std::make_unique<Report>();
    print(runner.generate(firstSeed, *report), llvm::outs());
    return 0;
  }

  std::map<std::string, int64_t> seen;
  size_t foreign = 0;
  Totals totals = runSeeds(
      runner, firstSeed, numRuns, numJobs, limits, [&](const Finding &finding) {
        if (seen[finding.signature()]++ > 0)
          return;
        foreign += finding.isForeign();
        llvm::outs() << "seed " << finding.seed << ": " << finding.signature()
                     << "\n";
        llvm::outs().flush();
        show(reduceCases ? reduce(runner, finding, limits) : finding,
             seen.size());
      });
  if (!seen.empty()) {
    llvm::outs() << "\nfindings by kind\n";
    for (const auto &[signature, count] : seen)
      llvm::outs() << llvm::formatv("{0,9}  {1}\n", count, signature);
  }
  if (coverage)
    printCoverage(totals);
  for (const char *name :
       {"pipelines that succeed", "pipelines that end with an error",
        "pipelines refused", "meanings compared", "gradients compared"})
    if (totals.counts.count(name))
      llvm::outs() << totals.counts[name] << " " << name << "\n";
  llvm::outs() << totals.runs << " runs, " << seen.size()
               << " kinds of findings, " << foreign
               << " of them in MLIR itself\n";
  return seen.size() > foreign ? 1 : 0;
}
