// What has to be the same on all ranks of a run.
#include "tools/run/RankAgreement.h"

#include "support/ContentHash.h"

#include <fstream>

namespace attnres::run {

using nlohmann::ordered_json;

/// Of the file that this process runs.
static std::string hashOfProgramFile() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  ContentHash hash;
  std::string buffer(1 << 20, '\0');
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash.add({buffer.data(), static_cast<size_t>(file.gcount())});
  }
  return showHash(hash.value());
}

ordered_json fingerprintOfRun(const RunRecord &record, bool multiplies,
                              const std::string &model) {
  ordered_json result = {{"program file", hashOfProgramFile()}};
  ordered_json contents = record.toJson()["fingerprints"];
  for (const char *list : {"data", "validation"})
    if (contents.contains(list))
      for (ordered_json &file : contents[list])
        file.erase("path");
  for (const auto &[name, value] : contents.items())
    result[name] = value;
  for (const auto &[name, value] : record.settings.items()) {
    bool isPlace = name == "data" || name == "val_data" ||
                   name == "tokenizer" || name == "init_from";
    if (!isPlace || multiplies)
      result[concat("setting ", name)] = value;
  }
  result["model"] = showHash(fnv1a64(model));
  return result;
}

Result<ordered_json>
fingerprintOfState(runtime::Device &device,
                   const std::vector<runtime::DeviceTensor> &parameters,
                   int64_t step) {
  auto mapped = runtime::mapTensors(device, parameters, runtime::Access::Read);
  if (!mapped.ok())
    return mapped.status();
  ContentHash hash;
  for (const runtime::TensorView &tensor : mapped->tensors)
    hash.add({static_cast<const char *>(tensor.data),
              static_cast<size_t>(tensor.bytes)});
  return ordered_json{{"step to go on from", step},
                      {"hash of the parameters", showHash(hash.value())}};
}

} // namespace attnres::run
