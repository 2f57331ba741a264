// The table: a row for each kind of mark, in the order of marks.h.
#include "app/figure/mark_facts.h"

#include <cmath>
#include <utility>

namespace orrery::figure {

namespace {

Values one(const double& value) {
  return {&value, 1};
}

Values up(const Spread& spread) {
  return spread.above.empty() ? spread.below : spread.above;
}

struct Row {
  MarkFacts operator()(const Line& m) const {
    return sampled(m, Bound{m.x, true}, Bound{m.y}, {m.x, m.y, m.course});
  }
  MarkFacts operator()(const Points& m) const {
    return sampled(m, Bound{m.x}, Bound{m.y}, {.x = m.x, .y = m.y, .scattered = true});
  }
  MarkFacts operator()(const Stems& m) const {
    return sampled(m, Bound{m.x}, {Bound{one(m.baseline), true}, Bound{m.y}}, {m.x, m.y});
  }
  /// The points themselves, which a difference is made of, are a mark of their own.
  MarkFacts operator()(const ErrorBars& m) const {
    return {.nature = Nature::data,
            .label = m.label,
            .text = none,
            .ink = m.ink,
            .reading = m.reading,
            .colors = none,
            .along_x = {Bound{m.x}, Bound{.at = m.x, .by = m.dx.below, .times = -1},
                        Bound{.at = m.x, .by = up(m.dx)}},
            .along_y = {Bound{m.y}, Bound{.at = m.y, .by = m.dy.below, .times = -1},
                        Bound{.at = m.y, .by = up(m.dy)}},
            .read_as = ReadAs::samples,
            .samples = Sampled{m.x, m.y},
            .heights = none,
            .numbers = {m.x, m.y, m.dx.below, m.dx.above, m.dy.below, m.dy.above}};
  }
  MarkFacts operator()(const Band& m) const {
    return {.nature = Nature::data,
            .label = m.label,
            .text = none,
            .ink = m.ink,
            .reading = none,
            .colors = none,
            .along_x = Bound{m.x, true},
            .along_y = {Bound{m.lo}, Bound{m.hi}},
            .read_as = ReadAs::nothing,
            .samples = none,
            .heights = none,
            .numbers = {m.lo, m.hi}};
  }
  MarkFacts operator()(const Bars& m) const {
    return {.nature = Nature::data,
            .label = m.label,
            .text = none,
            .ink = m.ink,
            .reading = m.reading,
            .colors = none,
            .along_x = {Bound{.at = m.x, .shift = -m.width / 2}, Bound{.at = m.x, .shift = m.width / 2}},
            .along_y = {Bound{one(m.baseline), true}, Bound{m.height}},
            .read_as = ReadAs::columns,
            .samples = Sampled{m.x, m.height},
            .heights = m.height,
            .numbers = {m.height}};
  }
  MarkFacts operator()(const Histogram& m) const {
    return {.nature = Nature::data,
            .label = m.label,
            .text = none,
            .ink = m.ink,
            .reading = m.reading,
            .colors = none,
            .along_x = Bound{m.edges},
            .along_y = {Bound{one(m.baseline), true}, Bound{m.heights}},
            .read_as = ReadAs::bins,
            .samples = none,
            .heights = m.heights,
            .numbers = {m.heights}};
  }
  /// It reaches right across the panel, and asks for room along the other axis alone.
  MarkFacts operator()(const Rule& m) const {
    const Several<Bound> room{Bound{one(m.at)}, Bound{m.to ? one(*m.to) : Values{}, true}};
    const bool upright = m.direction == Direction::vertical;
    return drawn(Nature::guide, none, m.text, m.ink, upright ? room : none, upright ? none : room);
  }
  MarkFacts operator()(const Shape& m) const {
    return drawn(Nature::data, m.label, none, none, Bound{m.x}, Bound{m.y});
  }
  MarkFacts operator()(const Arrows& m) const {
    return drawn(Nature::data, m.label, none, m.ink, {Bound{m.x}, Bound{.at = m.x, .by = m.dx}},
                 {Bound{m.y}, Bound{.at = m.y, .by = m.dy}});
  }
  MarkFacts operator()(const Arc& m) const {
    const double reach = m.on_page ? 0 : std::abs(m.radius);
    const auto about = [reach](const double& middle) {
      return Several<Bound>{Bound{.at = one(middle), .shift = -reach},
                            Bound{.at = one(middle), .shift = reach}};
    };
    return drawn(Nature::data, none, m.text, m.ink, about(m.x), about(m.y));
  }
  /// Words in the data ask for no room: an axis is that of what they speak of.
  MarkFacts operator()(const Note& m) const { return drawn(Nature::words, none, m.text, m.ink, none, none); }
  MarkFacts operator()(const Annotation& m) const {
    return drawn(Nature::free_words, none, m.text, m.ink, Bound{one(m.x)}, Bound{one(m.y)});
  }
  MarkFacts operator()(const Inset& m) const {
    return drawn(Nature::free_words, none, m.text, m.ink, none, none);
  }
  MarkFacts operator()(const Heatmap& m) const { return field(m, ReadAs::cells); }
  MarkFacts operator()(const Contours& m) const { return field(m, ReadAs::nothing); }

 private:
  /// Samples at (x, y), y being what they say.
  template <class M>
  static MarkFacts sampled(const M& m, Several<Bound> along_x, Several<Bound> along_y, Sampled samples) {
    return {.nature = Nature::data,
            .label = m.label,
            .text = none,
            .ink = m.ink,
            .reading = m.reading,
            .colors = none,
            .along_x = std::move(along_x),
            .along_y = std::move(along_y),
            .read_as = ReadAs::samples,
            .samples = samples,
            .heights = m.y,
            .numbers = {m.x, m.y}};
  }

  /// What shows no values of its own.
  static MarkFacts drawn(Nature nature, Fact<std::string> label, Fact<std::string> text, Fact<Ink> ink,
                         Several<Bound> along_x, Several<Bound> along_y) {
    return {.nature = nature,
            .label = label,
            .text = text,
            .ink = ink,
            .reading = none,
            .colors = none,
            .along_x = std::move(along_x),
            .along_y = std::move(along_y),
            .read_as = ReadAs::nothing,
            .samples = none,
            .heights = none,
            .numbers = none};
  }

  template <class M>
  static MarkFacts field(const M& m, ReadAs read_as) {
    return {.nature = Nature::field,
            .label = none,
            .text = none,
            .ink = none,
            .reading = none,
            .colors = m.colors,
            .along_x = {Bound{one(m.x.lo), true}, Bound{one(m.x.hi), true}},
            .along_y = {Bound{one(m.y.lo), true}, Bound{one(m.y.hi), true}},
            .read_as = read_as,
            .samples = none,
            .heights = none,
            .numbers = none};
  }
};

}  // namespace

MarkFacts facts(const Mark& mark) {
  return std::visit(Row{}, mark);
}

}  // namespace orrery::figure
