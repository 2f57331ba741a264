// What the numbers that a model begins with make of it before its first step: the stream's size by layer, measured and in
// closed form, the gradients by layer, array and depth, and the loss beside ln V.
//
//   mean square of the stream by layer | gradient by layer
//   the loss of every start            | gradients of one start by array
//   the first layer's gradient by depth
#include "app/study/block/init_picture.h"
#include "app/study/block/initial_stack.h"
#include "app/study/kit.h"
#include "app/study/kit/parts.h"

namespace orrery::study::block_init {
namespace {

using transformer::Initialisation;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(
        choice(
            "init", "Initialisation", "xavier|he|lecun|normal|gpt2|zero",
            "whose arrays are told one by one; 2/(inputs + outputs), 2/inputs, 1/inputs, 0.02², the same with "
            "what enters the stream over √(2N), LeCun's with 0 there"),
        "gpt2"),
    choice("placement", "Placement", "pre|sandwich|output|post|deep_norm", "of the norms"),
    whole("depth", "Depth", "12", {1, 32}, "N: layers, of two residual sums each", {.travel = Travel::log}),
    real("gain", "Gain", "1", {0, 2}, "γ of the norms before sublayers, which are 1 elsewhere",
         {.plays = true, .only_when = "placement=pre|sandwich"}),
    toggle("tied", "Tied", "off", "logits by the rows of the embedding; off: a head of its own"),
    whole("width", "Width", "64", {16, 128}, "D: components of a token", {.travel = Travel::powers_of_two}),
    whole("vocabulary", "Vocabulary", "256", {16, 1024}, "V: tokens that there are",
          {.travel = Travel::powers_of_two}),
    whole("tokens", "Tokens", "16", {2, 32}, "random ones, each of which sees those before it"),
    seed_parameter("another one gives other weights and tokens"),
    show_parameter("all|variance|gradients|loss|arrays|depth"),
});

std::size_t followed(const Settings& settings) {
  const auto* const found = std::ranges::find(starts, settings.choice("init"), &Start::choice);
  return static_cast<std::size_t>(found - starts.begin());
}

transformer::Config model_of(const Settings& settings) {
  const std::string& place = settings.choice("placement");
  transformer::Config model;
  model.vocabulary = settings.integer("vocabulary");
  model.width = settings.integer("width");
  model.layers = settings.integer("depth");
  model.heads = model.width % 16 == 0 ? model.width / 16 : 1;
  model.hidden = 4 * model.width;
  model.placement = place == "sandwich"    ? transformer::Placement::sandwich
                    : place == "output"    ? transformer::Placement::output
                    : place == "post"      ? transformer::Placement::post
                    : place == "deep_norm" ? transformer::Placement::deep_norm
                                           : transformer::Placement::pre;
  model.activation = activation::Kind::relu;
  model.bias = false;
  model.positions = transformer::Positions::none;
  model.tied = settings.toggle("tied");
  return model;
}

Initialisation numbers_of(const Settings& settings, const Start& start) {
  Initialisation numbers = start.numbers;
  numbers.before_gain = settings.real("gain");
  return numbers;
}

/// What a network adds to an input that a norm of gain γ made: γ² F σ₂² D σ₁² / 2; and the logits' variance behind a norm of
/// gain 1, D σ².
struct Sizes {
  double gain, hidden, width, first, second, head;
  double adds() const { return gain * gain * hidden * second * second * width * first * first / 2; }
  double of_logits() const { return width * head * head; }
};

/// Whether that is what the stream gets: where a norm stands between a network and the sum it makes a size of its own, and in
/// `output` the input is not normed either.
bool adds_its_own_size(const transformer::Config& config) {
  return !transformer::norms_of(config.placement).inner;
}

Sizes sizes_of(const transformer::Config& config, const Initialisation& numbers) {
  const transformer::Transformer<float> model(config);
  const auto deviation = [&](std::string_view name) {
    return beginning_of(model.config(), *model.layout().find(name), numbers).deviation;
  };
  return {.gain = transformer::norms_of(config.placement).before ? numbers.before_gain : 1,
          .hidden = number(config.hidden),
          .width = number(config.width),
          .first = deviation("decoder.layers.0.feed_forward.up.weight"),
          .second = deviation("decoder.layers.0.feed_forward.down.weight"),
          .head = deviation(config.tied ? "token_embedding.weight" : "head.weight")};
}

Table loss_table(const Settings& settings, const Found& found) {
  Table table{"loss",
              {{.name = "start"},
               {.name = "at the start", .unit = "nat"},
               {.name = "expected", .unit = "nat"},
               {.name = "even", .unit = "nat"},
               {.name = "logits' variance"}}};
  const transformer::Config model = model_of(settings);
  Column adds{.name = "a network adds"};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Sizes sizes = sizes_of(model, numbers_of(settings, starts[i]));
    add_row(table, starts[i].name, found.measured[i].loss, found.expected[i].loss,
            std::log(settings.real("vocabulary")), sizes.of_logits());
    adds.values.push_back(sizes.adds());
  }
  if (adds_its_own_size(model)) table.columns.push_back(std::move(adds));
  return table;
}

std::string worked_of(const Settings& settings, const Start& start) {
  const transformer::Config model = model_of(settings);
  const Sizes sizes = sizes_of(model, numbers_of(settings, start));
  const double V = settings.real("vocabulary");
  Worked worked;
  worked.add("\\ln V", worked::ln(V), std::log(V));
  if (adds_its_own_size(model))
    worked.add("v_F",
               worked::power(sizes.gain, 2) * term(sizes.hidden) * worked::power(sizes.second, 2) *
                   term(sizes.width) * worked::power(sizes.first, 2) / 2,
               sizes.adds());
  worked.add("s^2", term(sizes.width) * worked::power(sizes.head, 2), sizes.of_logits());
  return worked.tex();
}

std::vector<Check> checks_of(const Found& found, std::size_t which) {
  Worst euler;
  for (const ModelStart& start : found.measured) euler.meet(start.euler / start.euler_slack);
  const ModelStart& own = found.measured[which];
  return {
      {"with 0 in what enters the stream no layer adds anything", found.measured[zero].largest_branch, 0},
      {"no token's loss leaves the bounds that its logits set (Jensen, Hoeffding)", own.outside,
       own.outside_slack},
      {"the last gain times its gradient is the logits times theirs (Euler): how much of what rounding allows they are apart",
       euler, 1}};
}

std::string sentence_of(const Settings& settings, const Found& found, std::size_t which) {
  const auto& stream = found.measured[which].variance;
  return std::string(starts[which].name) + ": the loss begins at " +
         short_text(found.measured[which].loss, 3) + ", even odds give " +
         short_text(std::log(settings.real("vocabulary")), 3) +
         ", and the layers multiply the stream's mean square by " +
         short_text(stream.back() / stream.front(), 2);
}

StudyResult shown(const Settings& settings, const Found& found) {
  const std::size_t which = followed(settings);
  const Series variance = variance_series(found), gradients = gradient_series(found),
               arrays = array_series(found.measured[which]), depth = depth_series(found);
  Table losses = loss_table(settings, found);
  Picture picture(
      sentence_of(settings, found, which),
      "For six ways to begin: the mean square of the stream by layer, measured as points and "
      "expected as lines; the length of the loss's gradient by each layer's arrays; the loss of "
      "random targets beside that of even odds. For one of them the gradients array by array; and the "
      "first layer's gradient by how many layers there are.");
  picture.at({0, 0}, "variance", variance_panel(variance));
  picture.at({0, 1}, "gradients", gradient_panel(gradients));
  picture.at({1, 0}, "loss", loss_panel(losses));
  picture.at({1, 1}, "arrays", array_panel(arrays, starts[which]));
  picture.at({2, 0, 1, 2}, "depth", depth_panel(depth));
  return {
      std::move(picture).figure(settings, {.aspect = 0.85,
                                           .rows = {1.15, 1.15, 0.8},
                                           .cols = {1, 1},
                                           .telling = {"variance", "loss", "gradients", "arrays", "depth"}}),
      {variance.table(), gradients.table(), std::move(losses), arrays.table(), depth.table()},
      checks_of(found, which),
      worked_of(settings, starts[which])};
}

/// From few layers to many: what is there at any time is the whole figure of a lower model.
StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  std::vector<double> depths;
  for (double d = 1; d < settings.real("depth"); d *= 2) depths.push_back(d);
  depths.push_back(settings.real("depth"));
  double layers = 0, done = 0;
  for (const double d : depths) layers += d;
  const double steps = number(starts.size()) * layers, width = settings.real("width");
  // Twelve width² weights of a layer, drawn once and gone through three times; a draw costs as much as some forty products.
  const double milliseconds = steps * 12 * width * width * (3 * settings.real("tokens") + 40) / 4e6;
  Parts parts(steps, milliseconds < 100 ? steps + 1 : 0);
  const transformer::Batch batch =
      initial_batch(settings.integer("vocabulary"), 1, settings.integer("tokens"), seed_of(settings));
  Settings so_far = settings;
  Found found;
  for (const double depth : depths) {
    so_far.set("depth", std::to_string(static_cast<int>(depth)));
    const transformer::Config model = model_of(so_far);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const Initialisation numbers = numbers_of(settings, starts[i]);
      found.measured[i] = model_start(run, model, numbers, batch, seed_of(settings));
      found.expected[i] = start_moments(model, numbers, batch.tokens);
      found.first_gradient[i].push_back(found.measured[i].gradient.front());
      run.check();
      run.progress((done += depth) / steps);
    }
    found.depths.push_back(depth);
    if (depth < depths.back() && parts.due(done)) run.publish(shown(so_far, found));
  }
  return shown(settings, found);
}

double last_over_first(const StudyResult& result, std::string_view start) {
  const auto& stream = column(result, "variance", start);
  return stream.back() / stream.front();
}

constexpr auto tries = std::to_array<Try>({
    {"He's variance, made for stacks without a stream: each layer adds more than twice what the tokens began with.",
     "init=he", [](auto& now, auto&) { return last_over_first(now, "He") > 1 + 2 * 12; }},
    {"Thirty-two layers: N(0, 0.02²) adds with each of them, GPT-2's 1/√(2N) the same in all, whatever their number.",
     "depth=32",
     [](auto& now, auto& before) {
       const double plain = last_over_first(now, "N(0, 0.02²)") / last_over_first(before, "N(0, 0.02²)"),
                    divided = last_over_first(now, "GPT-2") / last_over_first(before, "GPT-2");
       return plain > 1.8 && between(0.7, divided, 1.4);
     }},
    {"Logits by the embedding: from rows of N(0, 1) a token foretells itself, and the loss begins far above ln V.",
     "tied=on init=zero",
     [](auto& now, auto&) {
       return at(now, "loss", "at the start", "zero") > 5 * at(now, "loss", "even", "zero") &&
              at(now, "loss", "at the start", "GPT-2") < 1.1 * at(now, "loss", "even", "GPT-2");
     }},
    {"γ = 0 before every sublayer: of all the arrays of a layer only the gains get a gradient.", "gain=0",
     [](auto& now, auto&) {
       double others = 0;
       for (const char* name :
            {"query and key matrices", "value matrix", "attention's output", "first matrix", "second matrix"})
         others = std::max(others, most(column(now, "arrays", name)));
       return others == 0 && least(column(now, "arrays", "gains")) > 0;
     }},
    {"With 0 in what enters the stream, of a layer's arrays only those that are 0 get a gradient: the others wait.",
     "init=zero",
     [](auto& now, auto&) {
       return most(column(now, "arrays", "value matrix")) == 0 &&
              most(column(now, "arrays", "first matrix")) == 0 &&
              least(column(now, "arrays", "attention's output")) > 0 &&
              least(column(now, "arrays", "second matrix")) > 0;
     }},
    {"Post-LN: behind every norm the mean square is 1, whatever the start.", "placement=post",
     [](auto& now, auto&) {
       for (const Start& start : starts)
         for (const double square : column_from(now, "variance", start.name, 1))
           if (!between(0.95, square, 1.001)) return false;
       return true;
     }},
});

}  // namespace

extern const Study study{
    .id = "block/init",
    .title = "Before the first step",
    .topic = "Blocks",
    .summary = "what the numbers that a model begins with make of its stream, its gradients and its loss",
    .formula =
        R"(\text{Pre: } \mathrm{E}\,|x_l|^2 = \mathrm{E}\,|x_0|^2 + l\,D\,(v_A + v_F), \quad v_F = \tfrac{1}{2}\,\gamma^2\,F \sigma_2^2\,D \sigma_1^2, \quad s^2 = D\,\sigma^2, \quad \text{untied: } \mathrm{E}\,L \approx \ln V + \tfrac{1}{2} s^2)",
    .derivation =
        "A sum of $n$ products with independent weights of variance $\\sigma^2$ has $n\\,\\sigma^2$ times the mean square of what is put in.\n"
        "Behind a norm of gain $\\gamma$ that is $\\gamma^2$. The first matrix makes $\\gamma^2 D\\sigma_1^2$ of it, ReLU keeps one half, the second matrix makes $v_F = \\tfrac{1}{2} \\gamma^2 F \\sigma_2^2 D \\sigma_1^2$: a stream of Pre-LN grows by that much with every network, as its last matrix is independent of the stream.\n"
        "$2N$ branches over $\\sqrt{2N}$ add together what one adds: GPT-2's factor keeps the growth the same at every depth.\n"
        "Behind the last norm logits are $N(0, s^2)$ with $s^2 = D\\sigma^2$, and $\\mathrm{E} \\ln \\sum e^{z} \\approx \\ln (V e^{s^2/2})$: the loss of random targets begins $s^2/2$ above $\\ln V$. Tied, a token's logit for itself is $D\\sigma^2/\\sqrt{\\mathrm{E}|x_N|^2/D}$ more.\n"
        "With $W_2 = 0$ a branch is 0, so is the gradient of all before $W_2$, and that of $W_2$ itself is not.",
    .about =
        "Lines are closed forms for infinite width, through every placement of the norms: the covariance of tokens, layer by layer, "
        "with ReLU's kernel, and attention as if it weighed all it sees alike; points are one model. Xavier, He, LeCun and zero have "
        "rows of N(0, 1) in the embedding, as nn.Embedding, the other two N(0, 0.02²). Targets are random tokens: what a model knows "
        "before it has learned is how many there are. On ref all is computed in double, elsewhere in float.",
    .source =
        "Glorot, Bengio 2010 (Xavier); He et al. 2015, arXiv 1502.01852; LeCun et al. 1998, Efficient BackProp; Radford et al. 2019 "
        "(GPT-2), section 2.3; zero branches: Zhang et al. 2019, 1901.09321 (Fixup), Bachlechner et al. 2020, 2003.04887 (ReZero), "
        "Goyal et al. 2017, 1706.02677; ReLU's kernel: Cho, Saul 2009",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_init
