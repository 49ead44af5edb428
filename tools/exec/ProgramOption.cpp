#include "tools/exec/ProgramOption.h"

#include "runtime/device/Devices.h"
#include "runtime/training/Checkpoint.h"

namespace attnres::exec {

void ProgramOption::addFile(CLI::App &command) {
  command.add_option("program", file, "written by attnres-run compile")
      ->type_name("FILE")
      ->required();
}

void ProgramOption::add(CLI::App &command) {
  addFile(command);
  command
      .add_option("--device", deviceName,
                  "what runs the program: the processor, an NVIDIA GPU, or the "
                  "emulator of GPUs, which checks every access")
      ->check(CLI::IsMember(runtime::deviceNames()))
      ->capture_default_str();
  command
      .add_option("--threads", threads,
                  "of the processor or the emulator; 0: as many as it has")
      ->check(CLI::Range(0, 1024));
}

void addPurpose(CLI::App &command, std::string &purpose) {
  command
      .add_option("--purpose", purpose,
                  "which program of the file; the first for the device without "
                  "it")
      ->type_name("NAME");
}

void ProgramOption::openFile() {
  pack_ = unwrap(runtime::ProgramPack::load(file));
}

void ProgramOption::open() {
  openFile();
  device_ = unwrap(runtime::openDevice(deviceName, threads));
}

ModelConfig ProgramOption::config(const runtime::Program &program) const {
  auto text = program.metadata.find("config");
  if (text == program.metadata.end())
    throw CommandError(concat(file, ": the program to ",
                              runtime::purposeOf(program),
                              " does not say what its model is"));
  return unwrap(
      ModelConfig::fromJson(text->second, file + ": config of the program"));
}

void DataOption::add(CLI::App &command) {
  command
      .add_option("--data", names,
                  "text or token files, or computed samples of written-out "
                  "multiplication")
      ->type_name("FILE|multiplication:DIGITS[,count=N]")
      ->required();
  command
      .add_option("--tokenizer", tokenizerDir,
                  "folder with tokenizer.json, for text; bytes are tokens "
                  "without it")
      ->type_name("DIR");
}

void DataOption::open(run::RunRecord &record, const std::string &checkpoint) {
  source_.multiplication = unwrap(run::MultiplicationName::parse(names));
  if (!source_.multiplication)
    source_.files = unwrap(runtime::openDataFiles(names));
  for (const auto &file : source_.files)
    record.data.push_back(file->fingerprint());
  if (!checkpoint.empty()) {
    auto ofModel = unwrap(run::RunRecord::ofCheckpoint(checkpoint));
    tokenizer_ = unwrap(run::tokenizerOf(checkpoint, tokenizerDir,
                                         ofModel ? &*ofModel : nullptr));
    if (source_.multiplication && tokenizer_.tokenizer &&
        tokenizer_.tokenizer->fingerprint() !=
            runtime::MultiplicationTokenizer().fingerprint())
      throw CommandError(
          concat(inQuotes(names.front()),
                 " has an alphabet of its own; the model was trained on text"));
  } else if (!tokenizerDir.empty()) {
    tokenizer_ = unwrap(run::openTokenizer(tokenizerDir));
  }
  if (!tokenizer_.tokenizer &&
      (source_.multiplication || !unwrap(source_.hasTokens())))
    tokenizer_ = run::builtInTokenizer(source_.multiplication.has_value());
  if (tokenizer_.tokenizer)
    record.tokenizer = run::TokenizerFingerprint::of(*tokenizer_.tokenizer);
}

void loadInto(runtime::Device &device,
              const std::vector<runtime::DeviceTensor> &tensors,
              const std::string &path) {
  auto mapped =
      unwrap(runtime::mapTensors(device, tensors, runtime::Access::Write));
  check(runtime::loadTensors(path, mapped.tensors));
  check(mapped.unmap());
}

DeviceParameters DeviceParameters::load(runtime::Device &device,
                                        const runtime::Program &program,
                                        const std::string &model) {
  DeviceParameters parameters;
  for (const runtime::Binding &binding : program.bindings) {
    if (binding.direction != runtime::Direction::Input ||
        binding.role != runtime::Role::Parameter)
      continue;
    parameters.buffers.push_back(unwrap(device.allocate(binding.bytes())));
    parameters.tensors.push_back({binding.name, binding.dtype, binding.shape,
                                  parameters.buffers.back().memory()});
  }
  auto held = runtime::HeldCheckpoint::open(model);
  loadInto(device, parameters.tensors, held.path() + "/model.safetensors");
  return parameters;
}

} // namespace attnres::exec
