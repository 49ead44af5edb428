// Processes and what they print.
#include "tools/run/RunProcesses.h"

#include "runtime/distributed/MpiCommunicator.h"
#include "runtime/training/Interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attnres::run {
namespace {

constexpr int pollMilliseconds = 200;

Status systemError(const char *action) {
  return ioError("a process for a run: cannot ", action, ": ",
                 std::strerror(errno));
}

/// What runs now.
struct Child {
  size_t index; ///< in the list of processes
  pid_t pid;
  int output; ///< both of its streams; -1 behind their end
  std::string pending;
};

/// Never returns.
[[noreturn]] void becomeProgram(std::vector<char *> &arguments, int output,
                                pid_t parent) {
  // With the terminal's keys goes a signal to every process of it; it is this
  // program that says when the run has to end.
  ::setpgid(0, 0);
  // It is no rank of a job that this process may belong to.
  runtime::leaveMpiJob();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent)
    ::_exit(1);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execv("/proc/self/exe", arguments.data());
  ::_exit(127);
}

Result<Child> start(const RunProcess &process, size_t index) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return systemError("make a pipe");
  std::string program = "attnres-run";
  std::vector<char *> arguments = {program.data()};
  std::vector<std::string> texts = process.arguments;
  for (std::string &text : texts)
    arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t parent = ::getpid(), pid = ::fork();
  if (pid == 0)
    becomeProgram(arguments, ends[1], parent);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return systemError("start");
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Child{index, pid, ends[0], ""};
}

class Runner {
public:
  Runner(const std::vector<RunProcess> &processes,
         const std::function<void(const std::string &)> &print)
      : processes(processes), print(print) {}

  Result<std::vector<ProcessEnd>> run(int64_t jobs) {
    Status failure;
    for (;;) {
      bool goesOn = failure.ok() && !runtime::interruptSignal();
      while (goesOn && ends.size() < processes.size() &&
             children.size() < static_cast<size_t>(jobs)) {
        Result<Child> child = start(processes[ends.size()], ends.size());
        if (!child.ok()) {
          failure = child.status();
          break;
        }
        children.push_back(*std::move(child));
        ends.emplace_back();
      }
      if (children.empty())
        break;
      if (!goesOn && !isAsked)
        askToEnd();
      wait();
    }
    if (!failure.ok())
      return failure;
    return std::move(ends);
  }

private:
  void askToEnd() {
    isAsked = true;
    for (const Child &child : children)
      ::kill(child.pid, SIGTERM);
  }

  /// Until something is printed, and takes the processes that have ended.
  void wait() {
    std::vector<pollfd> polled;
    for (const Child &child : children)
      if (child.output >= 0)
        polled.push_back({child.output, POLLIN, 0});
    ::poll(polled.data(), polled.size(), pollMilliseconds);
    for (auto child = children.begin(); child != children.end();) {
      read(*child);
      int status = 0;
      if (child->output < 0 && ::waitpid(child->pid, &status, 0) >= 0) {
        ends[child->index].exitCode =
            WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        child = children.erase(child);
      } else {
        ++child;
      }
    }
  }

  void read(Child &child) {
    char bytes[4096];
    while (child.output >= 0) {
      ssize_t got = ::read(child.output, bytes, sizeof bytes);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0 && errno == EAGAIN)
        return;
      if (got > 0) {
        child.pending.append(bytes, static_cast<size_t>(got));
        printLines(child);
        continue;
      }
      if (!child.pending.empty()) {
        child.pending += '\n';
        printLines(child);
      }
      ::close(child.output);
      child.output = -1;
    }
  }

  void printLines(Child &child) {
    for (size_t end; (end = child.pending.find('\n')) != std::string::npos;) {
      std::string line = child.pending.substr(0, end);
      child.pending.erase(0, end + 1);
      print(concat("[", processes[child.index].name, "] ", line));
      ends[child.index].lastLine = std::move(line);
    }
  }

  const std::vector<RunProcess> &processes;
  const std::function<void(const std::string &)> &print;
  std::list<Child> children;
  std::vector<ProcessEnd> ends;
  bool isAsked = false;
};

} // namespace

Result<std::vector<ProcessEnd>>
runProcesses(const std::vector<RunProcess> &processes, int64_t jobs,
             const std::function<void(const std::string &)> &print) {
  return Runner(processes, print).run(jobs);
}

} // namespace attnres::run
