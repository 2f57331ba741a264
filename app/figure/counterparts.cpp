#include "app/figure/counterparts.h"

#include <algorithm>
#include <functional>

#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"

namespace orrery::figure {
namespace {

using Alike = std::function<bool(const Mark&, const Mark&)>;

const std::string& set_role(const Mark& mark) {
  static const std::string none;
  const Reading* reading = reading_of(mark);
  return reading ? reading->role : none;
}

Ink ink_of(const Mark& mark) {
  const Fact<Ink> ink = facts(mark).ink;
  return ink ? *ink : Ink{Role::text, 0, 1};
}

bool same_ink(const Mark& a, const Mark& b) {
  const Ink p = ink_of(a), q = ink_of(b);
  return p.role == q.role && p.index == q.index;
}

bool same_role(const Mark& a, const Mark& b) {
  return !set_role(a).empty() && set_role(a) == set_role(b);
}

bool without_roles(const Mark& a, const Mark& b) {
  return set_role(a).empty() && set_role(b).empty();
}

bool same_name(const Mark& a, const Mark& b) {
  const std::string name = role_of(a);
  return without_roles(a, b) && !name.empty() && name == role_of(b);
}

bool same_words(const Mark& a, const Mark& b) {
  const std::string words = without_numbers(role_of(a));
  return without_roles(a, b) && !words.empty() && words == without_numbers(role_of(b)) && same_ink(a, b);
}

class Pairing {
 public:
  Pairing(const Panel& a, const Panel& b)
      : partner(b.marks.size(), -1), a_(a), b_(b), taken_(a.marks.size(), false) {}

  void pair(const Alike& alike) {
    for (std::size_t i = 0; i < b_.marks.size(); ++i)
      for (std::size_t j = 0; partner[i] < 0 && j < a_.marks.size(); ++j)
        if (!taken_[j] && same_kind(j, i) && alike(a_.marks[j], b_.marks[i])) take(j, i);
  }

  /// Where as many are left of a kind on both sides.
  void pair_by_order() {
    for (std::size_t i = 0; i < b_.marks.size(); ++i) {
      if (!left_in_b(i)) continue;
      std::size_t of_a = 0, of_b = 0;
      for (std::size_t j = 0; j < a_.marks.size(); ++j) of_a += same_kind(j, i) && left_in_a(j);
      for (std::size_t k = i; k < b_.marks.size(); ++k)
        of_b += b_.marks[k].index() == b_.marks[i].index() && left_in_b(k);
      if (of_a != of_b) continue;
      for (std::size_t j = 0; partner[i] < 0 && j < a_.marks.size(); ++j)
        if (same_kind(j, i) && left_in_a(j)) take(j, i);
    }
  }

  std::vector<int> partner;  ///< of each mark of b

 private:
  bool same_kind(std::size_t j, std::size_t i) const { return a_.marks[j].index() == b_.marks[i].index(); }
  bool left_in_a(std::size_t j) const { return !taken_[j] && set_role(a_.marks[j]).empty(); }
  bool left_in_b(std::size_t i) const { return partner[i] < 0 && set_role(b_.marks[i]).empty(); }
  void take(std::size_t j, std::size_t i) {
    taken_[j] = true;
    partner[i] = static_cast<int>(j);
  }

  const Panel &a_, &b_;
  std::vector<bool> taken_;
};

bool in_legend(const Mark& mark) {
  const std::string* label = label_of(mark);
  return label && !label->empty();
}

/// Whether something of the panel was hidden and nothing with a name is left to be seen.
bool empties(const Panel& panel, int index, const std::set<std::pair<int, int>>& hidden) {
  bool any = false;
  for (std::size_t m = 0; m < panel.marks.size(); ++m) {
    if (!in_legend(panel.marks[m])) continue;
    if (!hidden.contains({index, static_cast<int>(m)})) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::string without_numbers(std::string_view text) {
  constexpr std::string_view thin_space = "\u2009", minus = "−";
  std::string words;
  for (std::size_t i = 0; i < text.size();) {
    if (const auto rest = text.substr(i); rest.starts_with(thin_space) || rest.starts_with(minus)) {
      i += 3;
      continue;
    }
    const char c = text[i++];
    if ((c < '0' || c > '9') && c != '.' && c != '-' && c != ' ') words += c;
  }
  return words;
}

std::vector<int> counterparts(const Panel& a, const Panel& b, bool by_order) {
  Pairing pairing(a, b);
  pairing.pair(same_role);
  pairing.pair([](const Mark& p, const Mark& q) { return same_name(p, q) && same_ink(p, q); });
  pairing.pair(same_name);
  pairing.pair(same_words);
  if (by_order) pairing.pair_by_order();
  return pairing.partner;
}

std::set<std::pair<int, int>> carried(const std::set<std::pair<int, int>>& hidden, const Figure& from,
                                      const Figure& to) {
  std::set<std::pair<int, int>> out;
  if (hidden.empty()) return out;
  for (std::size_t p = 0; p < std::min(from.panels.size(), to.panels.size()); ++p) {
    const auto panel = static_cast<int>(p);
    const std::vector<int> same = counterparts(from.panels[p], to.panels[p], false);
    for (std::size_t m = 0; m < same.size(); ++m)
      if (same[m] >= 0 && in_legend(to.panels[p].marks[m]) && hidden.contains({panel, same[m]}))
        out.merge(same_series(to, panel, static_cast<int>(m)));
  }
  for (std::size_t p = 0; p < to.panels.size(); ++p) {
    const auto panel = static_cast<int>(p);
    if (empties(to.panels[p], panel, out))
      std::erase_if(out, [&](const auto& mark) { return mark.first == panel; });
  }
  return out;
}

}  // namespace orrery::figure
