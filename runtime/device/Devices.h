// The devices that programs run on, by name.
#ifndef ATTNRES_RUNTIME_DEVICE_DEVICES_H
#define ATTNRES_RUNTIME_DEVICE_DEVICES_H

#include "runtime/device/Device.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// "cpu", "cuda" and "emulator".
std::vector<std::string> deviceNames();

/// `threads` of the processor or the emulator; 0: the default. Fails, with the
/// device's name, where there is no such device.
Result<std::unique_ptr<Device>> openDevice(std::string_view name, int threads);

} // namespace attnres::runtime
#endif
