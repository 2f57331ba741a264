// attention/scores of one head out of files, in every shape that is taken: each is the same head, and what does not fit is
// said.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/study/kit/expects.h"
#include "core/file/npy.h"
#include "core/tensor/array.h"
#include "tests/app/study/ask.h"
#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study::score_files_test {
namespace {

using tensor::Index;
using Given = std::vector<std::pair<std::string, std::string>>;

/// Files of one test, saved by shape.
class HeadFiles : public testing::Test {
 protected:
  std::string saved(const char* name, std::vector<Index> shape, const std::vector<double>& values) const {
    const tensor::Matrix<double> flat =
        Eigen::Map<const tensor::Matrix<double>>(values.data(), 1, std::ssize(values));
    tensor::Array array = tensor::Array::from(tensor::View<const double>(flat), tensor::Format::f64);
    array.shape = std::move(shape);
    file::write_npy(folder / name, array);
    return (folder / name).string();
  }

  /// Plain products of all pairs: nothing turned, nothing masked, nothing divided.
  static StudyResult asked(const Given& given, const char* content = "files") {
    const Study& study = find("attention/scores");
    parameter::Settings settings(study.parameters);
    for (const auto& [name, text] : Given{{"content", content},
                                          {"positions", "none"},
                                          {"mask", "none"},
                                          {"scaled", "none"},
                                          {"head_width", "2"}})
      settings.set(name, std::string_view(text));
    for (const auto& [name, text] : given) settings.set(name, std::string_view(text));
    study::Run run;
    run.device = DeviceChoice::ref;
    return study.compute(settings, run);
  }
  static std::vector<double> scores(const StudyResult& result) {
    std::vector<double> all;
    const auto& columns = table(result, "scores").columns;
    for (std::size_t row = 0; row < columns[0].values.size(); ++row)
      for (const auto& column : columns)
        if (column.name.starts_with("key")) all.push_back(column.values[row]);
    return all;
  }
  static std::string refusal(const Given& given, const char* content = "files") {
    try {
      asked(given, content);
    } catch (const std::exception& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "taken";
  }

  support::TemporaryFolder folder;
  // Three tokens, two heads of two components: tokens are rows, a head's components stand together.
  const std::vector<double> q{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, k{1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 2, -1};
  // q₁ k₁ᵀ of the second head, (3 4; 7 8; 11 12) times (0 1; 1 1; 2 −1)ᵀ, by hand.
  const std::vector<double> second{4, 7, 2, 8, 15, 6, 12, 23, 10};
  // The first head's: (1 2; 5 6; 9 10) times (1 0; 0 1; 1 1)ᵀ.
  const std::vector<double> first{1, 2, 3, 5, 6, 11, 9, 10, 19};
};

// Queries and keys of 5 tokens and 8 components by formula; the scores of tokens 4 and 1 of rotations in PyTorch, with base
// 10000, s = 4 and L = 64, the frequencies of each rule as its paper writes them (YaRN: those of its code, between pairs 0
// and 2, and 0.1 ln 4 + 1 on every vector).
TEST_F(HeadFiles, RulesOfContextExtensionTurnAsPyTorchDoes) {
  std::vector<double> queries, keys;
  for (int i = 0; i < 40; ++i) {
    queries.push_back(std::round(8 * std::sin(i + 1.0)) / 8);
    keys.push_back(std::round(8 * std::cos(2.0 * i)) / 8);
  }
  const std::string q_file = saved("q8.npy", {5, 8}, queries), k_file = saved("k8.npy", {5, 8}, keys);
  const std::vector<std::pair<std::string, std::vector<double>>> expected{
      {"linear",
       {0.769874422305606, -0.640822590003861, 0.308385662356081, -0.0973252224210717, -0.0625000000000002,
        0.186033353059461, -0.453125, 0.611863982270849, -0.732700743305087, 0.694561379806544}},
      {"ntk",
       {-1.35541397297289, 1.6301740216483, -1.35741644201828, 0.685437531731646, -0.0625000000000001,
        -0.173954285445539, -0.453125, 0.86676093728746, -1.01603405602229, 0.709356519447633}},
      {"yarn",
       {-1.75881737822316, 2.11329300728294, -1.75900688958562, 0.887837958126286, -0.0810298120487947,
        -0.225147558728766, -0.587466137353758, 1.12266959313582, -1.31458819583904, 0.914887237052079}}};
  for (const auto& [rule, values] : expected) {
    const std::vector<double> all = scores(asked({{"q_file", q_file},
                                                  {"k_file", k_file},
                                                  {"head_width", "8"},
                                                  {"positions", "rope"},
                                                  {"rule", rule},
                                                  {"factor", "4"},
                                                  {"original", "64"}}));
    ASSERT_EQ(all.size(), 25U);
    for (std::size_t n = 0; n < 5; ++n) {
      // Rounded to floats after each step, of vectors no longer than √8 times YaRN's 1.14.
      EXPECT_NEAR(all[20 + n], values[n], 1e-5) << rule << " 4, " << n;
      EXPECT_NEAR(all[5 + n], values[5 + n], 1e-5) << rule << " 1, " << n;
    }
  }
}

TEST_F(HeadFiles, EveryShapeIsTheSameHead) {
  const std::vector<double> q_heads{1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12},
      k_heads{1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 2, -1};
  const std::string flat_q = saved("q.npy", {3, 4}, q), flat_k = saved("k.npy", {3, 4}, k),
                    batch_q = saved("bq.npy", {1, 3, 4}, q), heads_q = saved("hq.npy", {2, 3, 2}, q_heads),
                    heads_k = saved("hk.npy", {2, 3, 2}, k_heads),
                    all_k = saved("bhk.npy", {1, 2, 3, 2}, k_heads);
  for (const std::string& queries : {flat_q, batch_q, heads_q})
    for (const std::string& keys : {flat_k, heads_k, all_k}) {
      const Given files{{"q_file", queries}, {"k_file", keys}};
      EXPECT_EQ(scores(asked(files)), first) << queries << keys;
      const auto result = asked({files[0], files[1], {"head", "1"}});
      EXPECT_EQ(scores(result), second) << queries << keys;
      EXPECT_TRUE(all_hold(result));
      EXPECT_EQ(result.figure.title.find("Head 1 of 2, tokens 0 to 2 of 3. Query 2 "), 0u)
          << result.figure.title;
    }
}

TEST_F(HeadFiles, HeadsThatShareKeysMeetTheirs) {
  // Four heads of queries, of one component doubled; two of keys: heads 0 and 1 meet key head 0, 2 and 3 key head 1.
  const std::string queries = saved("q.npy", {1, 8}, {1, 1, 2, 2, 3, 3, 4, 4}),
                    keys = saved("k.npy", {1, 4}, {10, 0, 100, 0});
  const double wanted[] = {10, 20, 300, 400};
  for (int head = 0; head < 4; ++head) {
    const auto result = asked({{"q_file", queries}, {"k_file", keys}, {"head", std::to_string(head)}});
    EXPECT_EQ(scores(result), std::vector<double>{wanted[head]});
    EXPECT_EQ(column(result, "files", "head"), (std::vector<double>{double(head), double(head / 2)}));
    EXPECT_NE(result.figure.title.find(", keys of head " + std::to_string(head / 2) + " of 2, "),
              std::string::npos)
        << result.figure.title;
  }
}

TEST_F(HeadFiles, StatesTimesProjectionsAreQueriesAndKeys) {
  // x: two tokens of three features. W_q has two heads; its rows 2 and 3 are the second's.
  const std::string x = saved("x.npy", {2, 3}, {1, 2, 3, -1, 0, 2}),
                    wq = saved("wq.npy", {4, 3}, {9, 9, 9, 9, 9, 9, 1, 0, 1, 0, 2, 0}),
                    wk = saved("wk.npy", {2, 3}, {1, 1, 0, 0, 0, 1}),
                    wv = saved("wv.npy", {2, 3}, {0, 1, 0, 1, 0, 0});
  const auto result =
      asked({{"hidden", x}, {"wq", wq}, {"wk", wk}, {"wv", wv}, {"head", "1"}}, "projections");
  // q = (4, 4), (1, 0); k = (3, 3), (−1, 2); v = (2, 1), (0, −1).
  EXPECT_EQ(scores(result), (std::vector<double>{24, 4, 3, -1}));
  const double weight = 1 / (1 + std::exp(-20.0));  // e²⁴ beside e⁴
  EXPECT_NEAR(column(result, "weights", "key 0")[0], weight, 1e-14);
  EXPECT_NEAR(column(result, "outputs", "component 0")[0], 2 * weight, 1e-14);
  EXPECT_NEAR(column(result, "outputs", "component 1")[0], 2 * weight - 1, 1e-14);
  EXPECT_TRUE(all_hold(result));
  // Without them the states themselves, cut into heads.
  const std::string wide = saved("wide.npy", {2, 4}, {5, 5, 1, 2, 5, 5, 3, 4});
  const auto own = asked({{"hidden", wide}, {"head", "1"}}, "projections");
  EXPECT_EQ(scores(own), (std::vector<double>{5, 11, 11, 25}));
  EXPECT_NE(own.figure.title.find("the hidden states as queries and keys"), std::string::npos);
}

TEST_F(HeadFiles, AWindowOfTokens) {
  std::vector<double> many;
  for (int t = 0; t < 40; ++t) many.insert(many.end(), {double(t), 1});
  const std::string path = saved("q.npy", {40, 2}, many);
  const auto result = asked({{"q_file", path}, {"first", "30"}, {"length", "4"}});
  EXPECT_EQ(scores(result).front(), 30.0 * 30 + 1);
  EXPECT_EQ(scores(result).back(), 33.0 * 33 + 1);
  EXPECT_NE(result.figure.title.find("the queries as keys, tokens 30 to 33 of 40. "), std::string::npos);
  // Past the end, the last ones.
  EXPECT_EQ(scores(asked({{"k_file", path}, {"first", "1000"}, {"length", "2"}})).back(), 39.0 * 39 + 1);
}

TEST_F(HeadFiles, ALayerInTheName) {
  support::put(folder / "m.safetensors",
               support::safetensors_bytes({{"layers.0.k", "F32", "[1,2]", support::float_bytes({1, 2})},
                                           {"layers.7.k", "F32", "[1,2]", support::float_bytes({3, 4})}}));
  const std::string path = (folder / "m.safetensors").string() + "#layers.{layer}.k";
  EXPECT_EQ(scores(asked({{"k_file", path}, {"layer", "0"}})), std::vector<double>{5});
  EXPECT_EQ(scores(asked({{"k_file", path}, {"layer", "7"}})), std::vector<double>{25});
  EXPECT_NE(refusal({{"k_file", path}, {"layer", "3"}}).find("layers.3.k"), std::string::npos);
}

TEST_F(HeadFiles, WhatDoesNotFitIsSaidInOneLine) {
  const auto says = [](const std::string& said, const char* part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  const std::string good = saved("q.npy", {3, 4}, q);
  says(refusal({{"q_file", saved("odd.npy", {4, 3}, q)}}),
       "odd.npy: shape 4×3; allowed: tokens × (heads · 2) or heads × tokens × 2");
  says(refusal({{"q_file", saved("axes.npy", {2, 2, 3}, q)}}), "axes.npy: shape 2×2×3");
  says(refusal({{"q_file", saved("row.npy", {12}, q)}}), "row.npy: shape 12");
  says(refusal({{"q_file", saved("two.npy", {2, 1, 3, 2}, q)}}), "two.npy: shape 2×1×3×2");
  says(refusal({{"q_file", good}, {"head", "2"}}), "head: found 2; allowed: below 2");
  says(refusal({{"q_file", good}, {"k_file", saved("short.npy", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}}),
       "k_file: 2 tokens; allowed: 3");
  says(refusal({{"q_file", good}, {"k_file", saved("six.npy", {3, 6}, std::vector<double>(18, 1))}}),
       "k_file: 3 heads of keys; allowed: a divisor of 2");
  says(refusal({{"q_file", good}, {"v_file", saved("v.npy", {3, 2}, std::vector<double>(6, 1))}}),
       "v_file: 1 heads of values; allowed: 2");
  says(refusal({{"v_file", good}}), "q_file: is not chosen");
  says(refusal({{"q_file", saved("nan.npy", {1, 2}, {1, std::nan("")})}}), "not finite or beyond 1e9");
  says(refusal({{"q_file", saved("inf.npy", {1, 2}, {INFINITY, 0})}}), "not finite or beyond 1e9");
  says(refusal({{"q_file", (folder / "none.npy").string()}}), "none.npy");
  says(refusal({{"wq", good}}, "projections"), "hidden: is not chosen");
  says(refusal({{"hidden", good}, {"wk", saved("wk.npy", {4, 3}, q)}}, "projections"),
       "wk.npy: shape 4×3; allowed: (heads · 2) × 4, as PyTorch's Linear keeps it");
  says(refusal({{"hidden", saved("three.npy", {4, 3}, q)}}, "projections"),
       "head_width: found 2; allowed: a divisor of 3");
  says(refusal({{"hidden", saved("big.npy", {1, 2}, {1e8, 1e8})},
                {"wq", saved("large.npy", {2, 2}, {1e8, 0, 0, 1})}},
               "projections"),
       "its projections are beyond 1e9");
  // What is looked at alone: a NaN in another head, or before the first token, is not met.
  std::vector<double> elsewhere = q;
  elsewhere[0] = std::nan("");
  const std::string path = saved("elsewhere.npy", {3, 4}, elsewhere);
  EXPECT_EQ(refusal({{"q_file", path}, {"head", "1"}}), "taken");
  EXPECT_EQ(refusal({{"q_file", path}, {"first", "1"}, {"length", "2"}}), "taken");
}

TEST_F(HeadFiles, WithoutAFileThatIsSaid) {
  for (const char* content : {"files", "projections"})
    EXPECT_EQ(asked({}, content).figure.title.find("No file yet, vectors by chance. Query 4 "), 0u);
}

}  // namespace
}  // namespace orrery::study::score_files_test
