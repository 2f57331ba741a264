#include "tests/bench/peer.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace orrery::peer {
namespace {

/// How far from 0 the numbers go: 3, or what compare.py --spread says.
double spread() {
  const char* asked = std::getenv("ORRERY_SPREAD");
  return asked ? std::atof(asked) : 3;
}

/// Multiples of the golden ratio, modulo 1, spread over −3 … 3: no two near each other, the same in every language.
void fill(std::span<float> x, std::size_t which) {
  const double most = spread();
  constexpr double golden = 0.6180339887498949;
  const double start = 1 + 1000003.0 * static_cast<double>(which);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(2 * most * std::fmod((static_cast<double>(i) + start) * golden, 1.0) - most);
}

void print_values(std::span<const float> y) {
  std::printf("values");
  for (std::size_t i = 0; i < 16; ++i) std::printf(" %.9g", static_cast<double>(y[i * (y.size() - 1) / 15]));
  std::printf("\n");
}

double mean_ms(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  const auto elapsed = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  const auto warm = Clock::now();
  call();
  const int repeats = std::max(1, static_cast<int>(20 / std::max(1e-3, elapsed(warm))));
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) call();
  return elapsed(start) / repeats;
}

}  // namespace

int serve(const std::string& version, const Loader& loader, const std::vector<std::string>& names) try {
  std::optional<Contest> contest;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with("load ")) {
      contest.reset();  // its arrays go before the next ones come
      contest = loader(line.substr(5));
      if (contest) {
        for (std::size_t k = 0; k < contest->inputs.size(); ++k) fill(contest->inputs[k], k);
        contest->call();
        print_values(contest->output);
      } else {
        std::printf("none\n");
      }
    } else if (line == "time" && contest) {
      if (contest->time) {
        const auto [ms, fraction] = contest->time();
        std::printf("ms %.6g %.4g\n", ms, fraction);
      } else {
        std::printf("ms %.6g\n", mean_ms(contest->call));
      }
    } else if (line == "version") {
      std::printf("version %s\n", version.c_str());
    } else if (line == "list") {
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : "|") + name;
      std::printf("cases %s\n", all.c_str());
    } else {
      std::printf("error: list, or load NAME, then time\n");
    }
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  std::printf("error: %s\n", error.what());
  return 1;
}

}  // namespace orrery::peer
