#include "app/study/attention/cache_life.h"

#include <numeric>

namespace orrery::study::attention_cache {

using position::RopeLayout;

namespace {

constexpr double no_key = -std::numeric_limits<double>::infinity();

Matrix rows_of(const Matrix& x, std::span<const Index> tokens) {
  Matrix rows(std::ssize(tokens), x.cols());
  for (std::size_t r = 0; r < tokens.size(); ++r) rows.row(static_cast<Index>(r)) = x.row(tokens[r]);
  return rows;
}

std::vector<Index> tokens_of(const CachePass& pass) {
  std::vector<Index> tokens;
  for (const CachedKey& key : pass.keys) tokens.push_back(key.token);
  return tokens;
}

/// Everything a life is worked out with.
class Working {
 public:
  Working(const Run& run, Asked& asked) : run_(run), asked_(asked) {}

  Matrix turned(const Matrix& rows, std::span<const TurnedWith> with, ScoreSide side) {
    return twin::rope(run_, rows, asked_.turning.table(with, side), RopeLayout::half);
  }

  /// The last queries of all passes, each turned as `with` says.
  Matrix queries(const std::vector<CachePass>& passes, auto&& with) {
    std::vector<Index> tokens;
    std::vector<TurnedWith> all;
    for (const CachePass& pass : passes) {
      tokens.push_back(pass.last().token);
      all.push_back(with(pass.last()));
    }
    return turned(rows_of(asked_.q, tokens), all, ScoreSide::query);
  }

  /// Turns on by the difference what lies in the cache, and turns what is read in this pass.
  void read(const CachePass& pass) {
    const std::size_t held = pass.keys.size() - static_cast<std::size_t>(pass.fed);
    std::vector<TurnedWith> fresh;
    for (std::size_t slot = 0; slot < pass.keys.size(); ++slot) {
      const CachedKey& key = pass.keys[slot];
      const auto token = static_cast<std::size_t>(key.token);
      if (slot >= held)
        fresh.push_back(key.cached);
      else if (key.cached != now_[token]) {
        later_.push_back(key.token);
        differences_.push_back(asked_.turning.difference(now_[token], key.cached));
        ++times_[token];
      }
      now_[token] = key.cached;
    }
    turn_on();
    const Matrix keys = asked_.k.middleRows(pass.first, pass.fed);
    cache_.middleRows(pass.first, pass.fed) = turned(keys, fresh, ScoreSide::key);
  }

  Matrix cache_of(const CachePass& pass) const { return rows_of(cache_, tokens_of(pass)); }
  Index most_times() const { return *std::ranges::max_element(times_); }

  /// A row of scores of one query, put where its keys' tokens are.
  void look(Looks& looks, Index pass, const Matrix& query, const Matrix& keys,
            std::span<const Index> tokens) {
    const Matrix scores =
        twin::scores(run_, query, keys, {.scale = 1 / std::sqrt(number(query.cols())), .mask = {}});
    for (std::size_t n = 0; n < tokens.size(); ++n)
      looks.scores(pass, tokens[n]) = scores(0, static_cast<Index>(n));
    longest_ = std::max(longest_, query.norm() * keys.rowwise().norm().maxCoeff());
  }
  double longest() const { return longest_; }

 private:
  void turn_on() {
    if (later_.empty()) return;
    const auto count = static_cast<Index>(later_.size());
    position::RopeTable table{{count, cache_.cols() / 2}, {count, cache_.cols() / 2}};
    for (Index r = 0; r < count; ++r) {
      table.cos.row(r) = differences_[static_cast<std::size_t>(r)].cos;
      table.sin.row(r) = differences_[static_cast<std::size_t>(r)].sin;
    }
    const Matrix on = twin::rope(run_, rows_of(cache_, later_), table, RopeLayout::half);
    for (Index r = 0; r < count; ++r) cache_.row(later_[static_cast<std::size_t>(r)]) = on.row(r);
    later_.clear();
    differences_.clear();
  }

  const Run& run_;
  Asked& asked_;
  Matrix cache_{asked_.plan.tokens(), asked_.turning.width};
  std::vector<TurnedWith> now_ = std::vector<TurnedWith>(static_cast<std::size_t>(asked_.plan.tokens()));
  std::vector<Index> times_ = std::vector<Index>(now_.size(), 0);
  std::vector<Index> later_;
  std::vector<position::RopeTable> differences_;
  double longest_ = 0;
};

/// A token at its place in the text, with the frequencies of a text of so many tokens.
TurnedWith in_text(const CachePlan& plan, Index token, Index tokens) {
  return {plan.first_position() + number(token), plan.first_position() + number(tokens)};
}

std::vector<TurnedWith> all_in_text(const CachePlan& plan, Index tokens) {
  std::vector<TurnedWith> all;
  for (Index n = 0; n < tokens; ++n) all.push_back(in_text(plan, n, tokens));
  return all;
}

std::vector<TurnedWith> right_of(const CachePass& pass) {
  std::vector<TurnedWith> all;
  for (const CachedKey& key : pass.keys) all.push_back(key.right);
  return all;
}

std::vector<Index> first_tokens(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

bool CacheLife::evicts() const {
  return std::ranges::any_of(passes, [](const CachePass& pass) { return !pass.evicted.empty(); });
}

CacheLife life_of(const Run& run, Asked& asked) {
  CacheLife life{.passes = attention::cache_timeline(asked.plan)};
  const Index passes = std::ssize(life.passes), tokens = asked.plan.tokens();
  for (Looks* looks : {&life.cached, &life.recomputed, &life.whole})
    looks->scores = Matrix::Constant(passes, tokens, no_key);
  Working work(run, asked);
  const Matrix as_cached = work.queries(life.passes, [](const CachedKey&key) { return key.cached; }),
               right = work.queries(life.passes, [](const CachedKey&key) { return key.right; }),
               text = work.queries(life.passes, [&](const CachedKey&key) {
                 return in_text(asked.plan, key.token, key.token + 1);
               });
  life.whole_differs = life.evicts() || (asked.plan.renumbered && asked.plan.first_position() > 0);
  for (Index p = 0; p < passes; ++p) {
    run.check();
    run.progress(0.9 * number(p) / number(passes));
    const CachePass& pass = life.passes[static_cast<std::size_t>(p)];
    const std::vector<Index> held = tokens_of(pass);
    work.read(pass);
    life.last_keys = work.cache_of(pass);
    work.look(life.cached, p, as_cached.row(p), life.last_keys, held);
    const Index so_far = pass.first + pass.fed;
    Matrix whole;
    if (life.whole_differs) {
      whole = work.turned(asked.k.topRows(so_far), all_in_text(asked.plan, so_far), ScoreSide::key);
      work.look(life.whole, p, text.row(p), whole, first_tokens(so_far));
    }
    const bool where_they_were =
        life.whole_differs && !asked.plan.renumbered;  // the held keys are some of the whole text's
    work.look(life.recomputed, p, right.row(p),
              where_they_were ? rows_of(whole, held)
                              : work.turned(rows_of(asked.k, held), right_of(pass), ScoreSide::key),
              held);
  }
  if (!life.whole_differs) life.whole = life.recomputed;
  for (Looks* looks : {&life.cached, &life.recomputed, &life.whole})
    looks->weights = twin::softmax(run, looks->scores, {});
  life.turned_on = work.most_times();
  life.longest_product = work.longest();
  return life;
}

double elsewhere(const Looks& a, const Looks& b, Index pass) {
  return 0.5 * (a.weights.row(pass) - b.weights.row(pass)).cwiseAbs().sum();
}

double score_difference(const Looks& a, const Looks& b, Index pass) {
  Worst worst;
  for (Index n = 0; n < a.scores.cols(); ++n)
    if (a.scores(pass, n) != no_key && b.scores(pass, n) != no_key)
      worst.meet(std::abs(a.scores(pass, n) - b.scores(pass, n)));
  return worst;
}

}  // namespace orrery::study::attention_cache
