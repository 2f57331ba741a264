// B − A of marks that have a value at an x.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/figure/line_value.h"
#include "app/figure/mark_difference.h"

namespace orrery::figure {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool same_places(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, same_place);
}

/// One value for every x: finite positions never go back.
bool is_function(const std::vector<double>& x) {
  double last = -std::numeric_limits<double>::infinity();
  for (const double v : x) {
    if (!std::isfinite(v)) continue;
    if (v < last) return false;
    last = v;
  }
  return true;
}

/// All positions of both where both have values, ascending, each once.
std::vector<double> common_places(const std::vector<double>& a, const std::vector<double>& b) {
  const auto finite = [](const std::vector<double>& v) {
    std::vector<double> out;
    std::ranges::copy_if(v, std::back_inserter(out), [](double x) { return std::isfinite(x); });
    return out;
  };
  const std::vector<double> p = finite(a), q = finite(b);
  if (p.empty() || q.empty()) return {};
  const double lo = std::max(p.front(), q.front()), hi = std::min(p.back(), q.back());
  std::vector<double> all;
  std::ranges::merge(p, q, std::back_inserter(all));
  std::erase_if(all, [&](double x) { return x < lo || x > hi; });
  all.erase(std::unique(all.begin(), all.end(), same_place), all.end());
  return all;
}

std::vector<double> minus(const std::vector<double>& b, const std::vector<double>& a) {
  std::vector<double> out(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = b[i] == a[i] ? 0 : b[i] - a[i];
  return out;
}

/// Values at the places that both have; each place of B is looked for in A.
struct Matched {
  std::vector<double> x, y;
  bool all = true;
};

Matched matched(const std::vector<double>& ax, const std::vector<double>& ay, const std::vector<double>& bx,
                const std::vector<double>& by) {
  std::vector<std::pair<double, double>> of_a;
  for (std::size_t i = 0; i < std::min(ax.size(), ay.size()); ++i)
    if (!std::isnan(ax[i])) of_a.emplace_back(ax[i], ay[i]);
  std::ranges::stable_sort(of_a, {}, &std::pair<double, double>::first);
  Matched out;
  out.all = ax.size() == bx.size();
  for (std::size_t i = 0; i < std::min(bx.size(), by.size()); ++i) {
    const double reach = 1e-12 * std::abs(bx[i]);
    const auto found = std::ranges::lower_bound(of_a, bx[i] - reach, {}, &std::pair<double, double>::first);
    if (found == of_a.end() || !same_place(found->first, bx[i])) {
      out.all = false;
      continue;
    }
    out.x.push_back(bx[i]);
    out.y.push_back(by[i] == found->second ? 0 : by[i] - found->second);
  }
  return out;
}

template <class M>
MarkDifference by_place(const M& a, const M& b, const std::vector<double>& ay, const std::vector<double>& by,
                        std::vector<double> M::*values) {
  Matched common = matched(a.x, ay, b.x, by);
  if (same_places(a.x, b.x)) common = {b.x, minus(by, ay), true};  // also where a place is taken twice
  if (common.x.empty()) return {{}, "A and B have no positions in common"};
  M out = b;
  out.x = std::move(common.x);
  out.*values = std::move(common.y);
  return {std::move(out), common.all ? "" : "only the positions that A and B have in common"};
}

}  // namespace

MarkDifference difference(const Line& a, const Line& b, const Scale& x, const Scale& y) {
  Line out = b;
  if (same_places(a.x, b.x)) {
    out.y = minus(b.y, a.y);
    return {std::move(out), {}};
  }
  if (!is_function(a.x) || !is_function(b.x)) return {{}, "a curve that turns back has no value at an x"};
  out.x = common_places(a.x, b.x);
  if (out.x.empty()) return {{}, "the positions of A and B do not overlap"};
  out.y.clear();
  LineWalk of_a(a, x, y), of_b(b, x, y);
  for (const double at : out.x) {
    const double va = of_a(at), vb = of_b(at);
    out.y.push_back(va == vb ? 0 : vb - va);
  }
  return {std::move(out), "A and B have different sample positions: interpolated between them"};
}

MarkDifference difference(const Points& a, const Points& b) {
  return by_place(a, b, a.y, b.y, &Points::y);
}

MarkDifference difference(const Stems& a, const Stems& b) {
  MarkDifference out = by_place(a, b, a.y, b.y, &Stems::y);
  if (out.mark) std::get<Stems>(*out.mark).baseline = 0;
  return out;
}

MarkDifference difference(const Bars& a, const Bars& b) {
  MarkDifference out = by_place(a, b, a.height, b.height, &Bars::height);
  if (out.mark) std::get<Bars>(*out.mark).baseline = 0;
  return out;
}

MarkDifference difference(const Histogram& a, const Histogram& b) {
  if (!same_places(a.edges, b.edges)) return {{}, "the bins of A and B differ"};
  Histogram out = b;
  out.heights = minus(b.heights, a.heights);
  out.baseline = 0;
  return {std::move(out), {}};
}

}  // namespace orrery::figure
