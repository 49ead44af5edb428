// A command as one of the processes of an MPI job.
#include "tools/run/RankedRun.h"

#include "runtime/training/Interrupt.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include <unistd.h>

namespace attnres::run {

using nlohmann::ordered_json;
using namespace std::chrono_literals;

namespace {

/// How long a rank that fails stays, so that the others hear of it before those
/// who started them end them all.
constexpr auto farewell = 1s;

/// A process says why it ends once.
std::atomic<bool> hasSaid{false};

void say(const std::string &line) {
  std::cerr << concat("attnres-run: ", line, "\n") << std::flush;
}

} // namespace

void RankedRun::run(const std::function<void()> &body) {
  if (!runtime::isMpiProcess())
    return body();
  join();
  try {
    body();
  } catch (const Interrupted &) {
    leave();
    throw;
  } catch (const SharedError &error) {
    end(error.what(), /*cause=*/""); // which all know
  } catch (const std::exception &error) {
    if (size() == 1)
      throw;
    std::string cause = error.what();
    bool isNamed = cause.rfind("rank ", 0) == 0; // by whoever knew better
    end(isNamed ? cause : concat("rank ", rank(), ": ", cause), cause);
  }
  leave();
}

void RankedRun::join() {
  ranks = unwrap(runtime::MpiCommunicator::join());
  if (size() == 1)
    return;
  // Those who start processes end all of them when one ends: first they ask.
  runtime::catchInterrupts();
  auto onFailure = [](int failed, const std::string &cause) {
    if (hasSaid.exchange(true))
      return;
    say(concat("rank ", failed, ": ", cause));
    std::this_thread::sleep_for(farewell);
    ::_exit(1);
  };
  watch = unwrap(runtime::RankWatch::start(
      *ranks, runtime::RankWatch::Options(), onFailure));
  // From now on the watch says who is gone; others may work for long.
  ranks->setTimeLimit(std::chrono::hours(24 * 365));
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::vector<std::string> hosts = unwrap(ranks->allGather(std::string(host)));
  here = static_cast<int>(std::count(hosts.begin(), hosts.end(), host));
}

void RankedRun::leave() {
  if (size() > 1)
    check(ranks->barrier());
  watch.reset();
  check(ranks->leave());
}

void RankedRun::end(const std::string &line, const std::string &cause) {
  // An error of communication may be what another rank's end looks like.
  std::this_thread::sleep_for(300ms);
  if (hasSaid.exchange(true)) // by the watch, which ends this process
    std::this_thread::sleep_for(10 * farewell);
  else
    say(line);
  if (watch && !cause.empty())
    watch->fail(cause);
  std::this_thread::sleep_for(farewell);
  ::_exit(1);
}

std::string RankedRun::describe() const {
  std::string text = concat(size(), size() == 1 ? " rank" : " ranks");
  if (here != size())
    text += concat(", ", here, " on this machine");
  return concat(text, ", by ", ranks->library());
}

void RankedRun::expectSame(const ordered_json &own) const {
  if (size() == 1)
    return;
  std::vector<std::string> all = unwrap(ranks->allGather(own.dump()));
  ordered_json first = ordered_json::parse(all.front());
  for (int r = 1; r < size(); ++r) {
    ordered_json other = ordered_json::parse(all[static_cast<size_t>(r)]);
    if (other == first)
      continue;
    for (const auto &[name, value] : first.items()) {
      ordered_json there = other.value(name, ordered_json());
      if (there != value)
        throw SharedError(concat("rank ", r, " has another ", name,
                                 " than rank 0: ", there.dump(), ", not ",
                                 value.dump()));
    }
    throw SharedError(concat("rank ", r, " has more settings than rank 0"));
  }
}

void RankedRun::inTurn(const std::function<void()> &function) const {
  if (size() > 1 && !isFirst())
    check(ranks->barrier());
  function();
  if (size() > 1 && isFirst())
    check(ranks->barrier());
}

void RankedRun::share(std::shared_ptr<const runtime::Program> &program) const {
  if (size() == 1)
    return;
  std::string bytes = isFirst() && program ? program->serialize() : "";
  check(ranks->broadcast(0, bytes));
  if (!isFirst() && !bytes.empty())
    program = std::make_shared<const runtime::Program>(
        unwrap(runtime::Program::parse(bytes, "rank 0")));
}

} // namespace attnres::run
