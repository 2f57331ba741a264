// A word's embedding plus its position: which of the two is heard depends on one factor, √d.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"
#include "core/embedding/embedding.h"
#include "core/tensor/format.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using embedding::Scale;
using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|plain|scaled|plain_likeness|scaled_likeness|lengths";

constexpr Parameter wide() {
  Parameter width = sinusoidal_width;
  width.fallback = "512";
  width.max = 4096;
  return width;
}

constexpr auto parameters = std::to_array<Parameter>({
    wide(),
    {.name = "words",
     .label = "Words",
     .kind = Kind::vector,
     .fallback = "3,1,4,1,5,9,1,3",
     .min = 0,
     .max = 9999,
     .help = "ids, a word at each position from 0; the first 48 are used"},
    {.name = "deviation",
     .label = "Deviation",
     .kind = Kind::real,
     .fallback = "default",
     .min = 1e-3,
     .max = 10,
     .travel = Travel::log,
     .word = "default",
     .help = "of a component of the embedding; default: 1/√d, for which √d was meant. PyTorch's own is 1"},
    {.name = "position",
     .label = "Position",
     .kind = Kind::integer,
     .fallback = "4",
     .min = 0,
     .max = 47,
     .unit = "tokens",
     .help = "of the word whose components are drawn"},
    sinusoidal_base,
    sinusoidal_layout,
    seed_parameter("another one gives other embeddings"),
    show_parameter(parts),
});

constexpr std::size_t most_words = 48;
constexpr Index shown_components = 48;

/// The ids as rows of a table that holds the words of this text alone.
struct Text {
  std::vector<double> words;
  std::vector<Index> rows;
  Matrix table;
};

double deviation_of(const Settings& settings) {
  return settings.number("deviation").value_or(1 / std::sqrt(static_cast<double>(settings.integer("width"))));
}

Text text_of(const Settings& settings) {
  Text text;
  std::vector<double> known;
  for (const double wanted : settings.vector("words")) {
    if (text.words.size() == most_words) break;
    text.words.push_back(std::round(wanted));
    auto at = std::ranges::find(known, text.words.back());
    text.rows.push_back(at - known.begin());
    if (at == known.end()) known.push_back(text.words.back());
  }
  if (text.words.empty()) text = {{0}, {0}, {}}, known = {0};
  const Index width = settings.integer("width");
  text.table.resize(static_cast<Index>(known.size()), width);
  for (std::size_t v = 0; v < known.size(); ++v)  // a word's stream is its id: the same vector in every text
    text.table.row(static_cast<Index>(v)) =
        tensor::Random(static_cast<std::uint64_t>(settings.integer("seed")),
                       static_cast<std::uint32_t>(known[v]))
            .normals(1, width);
  text.table = twin::rounded(text.table * deviation_of(settings));
  return text;
}

/// What enters the first layer, with its two parts.
struct Sum {
  Matrix content, position;
  double factor;
  Matrix total() const { return content + position; }
  /// Of the lengths, over all positions.
  double position_to_content() const { return position.norm() / content.norm(); }
};

Sum sum_of(const Run& run, const Settings& settings, const Text& text, Scale scale) {
  run.check();
  const Index width = settings.integer("width");
  return {twin::embedding(run, text.rows, text.table, scale),
          twin::sinusoidal(run, static_cast<Index>(text.rows.size()), width, sinusoidal_params(settings)),
          embedding::scale_factor(scale, width)};
}

Matrix cosines(const Matrix& rows) {
  const Matrix unit = rows.rowwise().normalized();
  return unit * unit.transpose();
}

Index shown_position(const Settings& settings, const Sum& sum) {
  return std::min<Index>(settings.integer("position"), sum.content.rows() - 1);
}

figure::Panel components_panel(const Settings& settings, const Text& text, const Sum& sum,
                               std::string title) {
  const Index p = shown_position(settings, sum);
  figure::Stems content{.ink = figure::series(0), .width = 0.7, .radius = 1};
  figure::Points position{.ink = figure::series(1), .radius = 1.4};
  content.label = "word " + grouped(text.words[static_cast<std::size_t>(p)]);
  position.label = "position " + grouped(static_cast<double>(p));
  for (Index j = 0; j < std::min(sum.content.cols(), shown_components); ++j) {
    content.x.push_back(static_cast<double>(j));
    content.y.push_back(sum.content(p, j));
    position.y.push_back(sum.position(p, j));
  }
  position.x = content.x;
  figure::Panel panel;
  panel.title = std::move(title);
  panel.x = {.label = "dimension", .ticks = figure::TickHint::integers};
  panel.y = {.grid = true, .group = 1};
  panel.legend = figure::LegendPlace::above;
  panel.marks = {std::move(content), std::move(position)};
  return panel;
}

figure::Panel likeness_panel(const Text& text, const Sum& sum) {
  const Matrix likeness = cosines(sum.total());
  const tensor::Matrix<float> cells = likeness.cast<float>();
  const auto length = static_cast<int>(cells.rows());
  figure::Heatmap map;
  map.x = map.y = {-0.5, length - 0.5};
  map.colors = {.range = figure::Range{0, 1}, .group = 1};
  map.grid = std::make_shared<figure::Grid>(
      figure::Grid{length, length, {cells.data(), cells.data() + cells.size()}});
  figure::Axis words{.label = "word", .range = map.x};
  for (const double word : text.words) words.names.push_back(std::to_string(static_cast<int>(word)));
  figure::Panel panel;
  panel.title = "Cosines of sums";
  panel.x = panel.y = words;
  panel.y.reversed = true;
  panel.equal_aspect = true;
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

/// |PE| / |s e| that is to be expected of normal embeddings: √(d/2) over s σ √d.
double expected_ratio(double deviation, double factor) {
  return 1 / (std::sqrt(2.0) * deviation * factor);
}

figure::Panel lengths_panel(const Settings& settings, const Sum& plain, const Sum& scaled) {
  const auto chosen = settings.number("deviation");
  figure::Panel panel;
  panel.title = "Length of the position over that of the word";
  panel.x = {.label = "width $d$", .scale = figure::Scale::log(2), .ticks = figure::TickHint::powers_of_two};
  panel.y = {.scale = figure::Scale::log(10), .grid = true};
  panel.legend = figure::LegendPlace::above;
  int series = 0;
  for (const Sum* sum : {&plain, &scaled}) {
    const bool root = sum == &scaled;
    figure::Line line{.ink = figure::series(series), .label = root ? "with $\\sqrt{d}$" : "without"};
    for (double d = 2; d <= 4096; d *= 2) {
      line.x.push_back(d);
      line.y.push_back(expected_ratio(chosen.value_or(1 / std::sqrt(d)), root ? std::sqrt(d) : 1));
    }
    const auto d = static_cast<double>(settings.integer("width"));
    panel.marks.emplace_back(std::move(line));
    panel.marks.emplace_back(figure::Points{
        .x = {d}, .y = {sum->position_to_content()}, .ink = figure::series(series++), .radius = 2.6});
  }
  panel.marks.emplace_back(figure::Rule{.direction = figure::Direction::horizontal,
                                        .at = 1,
                                        .ink = {figure::Role::secondary, 0, 1},
                                        .dash = figure::Dash::dotted,
                                        .text = "equally long"});
  return panel;
}

std::vector<figure::Table> tables_of(const Settings& settings, const Text& text, const Sum& plain,
                                     const Sum& scaled) {
  figure::Table lengths{"lengths",
                        {{.name = "position", .unit = "tokens"},
                         {.name = "word", .values = text.words},
                         {.name = "length of PE"},
                         {.name = "length of the word"},
                         {.name = "length of √d times the word"}}};
  for (Index p = 0; p < plain.content.rows(); ++p) {
    const double norms[] = {plain.position.row(p).norm(), plain.content.row(p).norm(),
                            scaled.content.row(p).norm()};
    lengths.columns[0].values.push_back(static_cast<double>(p));
    for (std::size_t n = 0; n < 3; ++n) lengths.columns[n + 2].values.push_back(norms[n]);
  }
  const double deviation = deviation_of(settings);
  figure::Table ratio{
      "ratio",
      {{.name = "factor", .values = {plain.factor, scaled.factor}},
       {.name = "position over word", .values = {plain.position_to_content(), scaled.position_to_content()}},
       {.name = "expected",
        .values = {expected_ratio(deviation, plain.factor), expected_ratio(deviation, scaled.factor)}}}};
  // A model whose weights are stored in few bits multiplies by √d in those bits.
  figure::Table formats{
      "factor_by_format",
      {{.name = "significant bits"}, {.name = "factor", .digits = 10}, {.name = "relative error"}}};
  const double exact = scaled.factor;
  for (const tensor::Format format :
       {tensor::Format::f64, tensor::Format::f32, tensor::Format::f16, tensor::Format::bf16}) {
    const double factor = tensor::round_to(format, exact);
    formats.columns[0].values.push_back(tensor::info(format).precision);
    formats.columns[1].values.push_back(factor);
    formats.columns[2].values.push_back(factor / exact - 1);
  }
  figure::Table likeness{"likeness",
                         {{.name = "m"}, {.name = "n"}, {.name = "without"}, {.name = "with √d"}}};
  const Matrix a = cosines(plain.total()), b = cosines(scaled.total());
  for (Index m = 0; m < a.rows(); ++m)
    for (Index n = 0; n <= m; ++n) {
      const double row[] = {static_cast<double>(m), static_cast<double>(n), a(m, n), b(m, n)};
      add_row(likeness, row);
    }
  return {std::move(ratio), std::move(lengths), std::move(formats), std::move(likeness)};
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Text& text, const Sum& plain,
                             const Sum& scaled) {
  const auto d = static_cast<double>(settings.integer("width"));
  const double u = twin::unit_roundoff(run), root = std::sqrt(d);
  const double longest = (plain.position.rowwise().squaredNorm().array() - d / 2).abs().maxCoeff();
  const double scaling = (scaled.content - root * plain.content).norm() / scaled.content.norm();
  // Σ x²/σ² of n independent normal numbers leaves [n − 2√(30n), n + 2√(30n) + 60] once in 10^13 (Laurent, Massart,
  // Ann. Statist. 28, 2000, lemma 1); 2^-22 for a table rounded to float.
  const double n = static_cast<double>(text.table.size()), sigma = deviation_of(settings);
  const double measured = text.table.squaredNorm() / (n * sigma * sigma);
  return {
      {"$|\\mathrm{PE}(p)|^2 = d/2$ at every position", longest,
       sinusoidal_dot_slack(run, settings.integer("width"), static_cast<double>(most_words))},
      {"the one embedding is $\\sqrt{d}$ times the other", scaling, 2 * u},
      {"mean square of the embeddings is $\\sigma^2$, as far as " + grouped(n) + " numbers can tell",
       std::abs(measured - 1), 2 * std::sqrt(30 / n) + 60 / n + 0x1p-22},
      twin::equals_reference(
          run, {embedding::embedding_bound, embedding::embedding_gpu_bound},
          [&](const Run& each) { return twin::embedding(each, text.rows, text.table, Scale::sqrt_d); }),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Text text = text_of(settings);
  const Sum plain = sum_of(run, settings, text, Scale::none),
            scaled = sum_of(run, settings, text, Scale::sqrt_d);
  StudyResult result;
  result.figure.title = "Position is " + rounded_text(plain.position_to_content(), 2) +
                        " times as long as the word; with √d, " +
                        rounded_text(scaled.position_to_content(), 2) + " times";
  result.figure.description =
      "Left without and right with the factor √d: the components of one word and of its position, and the "
      "cosine "
      "between the sums of all positions of a short text. Without the factor only the distance shows; with "
      "it, the "
      "same word is found again. Below, the ratio of the two lengths against the width of the model.";
  result.figure.panels = {components_panel(settings, text, plain, "Without $\\sqrt{d}$"),
                          components_panel(settings, text, scaled, "With $\\sqrt{d}$"),
                          likeness_panel(text, plain), likeness_panel(text, scaled),
                          lengths_panel(settings, plain, scaled)};
  for (int i = 0; i < 4; ++i) result.figure.panels[static_cast<std::size_t>(i)].cell = {i / 2, i % 2};
  result.figure.panels[4].cell = {2, 0, 1, 2};
  result.figure.row_weights = {0.8, 1.3, 0.8};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 0.95;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = tables_of(settings, text, plain, scaled);
  result.checks = checks_of(run, settings, text, plain, scaled);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Embeddings of deviation 1, as PyTorch makes them: √d drowns the position.", "deviation=1"},
    {"A narrow model: the factor matters less.", "width=16"},
    {"One word again and again: what differs is the position alone.", "words=7,7,7,7,7,7,7,7"},
});

}  // namespace

const Study position_sum{
    .id = "position/sum",
    .title = "Embedding plus position",
    .topic = "Absolute and additive",
    .summary = "which of the two is heard depends on one factor, √d",
    .formula =
        R"(x_p = s\,e_{w(p)} + \mathrm{PE}(p), \quad s \in \{1, \sqrt{d}\}, \quad |\mathrm{PE}(p)| = \sqrt{d/2})",
    .about =
        "A row of the sinusoidal table has length √(d/2). An embedding drawn with deviation 1/√d has length "
        "1, and "
        "would be drowned; times √d it is as long as √d, and the position √2 times shorter. Where embeddings "
        "begin "
        "with deviation 1 instead, the same factor drowns the position.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.4; deviation 1/√d: tensor2tensor, fairseq",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
