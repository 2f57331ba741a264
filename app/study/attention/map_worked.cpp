#include "app/study/attention/map_worked.h"

#include <cmath>

#include "app/study/attention/cell_terms.h"
#include "app/study/kit/numbers.h"
#include "app/study/kit/worked.h"

namespace orrery::study {

using attention::ScoreMap;
using worked::Term;
using worked::term;

namespace {

/// Not hidden by the mask.
bool is_seen(const MapAsked& asked, const ScoreMap& map) {
  const attention::KeyRange seen = map.mask().range(asked.query, map.tokens(), map.tokens());
  return seen.first <= asked.key && asked.key < seen.end;
}

double weight_of(const MapAsked& asked, const ScoreMap& map, const WeightRow& row) {
  return is_seen(asked, map) ? std::exp(map.cell(asked.query, asked.key) - row.log_sum_exp) : 0;
}

}  // namespace

std::string map_worked(const MapAsked& asked, const ScoreMap& map, const WeightRow* row) {
  const double m = number(asked.query), n = number(asked.key), score = map.cell(asked.query, asked.key);
  const std::vector<double> q = map.queries().vector(asked.query), k = map.keys().vector(asked.key);
  std::vector<Term> parts;
  for (std::size_t j = 0; j < q.size(); ++j) parts.push_back(term(q[j]) * k[j]);
  const Term product = worked::sum(parts);
  Worked worked;
  worked.add(worked::subscripted("s", m, n),
             map.scale() == 1 ? product : worked::frac(product, sqrt(term(number(asked.content.width)))),
             score);
  if (row && is_seen(asked, map))
    worked.add(worked::subscripted("w", m, n), worked::exp(term(score) - row->log_sum_exp),
               weight_of(asked, map, *row));
  return worked.tex();
}

figure::Table map_cell_terms(const MapAsked& asked, const ScoreMap& map) {
  return cell_terms(map.queries().vector(asked.query), map.keys().vector(asked.key));
}

figure::Table chosen_cell(const MapAsked& asked, const ScoreMap& map, const WeightRow* row) {
  figure::Table table{
      "chosen",
      {{.name = "query", .digits = 12}, {.name = "key", .digits = 12}, {.name = "score", .digits = 12}}};
  add_row(table, asked.query, asked.key, map.cell(asked.query, asked.key));
  if (row) table.columns.push_back({.name = "weight", .values = {weight_of(asked, map, *row)}, .digits = 8});
  return table;
}

}  // namespace orrery::study
