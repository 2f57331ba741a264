// How fast LayerNorm and RMSNorm are: fused, pass by pass, and against what memory and arithmetic allow.
#include "app/study/kit.h"
#include "app/study/norm/speed_results.h"
#include "core/bench/norm_passes.h"
#include "core/bench/norm_passes_on_device.h"
#include "core/bench/statistics.h"

namespace orrery::study::norm_speed {
namespace {

using bench::NormWay;

struct Size {
  Index rows, width;
};
constexpr Size past_the_caches{4096, 4096}, in_the_caches{512, 768};

constexpr auto parameters = std::to_array<Parameter>({
    toggle(
        "measure", "Measure", "off",
        "on: here and now, this processor or with device gpu the graphics device; off: what is kept, or came "
        "with the program",
        {.measures = true}),
    choice("size", "Size", "memory|caches",
           "4096 tokens of 4096 numbers, past the caches; or 512 of 768, within them"),
    text("results", "Results", "", {0, 4000},
         "what was measured, as the recipe of a measured figure keeps it; empty: what came with the program",
         {.presentation = true}),
    show_parameter("all|times|claims|roofline"),
});

constexpr std::array<const char*, bench::norm_ways> way_names{"copy", "RMSNorm, fused", "LayerNorm, fused",
                                                              "RMSNorm, in passes", "LayerNorm, in passes"};

constexpr std::size_t index(NormWay way) {
  return static_cast<std::size_t>(way);
}

/// Where a quarter, half and three quarters of what was seen lie below.
struct Quartiles {
  double low, middle, high;
};

Quartiles quartiles(std::vector<double> x) {
  std::ranges::sort(x);
  const auto at = [&](double share) {
    const double place = share * (number(x.size()) - 1);
    const auto i = static_cast<std::size_t>(place);
    const double rest = place - number(i);
    return rest == 0 ? x[i] : x[i] + rest * (x[i + 1] - x[i]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

Quartiles milliseconds(const bench::NormTimes& times, NormWay way) {
  std::vector<double> ms;
  for (const auto& round : times.rounds) ms.push_back(round[index(way)]);
  return quartiles(std::move(ms));
}

/// How many times as long one takes as the other, both in the same round: the machine's mood is in both.
struct Comparison {
  const char* name;
  NormWay slow, fast;
  double said_low, said_high;  ///< what is often said of it
};
constexpr auto comparisons = std::to_array<Comparison>({
    {"LayerNorm / RMSNorm, fused", NormWay::layer_fused, NormWay::rms_fused, 1.1, 1 / 0.7},
    {"LayerNorm / RMSNorm, in passes", NormWay::layer_passes, NormWay::rms_passes, 1.1, 1 / 0.7},
    {"in passes / fused, RMSNorm", NormWay::rms_passes, NormWay::rms_fused, 5, 10},
    {"in passes / fused, LayerNorm", NormWay::layer_passes, NormWay::layer_fused, 5, 10},
});

Quartiles ratio(const bench::NormTimes& times, const Comparison& c) {
  std::vector<double> ratios;
  for (const auto& round : times.rounds) ratios.push_back(round[index(c.slow)] / round[index(c.fast)]);
  return quartiles(std::move(ratios));
}

Table rounds_table(const bench::NormTimes& times) {
  Table table{"rounds", {{.name = "round"}}};
  for (const char* name : way_names) table.columns.push_back({.name = name, .unit = "ms"});
  for (std::size_t r = 0; r < times.rounds.size(); ++r) {
    table.columns[0].values.push_back(number(r + 1));
    for (std::size_t i = 0; i < way_names.size(); ++i)
      table.columns[i + 1].values.push_back(times.rounds[r][i]);
  }
  return table;
}

Table ways_table(const bench::NormTimes& times) {
  Table table{"ways",
              {{.name = "way"},
               {.name = "read and written", .unit = "byte", .digits = 12},
               {.name = "operations", .digits = 12},
               {.name = "median", .unit = "ms"},
               {.name = "GB/s"},
               {.name = "operations a byte"},
               {.name = "Gflop/s"}}};
  for (std::size_t i = 0; i < way_names.size(); ++i) {
    const auto way = static_cast<NormWay>(i);
    const bench::NormWork work = bench::norm_work(way, times.rows, times.width);
    const double ms = milliseconds(times, way).middle;
    add_row(table, Called{way_names[i], number(i)}, work.bytes, work.flops, ms, work.bytes / ms * 1e-6,
            work.flops / work.bytes, work.flops / ms * 1e-6);
  }
  return table;
}

/// What the processor does at most: bytes as a copy moves them, multiply-adds, and where both take as long.
Table limits_table(const bench::NormTimes& times) {
  const double copied = ways_table(times).columns[4].values[0];
  Table table{"limits", {{.name = "GB/s"}, {.name = "Gflop/s"}, {.name = "operations a byte"}}};
  add_row(table, copied, times.gigaflops, times.gigaflops / copied);
  return table;
}

Table ratios_table(const bench::NormTimes& times) {
  Table table{
      "ratios",
      {{.name = "comparison"}, {.name = "lower quartile"}, {.name = "median"}, {.name = "upper quartile"}}};
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Quartiles q = ratio(times, comparisons[i]);
    add_row(table, Called{comparisons[i].name, number(i)}, q.low, q.middle, q.high);
  }
  return table;
}

std::vector<std::string> names_of(auto&& all, auto name) {
  std::vector<std::string> names;
  for (const auto& each : all) names.emplace_back(name(each));
  return names;
}

/// One of each mark to a way: fused ones in colour, the chains paler.
Ink ink_of(NormWay way) {
  switch (way) {
    case NormWay::copy:
      return ink(Role::faint);
    case NormWay::rms_fused:
      return series(1);
    case NormWay::layer_fused:
      return series(0);
    case NormWay::rms_passes:
      return {Role::series, 1, 0.55};
    case NormWay::layer_passes:
      break;
  }
  return {Role::series, 0, 0.55};
}

Panel times_panel(const SpeedResults& results) {
  const bench::NormTimes& times = results.times;
  Panel panel{.title = "Median of " + amount(number(times.rounds.size()), "round", "rounds") + ", “" +
                       results.where + "”",
              .x = values("time / ms"),
              .y = {.range = cells(bench::norm_ways),
                    .reversed = true,
                    .names = names_of(way_names, [](const char* name) { return name; })},
              .legend = LegendPlace::none};
  double most = 0;
  for (std::size_t i = 0; i < way_names.size(); ++i) {
    const auto way = static_cast<NormWay>(i);
    const Quartiles ms = milliseconds(times, way);
    const double y = number(i);
    panel.marks.emplace_back(figure::Shape{.x = {0, ms.middle, ms.middle, 0},
                                           .y = {y - 0.32, y - 0.32, y + 0.32, y + 0.32},
                                           .fill = ink_of(way)});
    panel.marks.emplace_back(figure::ErrorBars{.x = {ms.middle},
                                               .y = {y},
                                               .dx = {{ms.middle - ms.low}, {ms.high - ms.middle}},
                                               .ink = ink(Role::text),
                                               .reading = {.name = way_names[i], .value = {ms.middle}}});
    panel.marks.emplace_back(Note{.x = ms.high,
                                  .y = y,
                                  .text = short_text(ms.middle, 3),
                                  .ink = ink(Role::secondary),
                                  .h = HAlign::left,
                                  .dx = 5,
                                  .numbers = true});
    most = std::max(most, ms.high);
  }
  panel.x.range = Range{0, 1.18 * most};
  return panel;
}

Panel claims_panel(const bench::NormTimes& times) {
  Panel panel{.title = "How many times as long, median over rounds",
              .x = {.label = "time / time", .scale = Scale::log(2)},
              .y = {.range = cells(number(comparisons.size())),
                    .reversed = true,
                    .names = names_of(comparisons, [](const Comparison& c) { return c.name; })},
              .legend = LegendPlace::above};
  double least = 0.9, most = 14;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& c = comparisons[i];
    const double y = number(i);
    panel.marks.emplace_back(figure::Shape{.x = {c.said_low, c.said_high, c.said_high, c.said_low},
                                           .y = {y - 0.4, y - 0.4, y + 0.4, y + 0.4},
                                           .fill = ink(Role::faint, 0.3),
                                           .label = i == 0 ? "what is often said" : ""});
  }
  panel.marks.emplace_back(figure::Rule{.at = 1, .ink = ink(Role::secondary), .dash = Dash::dotted});
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& c = comparisons[i];
    const Quartiles q = ratio(times, c);
    const double y = number(i);
    const Ink color = ink_of(i < 2 ? NormWay::layer_fused : c.fast);
    panel.marks.emplace_back(figure::ErrorBars{.x = {q.middle},
                                               .y = {y},
                                               .dx = {{q.middle - q.low}, {q.high - q.middle}},
                                               .ink = color,
                                               .reading = {.none = true}});
    panel.marks.emplace_back(Points{.x = {q.middle},
                                    .y = {y},
                                    .ink = color,
                                    .radius = 3,
                                    .symbol_by_series = false,
                                    .reading = {.name = c.name, .value = {q.middle}}});
    panel.marks.emplace_back(Note{.x = q.high,
                                  .y = y,
                                  .text = short_text(q.middle, 3),
                                  .ink = ink(Role::text),
                                  .h = HAlign::left,
                                  .dx = 7,
                                  .numbers = true});
    least = std::min(least, 0.9 * q.low);
    most = std::max(most, 2 * q.high);
  }
  panel.x.range = Range{least, most};
  return panel;
}

Panel roofline_panel(const bench::NormTimes& times) {
  const Table ways = ways_table(times);
  const double copied = ways.columns[4].values[0], least = 0.04, most = 64;  // GB/s; operations a byte
  const double ridge = times.gigaflops / copied;
  Panel panel{.title = "Roofline",
              .x = {.label = "operations a byte", .scale = Scale::log(10), .range = Range{least, most}},
              .y = {.label = "Gflop/s", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::none};
  panel.marks.emplace_back(Line{.x = {least, std::clamp(ridge, least, most), most},
                                .y = {least * copied, std::min(times.gigaflops, most * copied),
                                      std::min(times.gigaflops, most * copied)},
                                .ink = ink(Role::secondary),
                                .reading = {.none = true}});
  for (std::size_t i = 1; i < way_names.size(); ++i) {
    const auto way = static_cast<NormWay>(i);
    const bool fused = way == NormWay::rms_fused || way == NormWay::layer_fused;
    panel.marks.emplace_back(Points{.x = {ways.columns[5].values[i]},
                                    .y = {ways.columns[6].values[i]},
                                    .ink = ink_of(way),
                                    .radius = 3,
                                    .symbol = fused ? Symbol::disc : Symbol::ring,
                                    .label = way_names[i],
                                    .symbol_by_series = false});
  }
  return panel;
}

/// The passes compute what they are timed for: seeded rows with a common mean, gains and shifts of their own.
std::vector<Check> passes_checks(const Run& run) {
  constexpr Index rows = 24, width = 48;
  constexpr double eps = 1e-5;
  const tensor::Random random(1);
  const Matrix x = twin::rounded((random.normals(rows, width).array() + 0.5).matrix()),
               gains = twin::rounded(tensor::Random(2).normals(2, width));
  const tensor::Matrix<float> xf = x.cast<float>(), gf = gains.cast<float>();
  tensor::Matrix<float> layer(rows, width), rms(rows, width);
  if (run.device == DeviceChoice::gpu) {
    const std::span<const float> gains_of(gf.data(), width), shifts(gf.data() + width, width);
    const bench::NormPassesOnDevice passes(gpu::Device::of_this_thread(), xf, gains_of, shifts, eps);
    passes.layer_norm();
    passes.read(layer);
    passes.rms_norm();
    passes.read(rms);
  } else {
    bench::NormPasses passes(rows, width);
    passes.layer_norm(xf.data(), gf.data(), gf.data() + width, eps, layer.data());
    passes.rms_norm(xf.data(), gf.data(), eps, rms.data());
  }
  const std::vector<double> w = row_of(gains, 0), b = row_of(gains, 1);
  Matrix layer_ref(rows, width), rms_ref(rows, width);
  norm::layer_norm_ref(x, w, b, {.eps = eps}, layer_ref);
  norm::rms_norm_ref(x, w, {.eps = eps}, rms_ref);
  const auto off = [](const tensor::Matrix<float>& y, const Matrix& reference) {
    return (y.cast<double>() - reference).cwiseAbs().maxCoeff();
  };
  const auto allowed = [](const Matrix& reference) { return 16 * 0x1p-24 * reference.cwiseAbs().maxCoeff(); };
  // In float: the mean, x − μ, a square, its mean, the root, two products and a sum are ten roundings of at most the largest
  // value, six more in the sums.
  return {known_answer("the timed passes give LayerNorm", off(layer, layer_ref), allowed(layer_ref)),
          known_answer("the timed passes give RMSNorm", off(rms, rms_ref), allowed(rms_ref))};
}

SpeedResults results_of(const Settings& settings, const Run& run) {
  const std::string& kept = settings.text("results");
  const bool large = settings.choice("size") == "memory";
  const Size size = large ? past_the_caches : in_the_caches;
  if (settings.toggle("measure")) {
    int samples = 0;
    const auto between = [&] { run.check(), run.progress(number(samples++) / number(speed_samples)); };
    const auto measured = run.device == DeviceChoice::gpu ? measured_speed_on_device : measured_speed;
    // What is drawn is what is kept: five digits.
    return speed_results(text_of(measured(size.rows, size.width, between)));
  }
  return kept.empty() ? shipped_speed(size.rows, size.width) : speed_results(kept);
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

/// The first of "AMD EPYC, 2 threads, 2026-11-23".
std::string processor(const std::string& where) {
  return where.substr(0, where.find(','));
}

std::string title_of(const SpeedResults& results) {
  const bench::NormTimes& times = results.times;
  const auto part = [&](std::size_t i) { return percent(1 / ratio(times, comparisons[i]).middle); };
  return "On “" + processor(results.where) + "” RMSNorm takes " + part(0) + " of LayerNorm's time fused, " +
         part(1) + " in passes; fusing makes LayerNorm " +
         short_text(ratio(times, comparisons[3]).middle, 2) + " times as fast";
}

std::string worked_of(const bench::NormTimes& times) {
  const bench::NormWork work = bench::norm_work(NormWay::layer_fused, times.rows, times.width);
  const auto whole = [](double x) { return std::to_string(std::llround(x)); };
  return "I_{\\mathrm{LayerNorm}} = \\frac{" + whole(work.flops) + "}{" + whole(work.bytes) +
         "} = 0.875 \\quad I_{\\mathrm{RMSNorm}} = \\frac{" +
         whole(bench::norm_work(NormWay::rms_fused, times.rows, times.width).flops) + "}{" +
         whole(work.bytes) + "} = 0.5";
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const SpeedResults results = results_of(settings, run);
  const bench::NormTimes& times = results.times;
  Picture picture(
      title_of(results),
      "Bars: the time of a copy, of both norms fused, and of both as chains of passes through memory. Ratios of "
      "these times with their quartiles, on grounds that show what is often said. The roofline: what the "
      "processor's memory and arithmetic allow, and where the norms are.");
  picture.at({0, 0}, "times", times_panel(results));
  picture.at({1, 0}, "claims", claims_panel(times));
  picture.at({2, 0}, "roofline", roofline_panel(times));
  StudyResult result{
      std::move(picture).figure(
          settings, {.aspect = 0.95, .rows = {1, 1, 1.1}, .telling = {"claims", "times", "roofline"}}),
      {ways_table(times), limits_table(times), ratios_table(times), rounds_table(times)},
      passes_checks(run),
      worked_of(times)};
  if (settings.toggle("measure")) result.keeps = "measure=off results='" + text_of(results) + "'";
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"In the caches: a chain of passes loses less.", "size=caches",
     [](auto& now, auto& before) {
       return at(now, "ratios", "median", 3) < at(before, "ratios", "median", 3);
     }},
    {"Past the caches, the roofline: both norms stand where memory limits, far from the ridge.",
     "size=memory show=roofline",
     [](auto& now, auto&) {
       return 2 * largest(column(now, "ways", "operations a byte")) <
              column(now, "limits", "operations a byte")[0];
     }},
    {"What is said, and what was measured past the caches: fused, the two norms differ by less than 30 %.",
     "size=memory show=claims", [](auto& now, auto&) { return at(now, "ratios", "median", 0) < 1 / 0.7; }},
});

}  // namespace

extern const Study study{
    .id = "norm/speed",
    .title = "Speed of norms",
    .topic = "Normalisation",
    .summary = "what fusing saves, and what RMSNorm saves",
    .formula =
        R"(t \geq \frac{\mathrm{bytes}}{\mathrm{bandwidth}}, \quad I = \frac{\mathrm{operations}}{\mathrm{bytes}})",
    .about =
        "A norm computes little for each number that it reads: past the caches memory limits it. Fused, LayerNorm and "
        "RMSNorm both read each number once and write it once, and take nearly the same time there; within the caches "
        "arithmetic shows, and LayerNorm has more of it. As a chain of operations each step goes "
        "through memory, 12 numbers for one of LayerNorm's and 7 for RMSNorm's. It is often said that RMSNorm is 10 to 40 % "
        "faster or takes 30 % less time, and that fusing makes a norm 5 to 10 times as fast. Measured in turns, on the "
        "processor that is named; switch Measure on for yours, and choose the device gpu for the graphics device's.",
    .source = "Williams et al. 2009 (roofline); Zhang, Sennrich 2019, arXiv 1910.07467",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_speed
