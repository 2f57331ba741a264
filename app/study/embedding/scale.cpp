// Why the first Transformer multiplies embeddings by √d: how much of what enters the first layer is position, by width and by
// how embeddings begin; and what √d becomes in few bits.
//
//   share without √d, over width | the same with it          a line for each beginning, measured rows as points
//   the rounding of √d in a format, over width
//   the models that scale, and by what
#include "app/study/embedding/scale_models.h"
#include "app/study/embedding/scale_shares.h"
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/position/sinusoidal_settings.h"
#include "core/tensor/format.h"

namespace orrery::study::embedding_scale {
namespace {

using tensor::Format;

constexpr auto parameters = std::to_array<Parameter>({
    up_to(16384, with_fallback(sinusoidal_width, "512")),
    choice(
        "begin", "Rows begin with", "root|gpt2|torch|typed",
        "the deviation of a row's components: 1/√d, GPT-2's 0.02, the 1 of torch.nn.Embedding, or one that is typed"),
    real("deviation", "Deviation", "0.1", {1e-3, 10}, "of a component of the embedding",
         {.travel = Travel::log, .only_when = "begin=typed"}),
    whole("rows", "Rows", "32", {1, 64}, "how many are drawn for each width that is measured"),
    with_fallback(choice("format", "Format", "f32|f16|bf16", "of the table, of √d and of what is added"),
                  "bf16"),
    seed_parameter("another one gives other embeddings"),
    show_parameter("all|without|with|factor|models"),
});

/// The same rows at the chosen width; "in the format" is what a model stored so adds up.
Table here_table(const Run& run, const Settings& settings, const std::vector<Beginning>& all) {
  const Index width = settings.integer("width");
  const double d = number(width);
  const Format format = tensor::format_from_name(settings.choice("format"));
  const Rows rows = rows_of(run, settings, width);
  Matrix position = rows.position;
  tensor::round_to(format, std::span(position.data(), static_cast<std::size_t>(position.size())));
  Table here{"here",
             {{.name = "rows begin with"},
              {.name = "deviation"},
              {.name = "share", .unit = "%"},
              {.name = "share with √d", .unit = "%"},
              {.name = "share expected", .unit = "%"},
              {.name = "share with √d expected", .unit = "%"},
              {.name = "share with √d in the format", .unit = "%"}}};
  for (const Beginning& begin : all) {
    run.check();
    const double sigma = begin.of(d);
    const Matrix table = sigma * rows.unit;
    Matrix staged(table.rows(), table.cols());
    embedding::embedding_staged(rows.ids, table, Scale::sqrt_d, {format, Format::f32},
                                tensor::View<double>(staged));
    add_row(here, Called{begin.name, number(here.columns[0].values.size())}, sigma,
            share_of(rows.position, content_of(run, rows, sigma, Scale::none)),
            share_of(rows.position, content_of(run, rows, sigma, Scale::sqrt_d)), expected_share(sigma, 1),
            expected_share(sigma, std::sqrt(d)), share_of(position, staged));
  }
  return here;
}

/// √d by width, in each format.
Series factors_by_width() {
  std::vector<double> widths;
  for (double d = 64; d <= widest; d += 64) widths.push_back(d);
  Series factors("factor_by_width", {"width", "", std::move(widths)});
  factors.add(Column{.name = "√d", .digits = 10}, [](double d) { return std::sqrt(d); });
  for (const Format format : {Format::f32, Format::f16, Format::bf16}) {
    const std::string name(tensor::name(format));
    factors.add(Column{.name = "in " + name, .digits = 10},
                [&](double d) { return tensor::round_to(format, std::sqrt(d)); });
    factors.add("relative error in " + name,
                [&](double d) { return tensor::round_to(format, std::sqrt(d)) / std::sqrt(d) - 1; });
  }
  return factors;
}

Table models_table(Format format) {
  Table table{"models",
              {{.name = "model"},
               {.name = "width"},
               {.name = "√d", .digits = 10},
               {.name = "in the format", .digits = 10},
               {.name = "relative error"}}};
  for (const ScaledModel& each : scaled_models()) {
    const double exact = std::sqrt(number(each.width)), factor = tensor::round_to(format, exact);
    add_row(table, each.title, each.width, exact, factor, factor / exact - 1);
  }
  return table;
}

Panel share_panel(const Settings& settings, const std::vector<Beginning>& all, const Series& expected,
                  const Series& measured, Scale scale) {
  const bool scaled = scale == Scale::sqrt_d;
  Panel panel{.title = scaled ? R"(Word times $\sqrt{d}$)" : R"(Word without $\sqrt{d}$)",
              .x = octaves("width $d$"),
              .y = values(scaled ? "" : "position's share / %", Range{-4, 104}),
              .legend = scaled && settings.choice("show") == "all" ? LegendPlace::none : LegendPlace::above,
              .series_group = 1};
  panel.y.group = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = column_name(all[i], scale);
    const Ink of = series(static_cast<int>(i));
    panel.marks.push_back(expected.line(name, {.ink = of, .label = all[i].label}));
    panel.marks.push_back(measured.points(
        name, {.ink = of, .radius = 1.8, .symbol_by_series = false, .reading = {.name = "measured"}}));
  }
  const double d = settings.real("width"), sigma = all[chosen(settings)].of(d);
  add_handle(panel, d, expected_share(sigma, scaled ? std::sqrt(d) : 1), "width", "drag to widen the model");
  return panel;
}

Panel factor_panel(const Settings& settings, const Series& factors, const Table& models) {
  const std::string format = settings.choice("format");
  const double u = tensor::info(tensor::format_from_name(format)).unit_roundoff;
  Panel panel{.title = R"(How far $\sqrt{d}$ is off in )" + format,
              .x = octaves("width $d$"),
              .y = values("relative error", Range{-1.1 * u, 1.1 * u}),
              .legend = LegendPlace::none};
  panel.marks.push_back(
      factors.points("relative error in " + format,
                     {.ink = ink(Role::faint), .radius = 1.1, .reading = {.name = "multiples of 64"}}));
  panel.marks.push_back(Points{.x = models.columns[1].values,
                               .y = models.columns[4].values,
                               .ink = series(0),
                               .radius = 2.4,
                               .symbol_by_series = false,
                               .reading = {.name = "published models"}});
  // The ends and the one that is spoken of: more names lie on each other.
  const std::size_t last = models.columns[0].words.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    if (i == 0 || i == last || models.columns[0].words[i] == "Gemma 7B")
      panel.marks.emplace_back(Annotation{.x = models.columns[1].values[i],
                                          .y = models.columns[4].values[i],
                                          .text = models.columns[0].words[i],
                                          .heads = figure::Heads::none,
                                          .size = 0.9});
  return panel;
}

std::vector<BoardLine> model_lines(const Table& models, const std::string& format) {
  std::vector<BoardLine> lines{
      {.name = "model", .cells = {"$d$", R"($\sqrt{d}$)", "in " + format, "off by / %"}, .quiet = true}};
  const auto& columns = models.columns;
  for (std::size_t i = 0; i < columns[0].words.size(); ++i)
    lines.push_back({.name = columns[0].words[i],
                     .cells = {grouped(columns[1].values[i]), fixed_text(columns[2].values[i], 4),
                               grouped(columns[3].values[i]), short_text(100 * columns[4].values[i], 2)}});
  lines.push_back({.name = "the other " + grouped(number(count_of_unscaled_models())) + " published models",
                   .cells = {"", "not scaled", "", ""},
                   .quiet = true});
  return lines;
}

/// What chance allows Σ x²/σ² of n independent normal numbers to be off n, over n: more than that once in 10^13 (Laurent,
/// Massart, Ann. Statist. 28, 2000, lemma 1).
double chance(double n) {
  return 2 * std::sqrt(30 / n) + 60 / n;
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const std::vector<Beginning>& all,
                             const Series& measured, const Table& here) {
  const Index width = settings.integer("width");
  const double d = number(width), count = settings.real("rows");
  const Format format = tensor::format_from_name(settings.choice("format"));
  const double u = tensor::info(format).unit_roundoff;
  const Rows rows = rows_of(run, settings, width);
  // (100 − share)/share is word over position: it goes with the sum of squares of the drawn numbers.
  Worst unexpected;
  const auto meet = [&](double share, double expected, double n) {
    const double off = (100 / share - 1) / (100 / expected - 1) - 1;
    unexpected.meet(std::abs(off) / (chance(n) + 0x1p-20));
  };
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double each = measured.x()[i];
    for (const Beginning& begin : all)
      for (const Scale scale : scales)
        meet(measured[column_name(begin, scale)][i],
             expected_share(begin.of(each), embedding::scale_factor(scale, static_cast<Index>(each))),
             count * each);
  }
  Worst lost;
  for (std::size_t i = 0; i < all.size(); ++i) {
    meet(here.columns[2].values[i], here.columns[4].values[i], count * d);
    meet(here.columns[3].values[i], here.columns[5].values[i], count * d);
    lost.meet(std::abs(here.columns[6].values[i] - here.columns[3].values[i]));
  }
  const std::string in = " in " + settings.choice("format");
  return {
      {"$|\\mathrm{PE}(p)|^2 = d/2$ at every position",
       (rows.position.rowwise().squaredNorm().array() - d / 2).abs().maxCoeff(),
       sinusoidal_dot_slack(run, width, count)},
      {"measured shares are those of the formula: how much of what chance allows", unexpected, 1},
      // Table, factor and product are rounded, so a word is off by 3 u, its square by 6 u, a position's square by 2 u: of a
      // share a at most a (1 − a) 8 u, a quarter of that; what is subnormal in f16 allows for as much again.
      {"with √d the share stays" + in + ", but for its roundings (%)", lost, 400 * u},
      {"√d is off by half a unit of its last place at most" + in,
       std::abs(tensor::round_to(format, std::sqrt(d)) / std::sqrt(d) - 1), u},
      known_answer("Gemma 7B multiplies by 55.5 in bf16: $d = 3072$",
                   std::abs(tensor::round_to(Format::bf16, std::sqrt(3072.0)) - 55.5), 0),
      twin::equals_reference(run, {embedding::embedding_bound, embedding::embedding_gpu_bound},
                             [&](const Run& each) {
                               return content_of(each, rows, all[chosen(settings)].of(d), Scale::sqrt_d);
                             })};
}

std::string worked_of(double d, const Beginning& begin) {
  const double sigma = begin.of(d);
  Worked worked;
  worked.add("|\\mathrm{PE}|^2", worked::frac(d, 2), d / 2);
  if (begin.deviation == 0) worked.add("\\sigma", worked::frac(1, sqrt(term(d))), sigma);
  const Term position = term(d) / 2, word = worked::power(sigma, 2) * d;
  worked.add("100\\,a_{s=1}", 100 * worked::frac(position, position + word), expected_share(sigma, 1));
  return worked
      .add("100\\,a_{s=\\sqrt{d}}", 100 * worked::frac(position, position + d * word),
           expected_share(sigma, std::sqrt(d)))
      .tex();
}

/// In three digits, or as many as say that it is not all.
std::string share_text(double percent) {
  std::string text = short_text(percent, 3);
  for (int digits = 4; text == "100" && percent < 100 && digits <= 9; ++digits)
    text = short_text(percent, digits);
  return text;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Beginning> all = beginnings(settings);
  const double d = settings.real("width"), sigma = all[chosen(settings)].of(d);
  const Series expected = expected_shares(all), measured = measured_shares(run, settings, all),
               factors = factors_by_width();
  const Table here = here_table(run, settings, all),
              models = models_table(tensor::format_from_name(settings.choice("format")));
  Picture picture(
      "Position is " + share_text(expected_share(sigma, 1)) +
          " % of what enters the first layer; with $\\sqrt{d}$, " +
          share_text(expected_share(sigma, std::sqrt(d))) + " %",
      "Above, which part of the squared lengths of word and position is the position's, over the width of "
      "the model: left without, right with the factor √d, a line for each deviation that rows begin with, "
      "rows drawn by chance as points. Below, how far √d is off in a format of few bits, by width, and the "
      "published models that multiply by it.");
  picture.at({0, 0}, "without", share_panel(settings, all, expected, measured, Scale::none));
  picture.at({0, 1}, "with", share_panel(settings, all, expected, measured, Scale::sqrt_d));
  picture.at({1, 0, 1, 2}, "factor", factor_panel(settings, factors, models));
  const std::vector<BoardLine> lines = model_lines(models, settings.choice("format"));
  picture.at({2, 0, 1, 2}, "models",
             board_panel({.title = "Who multiplies by it", .columns = 4, .cells_from = 0.3, .cells_to = 0.98},
                         lines));
  return {std::move(picture).figure(settings, {.aspect = 0.85,
                                               .rows = {1.2, 1, 1.5},
                                               .cols = {1, 1},
                                               .titles_alone = true,
                                               .telling = {"with", "without", "factor", "models"}}),
          {here, expected.table(), measured.table(), factors.table(), models},
          checks_of(run, settings, all, measured, here),
          worked_of(d, all[chosen(settings)])};
}

constexpr auto tries = std::to_array<Try>({
    {"GPT-2's 0.02, at its own width: with √d the position would still be more than half. GPT-2 learns its positions "
     "instead, with rows that begin small too.",
     "begin=gpt2 width=768",
     [](auto& now, auto&) { return between(50, at(now, "here", "share with √d expected", "0.02"), 65); }},
    {"Rows of deviation 1, as torch.nn.Embedding makes them: a third without the factor, and with it nothing is left "
     "of the position.",
     "begin=torch",
     [](auto& now, auto&) {
       return between(33, at(now, "here", "share expected", "1"), 34) &&
              at(now, "here", "share with √d expected", "1") < 0.1;
     }},
    {"A model of width 4: even there the factor halves the share of the position.", "width=4",
     [](auto& now, auto&) {
       return std::abs(at(now, "here", "share expected", "1/√d") -
                       2 * at(now, "here", "share with √d expected", "1/√d")) < 1e-9;
     }},
    {"In f16 the factor is at most a twentieth of a percent off.", "format=f16",
     [](auto& now, auto&) {
       return largest(column(now, "factor_by_width", "relative error in f16")) < 5e-4;
     }},
});

}  // namespace

extern const Study study{
    .id = "embedding/scale",
    .title = "The factor √d",
    .topic = "Embeddings and output",
    .summary = "how much of what enters is position, by width and by how rows begin",
    .formula =
        R"(a = \frac{|\mathrm{PE}|^2}{|\mathrm{PE}|^2 + |s\,e|^2} = \frac{d/2}{d/2 + s^2 \sigma^2 d}, \quad s \in \{1, \sqrt{d}\})",
    .derivation =
        R"(Of a sinusoid every pair has $\sin^2 + \cos^2 = 1$, and there are $d/2$: $|\mathrm{PE}|^2 = d/2$ at every position.)"
        "\n"
        R"(The table also maps states to logits, where $\sigma^2 = 1/d$ keeps their size; its rows then have $|e|^2 \approx \sigma^2 d = 1$.)"
        "\n"
        R"(In their sum the word has $1$ of $1 + d/2$ parts, the less the wider the model.)"
        "\n"
        R"(Times $\sqrt{d}$ the word has $d$ parts beside $d/2$: the position's share is $\frac{1}{3}$ at every width.)"
        "\n"
        R"(Rows that begin with $\sigma = 1$ have $|e|^2 \approx d$ already: there the same factor leaves the position $\frac{1}{1 + 2d}$.)",
    .about =
        "A word's row and its position's row are added, and what is shorter is heard less. The first Transformer and Gemma "
        "multiply the word by √d, which suits rows that begin with deviation 1/√d and no others. Where a model is stored in "
        "bf16, √d has 8 bits: Gemma 7B multiplies by 55.5; it adds no position, but turns queries and keys. One sentence with both factors stands in position/sum.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.4; Gemma: Hugging Face transformers, modeling_gemma.py; deviation "
        "0.02: GPT-2's code; 1: PyTorch's nn.Embedding",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::embedding_scale
