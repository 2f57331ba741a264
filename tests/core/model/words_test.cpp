// Tables of words, line by line: what a line says of its neighbour is found.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/model/position_kinds.h"
#include "core/model/rope_config.h"
#include "core/model/trained_length.h"
#include "core/position/rope_frequencies.h"

namespace orrery::model::words_test {
namespace {

using position::RopeType;

/// BERT and its kin (absolute, relative_key …), Falcon and MPT (alibi), XLM, T5, Granite (nope) write these.
TEST(Words, OfAFileMeanTheKindThatItsPublisherMeans) {
  for (const auto& [word, kind] : {std::pair<std::string, Positions>{"absolute", Positions::learned},
                                   {"learned", Positions::learned},
                                   {"learned_absolute", Positions::learned},
                                   {"relative", Positions::relative},
                                   {"relative_key", Positions::relative},
                                   {"relative_key_query", Positions::relative},
                                   {"rope", Positions::rotary},
                                   {"rotary", Positions::rotary},
                                   {"rotary_embedding", Positions::rotary},
                                   {"alibi", Positions::alibi},
                                   {"sinusoidal", Positions::sinusoidal},
                                   {"fixed", Positions::sinusoidal},
                                   {"t5", Positions::t5},
                                   {"relative_bias", Positions::t5},
                                   {"nope", Positions::none},
                                   {"none", Positions::none},
                                   {"no_pe", Positions::none}}) {
    const RopeConfig config = parse_rope_config(
        R"({"model_type":"mine","hidden_size":64,"num_attention_heads":4,"position_embedding_type":")" +
            word + "\"}",
        "config.json");
    EXPECT_EQ(name(config.positions.kind), name(kind)) << word;
  }
}

TEST(Words, OfAKindOfPositionsAreItsOwn) {
  for (const auto& [kind, telling] : {std::pair<Positions, std::string_view>{Positions::rotary, "are turned"},
                                      {Positions::learned, "a row of a table"},
                                      {Positions::sinusoidal, "fixed waves"},
                                      {Positions::alibi, "ALiBi"},
                                      {Positions::t5, "T5's buckets"},
                                      {Positions::relative, "a vector for each distance"},
                                      {Positions::convolution, "a grouped convolution"},
                                      {Positions::none, "NoPE"},
                                      {Positions::unknown, "not known"}})
    EXPECT_NE(words_of(kind).find(telling), std::string_view::npos) << name(kind) << ": " << words_of(kind);
}

TEST(Words, OfATrainedLengthSayWhoKnowsIt) {
  EXPECT_EQ(words_of(TrainedLength{}), "said by nobody");
  EXPECT_EQ(words_of({8, TrainedBy::original, {}}), "original_max_position_embeddings");
  EXPECT_EQ(words_of({8, TrainedBy::known, {}}), "what is known of the model");
  EXPECT_EQ(words_of({8, TrainedBy::known, "seq_length"}), "seq_length");
  EXPECT_EQ(words_of({8, TrainedBy::linear, "n_ctx"}), "n_ctx over factor");
  EXPECT_EQ(words_of({8, TrainedBy::linear, {}}), "the default of its class over factor");
  EXPECT_EQ(words_of({8, TrainedBy::longest, "max_position_embeddings"}), "max_position_embeddings");
  EXPECT_EQ(words_of({8, TrainedBy::longest, {}}), "the default of its class");
}

/// As rope_type is written in configurations; by_parts is the paper's own word.
TEST(Words, OfARotaryRuleAreThoseOfConfigurations) {
  for (const auto& [type, word] : {std::pair<RopeType, std::string_view>{RopeType::standard, "default"},
                                   {RopeType::linear, "linear"},
                                   {RopeType::ntk, "ntk"},
                                   {RopeType::dynamic, "dynamic"},
                                   {RopeType::yarn, "yarn"},
                                   {RopeType::longrope, "longrope"},
                                   {RopeType::llama3, "llama3"},
                                   {RopeType::proportional, "proportional"},
                                   {RopeType::by_parts, "by_parts"},
                                   {RopeType::resonance, "resonance"}}) {
    EXPECT_EQ(name(type), word);
    EXPECT_EQ(position::rope_type_from_name(word), type);
  }
}

}  // namespace
}  // namespace orrery::model::words_test
