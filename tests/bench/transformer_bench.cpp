// What a training step of a small model costs: forward, loss and backward in float. 2 layers, D 64, 4 heads, 256 hidden units,
// 256 tokens, learned positions, LayerNorm before each part, GELU:
//
//   build/release/tests/transformer_bench LENGTH SEQUENCES [STEPS]       the middle and the least of so many
//   build/release/tests/transformer_bench LENGTH SEQUENCES ask           one step for each line that comes in, its milliseconds
//                                                                        on a line: for tests/bench/transformer_step.py;
//                                                                        `processor`: those that all processors spent
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/transformer/initialise.h"

namespace orrery::transformer {
namespace {

class Steps {
 public:
  Steps(Index length, Index sequences) : model_(config(length)), values_(initial_values(model_, {}, 1)) {
    batch_ = {.sequences = sequences, .length = length};
    for (Index n = 0; n < sequences * length; ++n) {
      batch_.tokens.push_back(n * n % 251);
      batch_.targets.push_back((n + 1) * (n + 1) % 251);
    }
    gradient_.resize(values_.size());
  }

  double milliseconds() {
    const auto start = std::chrono::steady_clock::now();
    std::fill(gradient_.begin(), gradient_.end(), 0.0F);
    model_.forward(values_, batch_, tape_);
    loss_ = model_.loss(batch_, tape_);
    model_.backward(values_, batch_, tape_, gradient_);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  double loss() const { return loss_; }

 private:
  static Config config(Index length) {
    Config c;
    c.length = length;
    return c;
  }

  Transformer<float> model_;
  std::vector<float> values_, gradient_;
  Batch batch_;
  Tape<float> tape_;
  double loss_ = 0;
};

long kilobytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

/// Milliseconds since `start`.
double processor_since(std::clock_t start) {
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void answer(Steps& steps, bool processor) {
  for (int c = 0; (c = std::getchar()) != EOF;) {
    if (c != '\n') continue;
    const std::clock_t start = std::clock();
    const double waited = steps.milliseconds();
    std::printf("%.6f\n", processor ? processor_since(start) : waited);
    std::fflush(stdout);
  }
}

void measure(Steps& steps, int count) {
  std::vector<double> times;
  for (int k = 0; k < 3; ++k) steps.milliseconds();
  const long before = kilobytes();
  const std::clock_t start = std::clock();
  for (int k = 0; k < count; ++k) times.push_back(steps.milliseconds());
  const double processor = processor_since(start) / count;
  std::ranges::sort(times);
  std::printf(
      "median %.2f ms, least %.2f ms, all processors %.2f ms, loss %.4f; memory %ld kB, %ld kB more than after three steps\n",
      times[times.size() / 2], times[0], processor, steps.loss(), kilobytes(), kilobytes() - before);
}

}  // namespace
}  // namespace orrery::transformer

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "transformer_bench LENGTH SEQUENCES [STEPS|ask|processor]\n");
    return 2;
  }
  orrery::transformer::Steps steps(std::atol(argv[1]), std::atol(argv[2]));
  const std::string asked = argc > 3 ? argv[3] : "";
  if (asked == "ask" || asked == "processor")
    orrery::transformer::answer(steps, asked == "processor");
  else
    orrery::transformer::measure(steps, argc > 3 ? std::atoi(argv[3]) : 20);
}
