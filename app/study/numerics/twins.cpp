// An op's twin on this device against the double reference, in units of what the op's own contract allows.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/histogram.h"
#include "app/study/numerics/sample_call.h"
#include "app/study/numerics/twin_use.h"
#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "app/study/twin.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;

constexpr std::string_view parts = "all|map|histogram";
constexpr std::string_view formats = "f32|f16|bf16";
constexpr std::size_t worst_shown = 32;
constexpr int bins = 40;

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "op",
     .label = "Op",
     .kind = Kind::choice,
     .fallback = "rms_norm",
     .choices = "layer_norm|rms_norm|batch_norm|scale_norm|dyt|sinusoidal|rope|alibi|t5_bias|kerple|fire|"
                "scores|softmax|attention|activation|glu|feed_forward|gated_feed_forward|embedding|"
                "unembedding",
     .help = "one of the op table, with its usual settings"},
    {.name = "function",
     .label = "Function",
     .kind = Kind::choice,
     .fallback = "gelu",
     .choices = "relu|leaky_relu|elu|selu|gelu|gelu_tanh|gelu_quick|silu|swish|mish|softplus|relu2|"
                "hard_swish|sigmoid|tanh",
     .help = "gelu is the exact one, by the error function",
     .only_when = "op=activation"},
    {.name = "rows",
     .label = "Rows",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 1,
     .max = 256,
     .travel = Travel::powers_of_two,
     .help = "tokens, queries and keys"},
    {.name = "width",
     .label = "Width",
     .kind = Kind::integer,
     .fallback = "256",
     .min = 2,
     .max = 1024,
     .travel = Travel::powers_of_two,
     .help = "numbers of each token"},
    {.name = "mean",
     .label = "Common mean",
     .kind = Kind::real,
     .fallback = "0",
     .min = -10000,
     .max = 10000,
     .help = "of the values given; a large one cancels, and costs digits"},
    {.name = "scale",
     .label = "Scale",
     .kind = Kind::real,
     .fallback = "1",
     .min = 1e-6,
     .max = 1e4,
     .travel = Travel::log,
     .help = "the standard deviation of the values given"},
    {.name = "storage",
     .label = "Storage",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "what arrays are rounded to between the stages; f32 is the fast twin itself"},
    {.name = "accumulate",
     .label = "Accumulate",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "what sums and functions are rounded to inside; f32 is the fast twin itself"},
    seed_parameter("another one gives other values"),
    show_parameter(parts),
});

bool is_staged(const Settings& settings) {
  return settings.choice("storage") != "f32" || settings.choice("accumulate") != "f32";
}

op::Call call_of(const op::Op& op, const Settings& settings) {
  const SampleInput sample{settings.integer("rows"), settings.integer("width"), settings.real("mean"),
                           settings.real("scale"), static_cast<std::uint64_t>(settings.integer("seed"))};
  op::Call call = sample_call(op, sample);
  if (op.name == "activation") call.settings.set("kind", settings.choice("function"));
  call.precision = {tensor::format_from_name(settings.choice("storage")),
                    tensor::format_from_name(settings.choice("accumulate"))};
  return call;
}

/// Colours end at the contract's limit, or at what is beyond it.
double top_of(const TwinUse& use) {
  double top = 1;
  for (const Element& e : use.elements)
    if (std::isfinite(e.use)) top = std::max(top, e.use);
  return top;
}

figure::Panel map_panel(const TwinUse& use) {
  auto grid = std::make_shared<figure::Grid>();
  grid->rows = static_cast<int>(use.rows);
  grid->cols = static_cast<int>(use.cols);
  for (const Element& e : use.elements) grid->values.push_back(static_cast<float>(e.use));
  const figure::Range across{-0.5, static_cast<double>(use.cols) - 0.5},
      down{-0.5, static_cast<double>(use.rows) - 0.5};
  figure::Panel panel;
  panel.title = "Where the bound is used";
  panel.x = {.label = "column", .range = across, .ticks = figure::TickHint::integers};
  panel.y = {.label = "row", .range = down, .ticks = figure::TickHint::integers, .reversed = true};
  panel.frame = true;
  panel.marks = {
      figure::Heatmap{.x = across,
                      .y = down,
                      .grid = std::move(grid),
                      .colors = {.range = figure::Range{0, top_of(use)}, .label = "difference / bound"}}};
  return panel;
}

figure::Histogram histogram_of(const TwinUse& use) {
  std::vector<double> values;
  for (const Element& e : use.elements)
    if (e.use > 0) values.push_back(e.use);
  figure::Bins wanted{.count = bins};
  wanted.range = figure::Range{0, top_of(use)};
  return figure::histogram(values, wanted);
}

figure::Panel histogram_panel(const TwinUse& use) {
  figure::Panel panel;
  panel.title = "How much of it";
  panel.x = {.label = "difference / bound", .range = figure::Range{0, 1.04 * top_of(use)}};
  panel.y = {.label = "elements", .grid = true};
  panel.marks = {histogram_of(use),
                 figure::Rule{.direction = figure::Direction::vertical, .at = 1, .text = "the limit"},
                 figure::Inset{.text = rounded_text(100 * use.equal, 3) + " % equal"}};
  return panel;
}

figure::Table worst_table(const TwinUse& use) {
  std::vector<Element> worst;  // of numbers: what has overflown has no difference
  std::ranges::copy_if(use.elements, std::back_inserter(worst), [](const Element& e) {
    return std::isfinite(e.ref) && std::isfinite(e.twin) && std::isfinite(e.use);
  });
  const std::size_t count = std::min(worst.size(), worst_shown);
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const Element& p, const Element& q) {
                              if (p.use != q.use) return p.use > q.use;
                              return p.row != q.row ? p.row < q.row : p.col < q.col;
                            });
  figure::Table table{"worst_elements",
                      {{.name = "row"},
                       {.name = "column"},
                       {.name = "ref", .digits = 12},
                       {.name = "twin", .digits = 12},
                       {.name = "difference", .digits = 3},
                       {.name = "bound", .digits = 3},
                       {.name = "difference / bound", .digits = 3}}};
  for (std::size_t i = 0; i < count; ++i) {
    const Element& e = worst[i];
    const std::array values{static_cast<double>(e.row),
                            static_cast<double>(e.col),
                            e.ref,
                            e.twin,
                            e.twin - e.ref,
                            e.bound,
                            e.use};
    for (std::size_t c = 0; c < values.size(); ++c) table.columns[c].values.push_back(values[c]);
  }
  return table;
}

figure::Table histogram_table(const TwinUse& use) {
  const figure::Histogram bars = histogram_of(use);
  figure::Table table{"histogram", {{.name = "from"}, {.name = "to"}, {.name = "elements"}}};
  for (std::size_t i = 0; i < bars.heights.size(); ++i) {
    table.columns[0].values.push_back(bars.edges[i]);
    table.columns[1].values.push_back(bars.edges[i + 1]);
    table.columns[2].values.push_back(bars.heights[i]);
  }
  return table;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const op::Op& op = op::find(settings.choice("op"));
  const bool staged = is_staged(settings);
  const op::Call call = call_of(op, settings);
  const TwinUse use = twin_use(op, call, run, staged);

  figure::Panel map = map_panel(use), histogram = histogram_panel(use);
  histogram.cell = {0, 1};
  StudyResult result;
  result.figure.title = "A fast twin, and what its contract allows";
  result.figure.description =
      "Every element's distance from the double reference as a fraction of the op's own bound: as a map, and "
      "how often each fraction occurs.";
  result.figure.panels = {std::move(map), std::move(histogram)};
  result.figure.col_weights = {1.3, 1};
  result.figure.aspect = 1.7;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {worst_table(use), histogram_table(use)};
  // Rounding every stage to fewer bits is outside the contract: that is the lesson. The float twin is held to it anyway.
  const TwinUse held = staged ? twin_use(op, call, run, false) : use;
  result.checks = {{twin::name(run.device) + " stays within the bound of the contract", held.worst, 1}};
  if (held.sum_bounded)
    result.checks.push_back({"so does the sum of squares of all differences", held.share_nmse, 1});
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"A large mean under LayerNorm: the bound knows what cancels.", "op=layer_norm mean=1000"},
    {"Arrays kept in bf16: far beyond what a float twin may do.", "op=rms_norm storage=bf16"},
    {"Softmax of 1024 numbers: exponentials, and a sum.", "op=softmax width=1024"},
});

}  // namespace

const Study numerics_twins{
    .id = "numerics/twins",
    .title = "Twins",
    .topic = "Numerics",
    .summary = "a fast result against the double reference, in units of its own bound",
    .formula = R"(\frac{|y - r|}{\mathrm{abs} + \mathrm{rel}\,|r| + \mathrm{row}\,\max_j |r_j|})",
    .about =
        "Every op is computed three times: by plain loops in double, by vectors of floats, by a shader. Its "
        "contract says how far the fast twins may stand from the reference; here every element's distance is "
        "shown as a fraction of that, and 1 is the limit. The device is the one chosen for the window; the "
        "reference itself shows zero.",
    .source = "Higham 2002, Accuracy and Stability of Numerical Algorithms; IEEE 754-2019",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
