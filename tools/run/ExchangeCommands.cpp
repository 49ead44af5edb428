// attnres-run import and export: models of Hugging Face's transformers.
#include "runtime/data/Tokenizer.h"
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/HuggingFace.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModelingFile.h"
#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <memory>

namespace attnres::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using runtime::DType;
using runtime::TensorView;
using runtime::Tokenizer;

void makeFolder(const std::string &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw CommandError(path + ": cannot create: " + error.message());
  for (const char *name : {"model.safetensors", "run.json"})
    if (fs::exists(path + "/" + name))
      throw CommandError(path + " holds a " + name +
                         " already; choose another --out");
}

/// Copies the tokenizer of a folder, if there is one that is known here.
void copyTokenizer(const std::string &from, const std::string &to) {
  if (!fs::exists(from + "/tokenizer.json")) {
    note(from + ": no tokenizer.json; commands that read text need "
                "--tokenizer DIR");
    return;
  }
  auto tokenizer = Tokenizer::openFolder(from);
  auto files = Tokenizer::readFolder(from);
  for (const Status &status : {tokenizer.status(), files.status()})
    if (!status.ok())
      return note("no tokenizer: " + std::string(status.message()));
  for (const auto &[name, text] : *files)
    check(writeFileAtomically(to + "/" + name, {text}));
}

// -------------------------------------------------------------------- import

struct ImportCommand {
  std::string from, out;

  void run() const {
    std::string path = from + "/config.json";
    constexpr size_t maxBytes = 1 << 20;
    ModelConfig config =
        unwrap(fromHuggingFace(unwrap(readFile(path, maxBytes)), path));
    auto parameters = unwrap(ImportedParameters::open(from, config));
    makeFolder(out);
    check(runtime::writeSafetensors(out + "/model.safetensors",
                                    parameters.tensors()));
    check(writeFileAtomically(out + "/config.json", {config.toJson()}));
    copyTokenizer(from, out);
    writeText(
        concat("wrote ", out, ": ", countParameters(config), " parameters\n"),
        "");
  }
};

// -------------------------------------------------------------------- export

/// The nearest bf16, to even.
uint16_t roundToBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct ExportCommand {
  std::string modelDir, out, dtype = "f32";
  int64_t positions = 0;
  bool mean = false;

  void run() const {
    ModelFiles model = unwrap(ModelFiles::open(modelDir, mean));
    const ModelConfig &config = model.config;
    bool isForeign = isLlama(config);
    if (!isForeign)
      expectModeling(config);
    makeFolder(out);
    check(writeTensors(model, isForeign));
    check(writeFileAtomically(
        out + "/config.json",
        {isForeign ? toHuggingFace(config, positionsOf(model),
                                   isHalf() ? "bfloat16" : "float32")
                   : describe(config)}));
    if (!isForeign)
      check(writeFileAtomically(out + "/modeling_attnres.py", {modelingFile}));
    exportTokenizer(model.directory);
    writeText(concat("wrote ", out, ": ",
                     isForeign ? "for transformers"
                               : "with modeling_attnres.py, which loads it",
                     "\n"),
              "");
  }

private:
  bool isHalf() const { return dtype == "bf16"; }

  /// What modeling_attnres.py computes.
  void expectModeling(const ModelConfig &config) const {
    bool isPlain =
        config.numExperts == 0 && config.hiddenAct != HiddenAct::Situ;
    if (config.hasDepthVariant())
      throw CommandError(modelDir +
                         ": models with variants of attention residuals "
                         "(attnres_query, attnres_weights, attnres_key_norm, "
                         "attnres_heads, attnres_window) cannot be exported");
    for (LayerType type : config.layerTypes)
      isPlain = isPlain && type == LayerType::Attention;
    if (!isPlain)
      throw CommandError(modelDir +
                         ": models with Kimi delta attention, latent "
                         "attention, experts or SiTU-GLU cannot be exported");
  }

  Status writeTensors(const ModelFiles &model, bool isForeign) const {
    std::vector<TensorView> tensors;
    std::vector<std::vector<uint16_t>> halves;
    for (const Parameter &parameter : parameterShapes(model.config)) {
      TensorView tensor = *model.parameters.find(parameter.name);
      if (isForeign)
        tensor.name = huggingFaceName(tensor.name);
      if (isHalf()) {
        auto count = static_cast<size_t>(parameter.numElements());
        std::vector<uint16_t> &half = halves.emplace_back(count);
        auto *bytes = static_cast<const char *>(tensor.data);
        for (size_t i = 0; i < count; ++i) {
          float value;
          std::memcpy(&value, bytes + i * sizeof value, sizeof value);
          half[i] = roundToBf16(value);
        }
        tensor.dtype = DType::BF16;
        tensor.data = half.data();
        tensor.bytes = static_cast<int64_t>(count * sizeof(uint16_t));
      }
      tensors.push_back(std::move(tensor));
    }
    // transformers asks for this entry.
    return runtime::writeSafetensors(out + "/model.safetensors", tensors,
                                     {{"format", "pt"}});
  }

  /// As many as the model was trained with, which transformers wants to know.
  int64_t positionsOf(const ModelFiles &model) const {
    constexpr int64_t usual = 2048;
    if (positions > 0)
      return positions;
    auto record = unwrap(RunRecord::ofCheckpoint(model.directory));
    return record && record->seqLen > 0 ? record->seqLen : usual;
  }

  static std::string describe(const ModelConfig &config) {
    ordered_json file = {{"architectures", {"AttnResForCausalLM"}},
                         {"model_type", "attnres"}};
    file.update(ordered_json::parse(config.toJson()));
    return file.dump(2) + "\n";
  }

  void exportTokenizer(const std::string &from) const {
    auto files = Tokenizer::readFolder(from);
    bool isKnownThere =
        files.ok() &&
        !ordered_json::parse(files->at("tokenizer.json"), nullptr, false)
             .contains("kind");
    if (!isKnownThere)
      return note(from + ": no tokenizer that transformers knows; none is "
                         "written");
    for (const auto &[name, text] : *files)
      check(writeFileAtomically(out + "/" + name, {text}));
  }
};

} // namespace

void addImportCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "import", "take a model of Hugging Face's transformers");
  auto state = std::make_shared<ImportCommand>();
  command
      ->add_option("from", state->from,
                   "folder with config.json, of type llama, mistral, qwen2 or "
                   "qwen3, and model.safetensors or its parts")
      ->type_name("DIR")
      ->required();
  command->add_option("--out", state->out, "folder for the model")
      ->type_name("DIR")
      ->required();
  command->footer(
      "The model then is as any other: `eval`, `generate`, `train "
      "--init-from`. "
      "Its\ntokenizer.json comes along. What models here cannot do, such as "
      "scaled rotations,\nis refused.\n\n"
      "Example:\n  attnres-run import SmolLM-135M --out models/smol\n"
      "  attnres-run generate --model models/smol --prompt 'The sea'");
  command->callback([state] { state->run(); });
}

void addExportCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "export",
      "write a model for Hugging Face's transformers, or for PyTorch");
  auto state = std::make_shared<ExportCommand>();
  command
      ->add_option("--model", state->modelDir,
                   "folder of a model, or of a training run")
      ->type_name("DIR")
      ->required();
  command->add_option("--out", state->out, "folder for the files")
      ->type_name("DIR")
      ->required();
  command->add_option("--dtype", state->dtype, "of the tensors")
      ->check(CLI::IsMember({"f32", "bf16"}))
      ->capture_default_str();
  addMean(*command, state->mean);
  command
      ->add_option("--max-positions", state->positions,
                   "tokens that a text may have there; what the run was "
                   "trained with, or 2048, if not given")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->footer(
      "Models without attention residuals, with RMS norms, SwiGLU and "
      "rotation, "
      "become\nmodels of type llama, or with norms of queries and keys qwen3. "
      "Others keep the names\nof their parameters; the file "
      "modeling_attnres.py beside them computes them in PyTorch.\n\n"
      "Example:\n  attnres-run export --model runs/book --out exported --dtype "
      "bf16");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
