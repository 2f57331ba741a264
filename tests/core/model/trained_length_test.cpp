// How long the texts of the training were, by published files, and who says so.
#include "core/model/trained_length.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/model/card.h"
#include "core/model/card_family.h"
#include "core/model/class_defaults.h"
#include "core/model/rope_config.h"
#include "tests/support/source.h"

namespace orrery::model::trained_length_test {
namespace {

RopeConfig parse(const std::string& text) {
  return parse_rope_config(text, "config.json");
}

/// The makers' reports: Gemma 3 (section 2.1), Llama 4's card, Mistral 7B (table 1), Qwen2.5 (3.3), Qwen3 (3.2).
TEST(TrainedLength, EveryKnownLengthIsItsModels) {
  struct Fact {
    std::string_view type;
    double longest, window, tokens;
  };
  constexpr auto facts = std::to_array<Fact>({{"gemma3", 0, 0, 32768},
                                              {"gemma3_text", 0, 0, 32768},
                                              {"llama4", 0, 0, 262144},
                                              {"llama4_text", 0, 0, 262144},
                                              {"mistral", 32768, 4096, 8192},
                                              {"qwen2", 131072, 0, 32768},
                                              {"qwen2_5_vl", 128000, 0, 32768},
                                              {"qwen2_5_vl_text", 128000, 0, 32768},
                                              {"qwen3", 40960, 0, 32768},
                                              {"qwen3_moe", 40960, 0, 32768}});
  ASSERT_EQ(known_lengths().size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const KnownLength& known = known_lengths()[i];
    EXPECT_EQ(known.model_type, facts[i].type);
    EXPECT_EQ(known.longest, facts[i].longest) << facts[i].type;
    EXPECT_EQ(known.window, facts[i].window) << facts[i].type;
    EXPECT_EQ(known.tokens, facts[i].tokens) << facts[i].type;
  }
}

TEST(TrainedLength, OfThePublishedModels) {
  struct Fact {
    const char* model;
    double tokens;
    TrainedBy by;
  };
  for (const Fact& fact : {Fact{"deepseek-v2-lite", 4096, TrainedBy::original},
                           {"deepseek-v3", 4096, TrainedBy::original},
                           {"gemma-3-4b-v5", 32768, TrainedBy::known},
                           {"gemma-4-shape-v5", 131072, TrainedBy::longest},
                           {"gpt-oss-20b", 4096, TrainedBy::original},
                           {"internvl2.5-llm-dynamic", 32768, TrainedBy::longest},
                           {"llama-3.1-8b", 8192, TrainedBy::original},
                           {"llama-3.2-1b", 8192, TrainedBy::original},
                           {"llama-4-scout", 8192, TrainedBy::original},
                           {"ministral-3-8b", 16384, TrainedBy::original},
                           {"olmo-3-7b", 8192, TrainedBy::original},
                           {"phi-4-mini", 4096, TrainedBy::original},
                           {"qwen2-vl-7b", 32768, TrainedBy::longest},
                           {"qwen2.5-7b-yarn4", 32768, TrainedBy::original},
                           {"smollm2-135m", 8192, TrainedBy::longest}}) {
    SCOPED_TRACE(fact.model);
    const RopeConfig config = read_rope_config(support::source("assets/models/") + fact.model + ".json");
    EXPECT_EQ(config.trained.tokens, fact.tokens);
    EXPECT_EQ(config.trained.by, fact.by) << words_of(config.trained);
  }
}

TEST(TrainedLength, OfAFileThatOnlyDividesItsPositions) {
  // deepseek-coder: 16384 positions, divided by 4, of a model of 4096.
  const RopeConfig coder = parse(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,
      "rope_theta":100000,"max_position_embeddings":16384,"rope_scaling":{"type":"linear","factor":4.0}})");
  EXPECT_EQ(coder.trained.tokens, 4096);
  EXPECT_EQ(coder.trained.by, TrainedBy::linear);
  // longchat-7b-v1.5-32k: its longest length is still the one before the division.
  const RopeConfig longchat = parse(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,
      "max_position_embeddings":4096,"rope_scaling":{"type":"linear","factor":8.0}})");
  EXPECT_EQ(longchat.trained.tokens, 4096);
  EXPECT_EQ(longchat.trained.by, TrainedBy::longest);
}

TEST(TrainedLength, TheFileCountsBeforeWhatIsKnown) {
  const RopeConfig config = parse(R"({"model_type":"qwen3","hidden_size":4096,"num_attention_heads":32,
      "head_dim":128,"rope_theta":1000000,"max_position_embeddings":40960,"rope_scaling":{"rope_type":"yarn",
      "factor":4.0,"original_max_position_embeddings":16384}})");
  EXPECT_EQ(config.trained.tokens, 16384);
  EXPECT_EQ(config.trained.by, TrainedBy::original);
}

/// Their model cards: 2048, 128K, 2048. A length that is known of the type does not count for a shorter model.
TEST(TrainedLength, OfFilesThatSayItElsewhere) {
  EXPECT_EQ(parse(R"({"model_type":"gemma3_text","hidden_size":768,"num_attention_heads":3,"head_dim":256,
      "max_position_embeddings":2048})")
                .trained.tokens,
            2048);
  EXPECT_EQ(parse(R"({"model_type":"cohere","rope_theta":75000000.0,"max_position_embeddings":8192,
      "model_max_length":131072})")
                .trained.tokens,
            131072);
  EXPECT_EQ(parse(R"({"model_type":"openelm","head_dim":128,"rope_freq_constant":10000,
      "max_context_length":2048,"rope_max_length":4096})")
                .trained.tokens,
            2048);
}

/// The key that was read is the one that is named; max_position_embeddings counts before the others.
TEST(TrainedLength, IsSaidUnderTheKeyThatWasRead) {
  const auto said_by = [](const std::string& keys) {
    return words_of(
        parse(R"({"hidden_size":64,"num_attention_heads":4,"rope_theta":10000,)" + keys + "}").trained);
  };
  for (const std::string key : {"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length",
                                "n_ctx", "max_seq_len", "model_max_length", "max_context_length"})
    EXPECT_EQ(said_by('"' + key + "\":2048"), key);
  EXPECT_EQ(said_by(R"("n_positions":2048,"max_position_embeddings":4096)"), "max_position_embeddings");
  EXPECT_EQ(said_by(R"("n_positions":8192,"rope_scaling":{"type":"linear","factor":4})"),
            "n_positions over factor");
  EXPECT_EQ(said_by(R"("model_type":"qwen","seq_length":2048,"max_position_embeddings":8192)"), "seq_length");
  EXPECT_EQ(said_by(R"("model_type":"cohere","model_max_length":131072,"max_position_embeddings":8192)"),
            "model_max_length");
  EXPECT_EQ(said_by(R"("vocab_size":10)"), "said by nobody");
}

/// transformers' MistralConfig, MixtralConfig, FalconConfig, PhiConfig: 4096 · 32, the same, 2048, 2048.
TEST(TrainedLength, OfASilentFileIsTheDefaultOfItsClassAndSaysSo) {
  for (const auto& [type, tokens] : {std::pair<std::string, double>{"mistral", 131072},
                                     {"mixtral", 131072},
                                     {"falcon", 2048},
                                     {"phi", 2048}}) {
    SCOPED_TRACE(type);
    const std::string begin = R"({"model_type":")" + type + R"(","hidden_size":64,"num_attention_heads":4)";
    const RopeConfig silent = parse(begin + "}");
    EXPECT_EQ(silent.trained.tokens, tokens);
    EXPECT_EQ(words_of(silent.trained), "the default of its class");
    const auto said = [](const auto& warnings) {
      return std::ranges::count(warnings, "max_position_embeddings", &position::RopeWarning::field);
    };
    EXPECT_EQ(said(silent.warnings), 1);
    // The card of the same file agrees, and says it too.
    const Card card = parse_card(begin + "}", "card", "config.json");
    EXPECT_EQ(card.longest, tokens);
    EXPECT_EQ(said(card.warnings), 1);
    const std::string spoken = begin + R"(,"max_position_embeddings":512})";
    EXPECT_EQ(said(parse(spoken).warnings), 0);
    EXPECT_EQ(said(parse_card(spoken, "card", "config.json").warnings), 0);
  }
}

/// Both tables are of the same classes: a model is not shown as made for two lengths.
TEST(TrainedLength, TheCardsOfAFamilyHaveTheLengthOfItsClass) {
  for (const CardFamily& family : card_families()) {
    const ClassDefaults* rotating = class_defaults(family.model_type);
    if (rotating == nullptr) continue;
    EXPECT_EQ(family.longest, rotating->longest) << family.model_type;
  }
}

TEST(TrainedLength, ALayerSeesNoFurtherThanItsWindow) {
  const RopeConfig mistral = parse(R"({"model_type":"mistral","hidden_size":4096,"num_attention_heads":32,
      "rope_theta":10000,"max_position_embeddings":32768,"sliding_window":4096})");
  ASSERT_EQ(mistral.layers.size(), 1u);
  EXPECT_EQ(mistral.layers[0].spans, (std::vector<RopeSpan>{{"sliding_attention", 4096}}));
  EXPECT_EQ(mistral.trained.tokens, 8192);
  EXPECT_EQ(mistral.trained.seen(4096), 4096);
  EXPECT_EQ(mistral.trained.seen(0), 8192);
  EXPECT_EQ(mistral.trained.seen(16384), 8192);
}

TEST(TrainedLength, KindsOfAttention) {
  using Spans = std::vector<RopeSpan>;
  const auto spans = [](const std::string& keys) {
    return parse(R"({"hidden_size":64,"num_attention_heads":4,"rope_theta":10000,)" + keys + "}")
        .layers[0]
        .spans;
  };
  const RopeSpan full{"full_attention", 0};
  EXPECT_EQ(spans(R"("model_type":"llama")"), (Spans{full}));
  EXPECT_EQ(spans(R"("model_type":"gpt_oss","rope_scaling":null)"),
            (Spans{full, {"sliding_attention", 128}}));
  EXPECT_EQ(spans(R"("model_type":"gemma2","sliding_window":512)"),
            (Spans{full, {"sliding_attention", 512}}));
  EXPECT_EQ(spans(R"("model_type":"mistral","sliding_window":null)"), (Spans{full}));
  EXPECT_EQ(spans(R"("model_type":"mistral")"), (Spans{{"sliding_attention", 4096}}));  // its class's
  EXPECT_EQ(spans(R"("model_type":"qwen2","sliding_window":4096,"use_sliding_window":false)"), (Spans{full}));
  EXPECT_EQ(spans(R"("model_type":"qwen2","sliding_window":4096)"), (Spans{full}));
  EXPECT_EQ(
      spans(R"("model_type":"qwen2","sliding_window":4096,"use_sliding_window":true,"max_window_layers":28)"),
      (Spans{full, {"sliding_attention", 4096}}));
  EXPECT_EQ(
      spans(
          R"("model_type":"qwen2","sliding_window":4096,"use_sliding_window":true,"max_window_layers":28,"num_hidden_layers":28)"),
      (Spans{full}));
  EXPECT_EQ(spans(R"("model_type":"mine","sliding_window":256,"layer_types":["sliding_attention"])"),
            (Spans{{"sliding_attention", 256}}));
  EXPECT_EQ(spans(R"("model_type":"mine","sliding_window":256,"layer_types":["full_attention"])"),
            (Spans{full}));
  // EmbeddingGemma: 256 to either side, and the token itself.
  EXPECT_EQ(spans(R"("model_type":"mine","sliding_window":512,"use_bidirectional_attention":true)"),
            (Spans{{"sliding_attention", 257}}));
  EXPECT_EQ(spans(R"("model_type":"llama4_text","attention_chunk_size":4096)"),
            (Spans{{"chunked_attention", 4096}}));
}

}  // namespace
}  // namespace orrery::model::trained_length_test
