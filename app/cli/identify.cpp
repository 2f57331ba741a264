// orrery identify: which rule, with which numbers, gives a vector of frequencies.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/study/rope/known_rules.h"
#include "core/model/frequency_file.h"
#include "core/parameter/parameter.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;
using position::OncePerPair;
using position::Repetition;
using position::RopeFit;

struct IdentifyOptions {
  std::string path;
  bool json = false;
};

ordered_json to_json(const RopeFit& fit) {
  ordered_json parameters = ordered_json::object();
  for (const auto& number : numbers_of(fit.rule)) {
    if (number.name == "truncate") {
      parameters[number.name] = number.value != 0;
    } else {
      parameters[number.name] = number.value;
    }
  }
  if (fit.rule.type == position::RopeType::longrope) {
    const bool extended = fit.rule.length > fit.rule.original_length;
    parameters[extended ? "long_factor" : "short_factor"] =
        extended ? fit.rule.long_factor : fit.rule.short_factor;
  }
  return {{"rope_type", name(fit.rule.type)},
          {"parameters", parameters},
          {"max_relative_residual", fit.max_relative_residual},
          {"fits", fit.fits},
          {"published", fit.names}};
}

/// What takes every frequency times a number: angles, not radians per token.
std::string speed_text(const RopeFit& fit) {
  if (fit.rule.type != position::RopeType::linear || fit.rule.factor >= 1) return "";
  return say(", a factor below 1, as no model has: angles at position {}?",
             short_number(1 / fit.rule.factor));
}

std::string parameters_text(const RopeFit& fit) {
  std::string text;
  for (const auto& number : numbers_of(fit.rule)) {
    const bool flag = number.name == "truncate";
    text += (text.empty() ? "" : ", ") + number.name + " " +
            (flag ? (number.value != 0 ? "true" : "false") : parameter::shortest(number.value));
  }
  if (fit.rule.type == position::RopeType::longrope)
    text += fits_anything(fit) ? say(", a divisor for every pair: gives any numbers, says nothing")
                               : say(", a divisor for every pair");
  return text + speed_text(fit);
}

/// "64 frequencies", and how they repeat.
Phrase given_phrase(const OncePerPair& given) {
  const std::size_t count = given.inv_freq.size();
  switch (given.repetition) {
    case Repetition::halves:
      return words("{} frequencies, each twice, the second half like the first", count);
    case Repetition::neighbours:
      return words("{} frequencies, each twice, side by side", count);
    case Repetition::none:
      break;
  }
  return words("{} frequencies", count);
}

/// Numbers below f16's normal ones have an absolute error.
bool fits_by_steps(const std::vector<RopeFit>& fits, double tolerance) {
  return std::ranges::any_of(
      fits, [&](const RopeFit& fit) { return fit.fits && fit.max_relative_residual > tolerance; });
}

std::string to_text(const OncePerPair& given, const std::vector<RopeFit>& fits) {
  const tensor::Format format = position::narrowest_format(given.inv_freq);
  const Phrase numbers = given_phrase(given);
  const std::string_view exact_in = tensor::name(format);
  const std::string within = short_number(position::identify_tolerance(format));
  std::string text =
      (fits.front().fits
           ? say("{}, exact in {}: a rule fits within a relative {}", numbers, exact_in, within)
           : say("{}, exact in {}: no rule fits within a relative {}", numbers, exact_in, within)) +
      (fits_by_steps(fits, position::identify_tolerance(format))
           ? say(", numbers below {} within half a step", "2^-14")
           : "") +
      "\n\n";
  TextTable table;
  table.row({"", say("rotary rule"), say("largest residual"), say("its numbers")});
  for (const RopeFit& fit : fits) {
    table.row({fit.fits ? say("fits") : "", std::string(name(fit.rule.type)),
               short_number(fit.max_relative_residual), parameters_text(fit)});
  }
  text += table.text();
  for (const RopeFit& fit : fits) {
    if (!fit.fits || fit.names.empty()) continue;
    std::string models = fit.names.front();
    for (std::size_t i = 1; i < fit.names.size(); ++i) models += "; " + fit.names[i];
    text += "\n" + say("as in {}", models);
  }
  return text + (text.ends_with('\n') ? "" : "\n");
}

void identify(const std::string& path, bool json) {
  require("VECTOR", path, words("a file of frequencies: {}", ".npy, .safetensors#TENSOR, .json, .csv"));
  const OncePerPair given =
      position::once_per_pair(model::read_frequencies(path, file::Accept::files_and_pipes));
  std::vector<RopeFit> fits;
  try {
    fits = position::identify_rope(given.inv_freq, study::published_rules());
  } catch (const InvalidArgument& e) {  // here the file is to blame, not what was asked
    throw Failure(e.complaint().within(in_file(path)));
  }
  if (!json) return print(to_text(given, fits));
  ordered_json list = ordered_json::array();
  for (const RopeFit& fit : fits) list.push_back(to_json(fit));
  print_json(list);
}

}  // namespace

Command identify_command() {
  const auto o = std::make_shared<IdentifyOptions>();
  return {"identify",
          "which rotary rule, with which numbers, gives these frequencies",
          {{"VECTOR",
            &o->path,
            "",
            "radians per token, one for each pair: .npy, .safetensors#TENSOR, .json or .csv",
            {Offers::Kind::files, {".npy", ".safetensors", ".json", ".csv"}}},
           {"--json", &o->json, "", "as JSON, best first"}},
          [o] { return identify(o->path, o->json); },
          {{"orrery identify inv_freq.npy", "the rules that fit, best first"}}};
}

}  // namespace orrery::cli
