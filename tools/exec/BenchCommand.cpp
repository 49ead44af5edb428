// attnres-exec bench: how long the launches of a program take on a device.
// Inputs are random.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"
#include "tools/exec/RandomInputs.h"

#include "runtime/device/BoundProgram.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

struct KernelTimes {
  int64_t launches = 0;
  double flops = 0, bytes = 0;
  std::vector<double> seconds; ///< of each round
};

struct BenchCommand {
  ProgramOption file;
  std::string purpose;
  int rounds = 10;
  bool json = false;

  void run() {
    file.open();
    auto program = file.program(purpose);
    auto bound = unwrap(runtime::BoundProgram::create(file.device(), program));
    fillInputs(bound);
    check(bound.executable().run()); // what happens once happens here
    std::vector<double> whole;
    std::vector<KernelTimes> kernels(program->kernels.size());
    for (const runtime::Launch &launch : program->launches) {
      auto number = static_cast<size_t>(launch.kernel);
      const runtime::Kernel &kernel = program->kernels[number];
      KernelTimes &times = kernels[number];
      ++times.launches;
      times.flops += static_cast<double>(kernel.flops);
      times.bytes +=
          static_cast<double>(kernel.bytesRead + kernel.bytesWritten);
    }
    for (int round = 0; round < rounds; ++round) {
      auto start = std::chrono::steady_clock::now();
      check(bound.executable().run());
      whole.push_back(std::chrono::duration<double>(
                          std::chrono::steady_clock::now() - start)
                          .count());
      std::vector<runtime::LaunchTime> times;
      runtime::Executable::RunOptions options;
      options.launchTimes = &times;
      check(bound.executable().run(options));
      for (KernelTimes &kernel : kernels)
        kernel.seconds.push_back(0);
      for (const runtime::LaunchTime &time : times)
        kernels[static_cast<size_t>(
                    program->launches[static_cast<size_t>(time.launch)].kernel)]
            .seconds.back() += time.seconds();
    }
    print(*program, median(whole), kernels);
  }

private:
  void print(const runtime::Program &program, double seconds,
             const std::vector<KernelTimes> &kernels) const {
    std::vector<size_t> order;
    for (size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i].launches > 0)
        order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return median(kernels[a].seconds) > median(kernels[b].seconds);
    });
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    if (!json)
      std::cout << fmt::format("{}, {}: {:.3f} ms\n{:<44} {:>8} {:>10} {:>9} "
                               "{:>9}\n",
                               runtime::purposeOf(program),
                               file.device().name(), seconds * 1e3, "kernel",
                               "launches", "us", "GFLOP/s", "GB/s");
    for (size_t i : order) {
      const KernelTimes &kernel = kernels[i];
      double time = median(kernel.seconds);
      const std::string &name = program.kernels[i].name;
      if (json)
        list.push_back({{"kernel", name},
                        {"launches", kernel.launches},
                        {"seconds", time},
                        {"flops", kernel.flops},
                        {"bytes", kernel.bytes}});
      else
        std::cout << fmt::format(
            "{:<44} {:>8} {:>10.1f} {:>9.1f} {:>9.1f}\n", name, kernel.launches,
            time * 1e6, kernel.flops / time * 1e-9, kernel.bytes / time * 1e-9);
    }
    if (json)
      std::cout << nlohmann::ordered_json{{"purpose",
                                           runtime::purposeOf(program)},
                                          {"target", program.target},
                                          {"device", file.device().name()},
                                          {"seconds", seconds},
                                          {"kernels", list}}
                       .dump(2)
                << '\n';
  }
};

} // namespace

void addBenchCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("bench", "time a program and each of its kernels");
  auto state = std::make_shared<BenchCommand>();
  state->file.add(*command);
  addPurpose(*command, state->purpose);
  command->add_option("--rounds", state->rounds, "timings; medians are shown")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("On the emulator the times are its own.\nExample:\n  "
                  "attnres-exec bench toy.program --purpose train --device "
                  "cuda");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
