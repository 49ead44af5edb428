#include "runtime/device/GpuExecutable.h"

#include <algorithm>

namespace attnres::runtime {

Status GpuExecutable::findParameters() {
  parameters.assign(program().kernels.size(), {});
  std::vector<bool> isKnown(program().kernels.size());
  for (size_t i = 0; i < program().launches.size(); ++i) {
    const Launch &launch = program().launches[i];
    auto kernel = static_cast<size_t>(launch.kernel);
    std::vector<Parameter> &list = parameters[kernel];
    if (!isKnown[kernel])
      list.resize(launch.args.size());
    bool isFirst = !isKnown[kernel];
    isKnown[kernel] = true;
    bool fits = list.size() == launch.args.size();
    for (size_t j = 0; fits && j < list.size(); ++j) {
      const Arg &arg = launch.args[j];
      bool isList = arg.kind == Arg::Kind::List;
      if (isFirst)
        list[j].isList = isList;
      fits = list[j].isList == isList;
      list[j].capacity = std::max(list[j].capacity, arg.elements.size());
    }
    if (!fits)
      return invalidData("program: launch ", i,
                         ": has other arguments than an earlier launch of "
                         "kernel ",
                         inQuotes(program().kernels[kernel].name));
  }
  return {};
}

std::vector<size_t> GpuExecutable::parameterBytes(size_t kernel) const {
  std::vector<size_t> bytes;
  for (const Parameter &parameter : parameters[kernel])
    bytes.push_back(parameter.words() * sizeof(uint64_t));
  if (program().kernels[kernel].scratchBytes > 0)
    bytes.push_back(sizeof(uint64_t));
  return bytes;
}

Status GpuExecutable::allocateMemory() {
  const std::string &content = program().constants;
  Result<DeviceBuffer> buffer =
      device.allocate(static_cast<int64_t>(content.size()));
  if (!buffer.ok())
    return buffer.status();
  constants = *std::move(buffer);
  if (Status status = device.upload(constants.memory(), content.data());
      !status.ok())
    return status;
  int64_t most = 0;
  for (const Kernel &kernel : program().kernels)
    most = std::max(most, kernel.scratchBytes);
  buffer = allocateScratch(most);
  if (!buffer.ok())
    return buffer.status();
  scratch = *std::move(buffer);
  return {};
}

Status GpuExecutable::resolve() {
  words.clear();
  auto address = [&](const Arg &arg) {
    return addressOf(arg, constants.memory().address);
  };
  for (const Launch &launch : program().launches) {
    auto kernel = static_cast<size_t>(launch.kernel);
    std::vector<uint64_t> &values = words.emplace_back();
    for (size_t i = 0; i < launch.args.size(); ++i) {
      const Arg &arg = launch.args[i];
      if (arg.kind != Arg::Kind::List) {
        values.push_back(address(arg));
        continue;
      }
      values.push_back(arg.elements.size());
      for (const Arg &element : arg.elements)
        values.push_back(address(element));
      values.resize(values.size() + parameters[kernel][i].capacity -
                    arg.elements.size());
    }
    values.push_back(scratch.memory().address);
  }
  return {};
}

std::vector<const void *> GpuExecutable::argumentsOf(size_t launch) const {
  auto kernel = static_cast<size_t>(program().launches[launch].kernel);
  const uint64_t *next = words[launch].data();
  std::vector<const void *> arguments;
  for (const Parameter &parameter : parameters[kernel]) {
    arguments.push_back(next);
    next += parameter.words();
  }
  if (program().kernels[kernel].scratchBytes > 0)
    arguments.push_back(next);
  return arguments;
}

bool GpuExecutable::hasBlocks(size_t launch) const {
  const Kernel &kernel =
      program().kernels[static_cast<size_t>(program().launches[launch].kernel)];
  return kernel.grid.x > 0 && kernel.grid.y > 0 && kernel.grid.z > 0;
}

} // namespace attnres::runtime
