#include "core/training/growth.h"

#include <algorithm>
#include <cmath>

namespace orrery::training {
namespace {

using Model = transformer::Transformer<float>;

constexpr std::uint64_t look_seed = 779;

Batch mapped_batch(Task task) {
  return task == Task::copy ? CopyTask{}.of_length(mapped_word, 1, look_seed)
                            : MarkovTask{}.of_length(mapped_tokens, 1, look_seed);
}

/// The weights of one head, of a batch of one sequence.
tensor::View<const float> weights_of(const transformer::Tape<float>& tape, HeadPlace place) {
  const tensor::View<const float> all =
      tape.decoder.layers[static_cast<std::size_t>(place.layer)].self_attention.weights;
  return {all.data + place.head * mapped_tokens * all.stride, mapped_tokens, all.cols, all.stride};
}

double share_of(Task task, const std::vector<Index>& text, int which, tensor::View<const float> weights) {
  double sum = 0, queries = 0;
  for (Index t = 0; t < weights.rows; ++t) {
    bool any = false;
    for (Index n = 0; n <= t; ++n) {
      if (!is_looked_for(task, text, which, t, n)) continue;
      sum += weights(t, n);
      any = true;
    }
    queries += any ? 1 : 0;
  }
  return sum / queries;
}

std::array<HeadPlace, 2> telling_heads(Task task, const Model& model, std::span<const float> values) {
  transformer::Tape<float> tape;
  model.forward(values, mapped_batch(task), tape);
  const std::vector<Index> text = mapped_text(task);
  std::array<HeadPlace, 2> best{};
  std::array<double, 2> most{-1, -1};
  for (Index layer = 0; layer < model.config().layers; ++layer)
    for (Index head = 0; head < model.config().heads; ++head)
      for (int which = 0; which < 2; ++which) {
        const auto w = static_cast<std::size_t>(which);
        const double share = share_of(task, text, which, weights_of(tape, {layer, head}));
        if (share > most[w]) most[w] = share, best[w] = {layer, head};
      }
  return best;
}

void look_at_words(const Model& model, std::span<const float> values, const std::function<void()>& between,
                   GrowthLook& look) {
  constexpr Index words = 10, at_once = 10;
  transformer::Tape<float> tape;
  for (const Index n : growth_words) {
    double loss = 0, met = 0;
    for (Index first = 0; first < words; first += at_once) {
      between();
      const Score score = score_of(
          model, values,
          CopyTask{}.of_length(n, at_once, look_seed, static_cast<std::uint32_t>(n * words + first)), tape);
      loss += score.loss * static_cast<double>(at_once) / static_cast<double>(words);
      met += score.accuracy * static_cast<double>(at_once) / static_cast<double>(words);
    }
    look.loss.push_back(loss);
    look.accuracy.push_back(met);
  }
}

void look_at_chains(const Model& model, std::span<const float> values, const std::function<void()>& between,
                    GrowthLook& look) {
  constexpr Index tokens = 512, all = 16, at_once = 4;
  transformer::Tape<float> tape;
  const MarkovTask task;
  look.loss.assign(parts_within(tokens), 0);
  look.accuracy.assign(parts_within(tokens), 0);
  for (Index first = 0; first < all; first += at_once) {
    between();
    const Batch batch = task.of_length(tokens, at_once, look_seed, static_cast<std::uint32_t>(first));
    const std::vector<double> floor = task.floor_of(batch);
    const Score score = score_of(model, values, batch, tape);
    for (std::size_t part = 0; part < look.loss.size(); ++part) {
      const auto lo = static_cast<std::size_t>(place_edges[part]),
                 hi = static_cast<std::size_t>(place_edges[part + 1]);
      const double weight =
          static_cast<double>(at_once) / static_cast<double>(all) / static_cast<double>(hi - lo);
      for (std::size_t t = lo; t < hi; ++t) {
        double best = 0;
        for (Index b = 0; b < at_once; ++b)
          best += floor[static_cast<std::size_t>(b * tokens) + t] / static_cast<double>(at_once);
        look.loss[part] += weight * (score.loss_by_place[t] - best);
        look.accuracy[part] += weight * score.accuracy_by_place[t];
      }
    }
  }
}

GrowthLook looked(Task task, const Model& model, std::span<const float> values,
                  const std::array<HeadPlace, 2>& heads, const std::function<void()>& between) {
  GrowthLook look;
  if (task == Task::copy)
    look_at_words(model, values, between, look);
  else
    look_at_chains(model, values, between, look);
  transformer::Tape<float> tape;
  model.forward(values, mapped_batch(task), tape);
  const std::vector<Index> text = mapped_text(task);
  for (std::size_t which = 0; which < heads.size(); ++which) {
    const tensor::View<const float> weights = weights_of(tape, heads[which]);
    look.maps[which] = weights.eigen();
    look.share[which] = share_of(task, text, static_cast<int>(which), weights);
  }
  return look;
}

}  // namespace

std::vector<Index> mapped_text(Task task) {
  return mapped_batch(task).tokens;
}

bool is_looked_for(Task task, const std::vector<Index>& text, int which, Index query, Index key) {
  if (which == 1) return query > 0 && key == query - 1;
  if (task == Task::copy) return query > mapped_word && key == query - mapped_word;
  return key > 0 && key <= query &&
         text[static_cast<std::size_t>(key - 1)] == text[static_cast<std::size_t>(query)];
}

Growth growth(Task task, const Runner& runner, Index steps, std::uint64_t seed,
              const std::filesystem::path& folder, const Between& between) {
  constexpr double trained_share = 0.85;
  const Plan plan = trial_plan(task == Task::copy ? copy_trial : markov_trial, runner, steps, seed);
  const Trained trained = train(plan, folder, part_of(between, 0, trained_share));
  const Model model(plan.settings.model);
  Growth result{runner.key, task, seed, telling_heads(task, model, trained.values), {}};
  const double each = (1 - trained_share) / static_cast<double>(trained.looks.size());
  for (std::size_t i = 0; i < trained.looks.size(); ++i) {
    result.looks.push_back(looked(task, model, trained.looks[i], result.heads,
                                  [&] { between(trained_share + each * static_cast<double>(i)); }));
    result.looks.back().step = plan.looks[i];
  }
  return result;
}

}  // namespace orrery::training
