#include "app/study/attention/cell_terms.h"

#include <utility>

#include "app/study/kit/numbers.h"
#include "app/study/kit/series.h"

namespace orrery::study {

figure::Table cell_terms(const std::vector<double>& q, const std::vector<double>& k) {
  std::vector<double> products, so_far;
  double sum = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    products.push_back(q[j] * k[j]);
    so_far.push_back(sum += products.back());
  }
  Series terms("cell", {"component", "", counted(std::ssize(q))});
  const auto add = [&](const char* name, std::vector<double> values) {
    terms.add(figure::Column{.name = name, .values = std::move(values), .digits = 8});
  };
  add("query", q);
  add("key", k);
  add("term", std::move(products));
  add("sum so far", std::move(so_far));
  return terms.table();
}

void add_cell_handles(figure::Panel& panel, MapCell cell, double right) {
  constexpr const char* hint = "drag, or Ctrl and a click on a cell: that one is worked out, term by term";
  panel.handles.push_back({.x = number(cell.key), .y = number(cell.query), .parameter = "key", .hint = hint});
  panel.handles.push_back(
      {.x = right, .y = number(cell.query), .parameter = "query", .along_y = true, .hint = hint});
}

}  // namespace orrery::study
