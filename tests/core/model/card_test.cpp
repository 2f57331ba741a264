// Model cards: what files say of norms, heads and experts, and the parameters that come of it, against what was published.
#include "core/model/card.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/model/cost.h"
#include "core/model/published_counts.h"
#include "core/model/weights.h"
#include "core/tensor/error.h"
#include "tests/core/model/shipped_card.h"
#include "tests/support/source.h"

namespace orrery::model::card_test {
namespace {

namespace fs = std::filesystem;

Card parsed(const std::string& text) {
  return parse_card(text, "mine", "config.json");
}

TEST(Card, ParametersAreThosePublished) {
  EXPECT_GE(published_counts().size(), 40u);
  for (const PublishedCount& published : published_counts()) {
    SCOPED_TRACE(published.model);
    const double counted = parameters_of(shipped_card(std::string(published.model))).total;
    if (published.exact)
      EXPECT_EQ(counted, published.count);
    else
      EXPECT_NEAR(counted, published.count, 0.005 * published.count);
  }
}

TEST(Card, PartsAreAllOfIt) {
  for (const char* folder : {"assets/cards", "assets/models"})
    for (const auto& entry : fs::directory_iterator(support::source(folder))) {
      SCOPED_TRACE(entry.path().filename());
      const Card card = read_card(entry.path());
      if (!card.countable()) continue;
      const Parameters p = parameters_of(card);
      EXPECT_EQ(std::accumulate(p.parts.begin(), p.parts.end(), 0.0), p.total);
      EXPECT_LE(p.active, p.total);
      if (card.experts.total == 0) {
        EXPECT_EQ(p.active, p.total);
      }
    }
}

TEST(Card, SaysWhatTheModelsAreKnownFor) {
  const Card bert = shipped_card("bert-base"), palm = shipped_card("palm-540b"),
             neox = shipped_card("gpt-neox-20b"), gemma = shipped_card("gemma-3-1b"),
             llama = shipped_card("llama-7b"), t5 = shipped_card("t5-small"),
             deepseek = shipped_card("deepseek-v3"), original = shipped_card("transformer-base");
  EXPECT_EQ(bert.norm.kind, NormKind::layer_norm);
  EXPECT_EQ(bert.norm.place, NormPlace::post);
  EXPECT_EQ(bert.norm.eps, 1e-12);
  EXPECT_EQ(bert.positions.kind, Positions::learned);
  EXPECT_EQ(palm.norm.kind, NormKind::layer_norm);
  EXPECT_EQ(palm.norm.bias, false);
  EXPECT_FALSE(palm.norm.eps);  // the paper does not say
  EXPECT_TRUE(palm.parallel);
  EXPECT_EQ(palm.kv_heads, 1);
  EXPECT_EQ(neox.norm.kind, NormKind::layer_norm);
  EXPECT_TRUE(neox.parallel);
  EXPECT_EQ(neox.rope[0].rotary_dim, 24);
  EXPECT_EQ(gemma.norm.weight_offset, true);
  EXPECT_EQ(gemma.norm.place, NormPlace::both);
  EXPECT_EQ(gemma.activation, "gelu_tanh");
  EXPECT_EQ(llama.norm.kind, NormKind::rms_norm);
  EXPECT_EQ(llama.tied, false);
  EXPECT_EQ(llama.hidden_width, 11008);
  EXPECT_EQ(t5.positions.kind, Positions::t5);
  EXPECT_EQ(t5.buckets, 32);
  EXPECT_EQ(t5.encoder_layers, 6);
  EXPECT_EQ(deepseek.latent->key_value_rank, 512);
  EXPECT_EQ(deepseek.experts.total, 256);
  EXPECT_FALSE(deepseek.layers[2].experts);
  EXPECT_TRUE(deepseek.layers[3].experts);
  EXPECT_EQ(original.positions.kind, Positions::sinusoidal);
  EXPECT_EQ(original.norm.place, NormPlace::post);
  EXPECT_TRUE(shipped_card("gpt2").warnings.empty());
}

/// In billions, as their makers round what a token meets.
TEST(Card, ActiveParametersAreThosePublished) {
  const auto active = [](const char* name) { return parameters_of(shipped_card(name)).active / 1e9; };
  EXPECT_NEAR(active("mixtral-8x7b"), 12.9, 0.05);    // 2401.04088
  EXPECT_NEAR(active("qwen3-30b-a3b"), 3.3, 0.06);    // its card
  EXPECT_NEAR(active("llama-4-scout"), 17, 0.5);      // its card
  EXPECT_NEAR(active("deepseek-v3"), 37, 0.7);        // 2412.19437
  EXPECT_NEAR(active("deepseek-v2-lite"), 2.4, 0.3);  // 2405.04434: 2.4 without one of the two tables
}

TEST(Card, LayersSeeAsFarAsTheirFamilies) {
  const auto narrow = [](const char* name) {
    return std::ranges::count_if(shipped_card(name).layers, [](const CardLayer& l) { return l.window > 0; });
  };
  EXPECT_EQ(narrow("llama-7b"), 0);
  EXPECT_EQ(narrow("mistral-7b"), 32);
  EXPECT_EQ(narrow("mixtral-8x7b"), 0);
  EXPECT_EQ(narrow("gemma-2-9b"), 21);
  EXPECT_EQ(narrow("gemma-3-1b"), 22);  // 5 of 6
  EXPECT_EQ(narrow("gpt-oss-20b"), 12);
  EXPECT_EQ(narrow("olmo-3-7b"), 24);
  EXPECT_EQ(narrow("llama-4-scout"), 36);
  EXPECT_EQ(narrow("qwen2.5-7b"), 0);
}

// Llama 4's class: full attention where its list, or each n-th of its interval, has a 0.
TEST(Card, LayersThatDoNotTurnSeeTheWholeText) {
  const auto chunked = [](const std::string& keys) {
    const Card card = parsed(R"({"model_type": "llama4_text", "num_hidden_layers": 8, )" + keys + "}");
    return std::ranges::count_if(card.layers, [](const CardLayer& l) { return l.window > 0; });
  };
  EXPECT_EQ(chunked(R"("no_rope_layers": [])"), 6);
  EXPECT_EQ(chunked(R"("no_rope_layers": [1, 1, 1, 1, 1, 1, 1, 1])"), 8);
  EXPECT_EQ(chunked(R"("no_rope_layers": [1, 0, 1, 0, 1, 0, 1, 0])"), 4);
  EXPECT_EQ(chunked(R"("no_rope_layer_interval": 2)"), 4);
  EXPECT_FALSE(
      parsed(R"({"model_type": "llama4_text", "num_hidden_layers": 8, "no_rope_layers": [1, 0]})").known);
}

// Llama 4's intermediate_size is of its experts: where that of its other layers is left out, it is not taken instead.
TEST(Card, ExpertsHaveAWidthOfTheirOwn) {
  const Card card = parsed(
      R"({"model_type": "llama4_text", "num_hidden_layers": 8, "interleave_moe_layer_step": 2, "intermediate_size": 8192})");
  EXPECT_EQ(card.hidden_width, 16384);
  EXPECT_EQ(card.experts.hidden_width, 8192);
  EXPECT_TRUE(
      std::ranges::any_of(card.warnings, [](const auto& w) { return w.field == "intermediate_size_mlp"; }));
}

TEST(Card, CacheIsWhatIsKept) {
  const auto bytes = [](const char* name) { return 2 * cached_numbers_per_token(shipped_card(name)); };
  EXPECT_EQ(bytes("llama-2-7b"), 524288);   // 2 · 32 layers · 4096 · 2 bytes
  EXPECT_EQ(bytes("llama-2-70b"), 327680);  // 8 heads of keys instead of 64
  EXPECT_EQ(bytes("llama-3.1-8b"), 131072);
  EXPECT_EQ(bytes("deepseek-v3"), 70272);  // 61 · (512 + 64) · 2: "70.272 KB", 2505.09343, table 1
  EXPECT_EQ(bytes("qwen2.5-7b"), 57344);
  EXPECT_EQ(bytes("bert-base"), 0);
  const Card mistral = shipped_card("mistral-7b");
  EXPECT_EQ(cached_numbers(mistral, 100000), 4096 * cached_numbers_per_token(mistral));
  const Card t5 = shipped_card("t5-small");
  EXPECT_EQ(cached_numbers(t5, 10), 20 * cached_numbers_per_token(t5));
}

TEST(Card, OperationsAreTwoForEachWeightAndKey) {
  const Card llama = shipped_card("llama-7b");
  const double weights =
      parameters_of(llama).total - 32000 * 4096.0 - 65 * 4096.0;  // neither table nor norms
  const Cost one = cost_of(llama, 1), long_text = cost_of(llama, 2048);
  EXPECT_EQ(one.prefill, 2 * weights + 4.0 * 32 * 4096);
  EXPECT_EQ(*one.decode, one.prefill);
  EXPECT_EQ(*long_text.decode, 2 * weights + 4.0 * 32 * 4096 * 2048);
  EXPECT_EQ(long_text.prefill, 2 * weights + 4.0 * 32 * 4096 * 2049 / 2);  // half of them lies ahead
  EXPECT_FALSE(cost_of(shipped_card("bert-base"), 512).decode);
  // A window's mean, one query after the other.
  const Card mistral = shipped_card("mistral-7b");
  double seen = 0;
  for (int n = 1; n <= 6000; ++n) seen += std::min(n, 4096);
  EXPECT_NEAR(cost_of(mistral, 6000).prefill_attention, 4.0 * 32 * 4096 * seen / 6000, 1);
  const Card scout = shipped_card("llama-4-scout");
  seen = 0;
  for (int n = 0; n < 20000; ++n) seen += 36 * (n % 8192 + 1) + 12 * (n + 1);
  EXPECT_NEAR(cost_of(scout, 20000).prefill_attention, 4.0 * 5120 * seen / 20000, 10);
}

TEST(Card, WhatIsNotKnownIsNotGuessed) {
  const Card card =
      parsed(R"({"model_type": "mine", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e4})");
  EXPECT_FALSE(card.known);
  EXPECT_FALSE(card.countable());
  EXPECT_EQ(card.width, 64);
  EXPECT_EQ(card.norm.kind, NormKind::unknown);
  EXPECT_FALSE(card.norm.eps);
  EXPECT_FALSE(card.bias);
  EXPECT_FALSE(card.tied);
  EXPECT_THROW(parameters_of(card), Failure);
  EXPECT_FALSE(card.warnings.empty());
  EXPECT_FALSE(
      parsed(
          R"({"model_type": "qwen3", "num_hidden_layers": 2, "layer_types": ["full_attention", "linear_attention"]})")
          .countable());
}

/// Beside the sizes, which are warnings. A key that the file has is not among them.
TEST(Card, WhatIsOfTheFamilyIsSaid) {
  using Said = std::vector<std::string>;
  EXPECT_EQ(parsed(R"({"model_type": "mistral"})").by_family,
            (Said{"window", "activation", "epsilon", "tied"}));
  EXPECT_EQ(parsed(R"({"model_type": "llama"})").by_family, (Said{"activation", "epsilon", "tied"}));
  EXPECT_EQ(parsed(R"({"model_type": "mistral", "sliding_window": null, "hidden_act": "silu",
                       "rms_norm_eps": 1e-5, "tie_word_embeddings": false})")
                .by_family,
            Said{});
  EXPECT_EQ(
      parsed(R"({"model_type": "gemma2", "hidden_act": "gelu", "rms_norm_eps": 1e-6, "sliding_window": 8,
                       "tie_word_embeddings": true})")
          .by_family,
      Said{"activation"});  // it does not read hidden_act
  EXPECT_EQ(parsed(R"({"model_type": "mine", "hidden_size": 64})").by_family, Said{});
  EXPECT_EQ(shipped_card("gpt2").by_family, Said{"tied"});
}

TEST(Card, AFamilyKnownByItsPositionsAloneIsNotCalledUnknown) {
  const auto said = [](const std::string& type) {
    const Card card =
        parsed(R"({"model_type": ")" + type + R"(", "hidden_size": 64, "num_attention_heads": 4})");
    EXPECT_FALSE(card.countable()) << type;
    EXPECT_FALSE(card.warnings.empty()) << type;
    return card.warnings.empty() ? std::string() : card.warnings.back().message;
  };
  for (const char* type : {"smollm3", "exaone4", "glm4_moe", "distilbert"})
    EXPECT_EQ(said(type), "is known by its positions alone, so its weights are not counted") << type;
  EXPECT_EQ(said("frobnicator"), "is not known, so its weights are not counted");
}

TEST(Card, DefaultsOfTheClassAreSaid) {
  const Card card = parsed(R"({"model_type": "llama"})");
  EXPECT_EQ(parameters_of(card).total, 6738415616);  // the class's own sizes are those of 7B
  const auto said = [&](std::string_view key) {
    return std::ranges::any_of(card.warnings, [&](const auto& w) { return w.field == key; });
  };
  EXPECT_TRUE(said("hidden_size"));
  EXPECT_TRUE(said("vocab_size"));
  EXPECT_FALSE(said("head_dim"));
}

/// Whether the file's warnings name the key.
bool warns(const Card& card, std::string_view key, std::string_view words = "") {
  return std::ranges::any_of(card.warnings, [&](const auto& w) {
    return w.field == key && w.message.find(words) != std::string::npos;
  });
}

TEST(Card, LayersOfUnknownWidthAreSaid) {
  const Card gpt3 =
      shipped_card("gpt3");  // 2005.14165, section 2.1: "alternating dense and locally banded sparse"
  EXPECT_EQ(std::ranges::count_if(gpt3.layers, &CardLayer::banded), 48);
  EXPECT_TRUE(gpt3.counts_at_most());
  EXPECT_FALSE(shipped_card("gpt2").counts_at_most());
}

/// modeling_bert.py: nn.Embedding(2 * max_position_embeddings - 1, attention_head_size) in every layer, beside the table of
/// positions, which stays.
TEST(Card, VectorsForDistancesAreCounted) {
  const char* text = R"({"model_type": "bert", "position_embedding_type": "relative_key_query"})";
  const Card plain = parsed(R"({"model_type": "bert"})"), both = parsed(text),
             keys = parsed(R"({"model_type": "bert", "position_embedding_type": "relative_key"})");
  EXPECT_EQ(both.positions.kind, Positions::relative);
  EXPECT_EQ(parameters_of(both).total - parameters_of(plain).total, 12 * 1023 * 64);
  EXPECT_TRUE(warns(both, "position_embedding_type"));
  // Of each query and key 12 heads × 64 products once more, or twice.
  const double length = 100, once = 2 * 12 * 12 * 64 * length;
  EXPECT_EQ(cost_of(keys, length).prefill - cost_of(plain, length).prefill, once);
  EXPECT_EQ(cost_of(both, length).prefill - cost_of(plain, length).prefill, 2 * once);
}

TEST(Card, BiasesAreThoseThatTheClassReads) {
  const auto total = [](const std::string& text) { return parameters_of(parsed(text)).total; };
  const Card mistral = parsed(R"({"model_type": "mistral", "attention_bias": true})");
  EXPECT_EQ(mistral.bias, false);
  EXPECT_TRUE(warns(mistral, "attention_bias", "not read"));
  EXPECT_FALSE(warns(parsed(R"({"model_type": "mistral", "attention_bias": false})"), "attention_bias"));
  // modeling_deepseek_v3.py: q_a_proj, kv_a_proj_with_mqa and o_proj have it; the maps up from the short vectors never.
  const double layers = 61, of_a_layer = 1536 + (512 + 64) + 7168;
  EXPECT_EQ(total(R"({"model_type": "deepseek_v3", "attention_bias": true})") -
                total(R"({"model_type": "deepseek_v3"})"),
            layers * of_a_layer);
  EXPECT_EQ(total(R"({"model_type": "llama", "mlp_bias": true})") - total(R"({"model_type": "llama"})"),
            32 * (2 * 11008 + 4096));
}

/// llm-foundry's attn_config.qk_ln: a LayerNorm over all queries of a token, and one over all keys.
TEST(Card, MptNormalisesQueriesAndKeysWhereItsFileSaysSo) {
  const Card card = parsed(R"({"model_type": "mpt", "attn_config": {"qk_ln": true, "alibi": true}})");
  EXPECT_EQ(card.norm.query_key, QueryKeyNorm::all);
  EXPECT_EQ(parameters_of(card).total - parameters_of(parsed(R"({"model_type": "mpt"})")).total,
            24 * 2 * 2048);
}

TEST(Card, ActivationsHaveOneNameEach) {
  const auto activation = [](const std::string& name) {
    return parsed(R"({"model_type": "gpt2", "activation_function": ")" + name + "\"}").activation;
  };
  for (const char* name :
       {"gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_python_tanh", "GELU_new"})
    EXPECT_EQ(activation(name), "gelu_tanh") << name;
  EXPECT_EQ(activation("gelu_python"), "gelu");
  EXPECT_EQ(activation("quick_gelu"), "gelu_quick");
  EXPECT_EQ(activation("swish"), "silu");
  EXPECT_EQ(activation("mish"), "mish");
  const Card oss = shipped_card("gpt-oss-20b");
  EXPECT_EQ(oss.activation, "swish");
  EXPECT_EQ(oss.activation_slope, 1.702);
  EXPECT_EQ(oss.activation_limit, 7);
}

TEST(Card, WhatContradictsItselfIsSaid) {
  const auto counted = [](const std::string& text) { return parsed(text).countable(); };
  const Card twice = parsed(R"({"model_type": "llama", "hidden_size": 64, "hidden_size": 128})");
  EXPECT_TRUE(warns(twice, "hidden_size", "twice"));
  EXPECT_EQ(twice.width, 128);
  const Card few = parsed(R"({"model_type": "gemma3_text", "layer_types": ["full_attention"]})");
  EXPECT_TRUE(warns(few, "layer_types", "names 1 layers where there are 26"));
  EXPECT_FALSE(few.countable());
  EXPECT_TRUE(
      warns(parsed(R"({"model_type": "llama", "num_hidden_layers": 1, "layer_types": ["linear_attention"]})"),
            "layer_types", "“linear_attention”"));
  EXPECT_TRUE(
      warns(parsed(R"({"model_type": "llama", "sliding_window": 512})"), "sliding_window", "not used"));
  EXPECT_FALSE(warns(parsed(R"({"model_type": "mistral", "sliding_window": 512})"), "sliding_window"));
  EXPECT_FALSE(warns(parsed(R"({"model_type": "qwen2", "use_sliding_window": false, "sliding_window": 512})"),
                     "sliding_window"));
  EXPECT_FALSE(counted(R"({"model_type": "llama", "num_key_value_heads": 64})"));
  EXPECT_FALSE(counted(R"({"model_type": "bert", "num_attention_heads": 7})"));
  EXPECT_TRUE(counted(R"({"model_type": "gpt2", "num_attention_heads": 16})"));
}

TEST(Card, ATextLongerThanItsLongestIsSaid) {
  const Card gpt2 = shipped_card("gpt2");
  EXPECT_TRUE(warnings_at(gpt2, 1024).empty());
  ASSERT_EQ(warnings_at(gpt2, 1025).size(), 1u);
  EXPECT_EQ(warnings_at(gpt2, 1025).front().message, "1025 tokens are more than its longest text, 1024");
  EXPECT_TRUE(warnings_at(shipped_card("transformer-base"), 1e9).empty());  // nobody says
}

TEST(Card, BadSizesAreRefusedByName) {
  for (const char* text :
       {R"({"model_type":"llama","vocab_size":-1})", R"({"model_type":"llama","num_hidden_layers":0})",
        R"({"model_type":"llama","num_hidden_layers":1e9})", R"({"model_type":"llama","hidden_size":64.5})",
        R"({"model_type":"llama","hidden_size":"64"})",
        R"({"model_type":"llama","tie_word_embeddings":"yes"})",
        R"({"model_type":"llama","attention_bias":1})", R"({"model_type":"llama","hidden_act":3})",
        R"({"model_type":"llama","rms_norm_eps":-1})", R"({"model_type":"llama","rms_norm_eps":"1e-6"})",
        R"({"model_type":"mistral","sliding_window":-5})",
        R"({"model_type":"mistral","sliding_window":4096.5})",
        R"({"model_type":"mistral","sliding_window":"4096"})",
        R"({"model_type":"bert","max_position_embeddings":-4})",
        R"({"model_type":"llama","layer_types":"full"})",
        R"({"model_type":"llama","intermediate_size":"wide"})"})
    EXPECT_THROW(parsed(text), Failure) << text;
  EXPECT_THROW(parsed("[]"), Failure);
  // What is absurdly large is counted, not overflown.
  const Card huge = parsed(
      R"({"model_type":"mixtral","hidden_size":1048576,"num_attention_heads":1024,"num_hidden_layers":4096,
                               "intermediate_size":4194304,"num_local_experts":16384})");
  EXPECT_GT(parameters_of(huge).total, 1e20);
}

}  // namespace
}  // namespace orrery::model::card_test
