// The file of programs that a command works with, and what runs them.
#ifndef ATTNRES_TOOLS_EXEC_PROGRAMOPTION_H
#define ATTNRES_TOOLS_EXEC_PROGRAMOPTION_H

#include "models/ModelConfig.h"
#include "runtime/ProgramPack.h"
#include "runtime/device/Device.h"
#include "support/ExactNumbers.h"
#include "tools/run/CommandError.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TrainingData.h"

#include <memory>
#include <string>
#include <vector>

namespace attnres::exec {

using run::check;
using run::CommandError;
using run::unwrap;

class ProgramOption {
public:
  /// FILE, --device and --threads.
  void add(CLI::App &command);
  /// FILE alone.
  void addFile(CLI::App &command);
  /// Reads the file and opens the device; to be called first.
  void open();
  void openFile();

  const std::string &path() const { return file; }
  const runtime::ProgramPack &pack() const { return pack_; }
  runtime::Device &device() const { return *device_; }
  /// The program of that purpose for the device.
  std::shared_ptr<const runtime::Program>
  program(const std::string &purpose) const {
    return unwrap(pack_.choose(*device_, purpose));
  }
  /// The configuration of a program's model.
  ModelConfig config(const runtime::Program &program) const;

private:
  std::string file, deviceName = "cpu";
  int threads = 0;
  runtime::ProgramPack pack_;
  std::unique_ptr<runtime::Device> device_;
};

/// --purpose, of a command that works with one program.
void addPurpose(CLI::App &command, std::string &purpose);

/// --data and --tokenizer: what --data names, and how it becomes tokens.
class DataOption {
public:
  void add(CLI::App &command);
  /// Opens the files; `record` gets their fingerprints. With a checkpoint, text
  /// is read as its model reads it.
  void open(run::RunRecord &record, const std::string &checkpoint = "");

  const run::DataSource &source() const { return source_; }
  const run::FoundTokenizer &tokenizer() const { return tokenizer_; }

private:
  std::vector<std::string> names;
  std::string tokenizerDir;
  run::DataSource source_;
  run::FoundTokenizer tokenizer_; ///< none for token files
};

/// Memory of the device for every parameter of a program.
struct DeviceParameters {
  std::vector<runtime::DeviceBuffer> buffers;
  std::vector<runtime::DeviceTensor> tensors;

  /// Of model.safetensors in the folder of a model, a checkpoint, or a run.
  static DeviceParameters load(runtime::Device &device,
                               const runtime::Program &program,
                               const std::string &model);
};

/// Fills tensors of a device from a safetensors file that has exactly them.
void loadInto(runtime::Device &device,
              const std::vector<runtime::DeviceTensor> &tensors,
              const std::string &path);

} // namespace attnres::exec

#endif
