#include "tests/eyes/said.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/export/cairo_canvas.h"
#include "app/figure/contrast.h"

namespace orrery::eyes {
namespace {

using figure::HAlign;
using figure::Label;

bool within(const figure::PrimitiveSpan& span, std::size_t at) {
  return span.first <= at && at < span.last;
}

bool is_in(const figure::Rect& box, const Label& label) {
  return box.x - 1 <= label.at.x && label.at.x <= box.x + box.w + 1 && box.y - 1 <= label.at.y &&
         label.at.y <= box.y + box.h + 1;
}

Role role_of(const figure::Scene& scene, std::size_t at, const Label& label) {
  const auto has = [&](const std::vector<std::string>& texts) {
    return std::ranges::find(texts, label.text) != texts.end();
  };
  if (within(scene.heading, at)) return Role::words;
  for (const figure::PanelRecord& record : scene.records)
    for (const figure::PrimitiveSpan& mark : record.marks)
      if (within(mark, at)) return Role::words;
  for (const figure::LegendBox& entry : scene.legend)
    if (is_in(entry.box, label)) return Role::legend;
  for (const figure::PanelRecord& record : scene.records) {
    if (has(record.title)) return Role::title;
    std::vector<const figure::AxisRecord*> axes;
    for (const figure::AxisRecord& axis : record.axes) axes.push_back(&axis);
    if (record.bar) axes.push_back(&record.bar->axis);
    for (const figure::AxisRecord* axis : axes) {
      if (has(axis->labels)) return Role::number;
      if (axis->title == label.text) return Role::axis;
    }
  }
  return Role::words;
}

int apart(figure::Color a, figure::Color b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// Some neighbouring strings of the page as one text.
Heard compared(const Said& said, std::span<const Printed> strings, figure::Size page) {
  // Scripts are smaller and stand elsewhere; and a Han font's box says less of its baseline.
  const auto first = std::ranges::max_element(strings, {}, [](const Printed& p) {
    return p.letters.empty() ? -1 : p.han ? p.size - 2 : p.size;
  });
  double left = INFINITY, right = -INFINITY;
  for (const Printed& string : strings) {
    left = std::min(left, string.left);
    right = std::max(right, string.right);
  }
  const double along = said.h == HAlign::left ? left : said.h == HAlign::center ? (left + right) / 2 : right;
  // A sum's sign has one size in TeX, whatever stands beside it.
  const double largest =
      std::ranges::max(strings, {}, [](const Printed& p) { return p.letters.empty() ? 0 : p.size; }).size;
  const double length = said.turned ? page.height : page.width,
               breadth = said.turned ? page.width : page.height;
  constexpr double capital = 0.68;  // of a font's size
  const double beyond = std::max(
      {-left, right - length, capital * first->size - first->baseline, first->baseline - breadth, 0.0});
  return {along - said.along,
          first->baseline - said.baseline,
          largest - said.size,
          beyond,
          apart(said.color, first->color),
          first->han};
}

bool same_letters(const Letters& said, std::u32string printed) {
  if (!said.formula) return said.text == printed;
  std::u32string sorted = said.text;
  std::ranges::sort(sorted);
  std::ranges::sort(printed);
  return sorted == printed;
}

/// Signs before and after the letters belong to them where they stand close: the minus of −6, the bracket of (PI).
void take_signs(const std::vector<Printed>& all, std::size_t& first, std::size_t& last) {
  const auto beside = [](const Printed& a, const Printed& b) {
    const double em = std::max(a.size, b.size);
    return std::abs(b.left - a.right) < 0.35 * em && std::abs(b.baseline - a.baseline) < 0.8 * em;
  };
  while (first > 0 && all[first - 1].letters.empty() && beside(all[first - 1], all[first])) --first;
  while (last + 1 < all.size() && all[last + 1].letters.empty() && beside(all[last], all[last + 1])) ++last;
}

}  // namespace

std::vector<Said> said_in(const figure::Scene& scene, const exporter::TextSetter& text) {
  std::vector<Said> all;
  for (std::size_t i = 0; i < scene.primitives.size(); ++i) {
    const auto* label = std::get_if<Label>(&scene.primitives[i]);
    if (!label) continue;
    Said said{label->text,
              letters_of_label(label->text),
              role_of(scene, i, *label),
              !label->upright,
              label->style.size,
              label->h};
    if (said.letters.text.empty()) continue;
    const figure::Extent extent = text.measure(label->text, label->style);
    const figure::Point start = exporter::baseline_start(*label, extent);
    const double ahead = label->h == HAlign::left     ? 0
                         : label->h == HAlign::center ? extent.width / 2
                                                      : extent.width;
    // Turned by a quarter to the left, what lies ahead is above; seen on the second page it lies to the right.
    said.along = (label->upright ? label->at.x : scene.height - label->at.y) + start.x + ahead;
    said.baseline = (label->upright ? label->at.y : label->at.x) + start.y;
    said.color = over(label->color, scene.background);
    all.push_back(std::move(said));
  }
  return all;
}

std::optional<Heard> hear(const Said& said, const PrintedPage& page, figure::Size page_size) {
  const std::vector<Printed>& all = said.turned ? page.turned : page.flat;
  std::optional<Heard> best;
  for (std::size_t begin = 0; begin < all.size(); ++begin) {
    if (all[begin].letters.empty()) continue;
    std::u32string printed;
    for (std::size_t end = begin; end < all.size() && printed.size() < said.letters.text.size(); ++end) {
      printed += all[end].letters;
      if (!same_letters(said.letters, printed)) continue;
      std::size_t first = begin, last = end;
      take_signs(all, first, last);
      // A sign beside it may be another text's: of two numbers side by side the second's minus.
      for (const std::size_t from : {first, begin})
        for (const std::size_t to : {last, end}) {
          const Heard heard = compared(said, std::span(all).subspan(from, to - from + 1), page_size);
          if (!best || std::hypot(heard.along, heard.across) < std::hypot(best->along, best->across))
            best = heard;
        }
    }
  }
  return best;
}

}  // namespace orrery::eyes
