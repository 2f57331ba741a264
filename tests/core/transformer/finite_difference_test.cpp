// Every gradient against differences of the loss, in double: what no other program needs to be asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "tests/core/transformer/models.h"

namespace orrery::transformer::finite_difference_test {
namespace {

struct Case {
  std::string name;
  Config config;
  Batch batch;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

template <class Change>
Case with(std::string name, Change change) {
  Case c{std::move(name), tiny(), tiny_batch()};
  // Smaller still: every number is moved there and back.
  c.config.width = 6;
  c.config.hidden = 5;
  change(c);
  return c;
}

void make_seq2seq(Case& c) {
  c.config.family = Family::encoder_decoder;
  c.config.layers = c.config.encoder_layers = 1;
  c.batch.source_length = 4;
  c.batch.source = {2, 0, 6, 1, 5, 5, 3, 2};
  c.batch.source_padding = {1, 1, 1, 0, 1, 1, 0, 0};
  c.batch.padding = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* name, auto change) { all.push_back(with(name, change)); };
  add("pre", [](Case&) {});
  add("post_sinusoidal", [](Case& c) {
    c.config.placement = Placement::post;
    c.config.positions = Positions::sinusoidal;
    c.config.scaled_embedding = true;
  });
  add("rms_swiglu_rope_grouped_untied", [](Case& c) {
    c.config.norm = {.kind = NormKind::rms, .eps = 1e-6};
    c.config.activation = activation::Kind::silu;
    c.config.gated = true;
    c.config.bias = false;
    c.config.positions = Positions::rope;
    c.config.heads = 4;
    c.config.head_width = 2;
    c.config.key_value_heads = 2;
    c.config.tied = false;
  });
  add("alibi_window_cap", [](Case& c) {
    c.config.positions = Positions::alibi;
    c.config.window = 3;
    c.config.score_cap = 2;
  });
  add("none_multi_query", [](Case& c) {
    c.config.positions = Positions::none;
    c.config.key_value_heads = 1;
  });
  add("peri_qk_norm", [](Case& c) {
    c.config.placement = Placement::sandwich;
    c.config.embedding_norm = true;
    c.config.qk_norm = QkNorm::heads;
    c.config.head_width = 4;
  });
  add("output_qk_norm_whole_rope", [](Case& c) {
    c.config.placement = Placement::output;
    c.config.qk_norm = QkNorm::whole;
    c.config.norm = {.kind = NormKind::rms, .eps = 1e-6};
    c.config.positions = Positions::rope;
    c.config.head_width = 4;
    c.config.rope.layout = position::RopeLayout::interleaved;
    c.config.rope.width = 2;
  });
  add("parallel", [](Case& c) { c.config.placement = Placement::parallel; });
  add("parallel_one_norm", [](Case& c) { c.config.placement = Placement::parallel_one_norm; });
  add("deep_norm", [](Case& c) { c.config.placement = Placement::deep_norm; });
  add("t5", [](Case& c) {
    c.config.positions = Positions::t5;
    c.config.t5_buckets = 6;
    c.config.t5_distance = 5;
    c.config.score_scale = 1;
  });
  add("fire", [](Case& c) {
    c.config.positions = Positions::fire;
    c.config.fire = {.c = 0.5, .threshold = 3};
    c.config.fire_width = 4;
    c.config.activation = activation::Kind::gelu_tanh;
  });
  add("encoder_fire", [](Case& c) {
    c.config.family = Family::encoder;
    c.config.positions = Positions::fire;
    c.config.fire = {.c = 0.5, .threshold = 3};
    c.config.fire_width = 4;
  });
  add("encoder", [](Case& c) {
    c.config.family = Family::encoder;
    c.config.embedding_norm = true;
    c.config.placement = Placement::post;
    c.batch.padding = {1, 1, 1, 0, 0, 1, 1, 1, 1, 1};
  });
  add("encoder_t5", [](Case& c) {
    c.config.family = Family::encoder;
    c.config.positions = Positions::t5;
    c.config.t5_buckets = 8;
    c.config.t5_distance = 5;
  });
  add("encoder_decoder_pre", make_seq2seq);
  add("encoder_decoder_post", [](Case& c) {
    make_seq2seq(c);
    c.config.placement = Placement::post;
    c.config.final_norm = true;
    c.config.tied = false;
  });
  add("encoder_decoder_fire", [](Case& c) {
    make_seq2seq(c);
    c.config.positions = Positions::fire;
    c.config.fire = {.c = 0.5, .threshold = 3};
    c.config.fire_width = 4;
  });
  add("encoder_decoder_deep_norm_t5", [](Case& c) {
    make_seq2seq(c);
    c.config.placement = Placement::deep_norm;
    c.config.positions = Positions::t5;
    c.config.t5_buckets = 8;
    c.config.t5_distance = 6;
  });
  add("encoder_decoder_sandwich_qk_norm", [](Case& c) {
    make_seq2seq(c);
    c.config.placement = Placement::sandwich;
    c.config.qk_norm = QkNorm::heads;
  });
  return all;
}

class FiniteDifference : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Model, FiniteDifference, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(FiniteDifference, IsTheGradient) {
  const Transformer<double> model(GetParam().config);
  const Batch& batch = GetParam().batch;
  std::vector<double> values = scattered_values(model.layout(), 0.8);
  std::vector<double> gradient(values.size(), 0.0);
  Tape<double> tape;
  const auto loss = [&] {
    model.forward(values, batch, tape);
    return model.loss(batch, tape);
  };
  loss();
  model.backward(values, batch, tape, gradient);

  // f' = (f(h) − f(−h))/2h + O(h²): with h = 1e-5 the remainder, h² f'''/6, is 1e-8 of the largest gradient where the third
  // derivative is some hundred times that, as it is in models with norms of small vectors; the rounding of losses of about 2,
  // 4e-16, over h is 4e-11.
  const double largest =
      std::abs(*std::ranges::max_element(gradient, {}, [](double g) { return std::abs(g); }));
  constexpr double h = 1e-5;
  double worst = 0;
  std::string where;
  for (const NamedSlot& array : model.layout().arrays())
    for (Index i = 0; i < array.slot.size(); ++i) {
      const auto at = static_cast<std::size_t>(array.slot.offset + i);
      const double kept = values[at];
      const auto moved = [&](double by) {
        values[at] = kept + by;
        return loss();
      };
      const double error = std::abs((moved(h) - moved(-h)) / (2 * h) - gradient[at]) / largest;
      values[at] = kept;
      if (error > worst) {
        worst = error;
        where = array.name + "[" + std::to_string(i) + "]";
      }
    }
  std::printf("%-34s %5td numbers, largest %.3g, worst %.2g of it at %s\n", GetParam().name.c_str(),
              model.layout().size(), largest, worst, where.c_str());
  EXPECT_LE(worst, 1e-7) << where;
}

}  // namespace
}  // namespace orrery::transformer::finite_difference_test
