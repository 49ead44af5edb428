// The smallest limit counts, wherever it stands.
#include "runtime/MemoryLimit.h"
#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <sys/resource.h>

namespace {

using namespace attnres;
using namespace attnres::runtime;

constexpr int64_t GiB = int64_t{1} << 30;

class SystemFiles {
public:
  SystemFiles() {
    write("/proc/meminfo", "MemTotal:       2097152 kB\nMemFree: 5 kB\n"
                           "SwapTotal:      1048576 kB\n");
  }
  void write(const std::string &path, const std::string &text) {
    std::filesystem::path file = root() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root() const { return directory.path.string(); }

private:
  TemporaryDirectory directory;
};

TEST(MemoryLimit, FI12Machine) {
  SystemFiles files;
  MemoryLimit limit = memoryLimit(files.root());
  EXPECT_EQ(limit.bytes, 3 * GiB); // with the swap space
  EXPECT_EQ(limit.origin, "the machine has");
}

TEST(MemoryLimit, FI12CgroupOfVersion2) {
  SystemFiles files;
  files.write("/proc/self/cgroup", "0::/user/job\n");
  files.write("/sys/fs/cgroup/user/job/memory.max", "max\n");
  EXPECT_EQ(memoryLimit(files.root()).bytes, 3 * GiB);
  // That of a group around it counts too.
  files.write("/sys/fs/cgroup/user/memory.max", "1073741824\n");
  MemoryLimit limit = memoryLimit(files.root());
  EXPECT_EQ(limit.bytes, GiB);
  EXPECT_EQ(limit.origin, "the process's cgroup allows");
  files.write("/sys/fs/cgroup/user/job/memory.max", "4096\n");
  EXPECT_EQ(memoryLimit(files.root()).bytes, 4096);
}

TEST(MemoryLimit, ContainersSeeTheirGroupAsTheRoot) {
  SystemFiles files;
  files.write("/proc/self/cgroup", "0::/\n");
  files.write("/sys/fs/cgroup/memory.max", "8192\n");
  EXPECT_EQ(memoryLimit(files.root()).bytes, 8192);
}

TEST(MemoryLimit, FI12CgroupOfVersion1) {
  SystemFiles files;
  files.write("/proc/self/cgroup", "7:cpu,memory:/job\n3:pids:/other\n");
  files.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes",
              "9223372036854771712\n"); // none
  files.write("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(memoryLimit(files.root()).bytes, 3 * GiB);
  files.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "12288\n");
  EXPECT_EQ(memoryLimit(files.root()).bytes, 12288);
}

TEST(MemoryLimit, FI12AddressSpaceLessWhatIsMapped) {
  SystemFiles files;
  files.write("/proc/self/statm", "25600 1 1 1 0 10 0\n"); // pages
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit limit = before;
  limit.rlim_cur = 2 * GiB;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
  MemoryLimit found = memoryLimit(files.root());
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(found.bytes, 2 * GiB - 25600 * 4096);
  EXPECT_EQ(found.origin, "the limit on address space (ulimit -v) leaves");
}

TEST(MemoryLimit, NothingKnown) {
  TemporaryDirectory empty;
  EXPECT_GT(memoryLimit(empty.path.string()).bytes, 1000 * GiB);
}

TEST(MemoryNeed, SaysWhatItIsFor) {
  MemoryNeed need;
  need.add("parameters", 3e9);
  need.add("logits", 0); // not shown
  need.add("activations", 1e9);
  EXPECT_EQ(need.total(), 4000000000);
  EXPECT_EQ(need.describe(), "3.7 GiB: parameters 2.8 GiB, activations "
                             "953.7 MiB");
  EXPECT_TRUE(need.expectWithin({4000000000, "there are"}, "it").ok());
  EXPECT_EQ(need.expectWithin({GiB, "the machine has"}, "it").message(),
            "it needs 3.7 GiB: parameters 2.8 GiB, activations 953.7 MiB; the "
            "machine has 1.0 GiB");
}

TEST(MemoryNeed, SumsDoNotOverflow) {
  MemoryNeed need;
  need.add("a", 9e18);
  need.add("b", 9e18);
  EXPECT_EQ(need.total(), INT64_MAX);
  need.add("c", 1e300);
  EXPECT_EQ(need.total(), INT64_MAX);
  EXPECT_FALSE(need.expectWithin({INT64_MAX - 1, "there are"}, "it").ok());
}

TEST(FormatBytes, Units) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(INT64_MAX), "8.0 EiB");
}

} // namespace
