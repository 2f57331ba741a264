// What DeepNorm's α and β do: the stream weighs more than what is added to it, and one step of training changes what a
// stack says by as much at any depth.
//
//   change by one step, by depth    | what is left of a token, layer by layer
//   α and β by depth                | the same as a table
#include <functional>

#include "app/study/block/deepnorm_constants.h"
#include "app/study/block/deepnorm_measured.h"
#include "app/study/block/placement_checks.h"
#include "app/study/kit.h"
#include "app/study/kit/parts.h"

namespace orrery::study::block_deepnorm {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    whole("layers", "Layers", "24", {4, 64},
          "N: of the deepest models; others have half as many, a quarter …",
          {.travel = Travel::log, .multiple = 2}),
    whole("decoder_layers", "Decoder layers", "6", {1, 1000},
          "M: of an encoder–decoder whose encoder has N, for its α and β", {.travel = Travel::log}),
    choice("step", "Step", "sgd|adam",
           "gradient descent, or Adam's first step, which moves each number by the rate"),
    real("rate", "Rate", "0.01", {0.001, 1}, "η of gradient descent",
         {.travel = Travel::log, .only_when = "step=sgd"}),
    real("adam_rate", "Adam's rate", "0.0001", {0.00001, 0.01}, "η of Adam",
         {.travel = Travel::log, .only_when = "step=adam"}),
    whole("width", "Width", "64", {32, 128}, "D: components of a token's vector", {.multiple = 32}),
    whole("times", "Hidden width over width", "1", {1, 4}, "F/D: of the network"),
    whole("tokens", "Tokens", "32", {4, 64}, "n: of a text at random", {.travel = Travel::powers_of_two}),
    whole("seeds", "Seeds", "3", {1, 8}, "models of each kind: curves are means over them"),
    seed_parameter("another one gives other matrices, tokens and targets"),
    show_parameter("all|change|kept|constants|table"),
});

/// The three on one scale.
std::array<const NormPlace*, 3> places() {
  return {&norm_place("post"), &norm_place("pre"), &norm_place("deep_norm")};
}

Asked asked_of(const Settings& settings) {
  Asked asked;
  asked.followed = &norm_place("deep_norm");
  for (const NormPlace* place : places()) asked.places.push_back(place);
  asked.layers = settings.integer("layers");
  asked.width = settings.integer("width");
  asked.heads = 4;
  asked.hidden = settings.integer("times") * asked.width;
  asked.tokens = settings.integer("tokens");
  asked.seeds = settings.integer("seeds");
  asked.start = {.spread = transformer::Spread::xavier_normal,
                 .embedding_deviation = 1,
                 .into_stream = transformer::IntoStream::as_others};
  asked.seed = seed_of(settings);
  return asked;
}

Step step_of(const Settings& settings) {
  const bool adam = settings.choice("step") == "adam";
  return {.adam = adam, .rate = settings.real(adam ? "adam_rate" : "rate")};
}

double mean_of(const std::vector<Moved>& models, auto of) {
  double sum = 0;
  for (const Moved& model : models) sum += std::invoke(of, model);
  return sum / number(models.size());
}

Series change_series(const Asked& asked, const Sweep& sweep) {
  std::vector<double> depths;
  for (std::size_t i = 0; i < sweep.at(asked.followed).size(); ++i)
    depths.push_back(number(asked.depths()[i]));
  Series changes("changes", {"layers", "", std::move(depths)});
  for (const NormPlace* place : asked.places) {
    std::vector<double> means;
    for (const auto& models : sweep.at(place)) means.push_back(mean_of(models, &Moved::change));
    changes.add(std::string(place->name), std::move(means));
  }
  return changes;
}

Series left_series(const Asked& asked, const Sweep& sweep) {
  const std::size_t layers = sweep.at(asked.followed).back().front().left.size();
  Series left("kept", {"layer", "", counted(static_cast<Index>(layers))});
  for (const NormPlace* place : asked.places) {
    std::vector<double> means;
    for (std::size_t l = 0; l < layers; ++l)
      means.push_back(mean_of(sweep.at(place).back(), [&](const Moved& model) { return model.left[l]; }));
    left.add(std::string(place->name), std::move(means));
  }
  return left;
}

Table squares_table(const Asked& asked, const block_placement::Law& law, const Sweep& sweep) {
  Table table{"mean_squares", {{.name = "seed"}, {.name = "mean square"}, {.name = "by the law"}}};
  const std::vector<Moved>& models = sweep.at(asked.followed).back();
  for (std::size_t s = 0; s < models.size(); ++s)
    add_row(table, number(asked.seed) + number(s), models[s].square, law.most.back());
  return table;
}

figure::ErrorBars seeds_of(const Sweep& sweep, const NormPlace& place, const Series& changes) {
  figure::ErrorBars bars{
      .x = changes.x(), .y = changes[place.name], .ink = ink_of(place), .reading = {.none = true}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto [least, most] = std::ranges::minmax(sweep.at(&place)[i], {}, &Moved::change);
    bars.dy.below.push_back(bars.y[i] - least.change);
    bars.dy.above.push_back(most.change - bars.y[i]);
  }
  return bars;
}

constexpr int one_group = 1;

void add_curves(Panel& panel, const Asked& asked, const Series& series) {
  for (const NormPlace* place : asked.places)
    panel.marks.emplace_back(series.line(place->name, {.ink = ink_of(*place),
                                                       .width = place == asked.followed ? 2.0 : 1.0,
                                                       .label = std::string(place->name)}));
}

Panel change_panel(const Asked& asked, const Step& step, const Sweep& sweep, const Series& changes) {
  Panel panel{.title = step.adam ? "Change of the result by a step of Adam"
                                 : "Change of the result by a step of gradient descent",
              .x = octaves("layers $N$"),
              .y = values("root mean square"),
              .legend = LegendPlace::above,
              .series_group = one_group};
  panel.y.scale = Scale::log(10);
  add_curves(panel, asked, changes);
  for (const NormPlace* place : asked.places) {
    if (asked.seeds > 1) panel.marks.emplace_back(seeds_of(sweep, *place, changes));
    panel.marks.emplace_back(
        changes.points(place->name, {.ink = ink_of(*place), .radius = 1.6, .reading = {.none = true}}));
  }
  return panel;
}

Panel left_panel(const Settings& settings, const Asked& asked, const Series& left) {
  Panel panel{.title = "What is left of a token",
              .x = counts("layer $l$", Range{0, left.x().back()}),
              .y = values("cosine", Range{std::min(0.0, least(left["Post-LN"])), 1}),
              .legend = settings.choice("show") == "kept" ? LegendPlace::above : LegendPlace::none,
              .series_group = one_group};
  add_curves(panel, asked, left);
  return panel;
}

std::string title_of(const Step& step, const Series& changes) {
  const auto times = [&](std::string_view place) {
    const std::vector<double>& change = changes[place];
    return "by " + short_text(change.back() / change[change.size() - 2], 2) + " with " + std::string(place);
  };
  return "From " + grouped(changes.x()[changes.size() - 2]) + " to " + grouped(changes.x().back()) +
         " layers the change by " + (step.adam ? "Adam's first step" : "a step of gradient descent") +
         " is multiplied " + times("Post-LN") + ", " + times("DeepNorm");
}

std::string worked_of(const Asked& asked, Index decoder_layers) {
  const double N = number(asked.layers), M = number(decoder_layers);
  const transformer::DeepNorm alone = transformer::deep_norm(asked.layers),
                              encoder = transformer::deep_norm_encoder(asked.layers, decoder_layers);
  const worked::Term root = power(power(term(N), 4) * M, term(1) / 16);
  return Worked()
      .add("\\alpha", power(term(2) * N, term(1) / 4), alone.alpha)
      .add("\\beta", power(term(8) * N, -term(1) / 4), alone.beta)
      .add("\\alpha_e", term(0.81) * root, encoder.alpha)
      .add("\\beta_e", worked::frac(0.87, root), encoder.beta)
      .tex();
}

std::vector<Check> checks_of(const Run& run, const Asked& asked, Index decoder_layers,
                             const block_placement::Law& law, const Sweep& sweep) {
  Worst outside, change;
  for (const Moved& model : sweep.at(asked.followed).back())
    outside.meet(std::abs(model.square - law.most.back()) /
                 (law.deviation.back() + 0x1p-20 * law.most.back()));
  for (const auto& [place, by_depth] : sweep)
    for (const auto& models : by_depth)
      for (const Moved& model : models) change.meet(model.change);
  constexpr double roundings = 16;  // of powers, which are off by some units each
  return {
      {"$4 N \\beta^2 / \\alpha^2$ of a stack alone and $6 M \\beta^2 / \\alpha^2$ of a decoder are 1",
       off_from_one(asked.layers, decoder_layers), roundings * 0x1p-53},
      {"the mean square before the last norm is outside of its law by so many deviations", outside,
       block_placement::deviations_allowed},
      {"no change is longer than two normed vectors apart", change, 2 * (1 + 64 * twin::unit_roundoff(run))},
      block_placement::gradient_is_slope(run, asked),
      known_answer("$\\alpha$ and $\\beta$ of 12 layers, and of 12 with a decoder of 6, as published",
                   off_from_published(), 1e-6),
  };
}

StudyResult drawn(const Settings& settings, const Run& run, const Asked& asked, const Sweep& sweep) {
  const Index decoder_layers = settings.integer("decoder_layers");
  const Step step = step_of(settings);
  const Series changes = change_series(asked, sweep), left = left_series(asked, sweep),
               constants = constants_series(drawn_depths());
  Series told = constants_series(told_depths(number(asked.layers)));
  Table told_table = told.table();
  told_table.name = "told";
  const block_placement::Law law =
      block_placement::law_of(asked, *asked.followed, asked.depths()[sweep.at(asked.followed).size() - 1]);
  Picture picture(
      title_of(step, changes),
      "By how much one step of training changes the result of stacks with Post-LN, Pre-LN and DeepNorm, by their number of layers; the "
      "cosine between a token and what each layer makes of it; and the constants of DeepNorm by the number of layers, drawn and in "
      "a table.");
  picture.at({0, 0}, "change", change_panel(asked, step, sweep, changes));
  picture.at({0, 1}, "kept", left_panel(settings, asked, left));
  picture.at({2, 0, 1, 2}, "constants", constants_panel(constants, number(asked.layers)));
  picture.at({1, 0, 1, 2}, "table", constants_board(told, number(asked.layers)));
  return {std::move(picture).figure(settings, {.aspect = 0.9,
                                               .rows = {1.2, 0.8, 1.1},
                                               .cols = {1, 1},
                                               .aspect_alone = 1.5,
                                               .telling = {"change", "table", "kept", "constants"}}),
          {changes.table(), left.table(), here_table(asked.layers, decoder_layers), told_table,
           constants.table(), squares_table(asked, law, sweep)},
          checks_of(run, asked, decoder_layers, law, sweep),
          worked_of(asked, decoder_layers)};
}

/// Multiply-adds of a model, forward, back and forward again.
double work_of(const Asked& asked, Index depth) {
  return 4 * number(depth) * layer_work(asked.config(*asked.followed, depth), 1, number(asked.tokens));
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Step step = step_of(settings);
  std::vector<InitialDraws> draws;
  double all = 0, done = 0;
  for (Index s = 0; s < asked.seeds; ++s) draws.push_back(block_placement::draws_of(asked, s));
  for (const Index depth : asked.depths())
    all += number(asked.seeds) * number(asked.places.size()) * work_of(asked, depth);
  constexpr double long_work = 0x1p31;  // a third of a second in float
  Parts parts(all, long_work);
  Sweep sweep;
  for (const Index depth : asked.depths()) {
    for (const NormPlace* place : asked.places) sweep[place].emplace_back();
    for (Index s = 0; s < asked.seeds; ++s) {
      for (const NormPlace* place : asked.places) {
        sweep[place].back().push_back(moved(run, asked, *place, depth, step,
                                            draws[static_cast<std::size_t>(s)],
                                            block_placement::batch_of(asked, s)));
        done += work_of(asked, depth);
        run.progress(done / all);
      }
      const bool two_depths = sweep[asked.followed].size() > 1;
      if (two_depths && done < all && parts.due(done)) run.publish(drawn(settings, run, asked, sweep));
    }
  }
  return drawn(settings, run, asked, sweep);
}

double grown(const StudyResult& result, std::string_view place) {
  const std::vector<double>& change = column(result, "changes", place);
  return change.back() / change.front();
}

constexpr auto tries = std::to_array<Try>({
    {"A small rate: eight times as many layers, and DeepNorm's change is as large as before; Post-LN's is several times as large.",
     "rate=0.001",
     [](auto& now, auto&) { return between(0.7, grown(now, "DeepNorm"), 1.4) && grown(now, "Post-LN") > 3; }},
    {"A large rate: Post-LN's result is another one, the root mean square of the change near 1; DeepNorm's has hardly moved.",
     "rate=0.1",
     [](auto& now, auto&) {
       return column(now, "changes", "Post-LN").back() > 0.7 &&
              column(now, "changes", "DeepNorm").back() < 0.05;
     }},
    {"Adam moves every number as far, however small its gradient is: with DeepNorm too the change grows with the depth, but stays "
     "smaller than the others.",
     "step=adam",
     [](auto& now, auto&) {
       return grown(now, "DeepNorm") > 1.5 &&
              column(now, "changes", "DeepNorm").back() < column(now, "changes", "Pre-LN").back();
     }},
    {"What is left of a token: behind 24 layers of Post-LN nearly nothing, of DeepNorm nearly all.",
     "show=kept",
     [](auto& now, auto&) {
       return std::abs(column(now, "kept", "Post-LN").back()) < 0.2 &&
              column(now, "kept", "DeepNorm").back() > 0.9;
     }},
    {"The constants as a table: at 1000 layers α is 6.69 and β 0.106.", "show=table",
     [](auto& now, auto&) {
       return between(6.685, at(now, "told", "$\\alpha$, alone", 1000), 6.695) &&
              between(0.1055, at(now, "told", "$\\beta$, alone", 1000), 0.1065);
     }},
});

}  // namespace

extern const Study study{
    .id = "block/deepnorm",
    .title = "DeepNorm",
    .topic = "Blocks",
    .summary =
        "the stream times α and matrices times β, so that one step changes a deep stack no more than a shallow one",
    .formula =
        R"(x_{l+1} = N(\alpha\, x_l + F(x_l)), \quad \alpha = (2N)^{1/4}, \; \beta = (8N)^{-1/4}, \quad \alpha_e = 0.81\,(N^4 M)^{1/16}, \; \beta_e = 0.87\,(N^4 M)^{-1/16})",
    .derivation =
        "A stack alone has $2N$ sublayers, each with two matrices of size $\\beta$ on its way, V and O or the network's two; the norm behind divides by about $\\alpha$.\n"
        "A step of $\\eta$ times the gradient moves a matrix by $\\eta$ times what it does to the result, and the result by that again: about as far as $\\eta \\sum_{i=1}^{2N} (\\beta^2 + \\beta^2)/\\alpha^2$.\n"
        "This is $4 N \\beta^2/\\alpha^2$ times $\\eta$. With $\\alpha = \\beta = 1$, Post-LN, it grows as $N$.\n"
        "With $\\alpha = (2N)^{1/4}$ and $\\beta = (8N)^{-1/4}$ it is $4 N\\,(8N)^{-1/2}\\,(2N)^{-1/2} = 1$ at any depth.\n"
        "A decoder with cross-attention has $3M$ sublayers: $6 M \\beta^2/\\alpha^2 = 1$ gives $(3M)^{1/4}$ and $(12M)^{-1/4}$.",
    .about =
        "Post-LN's first steps change what a deep stack says so much that training breaks without warm-up. DeepNorm keeps the norm behind the sum, "
        "but multiplies the stream by α and the first values of V, O and the network by β, not those of queries and keys. The expected size of a step's "
        "change is then bounded by a constant, which carried Transformers to 1000 layers. The bound is one for gradient descent; Adam's first step "
        "moves all numbers alike. The published code of TorchScale has 1.15 in the place of 0.87 for the encoder's β.",
    .source = "Wang et al. 2022, arXiv 2203.00555, theorems 4.2 and 4.3 and figure 2; TorchScale's code",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_deepnorm
