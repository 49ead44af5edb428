// Dense models as Hugging Face's transformers keeps them: their configuration
// and the names of their tensors.
#ifndef ATTNRES_TOOLS_RUN_HUGGINGFACE_H
#define ATTNRES_TOOLS_RUN_HUGGINGFACE_H

#include "models/ModelConfig.h"
#include "models/Parameters.h"
#include "runtime/Safetensors.h"
#include "support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attnres::run {

/// The configuration here of a config.json of transformers, of the types llama,
/// mistral, qwen2 and qwen3. What such a model may do that a model here cannot
/// (scaled rotations, sliding windows, other activations) is an error that
/// names the field; `where` names the file.
Result<ModelConfig> fromHuggingFace(const std::string &text,
                                    const std::string &where);

/// Whether a model here is one of transformers: without attention residuals,
/// with rotated attention, RMS norms and SwiGLU.
bool isLlama(const ModelConfig &config);

/// The config.json of such a model, of type llama, or with norms of queries and
/// keys qwen3. `dtype` is "float32" or "bfloat16".
std::string toHuggingFace(const ModelConfig &config, int64_t positions,
                          const std::string &dtype);

/// "model.layers.0.self_attn.q_proj.weight" for "blocks.0.attn.q_proj.weight".
std::string huggingFaceName(const std::string &parameter);

/// The parameters of a model here, from tensors of transformers that it owns.
class ImportedParameters {
public:
  /// Tensors may be f32, f16 or bf16, which are widened. Biases of o_proj that
  /// the file lacks are zero, if it has those of q_proj (qwen2). Errors: a
  /// parameter that is missing or of another shape, a tensor that is none.
  static Result<ImportedParameters> open(const std::string &path,
                                         const ModelConfig &config);

  /// In the order of parameterShapes(), in f32.
  const std::vector<runtime::TensorView> &tensors() const { return list; }

private:
  explicit ImportedParameters(runtime::SafetensorsFile file)
      : file(std::move(file)) {}

  Status take(const Parameter &parameter, const std::string &path);

  runtime::SafetensorsFile file;
  std::vector<runtime::TensorView> list;
  std::vector<std::unique_ptr<float[]>> zeros;
};

} // namespace attnres::run

#endif
