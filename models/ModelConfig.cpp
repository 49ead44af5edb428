// Reading, checking and writing config.json, and the presets.
#include "models/ModelConfig.h"

#include "support/File.h"
#include "support/FloatRange.h"
#include "support/NearestName.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

using nlohmann::json;

namespace attnres {
namespace {

// Names in the order of the enumerators.
template <typename Enum>
struct EnumNames;
template <>
struct EnumNames<NormType> {
  static constexpr std::array<std::string_view, 2> names = {"rmsnorm",
                                                            "layernorm"};
};
template <>
struct EnumNames<HiddenAct> {
  static constexpr std::array<std::string_view, 3> names = {"silu", "gelu",
                                                            "situ"};
};
template <>
struct EnumNames<LayerType> {
  static constexpr std::array<std::string_view, 3> names = {"attention", "kda",
                                                            "mla"};
};
template <>
struct EnumNames<AttnResMode> {
  static constexpr std::array<std::string_view, 4> names = {"off", "full",
                                                            "block", "static"};
};

template <>
struct EnumNames<AttnResQuery> {
  static constexpr std::array<std::string_view, 3> names = {"vector", "input",
                                                            "scalar"};
};
template <>
struct EnumNames<AttnResWeights> {
  static constexpr std::array<std::string_view, 2> names = {"softmax",
                                                            "sigmoid"};
};

template <typename Enum>
std::string_view enumName(Enum value) {
  return EnumNames<Enum>::names[static_cast<size_t>(value)];
}

template <typename Enum>
std::optional<Enum> parseEnum(std::string_view name) {
  constexpr auto &names = EnumNames<Enum>::names;
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// Calls visit(name, field) for every field in the order of the struct: the
/// one place that knows the names in config.json.
template <typename Config, typename Visit>
void forEachField(Config &c, Visit visit) {
  visit("vocab_size", c.vocabSize);
  visit("hidden_size", c.hiddenSize);
  visit("num_hidden_layers", c.numHiddenLayers);
  visit("num_attention_heads", c.numAttentionHeads);
  visit("num_key_value_heads", c.numKeyValueHeads);
  visit("head_dim", c.headDim);
  visit("intermediate_size", c.intermediateSize);
  visit("norm_type", c.normType);
  visit("norm_eps", c.normEps);
  visit("hidden_act", c.hiddenAct);
  visit("attention_bias", c.attentionBias);
  visit("qk_norm", c.qkNorm);
  visit("mlp_bias", c.mlpBias);
  visit("rope_theta", c.ropeTheta);
  visit("tie_word_embeddings", c.tieWordEmbeddings);
  visit("layer_types", c.layerTypes);
  visit("attnres", c.attnres);
  visit("attnres_block_size", c.attnresBlockSize);
  visit("attnres_zero_init_queries", c.attnresZeroInitQueries);
  visit("attnres_final_aggregate", c.attnresFinalAggregate);
  visit("attnres_eps", c.attnresEps);
  visit("attnres_query", c.attnresQuery);
  visit("attnres_weights", c.attnresWeights);
  visit("attnres_key_norm", c.attnresKeyNorm);
  visit("attnres_heads", c.attnresHeads);
  visit("attnres_window", c.attnresWindow);
  visit("kda_num_heads", c.kdaNumHeads);
  visit("kda_head_dim", c.kdaHeadDim);
  visit("kda_conv_size", c.kdaConvSize);
  visit("kda_gate_lower_bound", c.kdaGateLowerBound);
  visit("mla_num_heads", c.mlaNumHeads);
  visit("mla_kv_lora_rank", c.mlaKvLoraRank);
  visit("mla_q_lora_rank", c.mlaQLoraRank);
  visit("mla_qk_head_dim", c.mlaQkHeadDim);
  visit("mla_v_head_dim", c.mlaVHeadDim);
  visit("num_experts", c.numExperts);
  visit("num_experts_per_tok", c.numExpertsPerTok);
  visit("num_shared_experts", c.numSharedExperts);
  visit("moe_latent_size", c.moeLatentSize);
  visit("moe_intermediate_size", c.moeIntermediateSize);
  visit("first_k_dense_replace", c.firstKDenseReplace);
}

// ------------------------------------------------------------------- reading

std::string describe(const json &value) {
  if (value.is_null())
    return "null";
  std::string text = inQuotes(value.dump());
  return concat(value.type_name(), " ", text.substr(1, text.size() - 2));
}

/// read(value, field) stores a JSON value, or returns what was expected.
using Expected = std::optional<std::string>;

Expected read(const json &value, int64_t &field) {
  if (!value.is_number_integer())
    return "an integer";
  if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX)
    return "an integer below 2^63";
  field = value.get<int64_t>();
  return std::nullopt;
}

Expected read(const json &value, double &field) {
  if (!value.is_number())
    return "a number";
  field = value.get<double>();
  return std::nullopt;
}

Expected read(const json &value, bool &field) {
  if (!value.is_boolean())
    return "true or false";
  field = value.get<bool>();
  return std::nullopt;
}

template <typename Enum>
std::enable_if_t<std::is_enum_v<Enum>, Expected> read(const json &value,
                                                      Enum &field) {
  std::optional<Enum> parsed;
  if (value.is_string())
    parsed = parseEnum<Enum>(value.get_ref<const std::string &>());
  if (!parsed) {
    std::string expected = "one of";
    for (std::string_view name : EnumNames<Enum>::names)
      expected += concat(" ", name);
    return expected;
  }
  field = *parsed;
  return std::nullopt;
}

template <typename T>
Expected read(const json &value, std::optional<T> &field) {
  if (value.is_null()) {
    field.reset();
    return std::nullopt;
  }
  T parsed;
  if (Expected expected = read(value, parsed))
    return concat(*expected, " or null");
  field = parsed;
  return std::nullopt;
}

template <typename T>
Status readField(const std::string &where, std::string_view name,
                 const json &value, T &field) {
  if (Expected expected = read(value, field))
    return invalidData(where, ": field '", name, "': expected ", *expected,
                       ", got ", describe(value));
  return {};
}

Status readField(const std::string &where, std::string_view name,
                 const json &value, std::vector<LayerType> &field) {
  field.clear();
  if (value.is_null())
    return {};
  if (!value.is_array())
    return invalidData(where, ": field '", name,
                       "': expected an array or null, got ", describe(value));
  if (value.empty())
    return invalidData(where, ": field '", name,
                       "': expected one type per decoder block, got none");
  field.resize(value.size());
  for (size_t i = 0; i < field.size(); ++i)
    if (Status status =
            readField(where, concat(name, "[", i, "]"), value[i], field[i]);
        !status.ok())
      return status;
  return {};
}

// ------------------------------------------------------------------- writing

json write(int64_t value) { return value; }
json write(double value) { return value; }
json write(bool value) { return value; }
template <typename Enum>
std::enable_if_t<std::is_enum_v<Enum>, json> write(Enum value) {
  return std::string(enumName(value));
}
template <typename T>
json write(const std::optional<T> &value) {
  return value ? write(*value) : json(nullptr);
}
json write(const std::vector<LayerType> &types) {
  if (types.empty())
    return nullptr;
  json result = json::array();
  for (LayerType type : types)
    result.push_back(write(type));
  return result;
}

// ------------------------------------------------------------------ checking

// Layers and experts are bounded because each has a name and code of its own.
constexpr int64_t maxWidth = INT32_MAX;
constexpr int64_t maxLayers = 10'000;
constexpr int64_t maxExpertMatrices = 1'000'000;
// A model has fewer than 2^22 matrices, so that all their elements together are
// fewer than 2^60, and their bytes can be counted.
constexpr int64_t maxMatrixElements = int64_t{1} << 38;

/// Collects the first violated rule.
class Checker {
public:
  explicit Checker(const std::string &where) : where(where) {}

  template <typename... Reason>
  void require(bool holds, std::string_view field, const Reason &...reason) {
    if (status.ok() && !holds)
      status = invalidData(where, ": field '", field, "': ", reason...);
  }

  void range(std::string_view field, int64_t value, int64_t low,
             int64_t high = maxWidth) {
    require(value >= low && value <= high, field, "expected an integer from ",
            low, " to ", high, ", got ", value);
  }

  void range(std::string_view field, const std::optional<int64_t> &value,
             int64_t low, int64_t high = maxWidth) {
    if (value)
      range(field, *value, low, high);
  }

  /// Only called with factors that passed range().
  void product(std::string_view field, std::string_view other, int64_t a,
               int64_t b, int64_t limit = maxWidth) {
    require(a <= limit / std::max<int64_t>(b, 1), field, "times '", other,
            "' is ", a, " * ", b, ", limit is ", limit);
  }

  /// Models compute in f32, where a smaller number would be 0 and a larger one
  /// infinite.
  void positive(std::string_view field, double value) {
    require(value > 0, field, "expected a positive number, got ", value);
    require(isNormalFloat(value), field,
            "expected a number that 32 bits hold, ", normalFloatRange, ", got ",
            value);
  }

  Status status;

private:
  const std::string &where;
};

/// Both extents of every matrix are among these.
void checkLargestMatrix(const ModelConfig &c, Checker &check) {
  std::vector<std::pair<int64_t, std::string_view>> widths = {
      {c.vocabSize, "vocab_size"},
      {c.hiddenSize, "hidden_size"},
      {c.intermediateSize, "intermediate_size"},
      {c.numAttentionHeads * c.headDim, "num_attention_heads * head_dim"},
      {c.kdaNumHeads * c.kdaHeadDim, "kda_num_heads * kda_head_dim"},
      {c.kdaConvSize, "kda_conv_size"},
      {c.mlaNumHeads * (c.mlaQkHeadDim + c.mlaVHeadDim),
       "mla_num_heads * (mla_qk_head_dim + mla_v_head_dim)"},
      {c.mlaKvLoraRank, "mla_kv_lora_rank"},
      {c.mlaQLoraRank.value_or(1), "mla_q_lora_rank"},
      {c.numExperts, "num_experts"},
      {c.moeLatentSize.value_or(1), "moe_latent_size"},
      {c.moeIntermediateSize, "moe_intermediate_size"}};
  std::partial_sort(widths.begin(), widths.begin() + 2, widths.end(),
                    [](auto &a, auto &b) { return a.first > b.first; });
  check.product(widths[0].second, widths[1].second, widths[0].first,
                widths[1].first, maxMatrixElements);
}

bool usesLayer(const ModelConfig &c, LayerType type) {
  if (c.layerTypes.empty())
    return type == LayerType::Attention;
  return std::find(c.layerTypes.begin(), c.layerTypes.end(), type) !=
         c.layerTypes.end();
}

} // namespace

std::string_view toString(NormType value) { return enumName(value); }
std::string_view toString(HiddenAct value) { return enumName(value); }
std::string_view toString(LayerType value) { return enumName(value); }
std::string_view toString(AttnResMode value) { return enumName(value); }

std::optional<AttnResMode> parseAttnResMode(std::string_view name) {
  return parseEnum<AttnResMode>(name);
}

int64_t ModelConfig::sublayersPerBlock() const {
  return 2 * attnresBlockSize.value_or((numHiddenLayers + 7) / 8);
}

bool ModelConfig::hasDepthVariant() const {
  bool attends = attnres == AttnResMode::Full || attnres == AttnResMode::Block;
  return attends && (attnresQuery != AttnResQuery::Vector ||
                     attnresWeights != AttnResWeights::Softmax ||
                     !attnresKeyNorm || attnresHeads > 1 || attnresWindow);
}

Status ModelConfig::validate(const std::string &where) const {
  Checker check(where);
  check.range("vocab_size", vocabSize, 1);
  check.range("hidden_size", hiddenSize, 1);
  check.range("num_hidden_layers", numHiddenLayers, 1, maxLayers);
  check.range("num_attention_heads", numAttentionHeads, 1);
  check.range("num_key_value_heads", numKeyValueHeads, 1);
  check.range("head_dim", headDim, 1);
  check.range("intermediate_size", intermediateSize, 1);
  check.range("attnres_block_size", attnresBlockSize, 1);
  check.range("attnres_heads", attnresHeads, 1);
  check.range("attnres_window", attnresWindow, 1);
  check.range("kda_num_heads", kdaNumHeads, 1);
  check.range("kda_head_dim", kdaHeadDim, 1);
  check.range("kda_conv_size", kdaConvSize, 1);
  check.range("mla_num_heads", mlaNumHeads, 1);
  check.range("mla_kv_lora_rank", mlaKvLoraRank, 1);
  check.range("mla_q_lora_rank", mlaQLoraRank, 1);
  check.range("mla_qk_head_dim", mlaQkHeadDim, 1);
  check.range("mla_v_head_dim", mlaVHeadDim, 1);
  check.range("num_experts", numExperts, 0, maxExpertMatrices);
  check.range("num_experts_per_tok", numExpertsPerTok, 1);
  check.range("num_shared_experts", numSharedExperts, 0, maxExpertMatrices);
  check.range("moe_latent_size", moeLatentSize, 1);
  check.range("moe_intermediate_size", moeIntermediateSize, 1);
  check.range("first_k_dense_replace", firstKDenseReplace, 0);
  check.positive("norm_eps", normEps);
  check.positive("attnres_eps", attnresEps);
  if (ropeTheta)
    check.positive("rope_theta", *ropeTheta);
  if (kdaGateLowerBound) {
    check.require(*kdaGateLowerBound < 0, "kda_gate_lower_bound",
                  "expected a negative number, got ", *kdaGateLowerBound);
    check.positive("kda_gate_lower_bound", -*kdaGateLowerBound);
  }
  if (!layerTypes.empty())
    check.require(layerTypes.size() == static_cast<size_t>(numHiddenLayers),
                  "layer_types", "expected one type per decoder block, ",
                  numHiddenLayers, ", got ", layerTypes.size());
  if (!check.status.ok())
    return check.status;

  check.require(numAttentionHeads % numKeyValueHeads == 0,
                "num_attention_heads", "expected a multiple of ",
                numKeyValueHeads, " key/value heads, got ", numAttentionHeads);
  check.require(
      !ropeTheta || !usesLayer(*this, LayerType::Attention) || headDim % 2 == 0,
      "head_dim", "rotary embedding needs an even size, got ", headDim);
  check.require(hiddenSize % attnresHeads == 0, "attnres_heads",
                "expected a divisor of 'hidden_size' ", hiddenSize, ", got ",
                attnresHeads);
  if (attnresQuery == AttnResQuery::Scalar)
    check.require(attnresKeyNorm && attnresHeads == 1 &&
                      attnresWeights == AttnResWeights::Softmax,
                  "attnres_query",
                  "scalar has no keys: 'attnres_key_norm', "
                  "'attnres_heads' and 'attnres_weights' stay as they are");
  check.require(numExperts == 0 || numExpertsPerTok <= numExperts,
                "num_experts_per_tok", "expected at most ", numExperts,
                " experts, got ", numExpertsPerTok);
  check.product("num_attention_heads", "head_dim", numAttentionHeads, headDim);
  check.product("kda_num_heads", "kda_head_dim", kdaNumHeads, kdaHeadDim);
  check.product("mla_num_heads", "mla_qk_head_dim + mla_v_head_dim",
                mlaNumHeads, mlaQkHeadDim + mlaVHeadDim);
  if (numExperts > 0)
    check.require((numExperts + numSharedExperts) * numHiddenLayers <=
                      maxExpertMatrices,
                  "num_experts", "more than ", maxExpertMatrices,
                  " experts in all layers together");
  if (check.status.ok())
    checkLargestMatrix(*this, check);
  return check.status;
}

Result<ModelConfig> ModelConfig::fromJson(std::string_view text,
                                          const std::string &where) {
  Result<json> document = parseStrictJson(text, where);
  if (!document.ok())
    return document.status();
  if (!document->is_object())
    return invalidData(where, ": expected an object, got ",
                       describe(*document));
  if (document->value("model_type", json()) == json("attnres")) {
    // As `attnres-run export` writes it.
    document->erase("model_type");
    document->erase("architectures");
  }
  if (document->contains("architectures") || document->contains("model_type"))
    return invalidData(
        where, ": a configuration of Hugging Face Transformers; `attnres-run "
               "import DIR --out MODEL` makes a model of it, and `attnres-run "
               "config --preset toy` prints the fields that are known here");
  ModelConfig config;
  Status status;
  size_t known = 0;
  forEachField(config, [&](const char *name, auto &field) {
    auto found = document->find(name);
    if (found == document->end())
      return;
    ++known;
    if (status.ok())
      status = readField(where, name, *found, field);
  });
  if (!status.ok())
    return status;
  if (known != document->size()) {
    forEachField(config,
                 [&](const char *name, auto &) { document->erase(name); });
    const std::string &unknown = document->begin().key();
    return invalidData(where, ": unknown field ", inQuotes(unknown),
                       didYouMean(unknown, fieldNames()));
  }
  status = config.validate(where);
  if (!status.ok())
    return status;
  return config;
}

Result<ModelConfig> ModelConfig::fromFile(const std::string &path) {
  Result<std::string> text = readFile(path, 1 << 20);
  if (!text.ok())
    return text.status();
  return fromJson(*text, path);
}

const std::vector<std::string> &ModelConfig::fieldNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    ModelConfig config;
    forEachField(config,
                 [&](const char *name, auto &) { result.push_back(name); });
    return result;
  }();
  return names;
}

Result<ModelConfig>
ModelConfig::with(const std::vector<std::string> &assignments,
                  const std::string &where) const {
  json document = json::parse(toJson());
  for (const std::string &assignment : assignments) {
    size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      return invalidArgument(where, ": expected FIELD=VALUE, got ",
                             inQuotes(assignment));
    std::string name = assignment.substr(0, equals);
    std::string value = assignment.substr(equals + 1);
    Result<json> parsed = parseStrictJson(value, where);
    // Names need no quotes.
    document[name] = parsed.ok() ? *std::move(parsed) : json(value);
  }
  // Invalid UTF-8 is replaced: no field accepts it either way.
  return fromJson(document.dump(-1, ' ', false, json::error_handler_t::replace),
                  where);
}

std::string ModelConfig::toJson() const {
  nlohmann::ordered_json document;
  forEachField(*this, [&](const char *name, const auto &field) {
    document[name] = write(field);
  });
  return document.dump(1) + "\n";
}

// ------------------------------------------------------------------- presets

namespace {

ModelConfig toyPreset() {
  ModelConfig c;
  c.vocabSize = 256; // bytes
  c.hiddenSize = 256;
  c.numHiddenLayers = 4;
  c.numAttentionHeads = c.numKeyValueHeads = 4;
  c.headDim = 64;
  c.intermediateSize = 688; // 8/3 D, rounded up to a multiple of 16
  c.kdaNumHeads = 4;
  c.kdaHeadDim = 64;
  return c;
}

ModelConfig halfBillionPreset() {
  ModelConfig c;
  c.vocabSize = 256; // bytes; a tokenizer brings its own size
  c.hiddenSize = 768;
  c.numHiddenLayers = 24;
  c.numAttentionHeads = c.numKeyValueHeads = 12;
  c.headDim = 64;
  c.intermediateSize = 2048;
  return c;
}

/// The multiplication experiment.
ModelConfig ch5Preset() {
  ModelConfig c;
  c.vocabSize = 20;
  c.hiddenSize = 256;
  c.numHiddenLayers = 6;
  c.numAttentionHeads = c.numKeyValueHeads = 8;
  c.headDim = 32;
  c.intermediateSize = 1024;
  c.normType = NormType::LayerNorm;
  c.normEps = 1e-5;
  c.hiddenAct = HiddenAct::Gelu;
  c.mlpBias = true;
  return c;
}

ModelConfig kdaToyPreset() {
  ModelConfig c = toyPreset();
  c.layerTypes.assign(static_cast<size_t>(c.numHiddenLayers), LayerType::Kda);
  return c;
}

/// Three KDA blocks, then one of latent attention, repeated.
std::vector<LayerType> threeToOne(int64_t numLayers) {
  std::vector<LayerType> types;
  for (int64_t i = 0; i < numLayers; ++i)
    types.push_back(i % 4 == 3 ? LayerType::Mla : LayerType::Kda);
  return types;
}

ModelConfig k3ToyPreset() {
  ModelConfig c = toyPreset();
  c.layerTypes = threeToOne(c.numHiddenLayers);
  c.ropeTheta = std::nullopt;
  c.hiddenAct = HiddenAct::Situ;
  c.attnres = AttnResMode::Block;
  c.mlaNumHeads = 4;
  c.mlaKvLoraRank = 64;
  c.mlaQLoraRank = 96;
  c.mlaQkHeadDim = 96;
  c.mlaVHeadDim = 64;
  c.numExperts = 8;
  c.numExpertsPerTok = 2;
  c.moeLatentSize = 128;
  c.moeIntermediateSize = 256;
  return c;
}

/// The published depth: 93 decoder blocks, 12 per depth block; widths reduced.
ModelConfig k3GeometryPreset() {
  ModelConfig c = k3ToyPreset();
  c.hiddenSize = 64;
  c.numHiddenLayers = 93;
  c.headDim = 16;
  c.intermediateSize = 176;
  c.layerTypes = threeToOne(c.numHiddenLayers);
  c.attnresBlockSize = 12;
  c.kdaHeadDim = 16;
  c.mlaKvLoraRank = 16;
  c.mlaQLoraRank = 24;
  c.mlaQkHeadDim = 24;
  c.mlaVHeadDim = 16;
  c.moeLatentSize = 32;
  c.moeIntermediateSize = 64;
  return c;
}

/// The same depth schedule with nothing but plain attention and dense FFNs.
ModelConfig k3GeometryAttentionPreset() {
  ModelConfig c = k3GeometryPreset();
  c.layerTypes.clear();
  c.numExperts = 0;
  c.moeLatentSize = std::nullopt;
  c.hiddenAct = HiddenAct::Silu;
  return c;
}

struct Preset {
  std::string_view name;
  ModelConfig (*make)();
  std::string_view description;
};
constexpr Preset presets[] = {
    {"toy", toyPreset, "4 decoder blocks on bytes, for first experiments"},
    {"0.5b", halfBillionPreset,
     "24 decoder blocks of width 768, the depth of a half-billion model"},
    {"ch5", ch5Preset,
     "the multiplication experiment: 20 symbols, GELU, layer norm"},
    {"kda-toy", kdaToyPreset, "toy with Kimi delta attention in every block"},
    {"k3-toy", k3ToyPreset,
     "three KDA blocks to one of latent attention, mixture of experts, depth "
     "blocks"},
    {"k3-geometry", k3GeometryPreset,
     "the published depth of 93 decoder blocks at reduced width"},
    {"k3-geometry-attention", k3GeometryAttentionPreset,
     "the same depth with plain attention and dense feed-forward networks"},
};

const Preset *findPreset(std::string_view name) {
  for (const Preset &preset : presets)
    if (preset.name == name)
      return &preset;
  return nullptr;
}

} // namespace

const std::vector<std::string_view> &presetNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    for (const Preset &preset : presets)
      result.push_back(preset.name);
    return result;
  }();
  return names;
}

std::string_view presetDescription(std::string_view name) {
  const Preset *preset = findPreset(name);
  return preset ? preset->description : std::string_view();
}

Result<ModelConfig> ModelConfig::preset(std::string_view name) {
  if (const Preset *preset = findPreset(name))
    return preset->make();
  std::string known;
  for (std::string_view candidate : presetNames())
    known += concat(" ", candidate);
  std::vector<std::string> names(presetNames().begin(), presetNames().end());
  return invalidArgument("unknown preset ", inQuotes(name), ", expected one of",
                         known, didYouMean(std::string(name), names));
}

} // namespace attnres
