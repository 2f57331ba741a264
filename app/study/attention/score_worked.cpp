#include "app/study/attention/score_worked.h"

namespace orrery::study::attention_scores {
namespace {

Term dot_product(const Attention& a, Index m, Index n) {
  std::vector<Term> parts;
  const Vectors& v = a.meeting.of(m, n);
  for (Index j = 0; j < a.content.width(); ++j) parts.push_back(term(v.q(m, j)) * v.k(n, j));
  return worked::sum(parts);
}

/// q·k over the width, as `scaled` says; a product that nothing divides is the sum of its terms.
Term scaled_product(const Settings& settings, const Attention& a, Index m, Index n) {
  const std::string& by = settings.choice("scaled");
  const double product = a.products(m, n);
  const Term d(number(a.content.width()));
  if (by == "d") return worked::frac(product, d);
  if (by == "root_d") return worked::frac(product, sqrt(d));
  return dot_product(a, m, n);
}

/// What makes a score of it, one step after another: log n, the cap, the bias.
Term score_term(const Settings& settings, const Attention& a, Index m, Index n) {
  const attention::ScoresParams params = score_params(settings, a.content.width());
  Term s = scaled_product(settings, a, m, n);
  if (params.log_n) {
    const Term keys(number(params.seen(m, a.content.length(), a.content.length())));
    const Term grown = worked::frac(ln(keys), ln(term(params.log_n->trained)));
    s = (params.log_n->clipped ? max(1, grown) : grown) * s;
  }
  if (params.cap) s = term(*params.cap) * tanh(worked::frac(s, *params.cap));
  return a.bias.size() > 0 ? s + a.bias(m, n) : s;
}

/// 1 over the sum of all exponentials, each beside that of the key's own score; a sink's stands among them.
Term weight_term(const Settings& settings, const Attention& a, Index m, Index n) {
  const double temperature = settings.real("temperature"), score = a.masked(m, n);
  const auto beside = [&](double other) {
    const Term apart = term(other) - score;
    return exp(temperature == 1 ? apart : worked::frac(apart, temperature));
  };
  std::vector<Term> all;
  if (const auto sink = softmax_params(settings).sink) all.push_back(beside(*sink));
  for (Index j = 0; j < a.masked.cols(); ++j)
    if (std::isfinite(a.masked(m, j))) all.push_back(j == n ? Term(1) : beside(a.masked(m, j)));
  return worked::frac(1, worked::sum(all));
}

Term output_term(const Attention& a, Index m) {
  std::vector<Term> parts;
  for (Index j = 0; j < a.weights.cols(); ++j)
    if (std::isfinite(a.masked(m, j))) parts.push_back(term(a.weights(m, j)) * a.content.v(j, 0));
  return worked::sum(parts);
}

}  // namespace

MapCell worked_cell(const Attention& a, const Framed& framed) {
  Index n = 0;
  a.weights.row(framed.query).maxCoeff(&n);
  return {framed.query, framed.key.value_or(n)};
}

std::string worked_scores(const Settings& settings, const Attention& a, MapCell cell) {
  const Index m = cell.query, n = cell.key;
  const bool seen = std::isfinite(a.masked(m, n));
  Worked worked;
  if (settings.choice("scaled") != "none")
    worked.add(worked::subscripted("q", number(m)) + "^T " + worked::subscripted("k", number(n)),
               dot_product(a, m, n), a.products(m, n));
  worked.add(subscripted("s", number(m), number(n)), score_term(settings, a, m, n),
             seen ? a.masked(m, n) : a.free(m, n));
  if (seen && a.weights(m, n) > 0)
    worked.add(subscripted("A", number(m), number(n)), weight_term(settings, a, m, n), a.weights(m, n));
  return worked.add(subscripted("o", number(m), 0), output_term(a, m), a.outputs(m, 0)).tex();
}

}  // namespace orrery::study::attention_scores
