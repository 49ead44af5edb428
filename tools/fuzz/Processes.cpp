//===- Processes.cpp - runs in processes of their own ---------------------===//
//
// A child works through a range of seeds and says in shared memory what it is
// doing. When it ends early, the run that it was doing is the finding, and
// another child goes on behind it.
//
//===----------------------------------------------------------------------===//
#include "tools/fuzz/Processes.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attnres;
using namespace attnres::fuzz;

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// The report of this process, for the signal handler.
static Report *activeReport;

static void onSignal(int signal) {
  Report &report = *activeReport;
  report.kind = signal == SIGPROF ? FindingKind::Timeout : FindingKind::Crash;
  report.signal = signal;
  report.numFrames = backtrace(report.frames, Report::kMostFrames);
  _exit(kFindingStatus);
}

static void catchSignals() {
  // A stack of its own: the usual one may be what is used up.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPROF})
    sigaction(signal, &action, nullptr);
  // The first call loads a library, which a handler must not.
  void *frame;
  backtrace(&frame, 1);
}

static void limitTime(int64_t seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

static void prepareChild(Report &report, const Limits &limits) {
  activeReport = &report;
  catchSignals();
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)
  // Beyond that, an allocation fails where it is made, which tells more than
  // being killed.
  rlim_t bytes = static_cast<rlim_t>(limits.megabytes) << 20;
  rlimit memory = {bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

namespace {

struct Unmap {
  void operator()(Report *report) const { munmap(report, sizeof(Report)); }
};
using SharedReport = std::unique_ptr<Report, Unmap>;

SharedReport makeReport() {
  void *memory = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::report_fatal_error("no shared memory");
  return SharedReport(static_cast<Report *>(memory));
}

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid = -1;
  SharedReport report = makeReport();
  uint64_t next = 0, end = 0;
  /// When its run was last seen to change.
  uint64_t seenSeed = 0, seenDone = 0;
  Clock::time_point seen;
};

/// Resident memory of a process.
int64_t megabytesOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE) >> 20;
}

/// Kills a child that has too much memory, or has stood still for long although
/// it used no processor time.
void watch(Child &child, const Limits &limits) {
  Report &report = *child.report;
  if (megabytesOf(child.pid) > limits.megabytes) {
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
    report.kind = FindingKind::Memory;
    child.pid = -1;
    return;
  }
  if (report.seed != child.seenSeed || report.done != child.seenDone) {
    child.seenSeed = report.seed;
    child.seenDone = report.done;
    child.seen = Clock::now();
  }
  if (Clock::now() - child.seen > std::chrono::seconds(30 * limits.seconds)) {
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
    report.kind = FindingKind::Timeout;
    child.pid = -1;
  }
}

/// The function at an address of this program or its libraries.
Finding::Frame functionAt(void *address) {
  Dl_info info = {};
  // The frame holds the address behind the call.
  auto place = reinterpret_cast<uintptr_t>(address) - 1;
  if (!dladdr(reinterpret_cast<void *>(place), &info) || !info.dli_fname)
    return {"?"};
  static llvm::symbolize::LLVMSymbolizer symbolizer;
  uint64_t offset = place - reinterpret_cast<uintptr_t>(info.dli_fbase);
  auto line = symbolizer.symbolizeCode(
      info.dli_fname, {offset, llvm::object::SectionedAddress::UndefSection});
  std::string name;
  if (line && line->FunctionName != "<invalid>")
    name = line->FunctionName;
  else
    llvm::consumeError(line.takeError());
  if (name.empty() && info.dli_sname)
    name = llvm::demangle(info.dli_sname);
  Dl_info own = {};
  dladdr(reinterpret_cast<void *>(&onSignal), &own);
  return {name.empty() ? "?" : name, info.dli_fbase == own.dli_fbase};
}

Pipeline splitPipeline(llvm::StringRef text) {
  Pipeline pipeline;
  int nested = 0;
  std::string element;
  for (char c : text) {
    if (c == ',' && nested == 0) {
      pipeline.push_back(std::move(element));
      element.clear();
      continue;
    }
    nested += (c == '(' || c == '{') - (c == ')' || c == '}');
    element += c;
  }
  if (!element.empty())
    pipeline.push_back(std::move(element));
  return pipeline;
}

Finding findingOf(const Report &report, int status) {
  Finding finding;
  finding.kind = report.kind;
  finding.seed = report.seed;
  finding.phase = report.phase;
  finding.message = report.message;
  if (finding.kind == FindingKind::None) {
    finding.kind = FindingKind::Crash;
    finding.message =
        WIFSIGNALED(status)
            ? strsignal(WTERMSIG(status))
            : "exit status " + std::to_string(WEXITSTATUS(status));
  } else if (finding.kind == FindingKind::Crash) {
    finding.message = strsignal(report.signal);
  }
  for (int i = 0; i < report.numFrames; ++i)
    finding.stack.push_back(functionAt(report.frames[i]));
  finding.theCase.text = report.text;
  finding.theCase.pipeline = splitPipeline(report.pipeline);
  finding.theCase.seed = report.seed;
  return finding;
}

void clearFinding(Report &report) {
  report.kind = FindingKind::None;
  report.message[0] = '\0';
  report.numFrames = 0;
}

} // namespace

/// The innermost function of the compiler's own code, without its arguments;
/// else the innermost one of MLIR.
static std::string culprit(const Finding &finding) {
  auto shortened = [](llvm::StringRef name) {
    name.consume_front("(anonymous namespace)::");
    return name.substr(0, name.find('(', 1)).take_front(90).str();
  };
  for (const Finding::Frame &frame : finding.stack) {
    llvm::StringRef name(frame.function);
    if (frame.isOwn && !name.contains("fuzz::") && !name.contains("onSignal") &&
        !name.starts_with("mlir::") && !name.starts_with("llvm::") &&
        !name.starts_with("std::") && !name.starts_with("void std::") &&
        name != "main" && name != "_start")
      return shortened(name);
  }
  for (const Finding::Frame &frame : finding.stack)
    if (!frame.isOwn && llvm::StringRef(frame.function).contains("mlir::"))
      return shortened(frame.function);
  return "";
}

std::string Finding::signature() const {
  std::string text = (toString(kind) + " in " + phase).str();
  if (!stack.empty())
    return text + " at " + culprit(*this);
  // Without the operation's name and numbers.
  text += ": ";
  llvm::StringRef line = llvm::StringRef(message).split('\n').first;
  if (line.starts_with("'"))
    line = line.substr(line.find("' ") + 2);
  for (char c : line.take_front(60))
    text += isdigit(c) ? '#' : c;
  return text;
}

bool Finding::isForeign() const {
  if (llvm::StringRef(phase).starts_with("attnres-"))
    return false;
  // No operation of ours takes part in them, as in canonicalize and sccp.
  if (llvm::StringRef(phase).starts_with("interpret after linalg-"))
    return true;
  // What the generator makes and what the interpreter takes is for them to
  // choose.
  if (llvm::StringRef(phase).starts_with("interpret") || phase == "generate" ||
      phase == "mutate")
    return false;
  if (!stack.empty())
    return llvm::StringRef(culprit(*this)).contains("mlir::");
  return kind != FindingKind::NoRoundTrip &&
         !llvm::StringRef(message).starts_with("'attnres.");
}

Finding fuzz::runCase(Runner &runner, const Case &theCase,
                      const Limits &limits) {
  static Child child;
  Report &report = *child.report;
  clearFinding(report);
  report.seed = theCase.seed;
  child.seen = Clock::now();
  child.pid = fork();
  if (child.pid == 0) {
    prepareChild(report, limits);
    limitTime(limits.seconds);
    runner.run(theCase, report);
    _exit(0);
  }
  int status = 0;
  while (child.pid >= 0 && waitpid(child.pid, &status, WNOHANG) == 0) {
    watch(child, limits);
    usleep(500);
  }
  if (child.pid >= 0 && status == 0)
    return {};
  Finding finding = findingOf(report, status);
  finding.theCase = theCase;
  return finding;
}

Totals fuzz::runSeeds(Runner &runner, uint64_t first, uint64_t count,
                      int64_t jobs, const Limits &limits,
                      llvm::function_ref<void(const Finding &)> report) {
  // Contexts keep every type and constant they have seen, so processes end
  // now and then.
  constexpr uint64_t kRange = 100;
  uint64_t next = first, end = first + count;
  Totals totals;
  std::vector<Child> children(jobs);
  auto start = [&](Child &child) {
    if (child.next == child.end) {
      child.next = next;
      child.end = next = std::min(end, next + kRange);
    }
    if (child.next == child.end)
      return false;
    clearFinding(*child.report);
    child.report->seed = child.next;
    child.seen = Clock::now();
    child.pid = fork();
    if (child.pid != 0)
      return true;
    prepareChild(*child.report, limits);
    for (uint64_t seed = child.next; seed < child.end; ++seed) {
      child.report->seed = seed;
      limitTime(limits.seconds);
      runner.run(runner.generate(seed, *child.report), *child.report);
      ++child.report->done;
    }
    _exit(0);
  };
  size_t active = 0;
  for (Child &child : children)
    active += start(child);
  while (active > 0) {
    usleep(2000);
    for (Child &child : children) {
      if (child.next == child.end)
        continue;
      int status = 0;
      if (waitpid(child.pid, &status, WNOHANG) == 0) {
        watch(child, limits);
        if (child.pid >= 0)
          continue;
      }
      if (child.pid >= 0 && status == 0) {
        child.next = child.end;
      } else {
        report(findingOf(*child.report, status));
        ++child.report->done;
        child.next = child.report->seed + 1;
      }
      active -= !start(child);
    }
  }
  for (Child &child : children) {
    totals.runs += child.report->done;
    child.report->counts.forEach([&](llvm::StringRef name, int64_t count) {
      totals.counts[name.str()] += count;
    });
  }
  return totals;
}
