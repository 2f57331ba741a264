// What A walk through says, against PyTorch (tests/reference/make_walk.py); study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/study/links.h"
#include "app/study/translate.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/source.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study {
namespace {

const nlohmann::json& torch_numbers() {
  static const nlohmann::json all =
      nlohmann::json::parse(std::ifstream(support::source("tests/reference/walk/walk.json")));
  return all;
}

parameter::Settings settings_with(std::initializer_list<std::pair<const char*, std::string>> changes) {
  parameter::Settings settings(find("block/walk").parameters);
  for (const auto& [name, text] : changes) settings.set(name, text);
  return settings;
}

StudyResult walk(std::initializer_list<std::pair<const char*, std::string>> changes) {
  return find("block/walk").compute(settings_with(changes), Run{});
}

/// What a link opens.
StudyResult opened(const Link& link) {
  return find(link.study).compute(settings_of(link), Run{});
}

/// nn.Transformer, out of its file.
StudyResult original(const char* part, const char* head = "1") {
  return walk({{"model", "custom"},
               {"weights", support::source("tests/reference/walk/original.safetensors")},
               {"sentence", "3 1 4"},
               {"padding", "2"},
               {"target", "2 6 5"},
               {"part", part},
               {"head", head}});
}

StudyResult llama(const char* part, const char* head = "1") {
  return walk({{"model", "custom"},
               {"weights", support::source("tests/reference/walk/llama.safetensors")},
               {"positions", "rope"},
               {"norm", "rms_norm"},
               {"network", "swiglu"},
               {"sentence", "2 6 5"},
               {"part", part},
               {"head", head}});
}

/// Both computed in double, each by its own order of sums: a thousand roundings of numbers up to 10.
void expect_matrix(const StudyResult& result, const char* name, const nlohmann::json& expected) {
  const figure::Table& t = table(result, name);
  ASSERT_EQ(t.columns.size(), expected[0].size() + 1) << name;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t j = 0; j < expected[i].size(); ++j)
      EXPECT_NEAR(t.columns[j + 1].values.at(i), expected[i][j].get<double>(), 1e-12) << name << i << j;
}

TEST(BlockWalk, IsWhatTorchsTransformerComputes) {
  const nlohmann::json& torch = torch_numbers()["original"];
  const StudyResult crossed = original("decoder_cross");
  EXPECT_TRUE(all_hold(crossed));
  expect_matrix(crossed, "encoded", torch["memory"]);
  expect_matrix(crossed, "output", torch["cross_output"]);
  for (const std::size_t h : {0, 1})
    expect_matrix(original("decoder_cross", h == 0 ? "1" : "2"), "weights", torch["cross_weights"][h]);
  expect_matrix(original("decoder_cross_add"), "normed", torch["cross_normed"]);
  expect_matrix(original("logits"), "logits", torch["logits"]);
  expect_matrix(original("probabilities"), "probabilities", torch["probabilities"]);
}

TEST(BlockWalk, IsWhatLlamaWrittenOutComputes) {
  const nlohmann::json& torch = torch_numbers()["llama"];
  EXPECT_TRUE(all_hold(llama("decoder_attention")));
  for (const std::size_t h : {0, 1})
    expect_matrix(llama("decoder_attention", h == 0 ? "1" : "2"), "weights", torch["weights"][h]);
  expect_matrix(llama("decoder_feed_forward"), "activated", torch["activated"]);
  expect_matrix(llama("probabilities"), "probabilities", torch["probabilities"]);
}

/// Vaswani's table 3 and LLaMA's 2.2 in small: how many arrays, and which.
TEST(BlockWalk, ArraysAreThoseOfThePapers) {
  const auto names = [](const StudyResult& result, const char* which) {
    return table(result, which).columns[0].words;
  };
  const StudyResult both = walk({{"model", "both"}, {"layers", "1"}});
  // Encoder: 4 × (W, b), 2 × (W, b), 2 norms of 2; decoder: 4 more projections and a norm; one table.
  EXPECT_EQ(names(both, "arrays").size(), 1u + (8 + 4 + 4) + (16 + 4 + 6));
  // 4 projections, 3 of the network, 2 norms; table, last norm, head.
  EXPECT_EQ(names(both, "llama_arrays").size(), 9u + 3);
}

TEST(BlockWalk, PaddingChangesNoWordsRow) {
  const auto memory = [](const char* padding) { return table(walk({{"padding", padding}}), "encoded"); };
  const figure::Table without = memory("0"), with = memory("3");
  ASSERT_EQ(with.columns[1].values.size(), 6u);
  for (std::size_t j = 1; j < without.columns.size(); ++j)
    for (std::size_t t = 0; t < 3; ++t)
      EXPECT_NEAR(with.columns[j].values[t], without.columns[j].values[t], 1e-13);
}

TEST(BlockWalk, EveryPartOfEveryModelIsThere) {
  const parameter::Parameter* part = nullptr;
  for (const parameter::Parameter& p : find("block/walk").parameters)
    if (p.name == "part") part = &p;
  for (const char* placement :
       {"post", "pre", "sandwich", "output", "deep_norm", "parallel", "parallel_one_norm"})
    for (const std::string_view choice : parameter::choices_of(*part)) {
      const StudyResult result =
          walk({{"model", "custom"}, {"placement", placement}, {"part", std::string(choice)}});
      SCOPED_TRACE(std::string(placement) + " " + std::string(choice));
      EXPECT_TRUE(all_hold(result));
      // One box, or a sum with its norm, is drawn as chosen.
      const auto accents = std::ranges::count_if(result.figure.panels[0].marks, [](const figure::Mark& mark) {
        const auto* shape = std::get_if<figure::Shape>(&mark);
        return shape && shape->edge && shape->edge->role == figure::Role::accent;
      });
      EXPECT_GE(accents, 1);
      EXPECT_LE(accents, 2);
    }
}

/// What a link says is what its study then has.
// What stands above the scores is what they are: normed or turned queries and keys, those of the group, the bias.
TEST(BlockWalk, ScoresAreNamedForWhatTheyHold) {
  const auto names = [](std::initializer_list<std::pair<const char*, std::string>> changes,
                        std::string_view name) {
    for (const figure::Panel& panel : walk(changes).figure.panels)
      for (const figure::Mark& mark : panel.marks)
        if (const auto* note = std::get_if<figure::Note>(&mark);
            note && note->text.starts_with("$" + std::string(name) + "$"))
          return true;
    return false;
  };
  EXPECT_TRUE(names({{"part", "encoder_attention"}, {"head", "2"}}, "Q_{2} K_{2}^T/\\sqrt{d}"));
  EXPECT_TRUE(names({{"model", "llama"}, {"part", "decoder_attention"}, {"head", "2"}},
                    "Q_{R,2} K_{R,1}^T/\\sqrt{d}"))
      << "two heads have one of keys";
  EXPECT_TRUE(names(
      {{"model", "custom"}, {"family", "encoder"}, {"positions", "alibi"}, {"part", "encoder_attention"}},
      "Q_{1} K_{1}^T/\\sqrt{d} + B_{1}"));
}

// "on" and "all" are words of the window too.
TEST(BlockWalk, TypedWordsAreTheSameInEveryLanguage) {
  const figure::Figure said =
      translated(compute("block/walk", {{"sentence", "on off all"}}), language::Language::zh).figure;
  int names = 0;
  for (const figure::Panel& panel : said.panels)
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark)) {
        EXPECT_NE(note->text, "开");
        names += note->text == "on" ? 1 : 0;
      }
  EXPECT_GT(names, 0);
}

TEST(BlockWalk, LinksCarryTheNumbers) {
  const StudyResult crossed = walk({});
  const std::vector<Link> links = links_in(crossed);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].study, "attention/steps");
  const parameter::Settings there = settings_of(links[0]);
  const figure::Table& scores = table(crossed, "scores");
  const StudyResult steps = opened(links[0]);
  EXPECT_EQ(there.choice("mask"), "none");
  EXPECT_TRUE(all_hold(steps));
  const parameter::Matrix &q = there.matrix("q"), &k = there.matrix("k");
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_NEAR(
          (q.values[2 * t] * k.values[2 * n] + q.values[2 * t + 1] * k.values[2 * n + 1]) / std::sqrt(2.0),
          scores.columns[n + 1].values[t], 1e-14);

  const auto studies_of = [](const StudyResult& result) {
    std::vector<std::string> ids;
    for (const Link& link : links_in(result)) {
      ids.push_back(link.study);
      EXPECT_NO_THROW(opened(link)) << link.changes;
    }
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(studies_of(walk({{"model", "llama"}})), (Ids{"attention/steps", "rope/steps"}));
  EXPECT_EQ(studies_of(walk({{"part", "decoder_cross_add"}})), (Ids{"norm/steps"}));
  EXPECT_EQ(studies_of(walk({{"model", "llama"}, {"part", "decoder_attention_norm"}})), (Ids{"norm/steps"}));
  EXPECT_EQ(studies_of(walk({{"part", "decoder_feed_forward"}})), Ids{});
  EXPECT_EQ(studies_of(walk({{"part", "decoder_feed_forward"}, {"width", "2"}, {"hidden", "3"}})),
            (Ids{"ffn/steps"}));
  EXPECT_EQ(studies_of(walk({{"part", "encoder_embedding"}})), (Ids{"position/sinusoidal"}));
  EXPECT_EQ(studies_of(walk({{"part", "logits"}})), (Ids{"output/head"}));
  EXPECT_EQ(studies_of(walk({{"padding", "1"}})), Ids{});
}

TEST(BlockWalk, RefusesFilesOfOtherModels) {
  const auto refused = [](std::initializer_list<std::pair<const char*, std::string>> changes) -> std::string {
    try {
      walk(changes);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "taken";
  };
  const std::string file = support::source("tests/reference/walk/llama.safetensors");
  EXPECT_NE(refused({{"model", "custom"}, {"weights", file}}).find("whole numbers from 0 to 6"),
            std::string::npos);
  EXPECT_NE(refused({{"model", "custom"}, {"weights", file}, {"sentence", "1 7"}})
                .find("whole numbers from 0 to 6"),
            std::string::npos);
  EXPECT_NE(
      refused({{"model", "custom"}, {"weights", file}, {"sentence", "1"}, {"heads", "8"}}).find("heads"),
      std::string::npos);
  EXPECT_NE(refused({{"model", "custom"}, {"weights", "nowhere.safetensors"}}).find("nowhere"),
            std::string::npos);
  EXPECT_NE(refused({{"sentence", "  "}}).find("0 words"), std::string::npos);
}

/// A decoder of one layer, of 8 numbers a token: its queries of so many, one number of its table another, so many places.
std::string small_decoder(std::size_t queries, float odd, std::size_t places) {
  std::vector<support::RawTensor> arrays;
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape, float first = 0.25F) {
    std::size_t count = 1;
    std::string text;
    for (const std::size_t n : shape) count *= n, text += (text.empty() ? "[" : ",") + std::to_string(n);
    std::vector<float> numbers(count, 0.25F);
    if (count > 0) numbers[0] = first;
    arrays.push_back({name, "F32", text + "]", support::float_bytes(numbers)});
  };
  const std::string layer = "decoder.layers.0.";
  add("token_embedding.weight", {7, 8}, odd);
  if (places > 0) add("decoder.position_embedding.weight", {places, 8});
  for (const char* name : {"q", "k", "v"}) add(layer + "self_attention." + name + ".weight", {queries, 8});
  add(layer + "self_attention.out.weight", {8, queries});
  add(layer + "self_attention.norm_before.weight", {8});
  add(layer + "feed_forward.norm_before.weight", {8});
  add(layer + "feed_forward.up.weight", {4, 8});
  add(layer + "feed_forward.down.weight", {8, 4});
  return support::safetensors_bytes(arrays);
}

TEST(BlockWalk, RefusesFilesWithoutQueriesNumbersOrPlaces) {
  const support::TemporaryFolder folder;
  const auto said = [&](const std::string& bytes, const char* sentence) -> std::string {
    const std::filesystem::path path = folder / "small.safetensors";
    support::put(path, bytes);
    try {
      walk({{"model", "custom"}, {"norm", "rms_norm"}, {"weights", path.string()}, {"sentence", sentence}});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(said(small_decoder(8, 0.5F, 0), "1 2 3"), "taken");
  EXPECT_NE(said(small_decoder(0, 0.5F, 0), "1 2 3").find("its queries have 0 columns"), std::string::npos);
  for (const float odd : {NAN, INFINITY, 2e9F})
    EXPECT_NE(said(small_decoder(8, odd, 0), "1 2 3").find("holds numbers that are not finite or beyond 1e9"),
              std::string::npos);
  EXPECT_EQ(said(small_decoder(8, 0.5F, 2), "1 2"), "taken");
  EXPECT_NE(said(small_decoder(8, 0.5F, 2), "1 2 3").find("sentence: 3 tokens; allowed: up to 2"),
            std::string::npos);
}

namespace block_walk_title {

/// The likeliest word of a table, and how likely.
std::pair<std::string, double> likeliest(const titles::Said& said, const char* name) {
  const figure::Table& next = said.table(name);
  const auto& p = next.columns[2].values;
  const auto best = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
  std::string word;
  for (const char c : next.columns[0].words[best]) word += c == '$' ? std::string("\\$") : std::string(1, c);
  return {word, p[best]};
}

bool says_the_next_word(const titles::Said& said) {
  if (const auto at = said.as("After “{}” comes “{}”, with a probability of {}")) {
    const auto [word, p] = likeliest(said, "next");
    return (*at)[1] == word && std::abs(titles::number_of((*at)[2]) - p) <= 0.00051;
  }
  if (const auto at = said.as("After “{}” the first Transformer says “{}”, after “{}” LLaMA says “{}”"))
    return (*at)[1] == likeliest(said, "next").first && (*at)[3] == likeliest(said, "llama_next").first;
  const auto at = said.as("The encoder gives each word {} numbers that know of all words");
  return at && titles::says((*at)[0], std::stod(said.settings.choice("width")));
}

bool says_which_layer(const titles::Said& said) {
  for (const char* pattern : {"{}, layer {} of {}: {}", "{}, layer {} of {}"})
    if (const auto at = said.as(pattern)) {
      const double layers = static_cast<double>(said.settings.integer("layers"));
      return titles::says((*at)[2], layers) &&
             titles::says((*at)[1], std::min(layers, static_cast<double>(said.settings.integer("layer"))));
    }
  return false;
}

const titles::Entries entries{{"block/walk", says_the_next_word, says_which_layer}};

}  // namespace block_walk_title

}  // namespace
}  // namespace orrery::study
