// The tables of model families, line by line, against tests/reference/families.json, which was copied from the
// configuration classes; a line that moved to its neighbour's place is found.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/model/class_defaults.h"
#include "core/model/other_positions.h"
#include "tests/support/source.h"

namespace orrery::model::families_test {
namespace {

using nlohmann::json;

json reference(const char* part) {
  return json::parse(std::ifstream(support::source("tests/reference/families.json")))[part];
}

const char* name_of(Stacks stacks) {
  return stacks == Stacks::decoder ? "decoder" : stacks == Stacks::encoder ? "encoder" : "both";
}

const char* name_of(WithoutRope without) {
  return without == WithoutRope::none          ? "none"
         : without == WithoutRope::full_layers ? "full_layers"
                                               : "every_fourth";
}

TEST(Families, EveryClassHasTheDefaultsThatItsPublisherWrote) {
  const json classes = reference("rotary");
  EXPECT_EQ(classes.size(), all_class_defaults().size());
  for (const ClassDefaults& row : all_class_defaults()) {
    SCOPED_TRACE(row.model_type);
    ASSERT_TRUE(classes.contains(row.model_type));
    const json& own = classes[std::string(row.model_type)];
    const auto number = [&](const char* key, double otherwise) { return own.value(key, otherwise); };
    EXPECT_EQ(row.base, number("base", 10000));
    EXPECT_EQ(row.base_v5, number("base_v5", 0));
    EXPECT_EQ(row.local_base, number("local_base", 0));
    EXPECT_EQ(row.partial, number("partial", 1));
    EXPECT_EQ(row.rotary_dim, number("rotary_dim", 0));
    EXPECT_EQ(row.hidden, number("hidden_size", 4096));
    EXPECT_EQ(row.heads, number("num_attention_heads", 32));
    EXPECT_EQ(row.head_dim, number("head_dim", 0));
    EXPECT_EQ(row.nope_dim, number("qk_nope_head_dim", 0));
    EXPECT_EQ(row.rope_dim, number("qk_rope_head_dim", 0));
    EXPECT_EQ(row.longest, number("max_position_embeddings", 0));
    EXPECT_EQ(row.window, number("sliding_window", 0));
    EXPECT_EQ(row.chunk, number("attention_chunk_size", 0));
    EXPECT_EQ(row.full_every, number("full_every", 0));
    EXPECT_EQ(row.query_scalar, number("query_pre_attn_scalar", 0));
    EXPECT_EQ(row.multiplier, number("attention_multiplier", 0));
    EXPECT_EQ(row.unscaled, own.value("unscaled", false));
    EXPECT_EQ(name_of(row.without), own.value("without", "none"));
    EXPECT_EQ(name_of(row.stacks), own.value("stacks", "decoder"));
    EXPECT_EQ(row.rope.empty() ? json() : json::parse(row.rope), own.value("rope_parameters", json()));
  }
}

TEST(Families, EveryOtherKindOfPositionsIsItsModels) {
  const json others = reference("other");
  EXPECT_EQ(others.size(), all_other_positions().size());
  for (const OtherPositions& row : all_other_positions()) {
    SCOPED_TRACE(row.model_type);
    ASSERT_TRUE(others.contains(row.model_type));
    const json& own = others[std::string(row.model_type)];
    EXPECT_EQ(name(row.decoder), own[0].get<std::string>());
    EXPECT_EQ(name_of(row.stacks), own[1].get<std::string>());
    EXPECT_EQ(name(row.encoder), own[own.size() > 2 ? 2 : 0].get<std::string>());
  }
}

TEST(Families, AreFoundByTheTypesThatFilesWrite) {
  ASSERT_NE(class_defaults(plain_type("gpt_neox")), nullptr);
  EXPECT_EQ(class_defaults("gpt_neo"), nullptr);
  EXPECT_EQ(class_defaults(plain_type("RefinedWebModel"))->model_type, "refinedwebmodel");
  EXPECT_EQ(other_positions(plain_type("openai-gpt"))->decoder, Positions::learned);
  EXPECT_EQ(other_positions("gpt_neox"), nullptr);
}

}  // namespace
}  // namespace orrery::model::families_test
