#include "app/figure/reading.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/figure/mark_facts.h"

namespace orrery::figure {
namespace {

constexpr int digits_of_every_float = 7;

std::string own_name(const Mark& mark) {
  // A legend may say what several are, its first line being the sample: what is read off one has that one's name.
  if (const Reading* reading = reading_of(mark); reading && !reading->name.empty()) return reading->name;
  const std::string* label = label_of(mark);
  return label ? *label : std::string();
}

bool share_legend(const Figure& figure, std::size_t p, std::size_t q) {
  return p == q || (figure.panels[p].series_group != 0 &&
                    figure.panels[p].series_group == figure.panels[q].series_group);
}

/// On the other side of a comparison, beside one that shares the panel's legend.
bool on_other_side(const Figure& figure, std::size_t home, std::size_t p) {
  const int pair = figure.panels[p].pair;
  if (pair == 0 || share_legend(figure, home, p)) return false;
  for (std::size_t q = 0; q < figure.panels.size(); ++q)
    if (figure.panels[q].pair == pair && share_legend(figure, home, q)) return true;
  return false;
}

bool is_whole(double v) {
  return v == std::floor(v) && std::abs(v) < 1e15;
}

bool is_single(double v) {
  return static_cast<double>(static_cast<float>(v)) == v;
}

std::string axis_name(const Panel& panel, int mark) {
  const bool on_right = panel.right && !panel.right->map &&
                        std::ranges::find(panel.right->marks, mark) != panel.right->marks.end();
  return on_right ? panel.right->axis.label : panel.y.label;
}

}  // namespace

std::optional<Samples> samples(const Mark& mark) {
  const MarkFacts own = facts(mark);
  for (const Sampled& drawn : own.samples) {
    const bool elsewhere = own.reading && !own.reading->value.empty();
    if (own.reading && own.reading->none) return std::nullopt;
    return Samples{.x = drawn.x,
                   .y = drawn.y,
                   .value = elsewhere ? Values(own.reading->value) : drawn.y,
                   .ink = own.ink.get(),
                   .course = drawn.course,
                   .between = own.reading && own.reading->between,
                   .scattered = drawn.scattered};
  }
  return std::nullopt;
}

const std::string* label_of(const Mark& mark) {
  return facts(mark).label.get();
}

std::string* label_of(Mark& mark) {
  return const_cast<std::string*>(label_of(std::as_const(mark)));
}

const Reading* reading_of(const Mark& mark) {
  return facts(mark).reading.get();
}

std::optional<int> series_index(const Mark& mark) {
  const Fact<Ink> ink = facts(mark).ink;
  return ink && ink->role == Role::series ? std::optional(ink->index) : std::nullopt;
}

std::string name_of(const Figure& figure, int panel, int mark) {
  const auto home = static_cast<std::size_t>(panel);
  const Panel& own = figure.panels[home];
  const Mark& wanted = own.marks[static_cast<std::size_t>(mark)];
  if (std::string name = own_name(wanted); !name.empty()) return name;
  if (const auto series = series_index(wanted)) {
    const auto named = [&](const Panel& among) -> std::string {
      for (const Mark& other : among.marks)
        if (series_index(other) == series)
          if (std::string name = own_name(other); !name.empty()) return name;
      return {};
    };
    if (std::string name = named(own); !name.empty()) return name;
    for (std::size_t p = 0; p < figure.panels.size(); ++p)
      if (p != home && share_legend(figure, home, p))
        if (std::string name = named(figure.panels[p]); !name.empty()) return name;
  }
  if (std::string name = axis_name(own, mark); !name.empty()) return name;
  return own.title;
}

bool has_own_name(const Mark& mark) {
  return !own_name(mark).empty();
}

std::string role_of(const Mark& mark) {
  if (const Reading* reading = reading_of(mark); reading && !reading->role.empty()) return reading->role;
  return own_name(mark);
}

std::set<std::pair<int, int>> same_series(const Figure& figure, int panel, int mark) {
  std::set<std::pair<int, int>> found{{panel, mark}};
  const auto home = static_cast<std::size_t>(panel);
  const Mark& wanted = figure.panels[home].marks[static_cast<std::size_t>(mark)];
  const auto series = series_index(wanted);
  if (!series) return found;
  const std::string name = name_of(figure, panel, mark);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const bool other_side = on_other_side(figure, home, p);
    if (!other_side && !share_legend(figure, home, p)) continue;
    const std::vector<Mark>& marks = figure.panels[p].marks;
    for (std::size_t m = 0; m < marks.size(); ++m) {
      const std::string* label = label_of(marks[m]);
      const bool nameless = !label || label->empty();
      const auto called_so = [&] {
        return name_of(figure, static_cast<int>(p), static_cast<int>(m)) == name;
      };
      const bool same =
          nameless ? !other_side || called_so() : p != home && role_of(marks[m]) == role_of(wanted);
      if (series_index(marks[m]) == series && same) found.insert({static_cast<int>(p), static_cast<int>(m)});
    }
  }
  return found;
}

std::string exact_text(double v) {
  if (std::isnan(v)) return "nan";
  if (v == 0) v = 0;
  char text[40];
  std::to_chars_result out;
  if (is_whole(v))
    out = std::to_chars(std::begin(text), std::end(text), v, std::chars_format::fixed);
  else if (is_single(v))
    out = std::to_chars(std::begin(text), std::end(text), static_cast<float>(v));
  else
    out = std::to_chars(std::begin(text), std::end(text), v);
  return {std::begin(text), out.ptr};
}

std::string read_text(double v) {
  const std::string exact = exact_text(v);
  if (!std::isfinite(v) || is_whole(v) || !is_single(v)) return exact;
  char text[40];
  const auto end =
      std::to_chars(std::begin(text), std::end(text), v, std::chars_format::general, digits_of_every_float)
          .ptr;
  return exact.size() <= static_cast<std::size_t>(end - text) ? exact : std::string(std::begin(text), end);
}

}  // namespace orrery::figure
