// Two tables of small models past the length that they were trained on, published for a seed or two, the same trained by
// PyTorch with several (tests/reference/make_race.py), and the same trained here: whether the numbers agree, and whether
// the schemes fall in the same order for every seed. For `./dev race --check`:
//
//   build/release/tests/race_check [--seeds N] [--copy | --chains] [--train-only]
//
// Models are kept (core/training/kept_training.h): what was trained before is only tested. `*` marks a mean that lies farther
// than 0.1 (shares copied) or 0.05 nat (losses) off the published number, `!` one that lies so far off the mean of PyTorch's
// seeds, and farther than twice the standard error of the difference of both means. The exit code is 1 where there is a
// mark, or where an order does not hold for all seeds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/training/rescue.h"
#include "tests/support/source.h"

namespace orrery::training {
namespace {

int seeds = 3;
int off_published = 0, off_every_seed = 0, off_torch = 0, told = 0, broken_orders = 0;

/// What PyTorch's seeds came to: of a training such as "copy/rope", under a key, the number i.
std::vector<double> of_torch(const std::string& training, const std::string& key, std::size_t i) {
  static const auto all = nlohmann::json::parse(std::ifstream(support::source("tests/reference/race.json")));
  std::vector<double> seeds_of;
  for (int seed = 1; all.contains(training + "/" + std::to_string(seed)); ++seed)
    seeds_of.push_back(all[training + "/" + std::to_string(seed)].at(key).at(i));
  return seeds_of;
}

void say(const std::string& what, double share) {
  std::fprintf(stderr, "\r\033[K%s %3.0f %%", what.c_str(), 100 * share);
}

Between telling(const std::string& what) {
  return [what](double share) {
    static int count = 0;
    if (++count % 64 == 0) say(what, share);
  };
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / double(values.size());
}

/// Of a mean: what the seeds say, or as many as there are of both.
double squared_error(const std::vector<double>& values, const std::vector<double>& others) {
  const std::vector<double>& seen = values.size() > 1 ? values : others;
  if (seen.size() < 2) return 0;
  double squares = 0;
  for (const double x : seen) squares += (x - mean(seen)) * (x - mean(seen));
  return squares / double(seen.size() - 1) / double(values.size());
}

/// One number of several seeds, beside the published ones and PyTorch's, whose means it is compared with.
void row(const std::string& name, const std::vector<double>& published, const std::vector<double>& torch,
         const std::vector<double>& ours, double allowed) {
  const double here = mean(ours);
  const auto off = [&](const std::vector<double>& there) {
    return !there.empty() && !(std::abs(here - mean(there)) <= allowed);
  };
  const bool by_chance =
      torch.empty() ||
      std::abs(here - mean(torch)) <= 2 * std::sqrt(squared_error(ours, torch) + squared_error(torch, ours));
  const bool other = off(torch) && !by_chance;
  ++told;
  off_published += off(published);
  const auto [least, most] = std::ranges::minmax(ours);
  off_every_seed += mean(published) < least - allowed || mean(published) > most + allowed;
  off_torch += other;
  std::printf("%c%c %-34s %8.3f ", off(published) ? '*' : ' ', other ? '!' : ' ', name.c_str(),
              mean(published));
  if (torch.empty())
    std::printf("%8s ", "");
  else
    std::printf("%8.3f ", mean(torch));
  std::printf("%8.3f   ", here);
  for (const double x : ours) std::printf(" %.3f", x);
  std::printf("\n");
}

void order(const std::string& what, const std::vector<bool>& by_seed) {
  const bool all = std::ranges::all_of(by_seed, [](bool b) { return b; });
  broken_orders += !all;
  std::printf("%c  %-80s", all ? ' ' : '!', what.c_str());
  for (const bool b : by_seed) std::printf(" %s", b ? "yes" : "NO");
  std::printf("\n");
}

struct Published {
  std::string_view key;
  std::vector<std::vector<double>> values;  // seed by seed
};

const Runner& runner(std::string_view key) {
  return *std::ranges::find(runners(), key, &Runner::key);
}

const std::vector<Published> copied_words{
    {"rope", {{1, .993, .930, .656, .082, .274, .016, .02}, {1, .996, .943, .655, .119, .409, .024, .02}}},
    {"alibi", {{1, .999, .998, .993, .972, .858, .693, .218}, {1, .999, .998, .997, .959, .847, .722, .376}}},
    {"t5", {{1, .997, .840, .753, .789, .439, .222, .047}}},
    {"none", {{1, .980, .924, .732, .303, .046, .03, .02}, {1, .977, .925, .744, .393, .084, .03, .02}}},
    {"learned", {{.992, .895, .112, .194, .228, .182, .090, .060}}},
    {"sinusoidal", {{.984, .841, .160, .068, .122, .095, .086, .019}}}};

// At 60 and at 120 tokens.
const std::vector<Published> copied_at_once{
    {"none", {{.08, .02}, {.12, .02}}},     {"pi", {{.36, .12}, {.33, .10}}},
    {"ntk", {{.29, .12}, {.37, .20}}},      {"by_parts", {{.97, .71}}},
    {"yarn", {{.956, .805}, {.963, .822}}}, {"yarn_paper_4", {{.971, .835}, {.983, .832}}}};

// At 60 tokens after 0, 50 and 150 steps.
const std::vector<Published> copied_tuned{{"none", {{.12, .55, .84}}},
                                          {"pi", {{.33, .76, .93}}},
                                          {"ntk", {{.37, .77, .93}}},
                                          {"yarn", {{.96, .98, .98}}}};

constexpr double share_allowed = 0.1, nat_allowed = 0.05;
constexpr Index copy_steps = 2000, chain_steps = 3000;

std::vector<std::vector<RescueResult>> rescued(Task task, Index steps) {
  std::vector<std::vector<RescueResult>> all;
  for (int seed = 1; seed <= seeds; ++seed)
    all.push_back(rescue(
        task, steps, std::uint64_t(seed), kept_folder(),
        telling((task == Task::copy ? "words, RoPE, seed " : "chains, RoPE, seed ") + std::to_string(seed))));
  return all;
}

const RescueResult& of(const std::vector<RescueResult>& results, std::string_view key) {
  return *std::ranges::find(results, key, &RescueResult::key);
}

template <class F>
std::vector<double> each(const std::vector<std::vector<RescueResult>>& all, std::string_view key, F f) {
  std::vector<double> values;
  for (const auto& results : all) values.push_back(f(of(results, key)));
  return values;
}

std::vector<double> column(const Published& published, std::size_t i) {
  std::vector<double> values;
  for (const auto& seed : published.values) values.push_back(seed[i]);
  return values;
}

void words(bool train_only) {
  const auto ropes = rescued(Task::copy, copy_steps);
  std::map<std::string_view, std::vector<RaceResult>> models;
  for (const Published& p : copied_words)
    for (int seed = 1; seed <= seeds; ++seed)
      models[p.key].push_back(race(runner(p.key), copy_steps, std::uint64_t(seed), kept_folder(),
                                   telling("words, " + std::string(p.key) + ", seed " + std::to_string(seed)))
                                  .front());
  if (train_only) return;
  std::printf("\nA. Words copied: the share of tokens    published  PyTorch     here    by seed\n");
  for (const Published& p : copied_words)
    for (std::size_t i = 0; i < race_lengths.size(); ++i) {
      std::vector<double> ours;
      for (const RaceResult& run : models[p.key]) ours.push_back(run.accuracy[i]);
      row(std::string(p.key) + ", " + std::to_string(race_lengths[i]), column(p, i),
          of_torch("copy/" + std::string(p.key), std::string(p.key), i), ours, share_allowed);
    }
  constexpr std::size_t at_60 = 4, at_120 = 6;
  for (const Published& p : copied_at_once)
    for (std::size_t i = 0; i < 2; ++i)
      row("RoPE at once, " + std::string(p.key) + ", " + (i == 0 ? "60" : "120"), column(p, i), {},
          each(ropes, p.key, [&](const RescueResult& r) { return r.at_once[i == 0 ? at_60 : at_120]; }),
          share_allowed);
  for (const Published& p : copied_tuned)
    for (std::size_t i = 0; i < tuning_steps.size(); ++i)
      row("RoPE, " + std::string(p.key) + ", 60, after " + std::to_string(tuning_steps[i]), column(p, i), {},
          each(ropes, p.key, [&](const RescueResult& r) { return r.tuned[i][1]; }), share_allowed);
}

// Losses from 32 to 64, 64 to 80, 96 to 128, 128 to 192, 224 to 256, 448 to 512.
const std::vector<Published> losses{{"rope", {{1.507, 1.449, 1.418, 1.463, 1.549, 1.757}}},
                                    {"rope+window", {{1.507, 1.467, 1.470, 1.470, 1.476, 1.484}}},
                                    {"rope+log_n", {{1.507, 1.449, 1.413, 1.431, 1.481, 1.684}}},
                                    {"alibi", {{1.552, 1.517, 1.472, 1.451, 1.434, 1.428}}},
                                    {"t5", {{1.508, 1.456, 1.459, 1.446, 1.454, 1.511}}},
                                    {"learned", {{1.512, 1.497, 1.528, 1.553, 1.577, 1.634}}},
                                    {"sinusoidal", {{1.506, 1.491, 1.523, 1.555, 1.591, 1.652}}},
                                    {"none", {{1.621, 1.600, 1.589, 1.609, 1.614, 1.666}}}};
constexpr double floors[] = {1.500, 1.441, 1.386, 1.345, 1.312, 1.280};
constexpr Index places[][2] = {{32, 64}, {64, 80}, {96, 128}, {128, 192}, {224, 256}, {448, 512}};
// The last eighth of 128, 256 and 512.
const std::vector<Published> last_eighths{
    {"none", {{1.416, 1.549, 1.757}}},          {"pi", {{1.872, 1.887, 1.920}}},
    {"ntk", {{1.414, 1.394, 1.538}}},           {"yarn", {{1.401, 1.366, 1.352}}},
    {"yarn_paper_32", {{1.521, 1.996, 1.989}}}, {"yarn_paper_4", {{1.394, 1.347, 1.356}}}};

/// The mean of the parts from one place to another.
double between_places(const std::vector<double>& parts, const Index (&place)[2]) {
  double sum = 0;
  for (std::size_t i = part_from(place[0]); i < part_from(place[1]); ++i)
    sum += parts[i] * double(place_edges[i + 1] - place_edges[i]) / double(place[1] - place[0]);
  return sum;
}

/// Above the floor, as a loss.
std::vector<double> lifted(std::vector<double> above, double floor) {
  for (double& x : above) x += floor;
  return above;
}

/// Under some rules alone.
std::vector<double> of_torch_at_once(std::string_view rule, std::size_t i) {
  constexpr std::string_view tried[] = {"none", "pi", "ntk", "yarn"};
  if (std::ranges::find(tried, rule) == std::end(tried)) return {};
  return of_torch("markov/rope", "rope at once, " + std::string(rule), i);
}

using Above = std::map<std::string, std::vector<std::vector<double>>, std::less<>>;

Above chain_models(const std::vector<std::vector<RescueResult>>& ropes) {
  Above above;
  for (const auto& results : ropes)
    for (const char* key : {"none", "window", "log_n"})
      above[std::string("rope") + (std::string_view(key) == "none" ? "" : "+" + std::string(key))].push_back(
          of(results, key).by_part);
  for (int seed = 1; seed <= seeds; ++seed)
    for (const char* key : {"alibi", "learned", "sinusoidal", "none", "t5"})
      above[key].push_back(
          chain_race(markov_trial, runner(key), chain_steps, std::uint64_t(seed), kept_folder(),
                     telling("chains, " + std::string(key) + ", seed " + std::to_string(seed)))
              .front()
              .above);
  return above;
}

void orders(const Above& above, const std::vector<std::vector<RescueResult>>& ropes) {
  const auto seed_by_seed = [&](auto holds) {
    std::vector<bool> all;
    for (std::size_t s = 0; s < ropes.size(); ++s) all.push_back(holds(s));
    return all;
  };
  const auto part = [&](const char* key, std::size_t seed, Index edge) {
    return above.find(key)->second[seed][part_from(edge)];
  };
  // How much farther above the floor from an edge on than just before L.
  const auto risen = [&](const char* key, std::size_t seed, Index edge) {
    return part(key, seed, edge) - part(key, seed, 48);
  };
  std::printf("\nOrders, seed by seed\n");
  order("learned and sinusoidal rise from 64 to 80, each over twice what RoPE does",
        seed_by_seed([&](auto s) {
          const double rope = std::max(0.0, risen("rope", s, 64));
          return risen("learned", s, 64) > 2 * rope && risen("sinusoidal", s, 64) > 2 * rope;
        }));
  order("RoPE later: at the end it lies farther off than both", seed_by_seed([&](auto s) {
          return part("rope", s, 448) > part("learned", s, 448) &&
                 part("rope", s, 448) > part("sinusoidal", s, 448);
        }));
  order("ALiBi keeps a gap, nowhere past L over 0.15 nat wider than at L", seed_by_seed([&](auto s) {
          double widest = 0;
          for (std::size_t i = part_from(64); i < above.find("alibi")->second[s].size(); ++i)
            widest = std::max(widest, above.find("alibi")->second[s][i]);
          return part("alibi", s, 48) > part("rope", s, 48) && widest < part("alibi", s, 48) + 0.15;
        }));
  order("none does not hold: over 0.1 nat farther off at the end than at L",
        seed_by_seed([&](auto s) { return risen("none", s, 448) > 0.1; }));
  const auto pi_is_worse = [&](std::size_t seed, std::size_t length) {
    return of(ropes[seed], "pi").at_once[length] > of(ropes[seed], "none").at_once[length];
  };
  order("PI at once is worse than nothing at 128 and at 256",
        seed_by_seed([&](auto s) { return pi_is_worse(s, 0) && pi_is_worse(s, 1); }));
  order("and at 512, where both are lost", seed_by_seed([&](auto s) { return pi_is_worse(s, 2); }));
  order("YaRN stays within 0.1 nat of the floor at 128, 256 and 512",
        seed_by_seed([&](auto s) { return std::ranges::max(of(ropes[s], "yarn").at_once) < 0.1; }));
}

void chains(bool train_only) {
  const auto ropes = rescued(Task::markov, chain_steps);
  const Above above = chain_models(ropes);
  if (train_only) return;
  const std::vector<double> floor = floor_by_part(512, [] {});
  std::printf("\nB. Chains: the loss in nat              published  PyTorch     here    by seed\n");
  for (std::size_t i = 0; i < std::size(places); ++i)
    row("the best that can be known, from " + std::to_string(places[i][0]), {floors[i]}, {},
        {between_places(floor, places[i])}, nat_allowed);
  for (const Published& p : losses)
    for (std::size_t i = 0; i < std::size(places); ++i) {
      const double best = between_places(floor, places[i]);
      std::vector<double> ours;
      for (const auto& parts : above.find(p.key)->second)
        ours.push_back(best + between_places(parts, places[i]));
      row(std::string(p.key) + ", from " + std::to_string(places[i][0]), column(p, i),
          lifted(of_torch("markov/" + std::string(p.key), std::string(p.key), i), best), ours, nat_allowed);
    }
  for (const Published& p : last_eighths)
    for (std::size_t i = 0; i < rescue_chains.size(); ++i) {
      const double best = floor[parts_within(rescue_chains[i]) - 1];
      row("RoPE at once, " + std::string(p.key) + ", " + std::to_string(rescue_chains[i]), column(p, i),
          lifted(of_torch_at_once(p.key, i), best),
          each(ropes, p.key, [&](const RescueResult& r) { return best + r.at_once[i]; }), nat_allowed);
    }
  orders(above, ropes);
}

int run(int count, char** arguments) {
  bool copy = true, markov = true, train_only = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--copy")
      markov = false;
    else if (word == "--chains")
      copy = false;
    else if (word == "--train-only")
      train_only = true;
    else if (word == "--seeds" && i + 1 < count)
      seeds = std::atoi(arguments[++i]);
    else
      seeds = 0;
  }
  if (seeds < 1 || !(copy || markov)) {
    std::fprintf(stderr, "race_check: allowed: --seeds N (1 and more), --copy or --chains, --train-only\n");
    return 2;
  }
  if (copy) words(train_only);
  if (markov) chains(train_only);
  std::fprintf(stderr, "\r\033[K");
  if (train_only) return 0;
  std::printf(
      "\nOf %d means %d lie farther off the published number than allowed, which is one seed's, and %d of these numbers that "
      "far off all seeds here; %d means lie off the mean of PyTorch's seeds; %d orders do not hold for all seeds.\n",
      told, off_published, off_every_seed, off_torch, broken_orders);
  return off_published + off_torch + broken_orders > 0 ? 1 : 0;
}

}  // namespace
}  // namespace orrery::training

int main(int count, char** arguments) {
  return orrery::training::run(count, arguments);
}
