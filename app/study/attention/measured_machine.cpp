#include "app/study/attention/measured_machine.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "app/study/kit/kept_results.h"
#include "app/study/norm/speed_results.h"
#include "core/bench/benchmark.h"
#include "core/bench/device_work.h"
#include "core/bench/statistics.h"
#include "core/tensor/error.h"

namespace orrery::study::attention_memory {
namespace {

constexpr std::string_view arithmetic_unit = " Gflop/s", memory_unit = " GB/s";

[[noreturn]] void refuse(std::string_view found) {
  throw InvalidArgument(about(Subject::Kind::parameter, "results")
                            .found_text(found)
                            .allowed("the line that a figure with measure=on keeps in its recipe"));
}

double rate_in(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) refuse(text);
  const std::string_view digits = text.substr(0, text.size() - unit.size());
  double x = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
  constexpr double most = 1e9;
  if (error != std::errc() || end != digits.data() + digits.size() || !(x > 0 && x < most)) refuse(text);
  return x;
}

}  // namespace

std::string text_of(const MeasuredMachine& machine) {
  return machine.where + "; " + five_digits(machine.limits.gigaflops) + std::string(arithmetic_unit) + "; " +
         five_digits(machine.limits.gigabytes) + std::string(memory_unit);
}

MeasuredMachine measured_machine(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() != 3) refuse(text);
  return {std::string(entries[0]),
          {.gigabytes = rate_in(entries[2], memory_unit), .gigaflops = rate_in(entries[1], arithmetic_unit)}};
}

MeasuredMachine shipped_machine() {
  constexpr tensor::Index side = 4096;  // past the caches
  const SpeedResults results = shipped_speed(side, side);
  std::vector<double> copies;
  for (const auto& round : results.times.rounds) copies.push_back(round.front());
  const double bytes = bench::norm_work(bench::NormWay::copy, side, side).bytes;
  return {results.where,
          {.gigabytes = bytes / bench::median(copies) * 1e-6, .gigaflops = results.times.gigaflops}};
}

MeasuredMachine measure_processor(const std::function<void()>& between) {
  const int threads = bench::threads();
  return {plain(bench::machine()) + ", " + std::to_string(threads) +
              (threads == 1 ? " thread, " : " threads, ") + today(),
          bench::measure_limits(between)};
}

MeasuredMachine measure_device(const std::function<void()>& between) {
  std::string name = gpu::Device::of_this_thread().info().renderer;
  std::erase(name, ',');  // a comma ends the name of what was measured
  return {plain(name) + ", " +
              (bench::DeviceClock::of_this_thread().by_device() ? "own clock" : "wall clock") + ", " +
              today(),
          bench::measure_limits_on_device(between)};
}

}  // namespace orrery::study::attention_memory
