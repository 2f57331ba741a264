#include "core/op/rope_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/rope_config.h"
#include "core/position/rope_axes.h"
#include "core/position/rope_frequencies.h"
#include "core/position/rope_rules.h"
#include "core/tensor/error.h"

namespace orrery::op {
namespace {

using parameter::Settings;
using position::RopeLayout;
using position::RopeRule;
using position::RopeType;
using tensor::Index;

/// A parameter of the rules, and the rules that read it.
struct Reads {
  std::string_view name, types;
};

constexpr std::array<Reads, 16> rule_parameters{{
    {"factor", "linear|ntk|dynamic|yarn|longrope|llama3|proportional|by_parts"},
    {"reading", "yarn|dynamic"},
    {"original_max_position_embeddings", "yarn|longrope|llama3|by_parts"},
    {"max_position_embeddings", "dynamic"},
    {"attention_factor", "yarn|longrope"},
    {"beta_fast", "yarn|by_parts"},
    {"beta_slow", "yarn|by_parts"},
    {"truncate", "yarn"},
    {"mscale", "yarn"},
    {"mscale_all_dim", "yarn"},
    {"low_freq_factor", "llama3"},
    {"high_freq_factor", "llama3"},
    {"partial_rotary_factor", "proportional"},
    {"short_factor", "longrope"},
    {"long_factor", "longrope"},
    {"rope_type", ""},
}};

bool reads(std::string_view types, std::string_view type) {
  return ('|' + std::string(types) + '|').find('|' + std::string(type) + '|') != std::string::npos;
}

/// A number that would change nothing was meant for another rule.
void refuse_unread(const Settings& s) {
  const std::string& type = s.choice("rope_type");
  for (const Reads& parameter : rule_parameters) {
    if (parameter.types.empty() || s.is_default(parameter.name) || reads(parameter.types, type)) continue;
    throw InvalidArgument(about(parameter.name)
                              .found(s.text(parameter.name))
                              .fault("found {} with rope_type={}", s.text(parameter.name), type)
                              .allowed("only with {}", parameter.types));
  }
}

/// 0 stands for: as the rule has it.
std::optional<double> given(const Settings& s, std::string_view name) {
  return s.real(name) == 0 ? std::nullopt : std::optional(s.real(name));
}

RopeRule rule_from_settings(const Settings& s, Index rotary_dim, double length) {
  return {
      .type = *position::rope_type_from_name(s.choice("rope_type")),
      .rotary_dim = rotary_dim,
      .base = s.real("base"),
      .factor = s.real("factor"),
      .reading = s.choice("reading") == "paper" ? position::RopeReading::paper : position::RopeReading::code,
      .original_length = s.real("original_max_position_embeddings"),
      .max_length = s.real("max_position_embeddings"),
      .length = length,
      .attention_factor = given(s, "attention_factor"),
      .beta_fast = s.real("beta_fast"),
      .beta_slow = s.real("beta_slow"),
      .truncate = s.toggle("truncate"),
      .mscale = given(s, "mscale"),
      .mscale_all_dim = given(s, "mscale_all_dim"),
      .low_freq_factor = s.real("low_freq_factor"),
      .high_freq_factor = s.real("high_freq_factor"),
      .partial = s.real("partial_rotary_factor"),
      .short_factor = s.vector("short_factor"),
      .long_factor = s.vector("long_factor")};
}

void set_axes(RopeRotation& rotation, std::span<const int> sections, bool interleaved) {
  if (sections.empty()) {
    rotation.axis_of_pair.assign(rotation.inv_freq.size(), 0);
    return;
  }
  rotation.axis_of_pair = position::mrope_axes(sections, interleaved);
  rotation.axes = static_cast<int>(sections.size());
  if (rotation.axis_of_pair.size() != rotation.inv_freq.size()) {
    throw InvalidArgument(about("mrope_section")
                              .found(rotation.axis_of_pair.size())
                              .fault("found {} pairs in all", rotation.axis_of_pair.size())
                              .allowed("{}, as many as turn", rotation.inv_freq.size()));
  }
}

std::vector<int> sections_from_settings(const Settings& s) {
  std::vector<int> sections;
  for (const double n : s.vector("mrope_section")) {
    if (n != std::floor(n)) {
      throw InvalidArgument(
          about("mrope_section").found(s.text("mrope_section")).allowed("whole numbers of pairs"));
    }
    sections.push_back(static_cast<int>(n));
  }
  return sections;
}

RopeRotation rotation_from_settings(const Settings& s, Index width, double length) {
  if (!s.is_default("layer")) {
    throw InvalidArgument(about("layer")
                              .found(s.choice("layer"))
                              .fault("found {} without config", s.choice("layer"))
                              .allowed("only beside config=FILE"));
  }
  if (s.is_default("rotary_dim") && width % 2 != 0) {
    throw InvalidArgument(
        about(Subject::Kind::input, "x")
            .found(width)
            .fault("found {} on the last axis", width)
            .allowed("an even number, for pairs, or rotary_dim={} or less beside it", width - 1));
  }
  const Index rotary_dim = s.integer("rotary_dim") == 0 ? width : s.integer("rotary_dim");
  if (rotary_dim > width || rotary_dim % 2 != 0) {
    throw InvalidArgument(
        about("rotary_dim").found(rotary_dim).allowed("an even number up to {}, the last axis of x", width));
  }
  refuse_unread(s);
  RopeRotation rotation{.layout = s.choice("layout") == "half" ? RopeLayout::half : RopeLayout::interleaved,
                        .first = s.choice("rotary_place") == "last" ? width - rotary_dim : 0};
  if (s.is_default("rope_type")) {
    rotation.inv_freq = position::rope_default_frequencies(rotary_dim, s.real("base"));
  } else {
    // By the names that the op has for them.
    position::rules::require("base", s.real("base"), 1.0001, 1e18);
    position::rules::require("positions", length - 1, 0, 1e12 - 1);
    auto frequencies = position::rope_frequencies(rule_from_settings(s, rotary_dim, length));
    rotation.inv_freq = std::move(frequencies.inv_freq);
    rotation.attention_factor = frequencies.attention_factor;
    rotation.warnings = std::move(frequencies.warnings);
  }
  set_axes(rotation, sections_from_settings(s), s.toggle("mrope_interleaved"));
  return rotation;
}

/// "all" is also the only kind that turns, where the others have no positions.
const model::RopeLayer& layer_of(const model::RopeConfig& config, const Settings& s) {
  const std::string& wanted = s.choice("layer");
  if (config.layers.empty()) {
    throw InvalidArgument(about("config")
                              .found(s.file("config"))
                              .fault("{} has no rotary positions", s.file("config"))
                              .allowed("a model that rotates; {} tells its kind", "orrery rope"));
  }
  const auto turns = [](const model::RopeLayer& layer) { return layer.rope_type != "none"; };
  if (wanted == "all" && std::ranges::count_if(config.layers, turns) == 1)
    return *std::ranges::find_if(config.layers, turns);
  std::vector<std::string_view> names;
  for (const model::RopeLayer& layer : config.layers) {
    if (layer.name == wanted) return layer;
    names.push_back(layer.name);
  }
  throw InvalidArgument(about("layer")
                            .found(wanted)
                            .led_by("; allowed ")
                            .allowed("with {}: {}", s.file("config"), names_phrase(names)));
}

/// The file says it too, and one of the two would have to be wrong.
void refuse_beside_config(const Call& call, std::string_view name) {
  const Settings& s = call.settings;
  if (s.is_default(name) && !call.given.contains(name)) return;
  throw InvalidArgument(about(name)
                            .found(s.text(name))
                            .fault("found {} beside config={}", s.text(name), s.file("config"))
                            .allowed("one of the two, for the file says it too"));
}

/// Of latent attention both come: heads whose last columns turn, and these columns alone.
void check_width(const Settings& s, const model::RopeLayer& layer, Index width) {
  const bool fits = width == layer.head_dim || (layer.rotary_last && width == layer.rotary_dim);
  if (fits) return;
  const auto found = about(Subject::Kind::input, "x").found(width).fault("found {} on the last axis", width);
  if (layer.rotary_last) {
    throw InvalidArgument(Complaint(found).allowed("{}, the head width of {}, or {}, the part that turns",
                                                   layer.head_dim, s.file("config"), layer.rotary_dim));
  }
  throw InvalidArgument(
      Complaint(found).allowed("{}, the head width of {}", layer.head_dim, s.file("config")));
}

RopeRotation rotation_from_config(const Call& call, Index width, double length) {
  const Settings& s = call.settings;
  for (const std::string_view name :
       {"base", "layout", "rotary_dim", "rotary_place", "mrope_section", "mrope_interleaved"}) {
    refuse_beside_config(call, name);
  }
  for (const Reads& parameter : rule_parameters) refuse_beside_config(call, parameter.name);
  const model::RopeConfig config = model::read_rope_config(s.file("config"), length);
  const model::RopeLayer& layer = layer_of(config, s);
  if (layer.rope_type == "none") {
    throw InvalidArgument(about("layer")
                              .found(layer.name)
                              .fault("{} of {} has no positions", layer.name, s.file("config"))
                              .allowed("one that turns"));
  }
  check_width(s, layer, width);
  RopeRotation rotation{.inv_freq = layer.inv_freq,
                        .attention_factor = layer.attention_factor,
                        .layout = layer.layout,
                        .first = layer.rotary_last ? width - layer.rotary_dim : 0,
                        .latent = layer.rotary_last,
                        .warnings = config.warnings};
  set_axes(rotation, layer.sections, layer.sections_interleaved);
  return rotation;
}

/// What xPos and Self-Extend alone read, where neither is asked for.
void refuse_unasked(const Settings& s) {
  const auto refuse = [&](std::string_view name, const Phrase& allowed) {
    if (s.is_default(name)) return;
    throw InvalidArgument(about(name)
                              .found(s.text(name))
                              .fault("found {}, which changes nothing here", s.text(name))
                              .allowed("only with {}", allowed));
  };
  const bool xpos = s.toggle("xpos"), grouped = !s.is_default("group");
  if (!xpos && !grouped) refuse("kind", words("xpos=on or a group above 1"));
  if (!xpos) refuse("gamma", name_phrase("xpos=on")), refuse("scale_base", name_phrase("xpos=on"));
  if (!grouped) refuse("window", words("a group above 1"));
}

}  // namespace

RopeRotation rope_rotation(const Call& call, Index width, double length) {
  const Settings& s = call.settings;
  refuse_unasked(s);
  return s.file("config").empty() ? rotation_from_settings(s, width, length)
                                  : rotation_from_config(call, width, length);
}

position::ScoreSide score_side(const Settings& s) {
  return s.choice("kind") == "k" ? position::ScoreSide::key : position::ScoreSide::query;
}

position::SelfExtendParams self_extend_params(const Settings& s) {
  return {.group = s.integer("group"), .window = s.integer("window")};
}

position::XposParams xpos_params(const Settings& s) {
  return {.gamma = s.real("gamma"), .scale_base = s.real("scale_base")};
}

}  // namespace orrery::op
