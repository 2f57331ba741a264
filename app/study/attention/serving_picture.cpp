#include "app/study/attention/serving_picture.h"

#include "app/study/kit.h"

namespace orrery::study {
namespace {

using model::Sharing;

constexpr double gibibyte = 0x1p30, tera = 1e12, longest = 1048576, most_texts = 4096;

int ink_index(Sharing sharing) {
  return static_cast<int>(sharing);
}

/// "GQA, 8 key heads"
std::string shared_text(const SharedCache& each) {
  const model::Card& card = each.card;
  const std::string name = sharing_name(each.sharing) + ", ";
  if (each.sharing == Sharing::latent)
    return name + grouped(number(card.latent->key_value_rank)) + " + " +
           grouped(number(card.latent->rope_width)) + " numbers";
  return name + amount(number(*card.kv_heads), "key head", "key heads");
}

/// A little above a bar, no wider than the axis and no higher than what is free between two bars.
Note above_bar(double y, std::string text, Ink ink, double axis) {
  return {.x = 0,
          .y = y,
          .text = std::move(text),
          .ink = ink,
          .h = HAlign::left,
          .v = VAlign::bottom,
          .dy = -2,
          .room = axis,
          .room_y = 0.6,
          .whole = true};
}

/// What memory is counted in: the largest unit of which there is one.
struct MemoryUnit {
  const char* name;
  double bytes;
};
MemoryUnit memory_unit(double bytes) {
  constexpr std::array<const char*, 6> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  double size = 1;
  while (bytes / size >= 1024 && unit + 1 < names.size()) size *= 1024, ++unit;
  return {names.at(unit), size};
}

Axis log_axis(std::string label, std::optional<Range> range = {}) {
  return {.label = std::move(label), .scale = Scale::log(10), .range = range, .grid = true};
}

}  // namespace

std::string memory_text(double bytes) {
  const MemoryUnit unit = memory_unit(bytes);
  return short_text(bytes / unit.bytes, 4) + " " + unit.name;
}

std::string sharing_name(Sharing sharing) {
  constexpr std::array names{"MHA", "GQA", "MQA", "MLA"};
  return names.at(static_cast<std::size_t>(sharing));
}

Panel lengths_panel(const Series& lengths, const std::vector<SharedCache>& all, const LengthsAsked& asked) {
  Panel panel{.title = "Cache by length",
              .x = octaves("length", Range{1, longest}),
              .y = log_axis("cache / GiB"),
              .legend = LegendPlace::above,
              .series_group = 1};
  double own_now = 0;
  for (const SharedCache& each : all) {
    panel.marks.emplace_back(lengths.line(sharing_name(each.sharing), {.ink = series(ink_index(each.sharing)),
                                                                       .width = each.own ? 2.2 : 0.9,
                                                                       .label = sharing_name(each.sharing),
                                                                       .dash_by_series = !each.own}));
    if (each.own) own_now = each.kept / gibibyte;
  }
  panel.marks.emplace_back(lengths.line("weights a step reads", {.ink = ink(Role::secondary),
                                                                 .width = 0.9,
                                                                 .dash = Dash::dotted,
                                                                 .label = "weights a step reads",
                                                                 .dash_by_series = false}));
  if (asked.outweighs && *asked.outweighs <= longest)
    panel.marks.emplace_back(
        Rule{.at = *asked.outweighs, .dash = Dash::dotted, .text = grouped(*asked.outweighs)});
  add_handle(panel, asked.length, own_now, "length", "drag: the length of each text");
  return panel;
}

Panel sharing_panel(const std::vector<SharedCache>& all) {
  double most = 0;
  for (const SharedCache& each : all) most = std::max(most, each.kept);
  const MemoryUnit unit = memory_unit(most);  // that the words at the longest bar count in too
  const double axis = 1.02 * most / unit.bytes;
  Panel panel{.title = "At this length, however keys and values are shared",
              .x = {.label = std::string("cache / ") + unit.name, .range = Range{0, axis}, .grid = true},
              .y = {.range = Range{-0.55, number(all.size()) - 0.5}, .visible = false, .reversed = true},
              .legend = LegendPlace::none};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SharedCache& each = all[i];
    const double y = number(i), right = each.kept / unit.bytes;
    panel.marks.emplace_back(figure::Shape{.x = {0, right, right, 0},
                                           .y = {y + 0.16, y + 0.16, y + 0.36, y + 0.36},
                                           .fill = series(ink_index(each.sharing))});
    const std::string facts =
        shared_text(each) + ": " + memory_text(each.kept_a_token) + " a token, " + memory_text(each.kept);
    panel.marks.emplace_back(above_bar(y + 0.08, each.own ? facts + " (as published)" : facts,
                                       ink(each.own ? Role::accent : Role::text), axis));
  }
  return panel;
}

Panel models_panel(const Table& models, const std::string& chosen) {
  constexpr std::array symbols{Symbol::disc, Symbol::ring, Symbol::triangle, Symbol::diamond};
  const auto& words = models.columns[0].words;
  const auto& parameters = models.columns[1].values;
  const auto& sharing = models.columns[2].words;
  const auto& kept = models.columns[4].values;
  Panel panel{.title = "Every published model",
              .x = log_axis("parameters"),
              .y = log_axis("cache a token / bytes"),
              .legend = LegendPlace::above,
              .series_group = 1};
  for (const Sharing each : model::every_sharing) {
    Points points{.ink = series(ink_index(each)),
                  .radius = 2.3,
                  .symbol = symbols.at(static_cast<std::size_t>(each)),
                  .label = sharing_name(each),
                  .symbol_by_series = false};
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] > 0 && sharing[i] == sharing_name(each))
        points.x.push_back(parameters[i]), points.y.push_back(kept[i]);
    if (!points.x.empty()) panel.marks.emplace_back(std::move(points));
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == chosen)
      panel.marks.emplace_back(Annotation{.x = parameters[i], .y = kept[i], .text = chosen, .size = 0.9});
  return panel;
}

Panel roof_panel(const Series& roof, const Series& batches, const model::Machine& machine,
                 const RoofAsked& asked) {
  Panel panel{.title = asked.measured.empty() ? "A step on the roofline"
                                              : "On the roofline of “" + asked.measured + "”",
              .x = log_axis("operations a byte"),
              .y = log_axis("speed at best / Tflop/s"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(roof.line("speed", {.ink = ink(Role::secondary), .label = "the machine"}));
  Line reached{.x = batches["operations a byte"],
               .y = batches["speed"],
               .ink = series(0),
               .width = 3.2,
               .label = "writing, 1 to 4096 texts",
               .dash_by_series = false};
  panel.marks.emplace_back(std::move(reached));
  const auto point = [&](const model::Load& load, Ink ink, Symbol symbol, const char* label) {
    panel.marks.emplace_back(Points{.x = {load.intensity()},
                                    .y = {load.operations / machine.seconds(load) / tera},
                                    .ink = ink,
                                    .radius = 3.2,
                                    .symbol = symbol,
                                    .label = label,
                                    .symbol_by_series = false});
  };
  point(asked.reading, series(1), Symbol::diamond, "reading");
  point(asked.writing, ink(Role::accent), Symbol::disc, "writing now");
  return panel;
}

Panel speed_panel(const Series& batches, const model::Machine& machine, const RoofAsked& asked) {
  Panel panel{.title = "Writing, by texts at once",
              .x = octaves("texts at once", Range{1, most_texts}),
              .y = log_axis("tokens a second at best"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      batches.line("tokens a second", {.ink = series(0), .width = 1.4, .label = "all texts"}));
  panel.marks.emplace_back(batches.line("of each text", {.ink = series(2), .label = "each text"}));
  panel.marks.emplace_back(batches.line("with an empty cache", {.ink = ink(Role::secondary),
                                                                .dash = Dash::dotted,
                                                                .label = "with an empty cache",
                                                                .dash_by_series = false}));
  if (asked.filled_from && *asked.filled_from <= most_texts)
    panel.marks.emplace_back(
        Rule{.at = *asked.filled_from, .dash = Dash::dotted, .text = grouped(*asked.filled_from)});
  add_handle(panel, asked.texts, machine.tokens_a_second(asked.writing), "texts",
             "drag: how many texts are written at once");
  return panel;
}

}  // namespace orrery::study
