// What a course asks, answered by the program's own recipes: each answer is a number that was worked out elsewhere, by hand
// or with PyTorch, and all checks of the study hold beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "app/recipe/recipe.h"
#include "app/study/kit/expects.h"
#include "core/tensor/error.h"

namespace orrery::recipe::exercises_test {
namespace {

using Row = std::variant<double, std::string_view>;  // by the first column, of numbers or of words

struct Exercise {
  std::string_view asked, recipe, table, column;
  Row row;
  double answer, within;
};

constexpr Exercise exercises[] = {
    // Norms
    {"LayerNorm of 1, 2, 3, 4 with epsilon 1e-6", "norm-steps", "components", "$y$", 1.0, -1.3416402498438813,
     1e-15},
    {"RMSNorm is LayerNorm where the mean is 0", "norm-mean-zero", "components", "RMSNorm", 0.0,
     -1.3416402498438813, 2e-7},
    {"RMSNorm of 1, 2, 3, 4: from 0.365 …", "norm-steps-rms", "components", "$y$", 1.0, 0.3651483473268884,
     1e-15},
    {"… to 1.461, and not about 0", "norm-steps-rms", "components", "$y$", 4.0, 1.4605933893075536, 1e-15},
    {"the same by LayerNorm", "norm-mean-zero", "components", "LayerNorm", 0.0, -1.3416402498438813, 2e-7},
    {"LayerNorm does not answer to a shift", "norm-invariance", "answers", "all shifted",
     std::string_view("LayerNorm"), 0, 1e-6},
    {"and to a scale hardly more than RMSNorm", "norm-invariance", "answers", "all scaled",
     std::string_view("LayerNorm"), 0, 1e-4},
    {"BatchNorm averages over samples: 5 of 3 positions", "norm-axes", "norms", "numbers in a mean",
     std::string_view("BatchNorm"), 15, 0},
    {"LayerNorm averages over the 8 features of a token", "norm-axes", "norms", "numbers in a mean",
     std::string_view("LayerNorm"), 8, 0},
    {"an RMSNorm has d parameters", "norm-cost", "norms", "parameters of one norm",
     std::string_view("RMSNorm"), 4096, 0},
    {"a LayerNorm has 2 d", "norm-cost", "norms", "parameters of one norm", std::string_view("LayerNorm"),
     8192, 0},
    {"a gain of 0 in a SwiGLU block never recovers", "norm-zero-gain", "zero_gain", "SwiGLU", 0.0, 0, 0},
    {"300 squared is no number of float16: y is 0", "norm-f16-overflow", "stages", "as set",
     std::string_view("first component $y_0$"), 0, 0},
    {"4096 ones in bf16: the mean square is 1/16", "norm-precision", "stages", "as set",
     std::string_view("mean square"), 0.0625, 0},
    {"an epsilon of 1e-5 inside the root takes two thirds of a row of size 0.001", "norm-eps", "kept",
     "inside", 0.001, 0.3015113445777636, 1e-6},
    {"and outside one hundredth", "norm-eps", "kept", "outside", 0.001, 0.9900990099009901, 1e-6},
    {"LayerNorm's Jacobian has the rank D - 2: the last eigenvalue but one is 0 but for epsilon",
     "norm-gradient", "spectrum", "eigenvalue", 14.0, 0, 2e-5},
    {"a bias behind the norm adds to every token what the layer makes of it alone", "norm-bias-absorbed",
     "absorbed", "added to the second token", 0.0, -1.922644011322898, 1e-13},
    // Rotations and positions
    {"1, 2, 3, 4 at position 3: cos 3 - 2 sin 3", "rope-steps", "pairs", "$y_a$", 0.0, -1.27223251272018,
     1e-15},
    {"and sin 3 + 2 cos 3", "rope-steps", "pairs", "$y_b$", 0.0, -1.8388649851410237, 1e-15},
    {"the mistake θ, 2θ, 3θ: 44 tokens away is nearly as near as none", "rope-steps-mistake", "scores",
     "multiples", 44.0, 0.9449007647429638, 1e-13},
    {"PE(23) is a turn of PE(20)", "position-shift", "rows", "R PE(p)", 0.0, -0.8462204041751706, 1e-6},
    {"pair 0 at position 37", "rope-rotation", "pairs", "cos", 0.0, 0.7654140519453434, 1e-15},
    {"two tokens are 4 apart, wherever they stand", "rope-relative", "spread", "largest error", 64.0, 0,
     1e-12},
    {"PE(3) in four dimensions, sine of the first", "sinusoidal-example", "worked_example", "value", 0.0,
     0.1411200080598672, 1e-15},
    {"PE(3), cosine of the second: not 0.999", "sinusoidal-example", "worked_example", "value", 3.0,
     0.9995500337489875, 1e-15},
    {"T5's bias must meet the scores: 512 × 512 numbers for each head", "position-practice", "schemes",
     "numbers for the kernel", std::string_view("T5"), 262144, 0},
    {"RoPE hands a kernel nothing", "position-practice", "schemes", "numbers for the kernel",
     std::string_view("RoPE"), 0, 0},
    {"RoPE learns nothing", "position-compare", "schemes", "parameters", std::string_view("RoPE"), 0, 0},
    {"T5 learns 32 numbers a head", "position-compare", "schemes", "parameters", std::string_view("T5"), 32,
     0},
    // Attention
    {"the variance of a score over the root of d is 1", "attention-scaling", "variance", "over √d, expected",
     64.0, 1, 1e-15},
    // 4096 pairs of chance: the variance of a score of variance 1 has a deviation of 0.024.
    {"so it is measured", "attention-scaling", "variance", "over √d", 64.0, 1, 0.1},
    {"divided by d it is 1/d", "attention-scaling", "variance", "over d, expected", 64.0, 0.015625, 1e-15},
    {"the second of three queries, by hand", "attention-steps", "steps", "weight", 2.0, 0.40111209267978587,
     1e-15},
    {"what is masked has no weight: the first query sees one key", "attention-weights", "rows", "keys seen",
     0.0, 1, 0},
    {"eight heads of 64 make 512 columns", "attention-heads", "stages", "columns",
     std::string_view("queries"), 64, 0},
    {"one projection for all: head 7 is head 0", "attention-one-projection", "heads", "off the first head",
     7.0, 0, 0},
    {"without positions another order is no other sentence", "attention-word-order", "schemes",
     "change of all outputs", std::string_view("no positions"), 0, 1e-15},
    // Activations and layers
    {"GELU(-0.5)", "activations", "points", "GELU", -0.5, -0.15426876936299344, 1e-7},
    {"SiLU(2)", "activations", "points", "SiLU", 2.0, 1.7615941559557646, 4e-7},
    {"GELU(-2) of the table of five", "activation-points", "points", "GELU", -2.0, -0.04550026389635844,
     1e-7},
    {"SiLU(-0.5) of the same", "activation-points", "points", "SiLU", -0.5, -0.1887703343990727, 1e-7},
    {"GELU between two matrices, by hand", "ffn-steps", "outputs", "$y$", 1.0, 3.799578396193426, 1e-14},
    {"the first Transformer's layer has 2048 hidden units", "ffn-layer-shapes", "sizes", "hidden units",
     std::string_view("ungated"), 2048, 0},
    {"LLaMA's 4096: two thirds of 4 d, rounded up by 256", "activation-glu", "sizes", "hidden units",
     std::string_view("rounded up"), 11008, 0},
    {"GPT-2: one table of words", "embedding-tying", "chosen", "one table", 38597376.0, 38597376, 0},
    {"LLaMA 7B is not tied, and a table less would save 1.9 %", "embedding-tying-llama", "chosen",
     "share of the published model", 131072000.0, 1.945145676214698, 1e-12},
};

const tensor::EmbeddedFile* built_in(std::string_view name) {
  const std::span all(built_in_recipes, static_cast<std::size_t>(built_in_recipes_count));
  const auto found = std::ranges::find(all, std::string(name) + ".toml", &tensor::EmbeddedFile::name);
  return found == all.end() ? nullptr : &*found;
}

study::StudyResult computed(std::string_view name) {
  const tensor::EmbeddedFile* file = built_in(name);
  if (!file) throw Failure("no recipe " + std::string(name));
  const Recipe recipe = recipe_from_toml(file->text, file->name);
  return recipe.study->compute(recipe.settings, {});
}

TEST(Exercises, AreAnsweredByTheirRecipes) {
  std::map<std::string_view, study::StudyResult> results;  // several ask the same recipe
  for (const Exercise& e : exercises) {
    SCOPED_TRACE(std::string(e.asked));
    if (!results.contains(e.recipe)) results.emplace(e.recipe, computed(e.recipe));
    const study::StudyResult& result = results.at(e.recipe);
    const double found = std::visit([&](auto row) { return at(result, e.table, e.column, row); }, e.row);
    EXPECT_NEAR(found, e.answer, e.within);
    for (const study::Check& check : result.checks) EXPECT_TRUE(check.holds()) << check.statement;
  }
}

// Whoever runs the norms anew keeps what the lessons say of them: by name, with a spread that holds its median.
TEST(Exercises, SpeedIsAnsweredByName) {
  const study::StudyResult result = computed("norm-speed");
  for (const char* asked : {"LayerNorm / RMSNorm, fused", "in passes / fused, RMSNorm"}) {
    const double median = at(result, "ratios", "median", std::string_view(asked));
    EXPECT_LE(at(result, "ratios", "lower quartile", std::string_view(asked)), median);
    EXPECT_GE(at(result, "ratios", "upper quartile", std::string_view(asked)), median);
    EXPECT_GT(median, 1) << asked;
  }
}

}  // namespace
}  // namespace orrery::recipe::exercises_test
