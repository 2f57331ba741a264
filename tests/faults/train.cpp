// A small training that keeps itself in a file, for faults to happen to: train FILE STEPS. It goes on where the file is,
// and says how far it is. The same steps give the same bytes, whether the file was there or not.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "core/file/temporary.h"
#include "core/file/without_memory.h"
#include "core/training/trainer.h"
#include "tests/support/small_training.h"

namespace {

using namespace orrery::training;

using orrery::support::short_words;

TrainerSettings settings() {
  TrainerSettings s = orrery::support::small_training(20);
  s.schedule = {.kind = Schedule::Kind::cosine, .highest = 5e-3, .warm_up = 2, .steps = 20};
  return s;
}

[[gnu::constructor(101)]] void have_a_last_word() {
  orrery::file::say_without_memory("train: out of memory\n");
}

}  // namespace

int main(int argc, char** argv) {
  orrery::file::remove_temporaries_on_signals();
  try {
    if (argc != 3) throw std::runtime_error("two words: a file, and how many steps");
    const std::filesystem::path file = argv[1];
    Trainer trainer(settings());
    if (std::filesystem::exists(file)) trainer.load(file);
    while (trainer.steps() < std::atoi(argv[2])) {
      trainer.step(short_words.training(1, static_cast<std::uint64_t>(trainer.steps())));
      trainer.save(file);
    }
    std::printf("%d\n", static_cast<int>(trainer.steps()));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train: %s\n", error.what());
    return 1;
  }
}
