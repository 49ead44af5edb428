// What has to be the same on all ranks of a run.
#ifndef ATTNRES_TOOLS_RUN_RANKAGREEMENT_H
#define ATTNRES_TOOLS_RUN_RANKAGREEMENT_H

#include "runtime/device/Device.h"
#include "tools/run/RunRecord.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace attnres::run {

/// The program file, the content of the data, the settings and the model. Where
/// files lie is each rank's own affair, unless `multiplies`: then --data names
/// computed samples.
nlohmann::ordered_json fingerprintOfRun(const RunRecord &record,
                                        bool multiplies,
                                        const std::string &model);

/// What the run goes on from.
Result<nlohmann::ordered_json>
fingerprintOfState(runtime::Device &device,
                   const std::vector<runtime::DeviceTensor> &parameters,
                   int64_t step);

} // namespace attnres::run

#endif
