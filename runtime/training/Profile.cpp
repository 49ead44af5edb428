// Where the time of some training steps goes, launch by launch.
#include "runtime/training/Profile.h"

#include "support/File.h"

#include <nlohmann/json.hpp>

#include <map>

namespace attnres::runtime {
namespace {

const attnres::runtime::Kernel &kernelOf(const Profile::Run &run,
                                         const LaunchTime &time) {
  const Launch &launch =
      run.program->launches[static_cast<size_t>(time.launch)];
  return run.program->kernels[static_cast<size_t>(launch.kernel)];
}

double secondsBetween(std::chrono::steady_clock::time_point begin,
                      std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

} // namespace

std::vector<Profile::Kernel> Profile::kernels() const {
  std::map<std::string, Kernel> byName;
  for (const Run &run : runs)
    for (const LaunchTime &time : run.launches) {
      const auto &kernel = kernelOf(run, time);
      Kernel &sum = byName[kernel.name];
      sum.name = kernel.name;
      ++sum.launches;
      sum.seconds += time.seconds();
      sum.flops += static_cast<double>(kernel.flops);
      sum.bytes += static_cast<double>(kernel.bytesRead + kernel.bytesWritten);
    }
  std::vector<Kernel> list;
  for (auto &[name, kernel] : byName)
    list.push_back(std::move(kernel));
  return list;
}

double Profile::seconds() const {
  double sum = 0;
  for (const Run &run : runs)
    if (!run.launches.empty())
      sum +=
          secondsBetween(run.launches.front().begin, run.launches.back().end);
  return sum;
}

double Profile::gapSeconds() const {
  double busy = 0;
  for (const Run &run : runs)
    for (const LaunchTime &time : run.launches)
      busy += time.seconds();
  return seconds() - busy;
}

Status Profile::writeTrace(const std::string &path) const {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  if (!runs.empty() && !runs.front().launches.empty()) {
    auto start = runs.front().launches.front().begin;
    for (const Run &run : runs)
      for (const LaunchTime &time : run.launches) {
        const auto &kernel = kernelOf(run, time);
        events.push_back(
            {{"name", kernel.name},
             {"ph", "X"},
             {"pid", 1},
             {"tid", 1},
             {"ts", 1e6 * secondsBetween(start, time.begin)},
             {"dur", 1e6 * time.seconds()},
             {"args",
              {{"launch", time.launch},
               {"flops", kernel.flops},
               {"bytes", kernel.bytesRead + kernel.bytesWritten}}}});
      }
  }
  nlohmann::ordered_json trace = {{"displayTimeUnit", "ms"},
                                  {"traceEvents", std::move(events)}};
  return writeFileAtomically(path, {trace.dump() + "\n"});
}

} // namespace attnres::runtime
