// An op's twin on this device against the double reference, in units of what the op's own contract allows.
#include <iterator>

#include "app/study/kit.h"
#include "app/study/numerics/twin_picture.h"
#include "app/study/numerics/twin_use.h"
#include "core/op/sample.h"
#include "core/parameter/only_when.h"

namespace orrery::study::numerics_twins {
namespace {

constexpr std::string_view formats = "f32|f16|bf16";
constexpr std::size_t worst_shown = 32;

std::string_view choices_of_activation() {
  const auto declared = op::find("activation").parameters;
  return std::ranges::find(declared, "kind", &Parameter::name)->choices;
}

const auto parameters = std::to_array<Parameter>({
    with_fallback(choice("op", "Op", op::names(), "one of the op table, with its usual settings"),
                  "rms_norm"),
    with_fallback(choice("function", "Function", choices_of_activation(),
                         "gelu is the exact one, by the error function", {.only_when = "op=activation"}),
                  "gelu"),
    whole("rows", "Rows", "64", {1, 256}, "tokens, queries and keys", {.travel = Travel::powers_of_two}),
    whole("width", "Width", "256", {2, 1024}, "numbers of each token", {.travel = Travel::powers_of_two}),
    real("mean", "Common mean", "0", {-10000, 10000},
         "of the values given; a large one cancels, and costs digits"),
    real("scale", "Scale", "1", {1e-6, 1e4}, "the standard deviation of the values given",
         {.travel = Travel::log}),
    choice("storage", "Storage", formats,
           "what arrays are rounded to between the stages; f32 is the fast twin itself"),
    choice("accumulate", "Accumulate", formats,
           "what sums and functions are rounded to inside; f32 is the fast twin itself"),
    seed_parameter("another one gives other values"),
    show_parameter("all|error|histogram|map"),
});

bool is_staged(const Settings& settings) {
  return settings.choice("storage") != "f32" || settings.choice("accumulate") != "f32";
}

constexpr tensor::Index most_hidden = 32;  // a network with as many units squared
constexpr tensor::Index most_heads = 16;   // each with a bias for every query and key
/// Of keys, queries and width together: a head of attention more than this takes longer than anybody waits to stop it.
constexpr tensor::Index most_products = 64 * 64 * 1024;

op::Sizes sizes_of(const op::Op& op, const Settings& settings) {
  const tensor::Index rows = settings.integer("rows"), width = settings.integer("width");
  op::Sizes sizes{.T = rows, .S = rows, .D = width, .d = width, .F = width, .H = 4, .V = 64, .N = 32};
  sizes[op::width_letter(op)] = width;
  sizes.M = std::min(width, most_hidden);
  sizes.H = std::min(sizes.H, most_heads);
  if (op::width_letter(op) == 'd')
    sizes.H = std::clamp<tensor::Index>(most_products / (rows * rows * width), 1, sizes.H);
  return sizes;
}

/// A matrix of a million numbers takes as long as a tenth of a second to draw.
op::Fill stoppable(op::Fill values, const Run& run) {
  constexpr std::uint64_t at_once = 1 << 14;
  return [values = std::move(values), &run](const op::Place& at) {
    if (at.i % at_once == 0) run.check();
    return values(at);
  };
}

op::Call call_of(const op::Op& op, const Settings& settings, const Run& run) {
  const op::Sizes sizes = sizes_of(op, settings);
  Settings sample = op::sample_settings(op, sizes);
  const auto function = std::ranges::find(settings.declared(), "function", &Parameter::name);
  if (!parameter::unmet(*function, settings)) sample.set("kind", settings.choice("function"));
  const op::Fill values =
      stoppable(op::random_values(seed_of(settings), settings.real("mean"), settings.real("scale")), run);
  op::Call call = op::sample(op, sample, sizes, values, op::Named::needed);
  call.precision = {tensor::format_from_name(settings.choice("storage")),
                    tensor::format_from_name(settings.choice("accumulate"))};
  return call;
}

/// The worst element: what the whole is judged by.
std::string worst_text(const Settings& settings, const Run& run, const TwinUse& use) {
  const std::string name = settings.choice("op") +
                           (is_staged(settings) ? ", rounded by stages," : " on " + twin::name(run.device));
  if (std::isinf(use.worst)) return name + " is off without any bound";
  if (use.worst > 1) return name + " is off by up to " + short_text(use.worst, 2) + " times its bound";
  return name + " uses at most " + short_text(100 * use.worst, 2) + " % of its bound";
}

Table histogram_table(const figure::Histogram& bars) {
  Table table{"histogram", {{.name = "from"}, {.name = "to"}, {.name = "elements"}}};
  for (std::size_t i = 0; i < bars.heights.size(); ++i)
    add_row(table, bars.edges[i], bars.edges[i + 1], bars.heights[i]);
  return table;
}

Table worst_table(const TwinUse& use) {
  std::vector<Element> worst;  // of numbers: what has overflown has no difference
  std::ranges::copy_if(use.elements, std::back_inserter(worst), [](const Element& e) {
    return std::isfinite(e.ref) && std::isfinite(e.twin) && std::isfinite(e.use);
  });
  const std::size_t count = std::min(worst.size(), worst_shown);
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const Element& p, const Element& q) {
                              return std::tuple(-p.use, p.row, p.col) < std::tuple(-q.use, q.row, q.col);
                            });
  worst.resize(count);
  Table table{"worst_elements",
              {{.name = "row"},
               {.name = "column"},
               {.name = "ref", .digits = 12},
               {.name = "twin", .digits = 12},
               {.name = "difference", .digits = 3},
               {.name = "bound", .digits = 3},
               {.name = "difference / bound", .digits = 3}}};
  for (const Element& e : worst) add_row(table, e.row, e.col, e.ref, e.twin, e.twin - e.ref, e.bound, e.use);
  return table;
}

/// The element that uses most of its bound; of an op that promises every bit, one of them.
std::string worked_of(const TwinUse& use) {
  const Element* worst = nullptr;
  for (const Element& e : use.elements) {
    const bool numbers = std::isfinite(e.ref) && std::isfinite(e.twin) && std::isfinite(e.use);
    if (numbers && std::isfinite(e.bound) && (!worst || e.use > worst->use)) worst = &e;
  }
  if (!worst) return {};  // every number has overflown
  const Term off = abs(term(worst->twin) - worst->ref);
  Worked worked;
  if (worst->bound == 0) return worked.add("|y - r|", off, std::abs(worst->twin - worst->ref)).tex();
  return worked
      .add("\\frac{|y - r|}{\\mathrm{abs} + \\mathrm{rel}\\,|r| + \\mathrm{row}\\,\\max_j |r_j|}",
           worked::frac(off, worst->bound), worst->use)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const op::Op& op = op::find(settings.choice("op"));
  const bool staged = is_staged(settings);
  const op::Call call = call_of(op, settings, run);
  const auto shown = [&](const TwinUse& use) -> StudyResult {
    const TwinSeries series = twin_series(use);
    const std::string& name = settings.choice("op");
    run.check();
    Picture picture(
        worst_text(settings, run, use),
        "Every element's distance from the double reference: against what the op's own bound allows "
        "for it, how often each share of the bound occurs, and the largest share of every row, the "
        "worst row first. All axes of errors are logarithmic.");
    picture.at({0, 0}, "error", error_panel(name, use, series))
        .at({0, 1}, "histogram", shares_panel(name, use, series))
        .at({1, 0, 1, 2}, "map", rows_panel(name, series));
    run.check();
    Table worst = worst_table(use);
    run.check();
    return {
        std::move(picture).figure(settings, {.aspect = 1.0,
                                             .rows = {1.25, 1},
                                             .cols = {1, 1},
                                             .titles_alone = true,
                                             .telling = {"error", "histogram", "map"}}),
        {std::move(worst), histogram_table(series.by_share), series.by_bound.table(), series.rows.table()},
        {}};
  };
  const TwinUse use =
      twin_use(op, call, run, staged, [&](const TwinUse& so_far) { run.publish(shown(so_far)); });
  run.check();
  StudyResult result = shown(use);
  run.check();
  result.worked = worked_of(use);
  // Rounding every stage to fewer bits is outside the contract: that is the lesson. The float twin is held to it anyway.
  const TwinUse held = staged ? twin_use(op, call, run, false) : use;
  result.checks = {{twin::name(run.device) + " stays within the bound of the contract", held.worst, 1}};
  if (held.sum_bounded)
    result.checks.push_back({"so does the sum of squares of all differences", held.share_nmse, 1});
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"A large mean under LayerNorm: it cancels, and the error stays within the bound.",
     "op=layer_norm mean=1000",
     [](auto& now, auto&) { return most(column(now, "worst_elements", "difference / bound")) <= 1; }},
    {"Arrays kept in bf16: far beyond what a float twin may do.", "op=rms_norm storage=bf16",
     [](auto& now, auto&) { return most(column(now, "worst_elements", "difference / bound")) > 1000; }},
    {"Softmax of 1024 numbers: exponentials and a sum, within the bound.", "op=softmax width=1024",
     [](auto& now, auto&) { return most(column(now, "worst_elements", "difference / bound")) <= 1; }},
});

}  // namespace

extern const Study study{
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

}  // namespace orrery::study::numerics_twins
