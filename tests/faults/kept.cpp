// A training that is kept in a folder, for faults to happen to: kept FOLDER STEPS stops after so many steps, of 40, as a person
// stops it. It says "begun anew", and ends with 3, where steps are taken that were kept.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "core/file/listing.h"
#include "core/file/temporary.h"
#include "core/file/without_memory.h"
#include "core/training/kept_training.h"
#include "tests/support/small_training.h"

namespace {

using namespace orrery::training;

constexpr std::int64_t steps = 40, looked_at = 25;

struct Stopped {};
struct BegunAnew {};

Plan plan(std::uint64_t kept, std::uint64_t stop) {
  Plan plan;
  plan.settings = orrery::support::small_training(static_cast<double>(steps));
  plan.task = "easy";
  plan.steps = steps;
  plan.looks = {0, 10, looked_at};
  plan.batch = [kept, stop](std::uint64_t step) {
    if (step < kept) throw BegunAnew();
    if (step >= stop) throw Stopped();
    return orrery::support::short_words.training(1, step);
  };
  return plan;
}

/// Of the last checkpoint, by its name; 0 without one.
std::uint64_t kept_in(const std::filesystem::path& folder) {
  std::uint64_t most = 0;
  orrery::file::Listing files(folder);
  while (const auto file = files.next()) {
    const std::filesystem::path name = file->filename();
    if (name.extension() != ".safetensors" || name.native().starts_with('.')) continue;
    most = std::max<std::uint64_t>(most, std::strtoull(name.stem().extension().c_str() + 1, nullptr, 10));
  }
  return most;
}

[[gnu::constructor(101)]] void have_a_last_word() {
  orrery::file::say_without_memory("kept: out of memory\n");
}

}  // namespace

int main(int argc, char** argv) {
  orrery::file::remove_temporaries_on_signals();
  try {
    if (argc != 3) throw std::runtime_error("two words: a folder, and after how many steps it stops");
    const std::filesystem::path folder = argv[1];
    train(plan(kept_in(folder), std::strtoull(argv[2], nullptr, 10)), folder, [](double) {});
    return 0;
  } catch (const Stopped&) {
    return 0;
  } catch (const BegunAnew&) {
    std::fprintf(stderr, "kept: begun anew\n");
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kept: %s\n", error.what());
    return 1;
  }
}
