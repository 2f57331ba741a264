// How a gradient comes down through a stack of blocks: along the identity path or through the sublayers, by layer and depth,
// for each place of the norm and without residual connections.
//
//   six stacks: what has come through 0, 1, 2, 3 and more sublayers, in bands by layer
//   each residual sum: what its two parts do | the product along the identity path
//   the identity's part of the whole, by depth
#include "app/study/block/gradient_path_picture.h"
#include "app/study/kit.h"
#include "app/study/kit/parts.h"

namespace orrery::study::block_gradient_path {
namespace {

using transformer::Placement;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("placement", "Placement", "pre|sandwich|output|post|deep_norm|none",
                         "whose residual sums are drawn one by one; none: no residual connections"),
                  "post"),
    whole("depth", "Depth", "12", {1, 48}, "layers, of two residual sums each", {.travel = Travel::log}),
    choice("init", "Initialisation", "xavier|he|lecun|normal",
           "the weights' variance: 2/(inputs + outputs), 2/inputs, 1/inputs, or 0.02²"),
    toggle("scaled", "Scaled", "off", "divides what enters the stream by √(2N), N layers, as GPT-2 does"),
    choice("norm", "Norm", "layer|rms", "LayerNorm or RMSNorm, with gains of 1"),
    choice("activation", "Activation", "relu|gelu", "of the feed-forward network, four times as wide"),
    whole("width", "Width", "64", {16, 128}, "D: components of a token", {.travel = Travel::powers_of_two}),
    whole("tokens", "Tokens", "16", {2, 32}, "random ones, each of which sees those before it"),
    seed_parameter("another one gives other weights, tokens and another gradient"),
    show_parameter("all|shares|sums|path|depth"),
});

std::size_t followed(const Settings& settings) {
  const auto* const found = std::ranges::find(kinds, settings.choice("placement"), &Kind::choice);
  return static_cast<std::size_t>(found - kinds.begin());
}

GradientPathQuestion question_of(const Settings& settings, const Kind& kind) {
  const std::string& init = settings.choice("init");
  GradientPathQuestion q;
  q.placement = kind.placement;
  q.residual = kind.residual;
  q.norm = settings.choice("norm") == "rms" ? transformer::NormKind::rms : transformer::NormKind::layer;
  q.activation = activation::kind_from_name(settings.choice("activation"));
  q.start.spread = init == "he"       ? transformer::Spread::he_normal
                   : init == "lecun"  ? transformer::Spread::lecun_normal
                   : init == "normal" ? transformer::Spread::normal
                                      : transformer::Spread::xavier_normal;
  q.start.into_stream =
      settings.toggle("scaled") ? transformer::IntoStream::divided : transformer::IntoStream::as_others;
  q.layers = settings.integer("depth");
  q.width = settings.integer("width");
  q.tokens = settings.integer("tokens");
  q.seed = seed_of(settings);
  return q;
}

/// 1, 2, 4 … and the depth that is set.
std::vector<double> depths_to(double depth) {
  std::vector<double> all;
  for (double d = 1; d < depth; d *= 2) all.push_back(d);
  all.push_back(depth);
  return all;
}

std::string worked_of(const GradientPaths& paths, const Series& depth, const Kind& kind) {
  // From the top down; the factors behind the second as the number that they come to.
  std::vector<double> factors(paths.path_gain.rbegin(), paths.path_gain.rend());
  double rest = 1;
  for (std::size_t k = 2; k < factors.size(); ++k) rest *= factors[k];
  Term product = term(factors[0]) * term(factors[1]);
  if (factors.size() > 2) product = std::move(product) * term(rest);
  Worked worked;
  worked.add("\\frac{|p_0|}{|g_N|}", product, paths.identity.front());
  if (paths.gradient.front() > 0)
    worked.add("\\frac{|p_0|}{|g_0|}", worked::frac(paths.identity.front(), paths.gradient.front()),
               depth[kind.name].back());
  return worked.tex();
}

std::vector<Check> checks_of(const Settings& settings, const Found& found) {
  Worst unexplained, moved, grown;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const GradientPaths& paths = found.of[i];
    unexplained.meet(paths.unexplained);
    if (i < post)
      for (const double p : paths.identity) moved.meet(std::abs(p - 1));
    if (kinds[i].placement == Placement::post || kinds[i].placement == Placement::deep_norm)
      for (std::size_t k = 0; k < paths.path_gain.size(); ++k)
        grown.meet(paths.path_gain[k] / paths.largest_gain[k]);
  }
  // A norm's way back is three terms, none longer than the gradient over the smallest √(σ² + ε), each off by the D products
  // of its mean and a few roundings more, and so is what it is divided by here.
  const double rounding = 2 * 3 * (settings.real("width") + 16) * 0x1p-53;
  return {
      {"the parts add up to what each block's own backward pass gives: how much of what rounding allows they are off",
       unexplained, 1},
      {"without a norm behind the sum the identity path brings all of it: by how much its product is not 1",
       moved, 0},
      {"no sum makes the identity path grow by more than $\\alpha / \\sigma$ of its smallest token", grown,
       1 + rounding}};
}

std::string sentence_of(const Settings& settings, const Found& found) {
  return "Through " + amount(settings.real("depth"), "layer", "layers") +
         " the identity path keeps all of the gradient with Pre-LN, " +
         (found.of[post].identity.front() < 1.05  // else all, in two digits
              ? short_text(100 * found.of[post].identity.front(), 2) + " % of it with Post-LN"
              : "and makes it " + short_text(found.of[post].identity.front(), 2) +
                    " times as long with Post-LN");
}

StudyResult shown(const Settings& settings, const Found& found) {
  const std::size_t which = followed(settings);
  const GradientPaths& paths = found.of[which];
  const Series shares = share_series(settings, found), path = path_series(settings, found),
               sums = sum_series(settings, paths), depth = depth_series(found);
  Picture picture(
      sentence_of(settings, found),
      "Six stacks of blocks, layer by layer from the input on the left to the top on the right: which share of the "
      "gradient has come by the identity path alone, through one sublayer, two, three and more. Below, at each "
      "residual sum of one of them, how large the identity's and the sublayer's part are; the product along the "
      "identity path by layer; and the identity's part of the whole gradient at the input by depth.");
  for (std::size_t i = 0; i < kinds.size(); ++i)
    picture.at({static_cast<int>(i / 2), static_cast<int>(i % 2)}, "shares",
               share_panel(settings, shares, kinds[i]));
  picture.at({3, 0}, "sums", sum_panel(settings, sums, kinds[which]));
  picture.at({3, 1}, "path", path_panel(settings, path, kinds[which]));
  picture.at({4, 0, 1, 2}, "depth", depth_panel(depth));
  return {std::move(picture).figure(settings, {.aspect = 0.5,
                                               .rows = {0.83, 0.83, 0.83, 1.2, 1.6},
                                               .cols = {1, 1},
                                               .telling = {"path", "shares", "sums", "depth"}}),
          {shares.table(), sums.table(), path.table(), depth.table()},
          checks_of(settings, found),
          worked_of(paths, depth, kinds[which])};
}

/// From few layers to many: what is there at any time is the whole figure of a lower stack.
StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<double> depths = depths_to(settings.real("depth"));
  double layers = 0, done = 0;
  for (const double d : depths) layers += d;
  const double steps = 3 * number(kinds.size()) * layers, width = settings.real("width");
  // Twelve width² weights of a layer, which six passes go through; some four products to a nanosecond.
  const double milliseconds =
      number(kinds.size()) * layers * 6 * 12 * width * width * settings.real("tokens") / 4e6;
  Parts parts(steps, milliseconds < 100 ? steps + 1 : 0);
  Settings so_far = settings;
  Found found;
  for (const double depth : depths) {
    so_far.set("depth", std::to_string(static_cast<int>(depth)));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      found.of[i] = gradient_paths(run, question_of(so_far, kinds[i]), [&] { run.progress(++done / steps); });
      const GradientPaths& paths = found.of[i];
      found.by_depth[i].push_back(paths.gradient.front() > 0 ? paths.identity.front() / paths.gradient.front()
                                                             : 0);
    }
    found.depths.push_back(depth);
    if (depth < depths.back() && parts.due(done)) run.publish(shown(so_far, found));
  }
  return shown(settings, found);
}

constexpr auto tries = std::to_array<Try>({
    {"Forty-eight layers: of Post-LN's identity path hardly anything is left, of DeepNorm's most.",
     "depth=48",
     [](auto& now, auto&) {
       return at(now, "path", "Post-LN", 0) < 0.02 && at(now, "path", "DeepNorm", 0) > 0.7;
     }},
    {"N(0, 0.02²): small branches leave what a norm divides by near 1, and Post-LN's path nearly whole.",
     "init=normal",
     [](auto& now, auto& before) {
       return at(now, "path", "Post-LN", 0) > 0.9 && at(before, "path", "Post-LN", 0) < 0.5;
     }},
    {"1/√(2N) on what enters the stream: most of Pre-LN's gradient comes by the identity alone.", "scaled=on",
     [](auto& now, auto& before) {
       return at(now, "shares", "Pre-LN, identity", 0.0) > 50 &&
              at(before, "shares", "Pre-LN, identity", 0.0) < 50;
     }},
    {"Pre-LN, sum by sum: the longer the stream has grown, the less a sublayer adds to what comes back.",
     "placement=pre",
     [](auto& now, auto&) {
       const auto& gains = column(now, "sums", "feed-forward");
       return gains.back() < 0.7 * gains.front();
     }},
    {"Without residual connections all of it has come through every sublayer: there is no other way.",
     "placement=none",
     [](auto& now, auto&) {
       return at(now, "shares", "no residual, up to 2", 0.0) == 0 &&
              between(99.9, at(now, "shares", "no residual, all", 0.0), 100.1) &&
              most(column(now, "sums", "identity, by attention")) == 0;
     }},
});

}  // namespace

extern const Study study{
    .id = "block/gradient-path",
    .title = "Paths of the gradient",
    .topic = "Blocks",
    .summary = "how much of a gradient comes by the identity path, and how much through the sublayers",
    .formula =
        R"(g_{k-1} = \underbrace{\alpha\,J_k^T g_k}_{\text{identity}} + \underbrace{B_k^T g_k}_{\text{sublayer}}, \quad p_0 = \Big(\prod_k \alpha\,J_k^T\Big)\,g_{2N})",
    .derivation =
        "A residual sum is $y = N(\\alpha x + F(x))$, where the norm may be missing. With $J$ its Jacobian and $B = J F'$, the chain rule gives $g_x = \\alpha J^T g_y + B^T g_y$: one part passes by the sublayer, one goes through it.\n"
        "Pre-LN, sandwich and output norm have their norms on the branch: $\\alpha J = I$, and whatever the depth the top's gradient arrives at the input once in full, with the other paths added to it.\n"
        "Post-LN has $J = \\frac{1}{\\sigma}(I - \\frac{1}{D}11^T - \\frac{1}{D}\\hat{x}\\hat{x}^T)$ there. Where the stream's variance is 1 and that of an independent branch $v$, $\\sigma^2 = 1 + v$, and $2N$ sums leave $(1 + v)^{-N}$: it falls exponentially.\n"
        "DeepNorm has $\\alpha^2 = \\sqrt{2N}$ and branches that $\\beta$ makes small: $\\alpha/\\sigma = (1 + v/\\alpha^2)^{-1/2}$ stays so near 1 that the product does.\n"
        "Without residual connections $\\alpha = 0$, and there is one path, through all sublayers.",
    .about =
        "What has come through exactly m sublayers since the top is one part of the gradient; the parts of all m add up to it. A "
        "part's share is its component along the whole, p·g/|g|²: shares add up to 100 %, and a part that points against the whole "
        "counts less than 0. Weights are as at the start of training, tokens and the top's gradient random; the final norm and the "
        "head, which multiply all paths alike, are left out. On ref all is computed in double, elsewhere in float.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762 (Post-LN); Xiong et al. 2020, 2002.04745 (Pre-LN); Wang et al. 2022, 2203.00555 "
        "(DeepNorm); Ding et al. 2021, 2105.13290 (sandwich); OLMo 2, 2501.00656 (output norm); paths by length: Veit, Wilber, "
        "Belongie 2016, 1605.06431",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_gradient_path
