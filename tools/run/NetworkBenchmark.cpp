// attnres-run bench network: exchanges between all ranks at once, as training
// has them.
#include "tools/run/NetworkBenchmark.h"

#include "tools/run/RankedRun.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace attnres::run {
namespace {

using runtime::Communicator;
using runtime::ReceivedBytes;
using runtime::SentBytes;

/// The median time of exchanges in which each rank sends each other one
/// `bytes`; the slowest rank counts.
double timeExchange(Communicator &ranks, int64_t bytes, int rounds) {
  auto count = static_cast<size_t>(ranks.size());
  std::string out(static_cast<size_t>(bytes), 'x');
  std::vector<std::string> in(count, out);
  std::vector<SentBytes> sent(count, {out.data(), bytes});
  std::vector<ReceivedBytes> received;
  for (std::string &place : in)
    received.push_back({place.data(), bytes});
  sent[static_cast<size_t>(ranks.rank())] = {};
  received[static_cast<size_t>(ranks.rank())] = {};
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    check(ranks.barrier());
    auto begin = std::chrono::steady_clock::now();
    check(ranks.exchange(sent, received));
    double own =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    std::vector<double> all = unwrap(ranks.allGather(own));
    seconds.push_back(*std::max_element(all.begin(), all.end()));
  }
  auto middle = seconds.begin() + rounds / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

struct NetworkBenchmark {
  RankedRun ranks;
  int rounds = 21;
  bool json = false;

  void run() {
    Communicator *communicator = ranks.communicator();
    if (!communicator || communicator->size() < 2)
      throw CommandError("bench network needs several ranks: mpirun -np 2 "
                         "attnres-run bench network");
    nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
    for (int64_t bytes = 8; bytes <= int64_t{16} << 20; bytes *= 8) {
      double seconds = timeExchange(*communicator, bytes, rounds);
      double sent = static_cast<double>(bytes) *
                    static_cast<double>(communicator->size() - 1);
      sizes.push_back({{"bytes", bytes},
                       {"microseconds", seconds * 1e6},
                       {"gigabytes_per_second", sent / seconds * 1e-9}});
    }
    if (!ranks.isFirst())
      return;
    if (json) {
      nlohmann::ordered_json result = {{"ranks", communicator->size()},
                                       {"exchanges", sizes}};
      fmt::print("{}\n", result.dump(1));
      return;
    }
    fmt::print("{}\n{:>12} {:>14} {:>16}\n", ranks.describe(), "bytes to each",
               "microseconds", "GB/s from each");
    for (const auto &size : sizes)
      fmt::print("{:>12} {:>14.1f} {:>16.3f}\n", size["bytes"].get<int64_t>(),
                 size["microseconds"].get<double>(),
                 size["gigabytes_per_second"].get<double>());
  }
};

} // namespace

void addNetworkBenchmark(CLI::App &bench) {
  CLI::App *command = bench.add_subcommand(
      "network", "exchanges between the ranks of an MPI job");
  auto state = std::make_shared<NetworkBenchmark>();
  command->add_option("--rounds", state->rounds, "exchanges of each size")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Example:\n  mpirun -np 2 attnres-run bench network");
  command->callback([state] { state->ranks.run([state] { state->run(); }); });
}

} // namespace attnres::run
