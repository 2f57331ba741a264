#include "app/study/norm/eps_picture.h"

#include "app/study/kit.h"
#include "app/study/norm/published_eps.h"

namespace orrery::study::norm_eps {
namespace {

Axis size_axis() {
  return {.label = "size $r$ of the row",
          .scale = Scale::log(10),
          .range = Range{least_size, most_size},
          .group = 1};
}

constexpr double least_kept = 1e-4;

/// Of a log axis: no less than twice what is right.
double most_kept(const Series& all) {
  double most = 2;
  for (const Column& each : all.columns())
    for (const double y : each.values)
      if (y > most) most = 2 * y;
  return most;
}

/// Between a size that is bad and one that is not the last bad one, to a part in 1000.
double edge_of(double bad, double good, auto&& is_bad) {
  for (int step = 0; step < 12; ++step) {
    const double middle = std::sqrt(bad * good);
    (is_bad(middle) ? bad : good) = middle;
  }
  return bad;
}

/// Up to which size the result is no finite number, and from which on it is 0: what a line on a log axis cannot say.
std::string said_of(const Asked& asked, const Series& by_format, tensor::Format format) {
  std::string said(tensor::name(format));
  const std::vector<double>&kept = by_format[said], &x = by_format.x();
  const auto not_finite = [&](double size) { return std::isnan(kept_in(format, asked, size)); };
  const auto is_zero = [&](double size) { return kept_in(format, asked, size) == 0; };
  std::size_t finite = 0, zero = kept.size();
  while (finite < kept.size() && std::isnan(kept[finite])) ++finite;
  while (zero > 0 && kept[zero - 1] == 0) --zero;
  if (0 < finite && finite < kept.size())
    said += ": not finite up to " + short_text(edge_of(x[finite - 1], x[finite], not_finite), 2);
  if (0 < zero && zero < kept.size())
    said += std::string(finite > 0 ? ", " : ": ") + "0 from " +
            short_text(edge_of(x[zero], x[zero - 1], is_zero), 2) + " on";
  return said;
}

}  // namespace

Panel kept_panel(const Asked& asked, const Series& kept) {
  Panel panel{.title = "Size of the normalised row",
              .x = size_axis(),
              .y = {.scale = Scale::log(10), .range = Range{least_kept, 2}, .grid = true},
              .legend = LegendPlace::best,
              .series_group = 1};
  panel.marks.emplace_back(
      kept.line("inside", {.ink = series(0), .width = 1.3, .label = "$\\epsilon$ inside"}));
  panel.marks.emplace_back(
      kept.line("outside", {.ink = series(1), .width = 1.3, .label = "$\\epsilon$ outside"}));
  panel.marks.emplace_back(kept.line("at least", {.ink = series(2), .label = "norm at least $\\epsilon$"}));
  add_handle(panel, asked.size, size_kept(asked.size, asked.eps, EpsPlace::inside), "size",
             "drag: the size of the row");
  return panel;
}

Panel missing_panel(const Asked& asked, const Series& missing) {
  Panel panel{.title = "What is missing of it",
              .x = size_axis(),
              .y = {.scale = Scale::log(10), .range = Range{1e-9, 2}, .grid = true},
              .legend = LegendPlace::none,
              .series_group = 1};
  panel.marks.emplace_back(
      missing.line("inside", {.ink = series(0), .width = 1.3, .reading = {.name = "inside"}}));
  panel.marks.emplace_back(
      missing.line("outside", {.ink = series(1), .width = 1.3, .reading = {.name = "outside"}}));
  for (const tensor::Format format : formats) {
    const double u = tensor::info(format).unit_roundoff;
    panel.marks.emplace_back(quiet_level(u, "u of " + std::string(tensor::name(format))));
  }
  panel.marks.emplace_back(Rule{.at = asked.size, .dash = Dash::dotted});
  return panel;
}

Panel formats_panel(const Asked& asked, const Series& by_format) {
  Panel panel{.title = "Computed in a format",
              .x = size_axis(),
              .y = {.scale = Scale::log(10), .range = Range{least_kept, most_kept(by_format)}, .grid = true},
              .legend = LegendPlace::best,
              .series_group = 2};
  constexpr std::array widths{2.6, 1.5, 1.0};  // they run along each other
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const std::string name(tensor::name(formats[i]));
    panel.marks.emplace_back(by_format.line(name, {.ink = series(static_cast<int>(i) + 3),
                                                   .width = widths[i],
                                                   .label = said_of(asked, by_format, formats[i]),
                                                   .dash_by_series = false,
                                                   .reading = {.name = name, .role = name}}));
  }
  panel.marks.emplace_back(Rule{.at = asked.size, .dash = Dash::dotted});
  return panel;
}

Panel published_panel(const Asked& asked) {
  const std::vector<PublishedEps>& all = published_eps();
  Panel panel{.title = "Where epsilons in use take their part",
              .x = size_axis(),
              .y = {.range = cells(number(all.size())), .reversed = true},
              .legend = LegendPlace::none};
  panel.marks.emplace_back(Rule{.at = asked.size, .dash = Dash::dotted});  // below the words
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PublishedEps& each = all[i];
    panel.y.names.push_back(each.number);
    const double from = size_that_keeps(0.5, each.eps, each.place),
                 to = size_that_keeps(0.99, each.eps, each.place), y = number(i);
    panel.marks.emplace_back(
        figure::Shape{.x = {from, to, to, from},
                      .y = {y - 0.3, y - 0.3, y + 0.3, y + 0.3},
                      .fill = Ink{Role::series, each.place == EpsPlace::inside ? 0 : 1, 0.6}});
    const double beside = std::pow(most_size / to, 0.93);  // all but the gap: the words leave the square free
    panel.marks.emplace_back(Note{.x = to,
                                  .y = y,
                                  .text = each.of,
                                  .h = HAlign::left,
                                  .dx = 4,
                                  .size = 0.8,
                                  .room = to * (beside - 1)});
  }
  return panel;
}

}  // namespace orrery::study::norm_eps
