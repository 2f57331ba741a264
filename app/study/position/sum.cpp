// A word's embedding plus its position: which of the two is heard depends on one factor, √d.
#include "app/study/kit.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/position/sum_picture.h"
#include "app/study/position/sum_text.h"

namespace orrery::study::position_sum {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    up_to(4096, with_fallback(sinusoidal_width, "512")),
    text("text", "Sentence", "The cat sat on the mat", {0, 400},
         "a word at each position from 0; the first 48 are used. Upper and lower case are one word"),
    numbers("words", "Words", "", {0, 9999}, "ids in place of a sentence, a word at each position from 0"),
    real("deviation", "Deviation", "default", {1e-3, 10},
         "of a component of the embedding; default: 1/√d, for which √d was meant. PyTorch's own is 1",
         {.travel = Travel::log, .word = "default"}),
    whole("position", "Position", "4", {0, 47}, "of the word that stands in the accent colour",
          {.unit = "tokens"}),
    sinusoidal_base,
    sinusoidal_layout,
    seed_parameter("another one gives other embeddings"),
    with_fallback(show_parameter("all<lengths|plain|scaled|plain_likeness|scaled_likeness"), "all"),
});

constexpr Index cloud_size = 150;

double deviation_of(const Settings& settings) {
  return settings.number("deviation").value_or(1 / std::sqrt(settings.real("width")));
}

/// What enters the first layer, with its two parts.
struct Sum {
  Matrix content, position;
  double factor;
  /// Of the lengths, over all positions.
  double position_to_content() const { return position.norm() / content.norm(); }
  /// Of what enters, position by position.
  Matrix cosines() const {
    const Matrix unit = (content + position).eval().rowwise().normalized();
    return unit * unit.transpose();
  }
};

Sum sum_of(const Run& run, const Settings& settings, const SentenceOfWords& text, embedding::Scale scale) {
  run.check();
  const Index width = settings.integer("width");
  return {twin::embedding(run, text.rows, text.table, scale),
          twin::sinusoidal(run, std::ssize(text.rows), width, sinusoidal_params(settings)),
          embedding::scale_factor(scale, width)};
}

Panel likeness_panel(std::string title, const SentenceOfWords& text, const Sum& sum, std::size_t marked) {
  Panel panel = square_map_panel(
      std::move(title),
      heatmap(sum.cosines(), {.map = ColorMap::diverging, .range = Range{-1, 1}, .group = 1}), "", "");
  panel.x.names = panel.y.names = text.words;
  panel.x.typed_names = panel.y.typed_names = true;
  panel.x.numbers = false;  // the same words from left to right
  panel.x.ticks = panel.y.ticks = TickHint::none;
  panel.marks.emplace_back(row_frame(number(marked), number(text.words.size())));
  return panel;
}

/// |PE| / |s e| that is to be expected of normal embeddings: √(d/2) over s σ √d.
double expected_ratio(double deviation, double factor) {
  return 1 / (std::sqrt(2.0) * deviation * factor);
}

std::vector<Table> tables_of(const Settings& settings, const SentenceOfWords& text, const Sum& plain,
                             const Sum& scaled, std::array<const PlaneOfPair*, 2> planes) {
  const auto lengths_of = [](const Matrix& rows) {
    return [&](double p) { return rows.row(static_cast<Index>(p)).norm(); };
  };
  Series lengths("lengths", {"position", "tokens", counted(std::ssize(text.ids))});
  lengths.add("word", text.ids).add("length of PE", lengths_of(plain.position));
  lengths.add("length of the word", lengths_of(plain.content))
      .add("length of √d times the word", lengths_of(scaled.content));
  Series ratio("ratio", {"factor", "", {plain.factor, scaled.factor}});
  ratio.add("position over word", {plain.position_to_content(), scaled.position_to_content()});
  ratio.add("expected", [&](double factor) { return expected_ratio(deviation_of(settings), factor); });
  Table likeness{"likeness", {{.name = "m"}, {.name = "n"}, {.name = "without"}, {.name = "with √d"}}};
  const Matrix a = plain.cosines(), b = scaled.cosines();
  for (Index m = 0; m < a.rows(); ++m)
    for (Index n = 0; n <= m; ++n) add_row(likeness, m, n, a(m, n), b(m, n));
  Table by_position = lengths.table();
  if (settings.vector("words").empty()) {  // the ids of typed words say nothing
    by_position.columns[1].words = text.words;
    by_position.columns[1].typed = true;
  }
  std::vector<Table> tables{ratio.table(), std::move(by_position), std::move(likeness)};
  for (const PlaneOfPair* plane : planes) {
    tables.push_back(plane->positions.table());
    tables.push_back(plane->cloud.table());
  }
  return tables;
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const SentenceOfWords& text,
                             const Sum& plain, const Sum& scaled) {
  const double d = settings.real("width"), root = std::sqrt(d);
  const double longest = (plain.position.rowwise().squaredNorm().array() - d / 2).abs().maxCoeff();
  const double scaling = (scaled.content - root * plain.content).norm() / scaled.content.norm();
  // Σ x²/σ² of n independent normal numbers leaves [n − 2√(30n), n + 2√(30n) + 60] once in 10^13 (Laurent, Massart,
  // Ann. Statist. 28, 2000, lemma 1); 2^-22 for a table rounded to float.
  // The same of the words as they stand in the text, c times each: 2√(30 Σ c²/d) and 60 max c/d of the T words.
  std::vector<double> times(static_cast<std::size_t>(text.table.rows()), 0);
  for (const Index row : text.rows) ++times[static_cast<std::size_t>(row)];
  double squares = 0;
  for (const double c : times) squares += c * c;
  const double tokens = number(text.rows.size()),
               spread = (2 * std::sqrt(30 * squares / d) + 60 * largest(times) / d) / tokens;
  Worst unexpected;
  for (const Sum* sum : {&plain, &scaled}) {
    const double share = expected_ratio(deviation_of(settings), sum->factor) / sum->position_to_content();
    unexpected.meet(std::abs(share * share - 1));
  }
  const double n = number(text.table.size()), sigma = deviation_of(settings);
  const double measured = text.table.squaredNorm() / (n * sigma * sigma);
  return {
      {"$|\\mathrm{PE}(p)|^2 = d/2$ at every position", longest,
       sinusoidal_dot_slack(run, settings.integer("width"), number(most_words))},
      {"the one embedding is $\\sqrt{d}$ times the other", scaling, 2 * twin::unit_roundoff(run)},
      {"mean square of the embeddings is $\\sigma^2$, as far as " + grouped(n) + " numbers can tell",
       std::abs(measured - 1), 2 * std::sqrt(30 / n) + 60 / n + 0x1p-22},
      {"the ratio of the lengths is the one expected, as far as so few words can tell", unexpected,
       spread + 0x1p-22 + 4 * twin::unit_roundoff(run)},
      twin::equals_reference(run, {embedding::embedding_bound, embedding::embedding_gpu_bound},
                             [&](const Run& each) {
                               return twin::embedding(each, text.rows, text.table, embedding::Scale::sqrt_d);
                             }),
  };
}

/// The marked word with the factor √d: how long its position is, how long it is, and a component of their sum.
std::string worked_of(const Settings& settings, const Run& run, const SentenceOfWords& text,
                      std::size_t marked, Index dimension) {
  const double d = settings.real("width"), p = number(marked);
  const Matrix position =
      twin::sinusoidal(twin::on_reference(run), 1, settings.integer("width"), sinusoidal_params(settings, p));
  const auto word = text.table.row(text.rows[marked]);
  const std::string place = "(" + worked::number_tex(p, 17) + ")";
  Worked worked;
  worked.add("|\\mathrm{PE}" + place + "|", sqrt(term(d) / 2), position.norm());
  worked.add("|\\sqrt{d}\\,e_{w" + place + "}|", sqrt(term(d)) * word.norm(), std::sqrt(d) * word.norm());
  return worked
      .add(subscripted("x", p, number(dimension)), sqrt(term(d)) * word(dimension) + position(0, dimension),
           std::sqrt(d) * word(dimension) + position(0, dimension))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const SentenceOfWords text = sentence_of(settings, deviation_of(settings));
  const Sum plain = sum_of(run, settings, text, embedding::Scale::none),
            scaled = sum_of(run, settings, text, embedding::Scale::sqrt_d);
  const Matrix others = other_words(settings, deviation_of(settings), cloud_size);
  const Index pair = telling_pair(settings, plain.position.rows());
  const auto plane = [&](const Sum& sum, const char* name) {
    return plane_of(settings, pair, sum.content, sum.position, sum.factor * others, name);
  };
  const PlaneOfPair without = plane(plain, "plain"), with = plane(scaled, "scaled");
  const double half = 1.15 * std::max(extent(without), extent(with));
  const auto marked =
      static_cast<std::size_t>(std::min<Index>(settings.integer("position"), plain.position.rows() - 1));
  Picture picture(
      "Position is " + short_text(plain.position_to_content(), 2) +
          " times as long as the word; with $\\sqrt{d}$, " + short_text(scaled.position_to_content(), 2) +
          " times",
      "Left without and right with the factor √d, on one scale: two dimensions, in which positions stand on a "
      "circle about the origin, a cloud of words lies about it, and each word pushes its position off the circle. "
      "Below, the cosine between the sums of all positions of a short text.");
  picture.at({0, 0}, "plain", plane_panel("Without $\\sqrt{d}$", without, text, marked, half));
  picture.at({0, 1}, "scaled", plane_panel("With $\\sqrt{d}$", with, text, marked, half));
  picture.at({1, 0}, "plain_likeness", likeness_panel("Cosines without $\\sqrt{d}$", text, plain, marked));
  picture.at({1, 1}, "scaled_likeness", likeness_panel("Cosines with $\\sqrt{d}$", text, scaled, marked));
  return {std::move(picture).figure(
              settings, {.aspect = 0.95, .rows = {1, 1}, .cols = {1, 1}, .telling = {"scaled", "plain"}}),
          tables_of(settings, text, plain, scaled, {&without, &with}),
          checks_of(run, settings, text, plain, scaled),
          worked_of(settings, run, text, marked, with.at.cosine)};
}

constexpr auto tries = std::to_array<Try>({
    {"Embeddings of deviation 1, as PyTorch makes them: √d drowns the position.", "deviation=1",
     [](auto& now, auto&) { return column(now, "ratio", "position over word").back() < 0.05; }},
    {"A narrow model: the factor matters less.", "width=16",
     [](auto& now, auto& before) {
       return column(now, "ratio", "factor").back() == 4 && column(before, "ratio", "factor").back() > 22;
     }},
    {"One word again and again: what differs is the position alone.", "text='no no no no no no no no'",
     [](auto& now, auto&) {
       const auto& word = column(now, "lengths", "word");
       return least(word) == most(word) && least(column(now, "likeness", "with √d")) < 0.95;
     }},
});

}  // namespace

extern const Study study{
    .id = "position/sum",
    .title = "Embedding plus position",
    .topic = "Absolute and additive",
    .summary = "which of the two is heard depends on one factor, √d",
    .formula =
        R"(x_p = s\,e_{w(p)} + \mathrm{PE}(p), \quad s \in \{1, \sqrt{d}\}, \quad |\mathrm{PE}(p)| = \sqrt{d/2})",
    .about =
        "A row of the sinusoidal table has length √(d/2). An embedding drawn with deviation 1/√d has length "
        "1, and would be drowned; times √d it is as long as √d, and the position √2 times shorter. Where "
        "embeddings begin with deviation 1 instead, the same factor drowns the position. How both lengths go with "
        "the width of the model stands in embedding/scale.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.4; deviation 1/√d: tensor2tensor, fairseq",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_sum
