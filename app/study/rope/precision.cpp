// Few bits at every step of a rotation, chosen apart: how far the angles are off, and which positions become one.
#include <functional>

#include "app/study/kit.h"
#include "app/study/kit/parts.h"
#include "app/study/rope/precision_picture.h"

namespace orrery::study::rope_precision {
namespace {

using tensor::Format;

/// The format of one step, f32 unless somebody chooses.
constexpr Parameter format_parameter(std::string_view name, std::string_view label, std::string_view help) {
  return with_fallback(choice(name, label, "f64|f32|f16|bf16", help), "f32");
}

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    whole("first", "First position", "0", {0, 1048576},
          "where the text begins: image tokens have been numbered from 65536",
          {.travel = Travel::log, .unit = "tokens"}),
    whole("length", "Length", "1024", {2, 1048576}, "positions of the text",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    with_fallback(format_parameter("position_format", "Position", "of the whole numbers 0, 1, 2 …"), "bf16"),
    format_parameter("frequency_format", "Frequency",
                     "of the buffer inv_freq, which goes along when a model is cast"),
    choice(
        "frequency_by", "Made by", "power|product",
        "each frequency as a power of the base, or as a running product, from the one before it (own models)",
        {.only_when = "model=own"}),
    format_parameter("phase_format", "Phase", "of position times frequency"),
    format_parameter("table_format", "Sine, cosine", "of the cached table"),
    format_parameter("rotation_format", "Rotation", "of the products, their sum and the turned vector"),
    show_parameter("all|map|pairs|collisions"),
});

constexpr Index listed_runs = 4096;     // of the list of collisions; the counts are always of all
constexpr int sampled_positions = 128;  // at which pairs are turned

RoundedText text_of(const Settings& settings) {
  const auto format = [&](std::string_view name) { return tensor::format_from_name(settings.choice(name)); };
  RoundedText text{.spectrum = spectra(settings).front(), .frequencies = {}, .formats = {}, .positions = {}};
  text.formats = {.storage = format("rotation_format"),
                  .accumulate = format("table_format"),
                  .positions = format("position_format"),
                  .frequencies = format("frequency_format"),
                  .angle = format("phase_format"),
                  .table = format("table_format"),
                  .rotation = format("rotation_format")};
  text.frequencies = text.spectrum.inv_freq;
  if (settings.choice("frequency_by") == "product" && settings.choice("model") == "own")
    text.frequencies = position::rope_running_frequencies(text.spectrum.rule.rotary_dim,
                                                          text.spectrum.rule.base, text.formats.frequencies);
  text.positions = {settings.integer("first"), settings.integer("first") + settings.integer("length") - 1};
  return text;
}

/// The pair (1, 0), which every format holds, turned exactly and as the formats have it.
double turned_error(const RoundedText& text, double position, std::size_t pair) {
  const double a = text.spectrum.attention_factor, phi = position * text.spectrum.inv_freq[pair];
  const double angle = position::rope_staged_angle(position, text.frequencies[pair], text.formats);
  if (!std::isfinite(angle)) return 0;  // told as a position without an angle
  const auto kept = [&](double x) {
    return tensor::round_to(text.formats.rotation, position::rope_staged_entry(x, a, text.formats));
  };
  return std::hypot(kept(std::cos(angle)) - a * std::cos(phi), kept(std::sin(angle)) - a * std::sin(phi)) / a;
}

/// `on_pair` sees what there is so far.
PairError errors_by_pair(const RoundedText& text, const std::function<void(const PairError&)>& on_pair) {
  PairError errors;
  for (std::size_t i = 0; i < text.frequencies.size(); ++i) {
    on_pair(errors);
    double worst = 0, where = number(text.positions.first), turned = 0;
    for (Index m = text.positions.first; m <= text.positions.last; ++m) {
      const double error = text.error(number(m), i);
      if (!(error > worst)) continue;
      worst = error;
      where = number(m);
    }
    const Index step = std::max<Index>(1, text.positions.count() / sampled_positions);
    for (Index m = text.positions.last; m >= text.positions.first; m -= step)
      turned = std::max(turned, turned_error(text, number(m), i));
    errors.pair.push_back(number(i));
    errors.radians.push_back(worst);
    errors.position.push_back(where);
    errors.turned.push_back(turned);
  }
  return errors;
}

Table pair_table(const PairError& errors, const RoundedText& text) {
  Series pairs("pairs", {"pair", "", errors.pair});
  const auto& theta = text.spectrum.inv_freq;
  pairs.add({"frequency", "rad/token", {theta.begin(), theta.begin() + std::ssize(errors.pair)}})
      .add({"worst angle", "rad", errors.radians});
  pairs.add({"at position", "tokens", errors.position}).add("turned pair, relative", errors.turned);
  return pairs.table();
}

Table run_table(const position::RopeCollisions& found) {
  Table table{
      "collisions",
      {{.name = "first", .unit = "tokens"}, {.name = "last", .unit = "tokens"}, {.name = "positions"}}};
  for (Index i = 0; i < std::min(std::ssize(found.runs), listed_runs); ++i)
    add_row(table, found.runs[i].first, found.runs[i].last, found.runs[i].count());
  return table;
}

Table count_table(const position::RopeCollisions& found, Index length) {
  Table table{"counts",
              {{.name = "positions", .digits = 8},
               {.name = "distinct", .digits = 8},
               {.name = "runs", .digits = 8},
               {.name = "without an angle", .digits = 8}}};
  add_row(table, length, found.distinct, found.runs.size(), found.unreachable);
  return table;
}

std::string rows_text(const position::RopeCollisions& found, Index read) {
  const double none = number(found.unreachable), rest = number(read) - none;
  const std::string without = amount(none, "position has no angle", "positions have no angle");
  if (rest == 0) return without;
  const std::string text = amount(rest, "position falls", "positions fall") + " on " +
                           amount(number(found.distinct), "row of angles", "rows of angles");
  return none == 0 ? text : text + "; " + without;
}

/// Half the smallest spacing of a format: what is lost below its normal numbers.
double least(Format format) {
  return tensor::info(format).min_normal * tensor::info(format).unit_roundoff;
}

bool is_product(const RoundedText& text) {
  return text.frequencies != text.spectrum.inv_freq;
}

/// How often pair i's frequency is rounded: a power once. A running product t_i = r(t_{i-1} r(θ_1)) has i factors r(θ_1), each
/// of them rounded, and i − 1 products (t_1 = 1 · r(θ_1) needs no rounding): 2i − 1 in all, which is no more than
/// (2i − 1) u_θ of θ_i, to the first order. θ_0 is 1 either way.
double frequency_roundings(const RoundedText& text, std::size_t i) {
  return is_product(text) ? std::max(1.0, 2 * number(i) - 1) : 1;
}

/// How far each frequency may be off once it is kept in its format, products and subnormal numbers counted in full.
std::vector<double> frequency_errors(const RoundedText& text) {
  const std::vector<double>& theta = text.spectrum.inv_freq;
  const double u = tensor::info(text.formats.frequencies).unit_roundoff,
               lost = least(text.formats.frequencies);
  std::vector<double> error;
  if (!is_product(text)) {
    for (const double each : theta) error.push_back(u * each + lost);
    return error;
  }
  // What the reference's own powers b^(-2i/d) are off in double: the exponent's rounding times ln b, and the power's own.
  const auto own = [&](std::size_t i) { return (std::abs(std::log(theta[i])) + 4) * 0x1p-53 * theta[i]; };
  const double factor_error = u * theta[1] + lost + own(1);
  error.push_back(0);
  for (std::size_t i = 1; i < theta.size(); ++i) {
    const double product = error[i - 1] * (theta[1] + factor_error) + theta[i - 1] * factor_error;
    error.push_back(product + u * (theta[i] + product) + lost + own(i));
  }
  return error;
}

std::vector<Check> checks_of(const RoundedText& text, const PairError& errors,
                             const position::RopeCollisions& found) {
  const auto u = [](Format format) { return tensor::info(format).unit_roundoff; };
  const double last = number(text.positions.last);
  const std::vector<double> frequency_error = frequency_errors(text);
  // A rounded position and a rounded angle, each of which also makes what is off already a little larger.
  const double rounded = (1 + u(text.formats.positions)) * (1 + u(text.formats.angle));
  std::vector<double> allowed;  // of each pair's angle
  Worst over;                   // worst angle error over what the roundings can do
  for (std::size_t i = 0; i < errors.radians.size(); ++i) {
    const double theta = text.spectrum.inv_freq[i];
    // Below the normal numbers half the smallest spacing is lost instead.
    allowed.push_back((rounded - 1) * last * theta + rounded * last * frequency_error[i] +
                      least(text.formats.angle) + last * theta * 0x1p-52);
    if (allowed[i] > 0) over.meet(errors.radians[i] / allowed[i]);
  }
  // A pair is off by its angle, and what the table and the rotation round: a cosine and a sine of one angle twice in the
  // table's arithmetic and once in each of two formats, off by no more together, their squares being 1; 1.01 for products
  // of roundings, and entries among the subnormals by half their spacing.
  const double entries = 2 * u(text.formats.accumulate) + u(text.formats.table) + u(text.formats.rotation),
               least_entry =
                   least(text.formats.accumulate) + least(text.formats.table) + least(text.formats.rotation);
  Worst turned_over;
  for (std::size_t i = 0; i < errors.turned.size(); ++i)
    turned_over.meet(errors.turned[i] /
                     (std::min(allowed[i], 2.0) + 1.01 * entries + 2 * least_entry + 0x1p-50));
  Index inside = 0;
  for (const position::PositionRun& run : found.runs) inside += run.count() - 1;
  const Index counted = found.distinct + inside + found.unreachable;
  const double exact_to = 1 / u(text.formats.positions);  // whole numbers up to 2^p are kept
  const bool all_else_is_exact = text.formats.angle == Format::f64 &&
                                 text.formats.frequencies == Format::f64 && text.formats.table == Format::f64;
  std::vector<Check> checks{
      {is_product(text) ? "no angle is off by more than all its roundings allow (as a part of that)"
                        : "no angle is off by more than its three roundings allow (as a part of that)",
       over, 1},
      {"no pair is turned by more than its angle, table and rotation allow (as a part of that)", turned_over,
       1},
      {"distinct rows, those that share one and those without make up the text",
       std::abs(number(counted - text.positions.count())), 0},
  };
  if (all_else_is_exact && text.positions.last <= exact_to)
    checks.push_back({"whole numbers up to " + grouped(exact_to) + " stay apart, as all else is exact",
                      number(text.positions.count() - found.distinct), 0});
  return checks;
}

/// Of the angle that is off most; and what its roundings may cost.
std::string worked_of(const RoundedText& text, const PairError& errors) {
  const auto i = static_cast<std::size_t>(std::ranges::max_element(errors.radians) - errors.radians.begin());
  const double m = errors.position[i], theta = text.spectrum.inv_freq[i],
               angle = position::rope_staged_angle(m, text.frequencies[i], text.formats);
  const auto u = [](Format format) {
    return worked::power(2, std::log2(tensor::info(format).unit_roundoff));
  };
  const std::string m_theta = "m" + subscripted("\\theta", number(i));
  Worked worked;
  worked.add("|\\hat\\varphi - " + m_theta + "|", abs(term(angle) - term(m) * theta), errors.radians[i]);
  const double times = frequency_roundings(text, i);
  const double of_all = tensor::info(text.formats.positions).unit_roundoff +
                        times * tensor::info(text.formats.frequencies).unit_roundoff +
                        tensor::info(text.formats.angle).unit_roundoff;
  const Term of_frequency =
      times == 1 ? u(text.formats.frequencies) : term(times) * u(text.formats.frequencies);
  const std::string factor = times == 1 ? "" : "(2i - 1)\\,";
  return worked
      .add(m_theta + "\\,(u_m + " + factor + "u_\\theta + u_\\varphi)",
           term(m) * theta * (u(text.formats.positions) + of_frequency + u(text.formats.angle)),
           m * theta * of_all)
      .tex();
}

constexpr double long_angles = 1 << 24;  // they take 0.3 seconds

StudyResult compute(const Settings& settings, const Run& run) {
  const RoundedText text = text_of(settings);
  const auto shown = [&](const PairError& errors, const position::RopeCollisions& found,
                         Index read) -> StudyResult {
    RoundedText so_far = text;
    so_far.positions.last = text.positions.first + read - 1;
    Picture picture(
        rows_text(found, read),
        "A map of the error of every angle by position and pair, on a logarithmic scale of nine decades up to what the "
        "roundings allow; what is smaller has the lowest colour. Below, the worst "
        "error of each pair, and how many neighbouring positions share one row of cosines and sines.");
    picture.at({0, 0, 1, 2}, "map", phase_map(text))
        .at({1, 0}, "pairs", pair_panel(errors))
        .at({1, 1}, "collisions", run_panel(so_far, found));
    return {std::move(picture).figure(settings, {.aspect = 1.3, .rows = {1, 1}, .cols = {1, 1}}),
            {count_table(found, read), run_table(found), pair_table(errors, text)},
            {}};
  };

  const Index length = text.positions.count(), pairs = std::ssize(text.frequencies);
  const double angles = number(length * pairs);
  Parts parts(angles, long_angles);
  constexpr double rows_part = 0.1;  // most rows differ from their neighbour at the first pair
  const position::RopeCollisions found =
      position::rope_collisions(text.positions, text.frequencies, text.spectrum.attention_factor,
                                text.formats, [&](Index done, const position::RopeCollisions& so_far) {
                                  run.progress(rows_part * number(done) / number(length));
                                  if (parts.due(number(done * pairs))) run.publish(shown({}, so_far, done));
                                });
  Parts by_pair(angles, long_angles);
  const PairError errors = errors_by_pair(text, [&](const PairError& so_far) {
    const double done = number(std::ssize(so_far.pair)) / number(pairs);
    run.progress(rows_part + (1 - rows_part) * done);
    if (by_pair.due(done * angles)) run.publish(shown(so_far, found, length));
  });
  StudyResult result = shown(errors, found, length);
  result.checks = checks_of(text, errors, found);
  result.worked = worked_of(text, errors);
  return result;
}

// What happened in public, by the number of its report; the others are examples of this program's own.
constexpr auto tries = std::to_array<Try>({
    {"gpt-neox#1016: positions in bf16. 256 and 257 become one.",
     "position_format=bf16 phase_format=f32 frequency_format=f32 length=512 first=0",
     [](auto& now, auto&) {
       return column(now, "collisions", "first")[0] == 256 && column(now, "collisions", "last")[0] == 257;
     }},
    {"Megatron-LM#535: positions in f16 lose every second place past 2048, three of four past 4096.",
     "position_format=f16 phase_format=f32 frequency_format=f32 length=8192 first=0",
     [](auto& now, auto&) { return at(now, "counts", "distinct", 8192) == 2049 + 2048 / 2 + 4096 / 4; }},
    {"transformers#29285: autocast forms the phase in bf16, off by up to 16 rad.",
     "position_format=f32 phase_format=bf16 frequency_format=f32 length=8192 first=0",
     [](auto& now, auto&) { return most(column(now, "pairs", "worst angle")) == 16; }},
    {"transformers#28837: casting the model takes inv_freq along to bf16: rows stay apart, angles drift.",
     "position_format=f32 phase_format=f32 frequency_format=bf16 length=8192 first=0",
     [](auto& now, auto&) {
       return at(now, "counts", "distinct", 8192) == 8192 && most(column(now, "pairs", "worst angle")) > 6;
     }},
    {"Everything in bf16, up to position 4095: 769 rows are left.",
     "position_format=bf16 phase_format=bf16 frequency_format=bf16 table_format=bf16 rotation_format=bf16 "
     "length=4096 first=0",
     [](auto& now, auto&) { return at(now, "counts", "distinct", 4096) == 769; }},
    {"diffusers#13922: image tokens numbered from 65536 fall onto three values.",
     "position_format=bf16 phase_format=f32 frequency_format=f32 length=1024 first=65536",
     [](auto& now, auto&) { return at(now, "counts", "distinct", 1024) == 3; }},
    {"A running product of f32 frequencies, at 131 072 tokens: off by 0.013 rad at most.",
     "position_format=f32 frequency_format=f32 frequency_by=product phase_format=f32 length=131072 first=0",
     [](auto& now, auto&) { return between(0.0125, most(column(now, "pairs", "worst angle")), 0.0135); }},
});

}  // namespace

extern const Study study{
    .id = "rope/precision",
    .title = "Precision",
    .topic = "Rotary positions",
    .summary = "which positions become one, and how far angles are off, in few bits",
    .formula =
        R"(\hat\varphi = r_\varphi\left(r_m(m)\, r_\theta(\theta_i)\right), \quad |\hat\varphi - m\theta_i| \lesssim m\theta_i\,(u_m + u_\theta + u_\varphi))",
    .about =
        "An angle is a position times a frequency, and each of the three may be rounded to another format. "
        "bf16 keeps whole numbers up to 256 only: from there neighbours fall together, and no score can tell "
        "them apart. A rounded frequency is wrong by more with every token; a rounded phase spoils the fast "
        "pairs. A frequency that comes from the one before it is rounded 2i − 1 times, so that its u counts as often.",
    .source =
        "EleutherAI/gpt-neox#1016; huggingface/transformers#29285, #28837; Wang et al. 2024, arXiv "
        "2411.13476",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_precision
