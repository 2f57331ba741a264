// Few bits at every step of a rotation, chosen apart: how far the angles are off, and which positions become one.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/precision_picture.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Format;
using tensor::Index;

constexpr std::string_view parts = "all|map|pairs|collisions";
constexpr std::string_view formats = "f64|f32|f16|bf16";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    {.name = "first",
     .label = "First position",
     .kind = Kind::integer,
     .fallback = "0",
     .min = 0,
     .max = 1048576,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "where the text begins: image tokens have been numbered from 65536"},
    {.name = "length",
     .label = "Length",
     .kind = Kind::integer,
     .fallback = "1024",
     .min = 2,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "positions of the text"},
    {.name = "position_format",
     .label = "Position",
     .kind = Kind::choice,
     .fallback = "bf16",
     .choices = formats,
     .help = "of the whole numbers 0, 1, 2 …"},
    {.name = "frequency_format",
     .label = "Frequency",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "of the buffer inv_freq, which goes along when a model is cast"},
    {.name = "frequency_by",
     .label = "Made by",
     .kind = Kind::choice,
     .fallback = "power",
     .choices = "power|product",
     .help = "each frequency as a power of the base, or from the one before it, as ggml does (own models)",
     .only_when = "model=own"},
    {.name = "phase_format",
     .label = "Phase",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "of position times frequency"},
    {.name = "table_format",
     .label = "Sine, cosine",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "of the cached table"},
    {.name = "rotation_format",
     .label = "Rotation",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = formats,
     .help = "of the products, their sum and the turned vector"},
    show_parameter(parts),
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

PairError errors_by_pair(const RoundedText& text, const Run& run) {
  PairError errors;
  for (std::size_t i = 0; i < text.frequencies.size(); ++i) {
    run.check();
    double worst = 0, where = static_cast<double>(text.positions.first), turned = 0;
    for (Index m = text.positions.first; m <= text.positions.last; ++m) {
      const double error = text.error(static_cast<double>(m), i);
      if (!(error > worst)) continue;
      worst = error;
      where = static_cast<double>(m);
    }
    const Index step = std::max<Index>(1, text.positions.count() / sampled_positions);
    for (Index m = text.positions.last; m >= text.positions.first; m -= step)
      turned = std::max(turned, turned_error(text, static_cast<double>(m), i));
    errors.pair.push_back(static_cast<double>(i));
    errors.radians.push_back(worst);
    errors.position.push_back(where);
    errors.turned.push_back(turned);
    run.progress(0.5 * static_cast<double>(i + 1) / static_cast<double>(text.frequencies.size()));
  }
  return errors;
}

figure::Table pair_table(const PairError& errors, const RoundedText& text) {
  return {"pairs",
          {{.name = "pair", .values = errors.pair},
           {.name = "frequency", .unit = "rad/token", .values = text.spectrum.inv_freq},
           {.name = "worst angle", .unit = "rad", .values = errors.radians},
           {.name = "at position", .unit = "tokens", .values = errors.position},
           {.name = "turned pair, relative", .values = errors.turned}}};
}

figure::Table run_table(const position::RopeCollisions& found) {
  figure::Table table{
      "collisions",
      {{.name = "first", .unit = "tokens"}, {.name = "last", .unit = "tokens"}, {.name = "positions"}}};
  for (const position::PositionRun& run : found.runs) {
    if (std::ssize(table.columns[0].values) == listed_runs) break;
    const std::array row{static_cast<double>(run.first), static_cast<double>(run.last),
                         static_cast<double>(run.count())};
    add_row(table, row);
  }
  return table;
}

figure::Table count_table(const position::RopeCollisions& found, Index length) {
  const auto one = [](std::string name, Index n) {
    return figure::Column{.name = std::move(name), .values = {static_cast<double>(n)}, .digits = 8};
  };
  return {"counts",
          {one("positions", length), one("distinct", found.distinct), one("runs", std::ssize(found.runs)),
           one("without an angle", found.unreachable)}};
}

std::vector<Check> checks_of(const RoundedText& text, const PairError& errors,
                             const position::RopeCollisions& found) {
  const auto u = [](Format format) { return tensor::info(format).unit_roundoff; };
  const double last = static_cast<double>(text.positions.last);
  double over =
      0;  // worst angle error over what three roundings can do, a frequency from a running product i more
  for (std::size_t i = 0; i < errors.radians.size(); ++i) {
    const double theta = text.spectrum.inv_freq[i];
    const double drift =
        text.frequencies == text.spectrum.inv_freq ? 0 : std::abs(text.frequencies[i] - theta) * last;
    const double relative =
        (1 + u(text.formats.positions)) * (1 + u(text.formats.frequencies)) * (1 + u(text.formats.angle)) - 1;
    // Below the normal numbers half the smallest spacing is lost instead: of a frequency, and of the angle.
    const auto least = [&](Format format) { return tensor::info(format).min_normal * u(format); };
    const double allowed = relative * last * theta + 1.01 * drift +
                           1.01 * last * least(text.formats.frequencies) + least(text.formats.angle) +
                           last * theta * 0x1p-52;
    if (allowed > 0) over = std::max(over, errors.radians[i] / allowed);
  }
  Index inside = 0;
  for (const position::PositionRun& run : found.runs) inside += run.count() - 1;
  const Index counted = found.distinct + inside + found.unreachable;
  const double exact_to = 1 / u(text.formats.positions);  // whole numbers up to 2^p are kept
  const double missed = text.positions.last <= exact_to && text.formats.angle == Format::f64 &&
                                text.formats.frequencies == Format::f64 && text.formats.table == Format::f64
                            ? static_cast<double>(text.positions.count() - found.distinct)
                            : 0;
  return {
      {"no angle is off by more than its three roundings allow (as a part of that)", over, 1},
      {"distinct rows, those that share one and those without make up the text",
       std::abs(static_cast<double>(counted - text.positions.count())), 0},
      {"whole numbers up to " + grouped(exact_to) + " stay apart when all else is exact", missed, 0},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const RoundedText text = text_of(settings);
  const PairError errors = errors_by_pair(text, run);
  const position::RopeCollisions found = position::rope_collisions(
      text.positions, text.frequencies, text.spectrum.attention_factor, text.formats, [&](double part) {
        run.check();
        run.progress(0.5 + 0.5 * part);
      });

  StudyResult result;
  result.figure.title = grouped(static_cast<double>(found.distinct)) + " of " +
                        grouped(static_cast<double>(text.positions.count())) +
                        " positions keep a row of their own";
  result.figure.description =
      "A map of the error of every angle by position and pair, on a logarithmic scale; below, the worst "
      "error of "
      "each pair, and how many neighbouring positions share one row of cosines and sines.";
  result.figure.panels = {phase_map(text), pair_panel(errors), run_panel(text, found)};
  result.figure.panels[0].cell = {0, 0, 1, 2};
  result.figure.panels[1].cell = {1, 0};
  result.figure.panels[2].cell = {1, 1};
  result.figure.row_weights = {1, 1};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 1.3;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {count_table(found, text.positions.count()), run_table(found), pair_table(errors, text)};
  result.checks = checks_of(text, errors, found);
  return result;
}

// What happened in public, as settings.
constexpr auto tries = std::to_array<Try>({
    {"gpt-neox#1016: positions in bf16. 256 and 257 become one.",
     "position_format=bf16 phase_format=f32 frequency_format=f32 length=512 first=0"},
    {"Megatron-LM#535: positions in f16 lose every second place past 2048.",
     "position_format=f16 phase_format=f32 frequency_format=f32 length=8192 first=0"},
    {"transformers#29285: autocast forms the phase in bf16.",
     "position_format=f32 phase_format=bf16 frequency_format=f32 length=8192 first=0"},
    {"transformers#28837: casting the model takes inv_freq along to bf16.",
     "position_format=f32 phase_format=f32 frequency_format=bf16 length=8192 first=0"},
    {"sglang-jax#1472: everything in bf16, up to position 4095.",
     "position_format=bf16 phase_format=bf16 frequency_format=bf16 table_format=bf16 rotation_format=bf16 "
     "length=4096 first=0"},
    {"diffusers#13922: image tokens numbered from 65536 fall onto a few values.",
     "position_format=bf16 phase_format=f32 frequency_format=f32 length=1024 first=65536"},
    {"ggml's running product of f32 frequencies, at 131 072 tokens.",
     "position_format=f32 frequency_format=f32 frequency_by=product phase_format=f32 length=131072 first=0"},
});

}  // namespace

const Study rope_precision{
    .id = "rope/precision",
    .title = "Precision",
    .topic = "Rotary positions",
    .summary = "which positions become one, and how far angles are off, in few bits",
    .formula =
        R"(\hat\varphi = r_\varphi\left(r_m(m)\, r_\theta(\theta_i)\right), \quad |\hat\varphi - m\theta_i| \lesssim m\theta_i\,(u_m + u_\theta + u_\varphi))",
    .about =
        "An angle is a position times a frequency, and each of the three may be rounded to another format. "
        "bf16 "
        "keeps whole numbers up to 256 only: from there neighbours fall together, and no score can tell them "
        "apart. A rounded frequency is wrong by more with every token; a rounded phase spoils the fast "
        "pairs.",
    .source =
        "EleutherAI/gpt-neox#1016; huggingface/transformers#29285, #28837; Wang et al. 2024, arXiv "
        "2411.13476",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
