// For tests that plant a fault in a few lines of PTX and expect its finding, or
// none without it.

#ifndef ATTNRES_TEST_UNIT_EMULATOR_PLANTEDFAULTS_H
#define ATTNRES_TEST_UNIT_EMULATOR_PLANTEDFAULTS_H

#include "EmulatorTestSupport.h"

namespace attnres::emulator {

class PlantedFaults : public EmulatorTest {
protected:
  /// Runs `body` with four buffers of 1024 bytes; returns the status's line.
  std::string runBody(const std::string &body, uint32_t threads = 32,
                      const std::string &declarations = "",
                      uint32_t blocks = 1) {
    device = Device(options);
    std::string ptx = wrapPtx(body, declarations);
    Status status = device.loadModule(ptx);
    EXPECT_TRUE(status.ok()) << status.message();
    text = ptx;
    for (uint64_t &buffer : buffers)
      buffer = upload(std::vector<uint8_t>(1024));
    status = tryRun("k", shape(blocks, threads), buffers[0], buffers[1],
                    buffers[2], buffers[3]);
    return status.message();
  }

  /// Expects findings of one kind only, at the line that contains `where`.
  void expectFinding(FindingKind kind, const std::string &where) {
    ASSERT_FALSE(device.findings().empty()) << findingKindName(kind);
    bool found = false;
    for (const Finding &finding : device.findings()) {
      EXPECT_EQ(findingKindName(finding.kind),
                std::string(findingKindName(kind)))
          << finding.text();
      found |= lineText(finding.line).find(where) != std::string::npos;
    }
    EXPECT_TRUE(found) << device.findings()[0].text();
  }
  void expectClean() {
    for (const Finding &finding : device.findings())
      ADD_FAILURE() << finding.text();
  }

  std::string lineText(uint32_t line) const {
    std::stringstream stream(text);
    std::string result;
    for (uint32_t i = 0; i < line; ++i)
      std::getline(stream, result);
    return result;
  }

  DeviceOptions options;
  std::string text;
  uint64_t buffers[4] = {};
};

inline const char *const sharedTile = ".shared .align 16 .b8 tile[256];";
inline const char *const barrierAndTile =
    ".shared .align 16 .b8 tile[256];\n.shared .align 8 .b64 bar;";

} // namespace attnres::emulator

#endif // ATTNRES_TEST_UNIT_EMULATOR_PLANTEDFAULTS_H
