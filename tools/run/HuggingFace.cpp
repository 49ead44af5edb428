// What is called how, and what is refused.
#include "tools/run/HuggingFace.h"

#include "support/StrictJson.h"

#include <algorithm>
#include <set>

namespace attnres::run {

using nlohmann::json;
using nlohmann::ordered_json;
using runtime::SafetensorsFile;
using runtime::TensorView;

namespace {

/// Reads fields of one config.json; the first error stays.
class Fields {
public:
  Fields(const json &object, const std::string &where)
      : object(object), where(where) {}

  const json &operator[](const char *name) const {
    static const json none;
    auto found = object.find(name);
    return found == object.end() ? none : *found;
  }

  /// Leaves `value` as it is when the field is absent or null.
  void read(const char *name, int64_t &value) {
    const json &found = (*this)[name];
    if (found.is_null())
      return;
    if (!found.is_number_unsigned() || found.get<uint64_t>() > INT64_MAX)
      return fail(name, found, "an integer");
    value = found.get<int64_t>();
  }
  void read(const char *name, double &value) {
    const json &found = (*this)[name];
    if (found.is_null())
      return;
    if (!found.is_number())
      return fail(name, found, "a number");
    value = found.get<double>();
  }
  void read(const char *name, bool &value) {
    const json &found = (*this)[name];
    if (found.is_null())
      return;
    if (!found.is_boolean())
      return fail(name, found, "true or false");
    value = found.get<bool>();
  }
  void require(const char *name) {
    if ((*this)[name].is_null())
      fail(name, json(), "a value");
  }
  /// Absent, null or `value`.
  void expect(const char *name, const json &value) {
    const json &found = (*this)[name];
    if (!found.is_null() && found != value)
      fail(name, found, value.dump());
  }
  void fail(const char *name, const json &found, const std::string &expected) {
    if (status.ok())
      status = unsupported(where, ": field '", name, "': expected ", expected,
                           ", got ", found.dump());
  }

  Status status;

private:
  const json &object;
  const std::string &where;
};

constexpr const char *knownTypes[] = {"llama", "mistral", "qwen2", "qwen3"};

/// Where a rotation says how fast it is: `rope_theta`, and in new files inside
/// `rope_parameters`. Scaled ones are refused.
void readRotation(Fields &fields, ModelConfig &config) {
  double theta = 10000;
  fields.read("rope_theta", theta);
  for (const char *name : {"rope_parameters", "rope_scaling"}) {
    const json &rope = fields[name];
    if (rope.is_null())
      continue;
    auto isPlain = [&](const char *type) {
      return !rope.contains(type) || rope[type] == json("default");
    };
    if (!rope.is_object() || !isPlain("rope_type") || !isPlain("type") ||
        (rope.contains("partial_rotary_factor") &&
         rope["partial_rotary_factor"] != json(1.0)))
      return fields.fail(name, rope,
                         "no scaling, since models here rotate by plain "
                         "angles");
    if (rope.contains("rope_theta") && rope["rope_theta"].is_number())
      theta = rope["rope_theta"].get<double>();
  }
  config.ropeTheta = theta;
}

bool startsWith(const std::string &text, std::string_view beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Result<ModelConfig> fromHuggingFace(const std::string &text,
                                    const std::string &where) {
  Result<json> document = parseStrictJson(text, where);
  if (!document.ok())
    return document.status();
  if (!document->is_object())
    return invalidData(where, ": expected an object");
  Fields fields(*document, where);
  const json &type = fields["model_type"];
  if (std::none_of(std::begin(knownTypes), std::end(knownTypes),
                   [&](const char *known) { return type == json(known); }))
    return unsupported(where,
                       ": field 'model_type': expected llama, mistral, "
                       "qwen2 or qwen3, got ",
                       type.dump());
  ModelConfig config;
  for (const char *name : {"vocab_size", "hidden_size", "intermediate_size",
                           "num_hidden_layers", "num_attention_heads"})
    fields.require(name);
  fields.read("vocab_size", config.vocabSize);
  fields.read("hidden_size", config.hiddenSize);
  fields.read("intermediate_size", config.intermediateSize);
  fields.read("num_hidden_layers", config.numHiddenLayers);
  fields.read("num_attention_heads", config.numAttentionHeads);
  config.numKeyValueHeads = config.numAttentionHeads;
  fields.read("num_key_value_heads", config.numKeyValueHeads);
  config.headDim =
      config.hiddenSize / std::max<int64_t>(config.numAttentionHeads, 1);
  fields.read("head_dim", config.headDim);
  fields.read("rms_norm_eps", config.normEps);
  fields.read("tie_word_embeddings", config.tieWordEmbeddings);
  fields.expect("hidden_act", "silu");
  config.attentionBias = type == json("qwen2"); // it has no field for that
  config.qkNorm = type == json("qwen3");
  fields.read("attention_bias", config.attentionBias);
  fields.read("mlp_bias", config.mlpBias);
  readRotation(fields, config);
  fields.expect("use_sliding_window", false);
  if (type == json("mistral"))
    fields.expect("sliding_window", json());
  for (const json &layer : fields["layer_types"])
    if (layer != json("full_attention"))
      fields.fail("layer_types", layer, "\"full_attention\"");
  if (!fields.status.ok())
    return fields.status;
  if (Status status = config.validate(where); !status.ok())
    return status;
  return config;
}

bool isLlama(const ModelConfig &config) {
  // The type with norms of queries and keys has no such biases.
  bool hasType = !(config.qkNorm && config.mlpBias);
  return hasType && config.attnres == AttnResMode::Off && config.ropeTheta &&
         config.normType == NormType::RmsNorm &&
         config.hiddenAct == HiddenAct::Silu && config.numExperts == 0 &&
         std::all_of(
             config.layerTypes.begin(), config.layerTypes.end(),
             [](LayerType type) { return type == LayerType::Attention; });
}

std::string toHuggingFace(const ModelConfig &config, int64_t positions,
                          const std::string &dtype) {
  bool isQwen = config.qkNorm;
  ordered_json file = {
      {"architectures", {isQwen ? "Qwen3ForCausalLM" : "LlamaForCausalLM"}},
      {"model_type", isQwen ? "qwen3" : "llama"},
      {"vocab_size", config.vocabSize},
      {"hidden_size", config.hiddenSize},
      {"intermediate_size", config.intermediateSize},
      {"num_hidden_layers", config.numHiddenLayers},
      {"num_attention_heads", config.numAttentionHeads},
      {"num_key_value_heads", config.numKeyValueHeads},
      {"head_dim", config.headDim},
      {"hidden_act", "silu"},
      {"rms_norm_eps", config.normEps},
      {"rope_theta", *config.ropeTheta},
      {"attention_bias", config.attentionBias},
      {"tie_word_embeddings", config.tieWordEmbeddings},
      {"max_position_embeddings", positions},
      {"torch_dtype", dtype}};
  if (!isQwen)
    file["mlp_bias"] = config.mlpBias;
  return file.dump(2) + "\n";
}

std::string huggingFaceName(const std::string &parameter) {
  if (parameter == "embedding.weight")
    return "model.embed_tokens.weight";
  if (startsWith(parameter, "norm."))
    return "model." + parameter;
  constexpr std::string_view blocks = "blocks.";
  if (!startsWith(parameter, blocks))
    return parameter; // lm_head
  size_t dot = parameter.find('.', blocks.size());
  std::string name = "model.layers." +
                     parameter.substr(blocks.size(), dot - blocks.size()),
              rest = parameter.substr(dot);
  for (auto [here, there] :
       {std::pair(".attn.", ".self_attn."), std::pair(".ffn.", ".mlp."),
        std::pair(".attn_norm.", ".input_layernorm."),
        std::pair(".ffn_norm.", ".post_attention_layernorm.")})
    if (startsWith(rest, here))
      return name + there + rest.substr(std::string_view(here).size());
  return name + rest;
}

Result<ImportedParameters> ImportedParameters::open(const std::string &path,
                                                    const ModelConfig &config) {
  Result<SafetensorsFile> file = SafetensorsFile::openModel(path);
  if (!file.ok())
    return file.status();
  file->widenHalves();
  ImportedParameters parameters(*std::move(file));
  std::set<std::string> known;
  for (const Parameter &parameter : parameterShapes(config)) {
    known.insert(huggingFaceName(parameter.name));
    if (Status status = parameters.take(parameter, path); !status.ok())
      return status;
  }
  for (const TensorView &tensor : parameters.file.tensors()) {
    // Tables, and what old files repeat of tied matrices.
    bool isRepeated =
        endsWith(tensor.name, ".rotary_emb.inv_freq") ||
        (config.tieWordEmbeddings && tensor.name == "lm_head.weight");
    if (!isRepeated && !known.count(tensor.name))
      return unsupported(path, ": tensor ", inQuotes(tensor.name),
                         " is no parameter of the model that config.json "
                         "describes");
  }
  return parameters;
}

Status ImportedParameters::take(const Parameter &parameter,
                                const std::string &path) {
  std::string name = huggingFaceName(parameter.name);
  const TensorView *stored = file.find(name);
  if (!stored && endsWith(name, ".self_attn.o_proj.bias")) {
    std::string other = name;
    other.replace(other.size() - std::string_view("o_proj.bias").size(), 1,
                  "q");
    if (file.find(other)) {
      auto count = static_cast<size_t>(parameter.numElements());
      zeros.push_back(std::make_unique<float[]>(count));
      list.push_back({parameter.name, runtime::DType::F32, parameter.shape,
                      zeros.back().get(),
                      static_cast<int64_t>(count * sizeof(float))});
      return {};
    }
  }
  if (!stored)
    return invalidData(path, ": tensor ", inQuotes(name), " is missing");
  if (stored->shape != parameter.shape)
    return invalidData(path, ": tensor ", inQuotes(name), ": expected shape ",
                       runtime::describeShape(parameter.shape), ", got ",
                       runtime::describeShape(stored->shape));
  if (stored->dtype != runtime::DType::F32)
    return invalidData(path, ": tensor ", inQuotes(name),
                       ": expected F32, F16 or BF16, got ",
                       runtime::dtypeName(stored->dtype));
  list.push_back(*stored);
  list.back().name = parameter.name;
  return {};
}

} // namespace attnres::run
