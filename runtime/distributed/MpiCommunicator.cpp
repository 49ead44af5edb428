// Exchanges by an MPI that is loaded at run time.
#include "runtime/distributed/MpiCommunicator.h"

#include "runtime/distributed/MpiShim.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include <dlfcn.h>

namespace attnres::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// Waits for something that is asked about: at once while it may be a matter of
/// microseconds, then in pauses that leave the processor to others.
class Patience {
public:
  void pause() {
    if (++asked < 200)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(
          std::chrono::microseconds(asked < 2000 ? 20 : 200));
  }

private:
  int asked = 0;
};

class ByShim final : public MpiCommunicator {
public:
  ByShim(const AttnresMpi &mpi, int rank, int size)
      : MpiCommunicator(rank, size), mpi(mpi) {}

  Status leave() override {
    return toStatus(mpi, mpi.end(), "leaving the job");
  }

  std::string library() const override {
    char text[256] = "";
    mpi.library(text, sizeof text);
    std::string all = text;
    return all.substr(0, all.find(','));
  }

  static Status toStatus(const AttnresMpi &mpi, int error, const char *what) {
    if (error == 0)
      return {};
    char text[256] = "";
    mpi.describe(error, text, sizeof text);
    return ioError("MPI: ", what, ": ", text);
  }

private:
  Status transfer(const std::vector<SentBytes> &sent,
                  const std::vector<ReceivedBytes> &received) override {
    std::vector<AttnresMpiRange> out, in;
    for (size_t r = 0; r < sent.size(); ++r) {
      out.push_back({const_cast<void *>(sent[r].data), sent[r].bytes});
      in.push_back({received[r].data, received[r].bytes});
    }
    Status status = toStatus(mpi, mpi.start(out.data(), in.data()), "sending");
    auto deadline = Clock::now() + timeLimit;
    int done = 0;
    for (Patience patience; status.ok(); patience.pause()) {
      status = toStatus(mpi, mpi.test(&done), "an exchange");
      if (done)
        break;
      if (status.ok() && Clock::now() > deadline)
        return ioError("a rank did not answer for ", timeLimit.count() / 1000,
                       " s");
    }
    return status;
  }

  const AttnresMpi &mpi;
};

/// The library, which stays loaded; null with a reason.
void *openShim(std::string &reason) {
  constexpr const char *file = "libattnres_mpi.so";
  std::error_code error;
  std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path beside =
      program.parent_path().parent_path() / "lib" / file;
  bool exists = std::filesystem::exists(beside, error);
  // What an MPI loads itself refers to its symbols by name.
  void *library =
      dlopen(exists ? beside.c_str() : file, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    reason = dlerror();
  return library;
}

} // namespace

static constexpr const char *kOfJobs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                          "PMI_RANK", "PMIX_RANK"};

bool isMpiProcess() {
  // A step of one task, such as an interactive shell of Slurm, is no MPI job.
  const char *tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (tasks && std::string_view(tasks) == "1" && !std::getenv(kOfJobs[0]))
    return false;
  for (const char *name : kOfJobs)
    if (std::getenv(name))
      return true;
  return false;
}

void leaveMpiJob() {
  for (const char *name : kOfJobs)
    ::unsetenv(name);
}

Result<std::unique_ptr<MpiCommunicator>> MpiCommunicator::join() {
  std::string reason;
  void *library = openShim(reason);
  if (!library)
    return unsupported("this process is one of an MPI job, and what connects "
                       "them cannot be loaded: ",
                       reason,
                       "; it is built where libopenmpi-dev, or another MPI, is "
                       "installed");
  auto function =
      reinterpret_cast<AttnresMpiFunction>(dlsym(library, "attnres_mpi"));
  if (!function || function()->version != ATTNRES_MPI_VERSION)
    return unsupported("libattnres_mpi.so is of another version; build it "
                       "again");
  const AttnresMpi &mpi = *function();
  int rank = 0, size = 1;
  if (Status status =
          ByShim::toStatus(mpi, mpi.begin(&rank, &size), "joining the job");
      !status.ok())
    return status;
  return std::unique_ptr<MpiCommunicator>(new ByShim(mpi, rank, size));
}

} // namespace attnres::runtime
