// Where the norm stands: how large the stream is layer by layer, and how large the gradient, at the beginning of a
// training, for each placement; and what Xiong et al. 2020 proved of both.
//
//   a block of each, drawn
//   mean squares by layer          | gradients by layer
//   the last gradient by depth     | largest logits by layer
#include "app/study/block/norm_drawing.h"
#include "app/study/block/placement_checks.h"
#include "app/study/block/placement_panels.h"
#include "app/study/kit.h"
#include "app/study/kit/parts.h"

namespace orrery::study::block_placement {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice("placement", "Placement", "pre|post|sandwich|peri|output|parallel|deep_norm",
           "of the norms: whose numbers are told"),
    choice("beside", "Beside it", "all|post|pre|sandwich|peri|output|parallel|deep_norm|none",
           "what it is compared with"),
    whole("layers", "Layers", "24", {4, 64},
          "L: of the deepest models; others have half as many, a quarter …",
          {.travel = Travel::log, .multiple = 2}),
    whole("width", "Width", "64", {32, 128}, "D: components of a token's vector", {.multiple = 32}),
    with_fallback(choice("heads", "Heads", "1|2|4|8|16", "of attention"), "4"),
    whole("times", "Hidden width over width", "1", {1, 4},
          "F/D: of the network; 1 in the paper's proof, 4 in most models"),
    choice(
        "init", "Initialisation", "xavier|xavier_uniform|lecun|he|small|gpt2",
        "the matrices' variance: xavier 2/(in + out), lecun 1/in, he 2/in, small 0.02², gpt2 the same and what ends in "
        "the stream divided by √(2L)"),
    choice("norm", "Norm", "layer|rms", "LayerNorm or RMSNorm"),
    whole("tokens", "Tokens", "32", {4, 64}, "n: of a text at random", {.travel = Travel::powers_of_two}),
    real(
        "score_gain", "Query and key gain", "1", {0, 4},
        "multiplies the matrices of queries and keys: 0 in the paper's proof, more as a training makes them grow",
        {.plays = true}),
    choice("qk_norm", "QK-norm", "heads|whole",
           "of each head's queries and keys (ViT-22B, Qwen 3), or of all heads together (OLMo 2)"),
    whole("seeds", "Seeds", "3", {1, 8}, "models of each kind: curves are means over them"),
    seed_parameter("another one gives other matrices, tokens and targets"),
    show_parameter("all|drawing|variance|layers|depth|logits"),
});

transformer::Initialisation start_of(const std::string& init) {
  using transformer::Spread;
  transformer::Initialisation start{
      .spread = Spread::normal, .embedding_deviation = 1, .into_stream = transformer::IntoStream::as_others};
  if (init == "xavier") start.spread = Spread::xavier_normal;
  if (init == "xavier_uniform") start.spread = Spread::xavier_uniform;
  if (init == "lecun") start.spread = Spread::lecun_normal;
  if (init == "he") start.spread = Spread::he_normal;
  if (init == "gpt2") start.into_stream = transformer::IntoStream::divided;
  return start;
}

Asked asked_of(const Settings& settings) {
  Asked asked;
  asked.followed = &norm_place(settings.choice("placement"));
  const std::string& beside = settings.choice("beside");
  for (const NormPlace& place : norm_places())
    if (&place == asked.followed || beside == "all" || beside == place.key) asked.places.push_back(&place);
  asked.layers = settings.integer("layers");
  asked.width = settings.integer("width");
  asked.heads = std::stol(settings.choice("heads"));
  asked.hidden = settings.integer("times") * asked.width;
  asked.tokens = settings.integer("tokens");
  asked.seeds = settings.integer("seeds");
  asked.norm = settings.choice("norm") == "rms" ? transformer::NormKind::rms : transformer::NormKind::layer;
  asked.start = start_of(settings.choice("init"));
  asked.score_gain = settings.real("score_gain");
  asked.qk_norm =
      settings.choice("qk_norm") == "whole" ? transformer::QkNorm::whole : transformer::QkNorm::heads;
  asked.seed = seed_of(settings);
  return asked;
}

/// The other placement that the title speaks of; none where only one is drawn.
const NormPlace* other_of(const Asked& asked) {
  if (asked.places.size() == 1) return nullptr;
  const auto* const usual = &norm_place(asked.followed->key == "post" ? "pre" : "post");
  return asked.places.size() > 2 ? usual : asked.places[asked.places[0] == asked.followed ? 1 : 0];
}

std::string title_of(const Asked& asked, const Series& by_depth) {
  const auto times = [&](const NormPlace& place) {
    const std::vector<double>& gradients = by_depth[place.name];
    return "by " + short_text(gradients.back() / gradients[gradients.size() - 2], 2) + " with " +
           std::string(place.name);
  };
  const NormPlace* other = other_of(asked);
  return "From " + grouped(by_depth.x()[by_depth.size() - 2]) + " to " + grouped(by_depth.x().back()) +
         " layers the last one's gradient is multiplied " + times(*asked.followed) +
         (other ? ", " + times(*other) : "");
}

std::string worked_of(const Asked& asked, const Law& law) {
  const Branches part = branches_of(asked, *asked.followed, asked.layers);
  const double L = number(asked.layers), c = part.network, a = part.attention;
  const std::string at = worked::subscripted("v", L);
  Worked worked;
  if (transformer::norms_of(asked.followed->placement).after) {
    worked.add(at, power(term(part.alpha), 2) + c, law.most.back());
  } else if (transformer::norms_of(asked.followed->placement).inner) {
    worked.add(at, term(1) + term(2) * L, law.most.back());
  } else {
    worked.add("\\min\\, " + at, term(1) + term(L) * c, law.least.back());
    worked.add("\\max\\, " + at, term(1) + term(L) * (term(c) + a), law.most.back());
  }
  return worked.tex();
}

struct Logits {
  std::vector<double> without, with;
};

StudyResult drawn(const Settings& settings, const Run& run, const Asked& asked, const Sweep& sweep,
                  const Logits& largest_of) {
  const Series squares = squares_series(asked, sweep), gradients = gradients_series(asked, sweep),
               by_depth = depths_series(asked, sweep), law = law_series(asked, squares);
  Series logits("logits", {"layer", "", numbered(asked.layers)});
  logits.add("without QK-norm", largest_of.without).add("with QK-norm", largest_of.with);
  Picture picture(
      title_of(asked, by_depth),
      "A block drawn for each placement of the norms. Below, the mean square of the stream layer by layer, over what it "
      "is on average by the law, which is paler; the norm of the gradient of the network's last matrix, layer by layer, and in the "
      "last layer by the number of layers; and the largest logit of each layer, with and without a norm of queries and keys.");
  const bool alone = settings.choice("show") == "drawing";
  picture.at({0, 0, 1, 2}, "drawing", norm_drawing_panel(asked.places, alone ? 4 : norm_places().size()));
  picture.at({1, 0}, "variance", variance_panel(settings, asked, squares, law));
  picture.at({1, 1}, "layers", layers_panel(settings, asked, gradients));
  picture.at({2, 0}, "depth", depth_panel(settings, asked, sweep, by_depth));
  picture.at({2, 1}, "logits", logits_panel(asked, logits));
  return {
      std::move(picture).figure(settings, {.aspect = 0.78,
                                           .rows = {1.4, 1, 1.2},
                                           .cols = {1, 1},
                                           .aspect_alone = 1.5,
                                           .telling = {"depth", "variance", "drawing", "layers", "logits"}}),
      {by_depth.table(), squares.table(), law.table(), gradients.table(), logits.table(),
       branches_table(asked), models_table(asked, sweep)},
      checks_of(run, asked, sweep, largest_of.with),
      worked_of(asked, law_of(asked, *asked.followed, asked.layers))};
}

/// Multiply-adds of a model, forward and back.
double work_of(const Asked& asked, Index depth) {
  return 3 * number(depth) * layer_work(asked.config(*asked.followed, depth), 1, number(asked.tokens));
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  std::vector<InitialDraws> draws;
  std::vector<transformer::Batch> batches;
  double all = 0, done = 0;
  for (Index s = 0; s < asked.seeds; ++s) {
    draws.push_back(draws_of(asked, s));
    batches.push_back(batch_of(asked, s));
  }
  for (const Index depth : asked.depths())
    all += number(asked.seeds) * number(asked.places.size()) * work_of(asked, depth);
  constexpr double long_work = 0x1p31;  // a third of a second in float
  Parts parts(all, long_work);
  const Logits logits{largest_logits(run, asked, transformer::QkNorm::none, draws[0]),
                      largest_logits(run, asked, asked.qk_norm, draws[0])};
  Sweep sweep;
  for (const Index depth : asked.depths()) {
    for (const NormPlace* place : asked.places) sweep[place].emplace_back();
    for (Index s = 0; s < asked.seeds; ++s) {
      const auto which = static_cast<std::size_t>(s);
      for (const NormPlace* place : asked.places) {
        sweep[place].back().push_back(measured(run, asked, *place, depth, draws[which], batches[which]));
        done += work_of(asked, depth);
        run.progress(done / all);
      }
      const bool two_depths = sweep[asked.followed].size() > 1;
      if (two_depths && done < all && parts.due(done))
        run.publish(drawn(settings, run, asked, sweep, logits));
    }
  }
  return drawn(settings, run, asked, sweep, logits);
}

/// Twice as many layers: by what the last gradient is multiplied.
double doubled(const StudyResult& result, std::string_view place) {
  const std::vector<double>& gradients = column(result, "depths", place);
  return gradients.back() / gradients[gradients.size() - 2];
}

constexpr auto tries = std::to_array<Try>({
    {"As in the paper's proof, queries and keys of 0: the last gradient of Pre-LN falls with the depth, that of Post-LN stays.",
     "score_gain=0",
     [](auto& now, auto&) {
       return between(0.6, doubled(now, "Pre-LN"), 0.85) && between(0.85, doubled(now, "Post-LN"), 1.15);
     }},
    {"Peri-LN: each branch ends in a norm, so that the mean square grows by 2 in every layer, whatever the matrices are.",
     "placement=peri init=he",
     [](auto& now, auto&) {
       return between(0.7, column(now, "variance", "Peri-LN").back() / (1 + 2 * 24.0), 1.3);
     }},
    {"A norm on what comes out alone: logits grow layer by layer, unless queries and keys are normed.",
     "placement=output beside=none",
     [](auto& now, auto&) {
       const auto &without = column(now, "logits", "without QK-norm"),
                  &with = column(now, "logits", "with QK-norm");
       return without.back() > 8 * without.front() && with.back() <= 4.001;
     }},
    {"GPT-2's initialisation divides what ends in the stream by √(2L): no layer adds much.", "init=gpt2",
     [](auto& now, auto&) { return column(now, "variance", "Pre-LN").back() < 1.1; }},
    {"DeepNorm beside Pre-LN: its last gradient is about half as large at every depth.",
     "placement=deep_norm beside=pre",
     [](auto& now, auto&) {
       const auto &deep = column(now, "depths", "DeepNorm"), &pre = column(now, "depths", "Pre-LN");
       return std::ranges::equal(deep, pre, [](double d, double p) { return between(0.4 * p, d, 0.65 * p); });
     }},
    {"Forty-eight layers: the mean square of the stream of Pre-LN is more than 50 times that at the start.",
     "layers=48 seeds=1",
     [](auto& now, auto&) {
       return column(now, "variance", "Pre-LN").back() > 50 * column(now, "variance", "Pre-LN").front();
     }},
});

}  // namespace

extern const Study study{
    .id = "block/placement",
    .title = "Where the norm stands",
    .topic = "Blocks",
    .summary = "the stream and the gradient, layer by layer and by depth, for each placement of the norms",
    .formula =
        R"(\mathrm{Post:}\; x_{l+1} = N(x_l + F(x_l)), \quad \mathrm{Pre:}\; x_{l+1} = x_l + F(N(x_l)), \quad 1 + l\,c \le v_l = \mathrm{E}\,\overline{x_l^2} \le 1 + l\,(c + a))",
    .derivation =
        "Branches have matrices of their own, as often $f$ as $-f$, so that mean squares add: $\\mathrm{E}\\,\\overline{(x + f)^2} = \\overline{x^2} + \\mathrm{E}\\,\\overline{f^2}$.\n"
        "Of a normed token the network makes $c = \\tfrac{1}{2}\\,D \\sigma_1^2\\,F \\sigma_2^2$, for ReLU takes half; that is $\\tfrac{1}{2}$ with $F = D$ and Xavier's variances.\n"
        "Attention makes a mean of tokens, between nothing and one of them: at most $a = D \\sigma_V^2\\,D \\sigma_O^2$, which is 1. Hence lemma 2, $1 + \\tfrac{l}{2} \\le v_l \\le 1 + \\tfrac{3 l}{2}$.\n"
        "A norm divides by the root of $v$, and by lemma 3 its derivative is as much smaller: $\\|J_N(x)\\| \\le 1/\\sqrt{\\overline{x^2}}$.\n"
        "Pre-LN's last norm reads $v_L$, which grows as $L$: the last layer's gradient falls as $1/\\sqrt{L}$.\n"
        "Post-LN's reads $1 + c$ at any depth: its gradient stays as large, and large steps at the start break it. Hence the warm-up.",
    .about =
        "At the start of a training a stack with Post-LN has gradients in its last layer that do not depend on its depth; Pre-LN's "
        "are the smaller, the more layers there are, and so it can be trained without warm-up. The price is a stream that grows "
        "layer by layer: later layers add ever less to it. Sandwich, Peri-LN and output norms bound what a layer adds; "
        "DeepNorm weighs the stream instead. Logits of attention grow with what attention reads: where that is not normed, queries and keys are. "
        "By layer the profiles depend on the task and on the batch; by depth, in the last layer, they do not.",
    .source =
        "Xiong et al. 2020, arXiv 2002.04745, lemmas 2 and 3, theorem 1 and figure 3; Wang et al. 2022, arXiv 2203.00555 (DeepNorm); "
        "Kim et al. 2025, arXiv 2502.02732 (Peri-LN); OLMo 2, arXiv 2501.00656; Dehghani et al. 2023, arXiv 2302.05442 (QK-norm)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_placement
