// config.json is read strictly, and presets are what they are called after.
#include "models/ModelConfig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

using namespace attnres;

namespace {

std::string errorOf(std::string_view text) {
  auto config = ModelConfig::fromJson(text, "config.json");
  return config.ok() ? "" : config.status().message();
}

constexpr const char *goldenCases[] = {
    "off",       "full",   "full_no_final", "block_auto", "block_2",
    "block_one", "static", "gqa_tied",      "odd_sizes",  "block_remainder",
    "kda",       "k3",     "kda_bounded",   "qk_norm"};

TEST(ModelConfig, DefaultsAreOff) {
  auto config = ModelConfig::fromJson("{}", "config.json");
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->attnres, AttnResMode::Off);
  EXPECT_EQ(config->toJson(), ModelConfig().toJson());
}

TEST(ModelConfig, GoldenConfigsRoundTrip) {
  for (const char *name : goldenCases) {
    std::string path =
        std::string(ATTNRES_GOLDEN_DIR "/") + name + "/config.json";
    auto config = ModelConfig::fromFile(path);
    ASSERT_TRUE(config.ok()) << config.status().message();
    auto again = ModelConfig::fromJson(config->toJson(), "again");
    ASSERT_TRUE(again.ok()) << again.status().message();
    EXPECT_EQ(again->toJson(), config->toJson());
  }
}

TEST(ModelConfig, CF2ReadsEveryField) {
  auto config = ModelConfig::fromJson(R"({
    "vocab_size": 101, "hidden_size": 102, "num_hidden_layers": 2,
    "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10,
    "intermediate_size": 105, "norm_type": "layernorm", "norm_eps": 0.5,
    "hidden_act": "situ", "attention_bias": true, "qk_norm": true,
    "mlp_bias": true,
    "rope_theta": 7, "tie_word_embeddings": true,
    "layer_types": ["mla", "kda"], "attnres": "block",
    "attnres_block_size": 3, "attnres_zero_init_queries": false,
    "attnres_final_aggregate": false, "attnres_eps": 0.25,
    "attnres_query": "input", "attnres_weights": "sigmoid",
    "attnres_key_norm": false, "attnres_heads": 3, "attnres_window": 2,
    "kda_num_heads": 11, "kda_head_dim": 12, "kda_conv_size": 13,
    "kda_gate_lower_bound": -5, "mla_num_heads": 14, "mla_kv_lora_rank": 15,
    "mla_q_lora_rank": 16, "mla_qk_head_dim": 17, "mla_v_head_dim": 18,
    "num_experts": 19, "num_experts_per_tok": 5, "num_shared_experts": 0,
    "moe_latent_size": 22, "moe_intermediate_size": 23,
    "first_k_dense_replace": 0})",
                                      "config.json");
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->vocabSize, 101);
  EXPECT_EQ(config->numKeyValueHeads, 3);
  EXPECT_EQ(config->normType, NormType::LayerNorm);
  EXPECT_EQ(config->normEps, 0.5);
  EXPECT_EQ(config->hiddenAct, HiddenAct::Situ);
  EXPECT_EQ(config->ropeTheta, 7.0);
  EXPECT_EQ(config->layerTypes,
            (std::vector<LayerType>{LayerType::Mla, LayerType::Kda}));
  EXPECT_EQ(config->attnres, AttnResMode::Block);
  EXPECT_EQ(config->attnresBlockSize, 3);
  EXPECT_FALSE(config->attnresZeroInitQueries);
  EXPECT_EQ(config->attnresQuery, AttnResQuery::Input);
  EXPECT_EQ(config->attnresWeights, AttnResWeights::Sigmoid);
  EXPECT_FALSE(config->attnresKeyNorm);
  EXPECT_EQ(config->attnresHeads, 3);
  EXPECT_EQ(config->attnresWindow, 2);
  EXPECT_EQ(config->kdaGateLowerBound, -5.0);
  EXPECT_EQ(config->mlaQLoraRank, 16);
  EXPECT_EQ(config->moeLatentSize, 22);
  EXPECT_EQ(config->firstKDenseReplace, 0);
  // No field kept its default, so none was skipped.
  std::string text = config->toJson(), defaults = ModelConfig().toJson();
  std::istringstream lines(text), defaultLines(defaults);
  for (std::string line, other;
       std::getline(lines, line) && std::getline(defaultLines, other);) {
    if (line.find(':') != std::string::npos) {
      EXPECT_NE(line, other);
    }
  }
}

TEST(ModelConfig, CF1UnknownAndDuplicateFields) {
  EXPECT_EQ(errorOf(R"({"foo": 1})"), "config.json: unknown field 'foo'");
  EXPECT_EQ(errorOf(R"({"hidden_size": 32, "attnres_blocksize": 1})"),
            "config.json: unknown field 'attnres_blocksize'; did you mean "
            "'attnres_block_size'?");
  EXPECT_EQ(errorOf(R"({"hidden_size": 32, "hidden_size": 32})"),
            "config.json: duplicate key 'hidden_size'");
  EXPECT_EQ(errorOf("[]"), "config.json: expected an object, got array []");
}

TEST(ModelConfig, WrongTypes) {
  EXPECT_EQ(errorOf(R"({"hidden_size": "32"})"),
            "config.json: field 'hidden_size': expected an integer, got "
            "string \"32\"");
  EXPECT_EQ(errorOf(R"({"hidden_size": 32.0})"),
            "config.json: field 'hidden_size': expected an integer, got "
            "number 32.0");
  EXPECT_EQ(errorOf(R"({"hidden_size": true})"),
            "config.json: field 'hidden_size': expected an integer, got "
            "boolean true");
  EXPECT_EQ(errorOf(R"({"hidden_size": null})"),
            "config.json: field 'hidden_size': expected an integer, got "
            "null");
  EXPECT_EQ(errorOf(R"({"hidden_size": 18446744073709551615})"),
            "config.json: field 'hidden_size': expected an integer below "
            "2^63, got number 18446744073709551615");
  EXPECT_EQ(errorOf(R"({"mlp_bias": 1})"),
            "config.json: field 'mlp_bias': expected true or false, got "
            "number 1");
  EXPECT_EQ(errorOf(R"({"rope_theta": "big"})"),
            "config.json: field 'rope_theta': expected a number or null, got "
            "string \"big\"");
  EXPECT_EQ(errorOf(R"({"attnres": "Full"})"),
            "config.json: field 'attnres': expected one of off full block "
            "static, got string \"Full\"");
  EXPECT_EQ(errorOf(R"({"attnres": null})"),
            "config.json: field 'attnres': expected one of off full block "
            "static, got null");
  EXPECT_EQ(errorOf(R"({"layer_types": "kda"})"),
            "config.json: field 'layer_types': expected an array or null, got "
            "string \"kda\"");
  EXPECT_EQ(errorOf(R"({"layer_types": ["kda", "mamba", "kda", "kda"]})"),
            "config.json: field 'layer_types[1]': expected one of attention "
            "kda mla, got string \"mamba\"");
}

TEST(ModelConfig, CF3ValuesOutOfRange) {
  EXPECT_EQ(errorOf(R"({"hidden_size": -3})"),
            "config.json: field 'hidden_size': expected an integer from 1 to "
            "2147483647, got -3");
  EXPECT_EQ(errorOf(R"({"attnres_block_size": 0})"),
            "config.json: field 'attnres_block_size': expected an integer "
            "from 1 to 2147483647, got 0");
  EXPECT_EQ(errorOf(R"({"num_hidden_layers": 2147483647})"),
            "config.json: field 'num_hidden_layers': expected an integer from "
            "1 to 10000, got 2147483647");
  EXPECT_EQ(errorOf(R"({"num_key_value_heads": 3})"),
            "config.json: field 'num_attention_heads': expected a multiple of "
            "3 key/value heads, got 4");
  EXPECT_EQ(errorOf(R"({"head_dim": 7})"),
            "config.json: field 'head_dim': rotary embedding needs an even "
            "size, got 7");
  EXPECT_EQ(errorOf(R"({"head_dim": 7, "rope_theta": null})"), "");
  EXPECT_EQ(errorOf(R"({"layer_types": ["kda"]})"),
            "config.json: field 'layer_types': expected one type per decoder "
            "block, 4, got 1");
  EXPECT_EQ(errorOf(R"({"layer_types": []})"),
            "config.json: field 'layer_types': expected one type per decoder "
            "block, got none");
  EXPECT_EQ(errorOf(R"({"norm_eps": 0})"),
            "config.json: field 'norm_eps': expected a positive number, got "
            "0");
  EXPECT_EQ(errorOf(R"({"kda_gate_lower_bound": 5})"),
            "config.json: field 'kda_gate_lower_bound': expected a negative "
            "number, got 5");
  EXPECT_EQ(errorOf(R"({"num_experts": 2, "num_experts_per_tok": 3})"),
            "config.json: field 'num_experts_per_tok': expected at most 2 "
            "experts, got 3");
  EXPECT_NE(errorOf(R"({"norm_eps": 1e400})"), "");
}

/// What is a number in double but 0, infinite or imprecise in f32.
TEST(ModelConfig, CF4NumbersThatF32DoesNotHold) {
  for (const char *field : {"norm_eps", "attnres_eps", "rope_theta"}) {
    std::string begin = concat(R"({")", field, R"(": )");
    for (const char *value : {"1e-60", "1e-40", "1e39", "1e300"})
      EXPECT_EQ(errorOf(begin + value + "}")
                    .find(concat("config.json: field '", field,
                                 "': expected a number that 32 bits "
                                 "hold, 1.18e-38 to 3.4e+38, got ")),
                0u)
          << errorOf(begin + value + "}");
    EXPECT_EQ(errorOf(begin + "1.18e-38}"), "");
  }
  EXPECT_NE(errorOf(R"({"kda_gate_lower_bound": -1e300})"), "");
  EXPECT_EQ(errorOf(R"({"kda_gate_lower_bound": -5})"), "");
}

TEST(ModelConfig, OtherLibrariesAreNamed) {
  for (const char *text : {R"({"architectures": ["X"], "head_dim": null})",
                           R"({"model_type": "llama", "vocab_size": "x"})"})
    EXPECT_NE(errorOf(text).find("Hugging Face"), std::string::npos);
}

TEST(ModelConfig, CF3SizesThatOverflow) {
  EXPECT_EQ(errorOf(R"({"num_attention_heads": 2147483647,
                        "num_key_value_heads": 1, "head_dim": 2})"),
            "config.json: field 'num_attention_heads': times 'head_dim' is "
            "2147483647 * 2, limit is 2147483647");
  EXPECT_EQ(errorOf(R"({"mla_qk_head_dim": 2147483647})"),
            "config.json: field 'mla_num_heads': times 'mla_qk_head_dim + "
            "mla_v_head_dim' is 2 * 2147483655, limit is 2147483647");
  EXPECT_EQ(errorOf(R"({"hidden_size": 2147483647,
                        "vocab_size": 2147483647})"),
            "config.json: field 'vocab_size': times 'hidden_size' is "
            "2147483647 * 2147483647, limit is 274877906944");
  EXPECT_EQ(errorOf(R"({"num_experts": 1000000})"),
            "config.json: field 'num_experts': more than 1000000 experts in "
            "all layers together");
}

TEST(ModelConfig, RandomDamageNeverCrashes) {
  const std::string good = ModelConfig::preset("k3-toy")->toJson();
  std::mt19937 random(4);
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      bad[random() % bad.size()] =
          "0123456789-\"{}[],:.en\\\xff"[random() % 24];
    std::string error = errorOf(bad);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(ModelConfig, ST7BlockSizeCountsDecoderBlocks) {
  ModelConfig config;
  config.numHiddenLayers = 93;
  EXPECT_EQ(config.sublayersPerBlock(), 24); // ceil(93 / 8) = 12 blocks
  config.numHiddenLayers = 5;
  EXPECT_EQ(config.sublayersPerBlock(), 2);
  config.attnresBlockSize = 3;
  EXPECT_EQ(config.sublayersPerBlock(), 6);
}

TEST(ModelConfig, Presets) {
  for (std::string_view name : presetNames()) {
    auto config = ModelConfig::preset(name);
    ASSERT_TRUE(config.ok()) << name;
    Status status = config->validate(std::string(name));
    EXPECT_TRUE(status.ok()) << status.message();
  }
  EXPECT_EQ(ModelConfig::preset("huge").status().message(),
            "unknown preset 'huge', expected one of toy 0.5b ch5 kda-toy "
            "k3-toy k3-geometry k3-geometry-attention");
}

TEST(ModelConfig, K3Geometry) {
  ModelConfig config = *ModelConfig::preset("k3-geometry");
  EXPECT_EQ(config.numSublayers(), 186);
  EXPECT_EQ(config.sublayersPerBlock(), 24);
  EXPECT_EQ(config.layerType(0), LayerType::Kda);
  EXPECT_EQ(config.layerType(3), LayerType::Mla);
  EXPECT_FALSE(config.isMoe(0));
  EXPECT_TRUE(config.isMoe(1));
}

} // namespace
