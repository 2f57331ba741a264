// What a model promises beside its numbers: names, the tape, the loss, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/tensor/error.h"
#include "tests/core/transformer/models.h"

namespace orrery::transformer::model_test {
namespace {

std::vector<std::string> names(const Config& config) {
  const Transformer<float> model(config);
  std::vector<std::string> all;
  for (const NamedSlot& array : model.layout().arrays()) all.push_back(array.name);
  return all;
}

/// Files have these names: they must not change.
TEST(Layout, HasNamesThatStay) {
  Config c = tiny();
  c.layers = 1;
  EXPECT_EQ(names(c), (std::vector<std::string>{
                          "token_embedding.weight",
                          "decoder.position_embedding.weight",
                          "decoder.layers.0.self_attention.norm_before.weight",
                          "decoder.layers.0.self_attention.norm_before.bias",
                          "decoder.layers.0.self_attention.q.weight",
                          "decoder.layers.0.self_attention.q.bias",
                          "decoder.layers.0.self_attention.k.weight",
                          "decoder.layers.0.self_attention.k.bias",
                          "decoder.layers.0.self_attention.v.weight",
                          "decoder.layers.0.self_attention.v.bias",
                          "decoder.layers.0.self_attention.out.weight",
                          "decoder.layers.0.self_attention.out.bias",
                          "decoder.layers.0.feed_forward.norm_before.weight",
                          "decoder.layers.0.feed_forward.norm_before.bias",
                          "decoder.layers.0.feed_forward.up.weight",
                          "decoder.layers.0.feed_forward.up.bias",
                          "decoder.layers.0.feed_forward.down.weight",
                          "decoder.layers.0.feed_forward.down.bias",
                          "decoder.norm.weight",
                          "decoder.norm.bias",
                      }));
  c.tied = c.bias = false;
  c.norm.kind = NormKind::rms;
  c.gated = true;
  c.positions = Positions::t5;
  c.placement = Placement::sandwich;
  c.qk_norm = QkNorm::heads;
  EXPECT_EQ(names(c), (std::vector<std::string>{
                          "token_embedding.weight",
                          "decoder.position_bias.weight",
                          "decoder.layers.0.self_attention.norm_before.weight",
                          "decoder.layers.0.self_attention.norm_inner.weight",
                          "decoder.layers.0.self_attention.q.weight",
                          "decoder.layers.0.self_attention.k.weight",
                          "decoder.layers.0.self_attention.v.weight",
                          "decoder.layers.0.self_attention.q_norm.weight",
                          "decoder.layers.0.self_attention.k_norm.weight",
                          "decoder.layers.0.self_attention.out.weight",
                          "decoder.layers.0.feed_forward.norm_before.weight",
                          "decoder.layers.0.feed_forward.norm_inner.weight",
                          "decoder.layers.0.feed_forward.gate.weight",
                          "decoder.layers.0.feed_forward.up.weight",
                          "decoder.layers.0.feed_forward.down.weight",
                          "decoder.norm.weight",
                          "head.weight",
                      }));
}

/// GPT-2 small has 124 439 808 parameters, as published (and as core/model counts them).
TEST(Layout, CountsPublishedModels) {
  Config gpt2;
  gpt2.vocabulary = 50257;
  gpt2.length = 1024;
  gpt2.width = 768;
  gpt2.heads = gpt2.layers = 12;
  gpt2.hidden = 3072;
  EXPECT_EQ(Transformer<float>(gpt2).layout().size(), 124439808);
  Config llama;  // Llama 2 7B
  llama.vocabulary = 32000;
  llama.width = 4096;
  llama.heads = llama.layers = 32;
  llama.hidden = 11008;
  llama.norm.kind = NormKind::rms;
  llama.gated = true;
  llama.bias = llama.tied = false;
  llama.positions = Positions::rope;
  EXPECT_EQ(Transformer<float>(llama).layout().size(), 6738415616);
}

TEST(Layout, LeavesNoHole) {
  Config c = tiny();
  c.family = Family::encoder_decoder;
  c.positions = Positions::fire;
  const Transformer<double> model(c);
  Index end = 0;
  std::set<std::string> seen;
  for (const NamedSlot& array : model.layout().arrays()) {
    EXPECT_EQ(array.slot.offset, end) << array.name;
    EXPECT_TRUE(seen.insert(array.name).second) << array.name << " twice";
    end += array.slot.size();
  }
  EXPECT_EQ(end, model.layout().size());
  EXPECT_EQ(model.layout().find("no.such.array"), nullptr);
}

struct Pass {
  explicit Pass(const Config& config) : model(config), values(scattered_values(model.layout(), 0.5)) {
    model.forward(values, batch, tape);
    model.loss(batch, tape);
  }
  Transformer<double> model;
  std::vector<double> values;
  Batch batch = tiny_batch();
  Tape<double> tape;
};

TEST(Tape, NamesEveryIntermediate) {
  Config c = tiny();
  c.positions = Positions::rope;
  const Pass run(c);
  std::set<std::string> found;
  run.tape.each([&](const std::string& name, const Matrix<double>& m) {
    EXPECT_TRUE(found.insert(name).second) << name << " twice";
    EXPECT_TRUE(m.allFinite()) << name;
  });
  const std::string layer = "decoder.layers.1.";
  for (const std::string& name :
       {std::string("decoder.embedded"), layer + "self_attention.normed", layer + "self_attention.q",
        layer + "self_attention.q_turned", layer + "self_attention.weights", layer + "self_attention.mixed",
        layer + "self_attention.branch", layer + "self_attention.out", layer + "feed_forward.hidden",
        layer + "feed_forward.activated", layer + "feed_forward.out", std::string("decoder.out"),
        std::string("logits")})
    EXPECT_TRUE(found.contains(name)) << name;
  EXPECT_FALSE(found.contains(layer + "cross_attention.q"));
}

/// What goes back is seen at every layer: at the first it is what the rows of the table get, token by token.
TEST(Tape, IsWatchedLayerByLayer) {
  Config c = tiny();
  c.positions = Positions::none;
  c.tied = false;
  Pass run(c);
  std::vector<std::size_t> forward, backward;
  Matrix<double> of_first;
  run.tape.decoder.watch = {.forward = [&](std::size_t l) { forward.push_back(l); },
                            .backward =
                                [&](std::size_t l, View<const double> d) {
                                  backward.push_back(l);
                                  of_first = d.eigen();
                                }};
  run.model.forward(run.values, run.batch, run.tape);
  run.model.loss(run.batch, run.tape);
  std::vector<double> gradient(run.values.size());
  run.model.backward(run.values, run.batch, run.tape, gradient);
  EXPECT_EQ(forward, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(backward, (std::vector<std::size_t>{2, 1, 0}));
  Matrix<double> of_rows = Matrix<double>::Zero(c.vocabulary, c.width);
  for (std::size_t n = 0; n < run.batch.tokens.size(); ++n)
    of_rows.row(run.batch.tokens[n]) += of_first.row(static_cast<Index>(n));
  const Slot table = run.model.layout().find("token_embedding.weight")->slot;
  EXPECT_TRUE(table.matrix(std::span<const double>(gradient)).eigen().isApprox(of_rows, 1e-14));
}

TEST(Tape, MayBeLeftByWhoWatches) {
  Pass run(tiny());
  const Matrix<double> logits = run.tape.logits;
  run.tape.decoder.watch.forward = [](std::size_t l) {
    if (l == 0) throw Cancelled();
  };
  EXPECT_THROW(run.model.forward(run.values, run.batch, run.tape), Cancelled);
  run.tape.decoder.watch = {};
  run.model.forward(run.values, run.batch, run.tape);
  EXPECT_EQ(run.tape.logits, logits);
}

TEST(Tape, KeepsItsMemory) {
  Pass run(tiny());
  std::vector<double> gradient(run.values.size(), 0.0);
  run.model.backward(run.values, run.batch, run.tape, gradient);
  const auto places = [&] {
    std::vector<const double*> all{run.tape.dlogits.data(), run.tape.scratch.block.attention.dmixed.data()};
    run.tape.each([&](const std::string&, const Matrix<double>& m) { all.push_back(m.data()); });
    return all;
  };
  const auto before = places();
  for (int step = 0; step < 3; ++step) {
    run.model.forward(run.values, run.batch, run.tape);
    run.model.loss(run.batch, run.tape);
    run.model.backward(run.values, run.batch, run.tape, gradient);
  }
  EXPECT_EQ(places(), before);
}

TEST(Model, AddsToTheGradient) {
  Pass run(tiny());
  std::vector<double> once(run.values.size(), 0.0), twice = once;
  run.model.backward(run.values, run.batch, run.tape, once);
  for (int step = 0; step < 2; ++step) run.model.backward(run.values, run.batch, run.tape, twice);
  for (std::size_t k = 0; k < once.size(); ++k) EXPECT_NEAR(twice[k], 2 * once[k], 1e-14);
}

/// What comes later cannot be seen.
TEST(Model, IsCausal) {
  for (const Placement placement : {Placement::post, Placement::pre, Placement::parallel}) {
    Config c = tiny();
    c.placement = placement;
    Pass run(c);
    const Matrix<double> before = run.tape.logits;
    run.batch.tokens[4] = 6;  // the first sequence's last
    run.model.forward(run.values, run.batch, run.tape);
    EXPECT_EQ(before.topRows(4), run.tape.logits.topRows(4));
    EXPECT_NE(before.row(4), run.tape.logits.row(4));
    EXPECT_EQ(before.bottomRows(5), run.tape.logits.bottomRows(5));
  }
}

TEST(CrossEntropy, IsStableAndCountsTargetsOnly) {
  Matrix<double> z(3, 3);
  z << 1000, 999, 0, 5, 5, 5, -1e5, 0, 1e5;
  Matrix<double> p(3, 3);
  const Loss loss = cross_entropy<double>(z, std::vector<Index>{1, no_target, 2}, p);
  EXPECT_EQ(loss.counted, 2);
  EXPECT_NEAR(loss.by_token[0], 1 + std::log1p(std::exp(-1)), 1e-12);
  EXPECT_EQ(loss.by_token[1], 0);
  EXPECT_EQ(loss.by_token[2], 0);
  EXPECT_NEAR(loss.mean, (1 + std::log1p(std::exp(-1))) / 2, 1e-12);
  Matrix<double> dz(3, 3);
  cross_entropy_vjp<double>(p, std::vector<Index>{1, no_target, 2}, 2, dz);
  EXPECT_NEAR(dz(0, 0), 0.5 / (1 + std::exp(-1)), 1e-15);
  EXPECT_TRUE((dz.row(1).array() == 0).all());
  EXPECT_NEAR(dz.row(0).sum(), 0, 1e-15);

  const Loss none = cross_entropy<double>(z, std::vector<Index>{no_target, no_target, no_target}, p);
  EXPECT_EQ(none.mean, 0);
  cross_entropy_vjp<double>(p, std::vector<Index>{no_target, no_target, no_target}, 0, dz);
  EXPECT_TRUE((dz.array() == 0).all());
}

TEST(DeepNormConstants, AreThePapers) {
  EXPECT_NEAR(deep_norm(12).alpha, 2.213363839400643, 1e-14);
  EXPECT_NEAR(deep_norm(12).beta, 0.3194715521231362, 1e-14);
  EXPECT_NEAR(deep_norm(1000).alpha, 6.687403050, 1e-9);
  EXPECT_NEAR(deep_norm_encoder(12, 6).alpha, 1.686222, 1e-6);
  EXPECT_NEAR(deep_norm_encoder(12, 6).beta, 0.417916, 1e-6);
  EXPECT_NEAR(deep_norm_decoder(6).alpha, 2.059767, 1e-6);
  EXPECT_NEAR(deep_norm_decoder(6).beta, 0.343295, 1e-6);
}

std::string refused(const Config& config) {
  try {
    const Transformer<float> model(config);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Model, RefusesWhatCannotBe) {
  const auto with = [](auto change) {
    Config c = tiny();
    change(c);
    return refused(c);
  };
  EXPECT_EQ(with([](Config& c) { c.heads = 3; }), "width: 8 is not a multiple of 3");
  EXPECT_EQ(with([](Config& c) { c.heads = 0; }), "heads: found 0; allowed: 1 or more");
  EXPECT_EQ(with([](Config& c) { c.layers = -1; }), "layers: found -1; allowed: 0 or more");
  EXPECT_EQ(with([](Config& c) { c.heads = 4, c.key_value_heads = 3; }), "heads: 4 is not a multiple of 3");
  EXPECT_EQ(with([](Config& c) { c.positions = Positions::rope, c.rope.width = 6; }),
            "rope_width: found 6; allowed: up to 4");
  EXPECT_NE(with([](Config& c) { c.positions = Positions::t5, c.t5_buckets = 1; }), "");
  EXPECT_NE(with([](Config& c) { c.score_cap = 0; }), "");
  EXPECT_EQ(with([](Config& c) { c.family = Family::encoder_decoder, c.placement = Placement::parallel; }),
            "placement: parallel has no place for attention to an encoder");
  EXPECT_EQ(with([](Config& c) {
              c.family = Family::encoder_decoder, c.placement = Placement::deep_norm;
              c.layers = 0, c.encoder_layers = 2;
            }),
            "layers: found 0; allowed: 1 or more");
  EXPECT_EQ(with([](Config&) {}), "");
}

TEST(Model, RefusesABatchOfAnotherModel) {
  const Transformer<float> model(tiny());
  const auto refused_batch = [&](auto change) -> std::string {
    Batch b = tiny_batch();
    change(b);
    try {
      model.check(b);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused_batch([](Batch&) {}), "");
  EXPECT_EQ(refused_batch([](Batch& b) { b.tokens[3] = 7; }),
            "tokens: found 7; allowed: whole numbers from 0 to 6");
  EXPECT_EQ(refused_batch([](Batch& b) { b.targets[3] = -2; }),
            "targets: found -2; allowed: whole numbers from -1 to 6");
  EXPECT_EQ(refused_batch([](Batch& b) { b.tokens.pop_back(); }),
            "tokens: found 9; allowed: 10, one for each token of the batch");
  EXPECT_EQ(refused_batch([](Batch& b) { b.padding = {1}; }),
            "padding: found 1; allowed: 10, one for each token of the batch");
  EXPECT_EQ(refused_batch([](Batch& b) {
              b.sequences = 1;
              b.length = 10;
            }),
            "length: found 10; allowed: up to 6");
  EXPECT_EQ(refused_batch([](Batch& b) {
              b.sequences = -2;
              b.length = -5;
            }),
            "sequences: found -2; allowed: 0 or more");
  Config both = tiny();
  both.family = Family::encoder_decoder;
  EXPECT_THROW(Transformer<float>(both).check(tiny_batch()), InvalidArgument);  // its source has no tokens
}

}  // namespace
}  // namespace orrery::transformer::model_test
