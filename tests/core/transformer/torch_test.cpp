// Whole models against PyTorch: tests/reference/transformer, made by make_transformer.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/file/npy.h"
#include "tests/core/transformer/models.h"
#include "tests/support/compare.h"
#include "tests/support/source.h"
#include "tests/support/within.h"

namespace orrery::transformer::torch_test {
namespace {

using nlohmann::json;

const std::string folder = orrery::support::source("tests/reference/transformer/");

template <class Value>
Value named(const std::map<std::string, Value>& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) throw std::runtime_error("cases.json: '" + name + "' has no meaning here");
  return found->second;
}

/// Every key of the case's model must be known, so that none is passed over.
Config config_of(const json& given) {
  Config c = tiny();
  const std::map<std::string, std::function<void(const json&)>> keys = {
      {"family",
       [&](const json& v) {
         c.family =
             named<Family>({{"encoder", Family::encoder}, {"encoder_decoder", Family::encoder_decoder}}, v);
       }},
      {"placement",
       [&](const json& v) {
         c.placement = named<Placement>({{"post", Placement::post},
                                         {"pre", Placement::pre},
                                         {"sandwich", Placement::sandwich},
                                         {"output", Placement::output},
                                         {"deep_norm", Placement::deep_norm},
                                         {"parallel", Placement::parallel},
                                         {"parallel_one_norm", Placement::parallel_one_norm}},
                                        v);
       }},
      {"positions",
       [&](const json& v) {
         c.positions = named<Positions>({{"none", Positions::none},
                                         {"sinusoidal", Positions::sinusoidal},
                                         {"rope", Positions::rope},
                                         {"alibi", Positions::alibi},
                                         {"t5", Positions::t5},
                                         {"fire", Positions::fire}},
                                        v);
       }},
      {"norm",
       [&](const json& v) {
         c.norm.kind = named<NormKind>({{"layer", NormKind::layer}, {"rms", NormKind::rms}}, v);
       }},
      {"qk_norm",
       [&](const json& v) {
         c.qk_norm = named<QkNorm>({{"heads", QkNorm::heads}, {"whole", QkNorm::whole}}, v);
       }},
      {"activation", [&](const json& v) { c.activation = activation::kind_from_name(v.get<std::string>()); }},
      {"rope_layout",
       [&](const json& v) {
         c.rope.layout = named<position::RopeLayout>({{"interleaved", position::RopeLayout::interleaved}}, v);
       }},
      {"eps", [&](const json& v) { c.norm.eps = v; }},
      {"gated", [&](const json& v) { c.gated = v; }},
      {"bias", [&](const json& v) { c.bias = v; }},
      {"tied", [&](const json& v) { c.tied = v; }},
      {"scaled_embedding", [&](const json& v) { c.scaled_embedding = v; }},
      {"embedding_norm", [&](const json& v) { c.embedding_norm = v; }},
      {"final_norm", [&](const json& v) { c.final_norm = v.get<bool>(); }},
      {"layers", [&](const json& v) { c.layers = v; }},
      {"encoder_layers", [&](const json& v) { c.encoder_layers = v; }},
      {"heads", [&](const json& v) { c.heads = v; }},
      {"key_value_heads", [&](const json& v) { c.key_value_heads = v; }},
      {"head_width", [&](const json& v) { c.head_width = v; }},
      {"rotary_dim", [&](const json& v) { c.rope.width = v; }},
      {"window", [&](const json& v) { c.window = v; }},
      {"score_cap", [&](const json& v) { c.score_cap = v.get<double>(); }},
      {"score_scale", [&](const json& v) { c.score_scale = v.get<double>(); }},
      {"t5_buckets", [&](const json& v) { c.t5_buckets = v; }},
      {"t5_distance", [&](const json& v) { c.t5_distance = v; }},
      {"fire_c", [&](const json& v) { c.fire.c = v; }},
      {"fire_threshold", [&](const json& v) { c.fire.threshold = v; }},
      {"fire_width", [&](const json& v) { c.fire_width = v; }},
  };
  for (const auto& [key, value] : given.items()) named(keys, key)(value);
  return c;
}

Batch batch_of(const json& c) {
  Batch batch;
  batch.sequences = c.at("sequences");
  batch.length = c.at("length");
  batch.tokens = c.at("tokens").get<std::vector<Index>>();
  batch.targets = c.at("targets").get<std::vector<Index>>();
  batch.padding = c.value("padding", std::vector<std::uint8_t>());
  batch.source_length = c.value("source_length", Index{0});
  batch.source = c.value("source", std::vector<Index>());
  batch.source_padding = c.value("source_padding", std::vector<std::uint8_t>());
  return batch;
}

const std::vector<json>& cases() {
  static const std::vector<json> all =
      json::parse(std::ifstream(folder + "cases.json")).get<std::vector<json>>();
  return all;
}

struct Case {
  std::size_t number;
  const json& operator*() const { return cases()[number]; }
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << (*c).at("name");
}

std::vector<Case> numbered() {
  std::vector<Case> all;
  for (std::size_t k = 0; k < cases().size(); ++k) all.push_back({k});
  return all;
}

class TorchModel : public testing::TestWithParam<Case> {
 protected:
  const json& given = *GetParam();
  std::string name = given.at("name");
  Transformer<double> model{config_of(given.at("config"))};

  /// f(our array, its name, where its numbers begin in the case's order) for each.
  template <class F>
  void each_array(F f) const {
    Index first = 0;
    for (const auto& array : given.at("arrays")) {
      const NamedSlot* own = model.layout().find(array.at(0).get<std::string>());
      ASSERT_NE(own, nullptr) << "no array " << array.at(0);
      ASSERT_EQ(own->shape, array.at(1).get<std::vector<Index>>()) << own->name;
      f(*own, first);
      first += own->slot.size();
    }
    EXPECT_EQ(first, model.layout().size()) << "arrays that PyTorch has not";
  }
};

INSTANTIATE_TEST_SUITE_P(Case, TorchModel, testing::ValuesIn(numbered()), [](const auto& test) {
  return (*test.param).at("name").template get<std::string>();
});

/// Two double programs that add in different orders: some dozen roundings of 1.1e-16 a layer, of terms that cancel within an
/// array, 5e-15 of its largest number at worst; and where its whole gradient cancels (a key's bias: softmax does not see it),
/// of what the model's other gradients are.
TEST_P(TorchModel, HasItsLossAndEveryGradient) {
  const auto gains = given.at("gains").get<std::set<std::string>>();
  std::vector<double> values(static_cast<std::size_t>(model.layout().size()));
  each_array([&](const NamedSlot& array, Index first) {
    EXPECT_EQ(gains.contains(array.name), array.role == Role::gain) << array.name;
    for (Index i = 0; i < array.slot.size(); ++i)
      values[static_cast<std::size_t>(array.slot.offset + i)] =
          (array.role == Role::gain ? 1 : 0) + 0.8 * scattered(static_cast<std::uint64_t>(first + i));
  });
  const Batch batch = batch_of(given);
  Tape<double> tape;
  std::vector<double> gradient(values.size(), 0.0);
  model.forward(values, batch, tape);
  const double loss = model.loss(batch, tape);
  model.backward(values, batch, tape, gradient);

  EXPECT_TRUE(support::close(loss, given.at("loss"), 1e-14));
  const support::Comparison logits =
      support::compare(tape.logits, file::read_npy(folder + name + ".logits.npy").matrix(),
                       {.nmse = 1e-28, .row = 1e-13}, tensor::Format::f64);
  EXPECT_TRUE(support::within(logits)) << "logits";

  const auto expected = file::read_npy(folder + name + ".gradient.npy").values.to<double>();
  const double largest = *std::ranges::max_element(expected);
  support::Worst worst(name);
  each_array([&](const NamedSlot& array, Index first) {
    const View<const double> own = array.slot.matrix(Values<double>(gradient)),
                             torch(expected.data() + first, own.rows, own.cols);
    const double scale = std::max(torch.eigen().cwiseAbs().maxCoeff(), 1e-2 * largest);
    worst.expect(support::compare(own, torch, {.abs = 1e-13 * scale, .nmse = 1e-26}, tensor::Format::f64),
                 array.name);
  });
}

}  // namespace
}  // namespace orrery::transformer::torch_test
