#include "app/study/norm/speed_results.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "app/study/kit/kept_results.h"
#include "core/bench/benchmark.h"
#include "core/bench/device_work.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

// assets/measured/*.txt
extern const tensor::EmbeddedFile measured_results[];
extern const int measured_results_count;

namespace {

constexpr int rounds_measured = speed_samples / bench::norm_ways - 1;
constexpr std::string_view rate_unit = " Gflop/s";

[[noreturn]] void refuse(std::string_view found) {
  throw InvalidArgument(about(Subject::Kind::parameter, "results")
                            .found_text(found)
                            .allowed("the line that a figure with measure=on keeps in its recipe"));
}

/// A number above 0, which is all there is in such a line.
double number_in(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(x) || x <= 0) refuse(text);
  return x;
}

tensor::Index size_in(std::string_view text) {
  constexpr double most = 1 << 20;
  const double x = number_in(text);
  if (x != std::floor(x) || x > most) refuse(text);
  return static_cast<tensor::Index>(x);
}

}  // namespace

std::string text_of(const SpeedResults& results) {
  const bench::NormTimes& t = results.times;
  std::string text = results.where + "; " + std::to_string(t.rows) + "x" + std::to_string(t.width) + "; " +
                     five_digits(t.gigaflops) + std::string(rate_unit);
  for (const auto& round : t.rounds) {
    text += ";";
    for (const double ms : round) text += " " + five_digits(ms);
  }
  return text;
}

SpeedResults speed_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  constexpr std::size_t before_rounds = 3;
  if (entries.size() <= before_rounds || !entries[2].ends_with(rate_unit)) refuse(text);
  const std::vector<std::string_view> sizes = parts(entries[1], 'x');
  if (sizes.size() != 2) refuse(entries[1]);
  SpeedResults results{std::string(entries[0]), {size_in(sizes[0]), size_in(sizes[1]), 0, {}}};
  results.times.gigaflops = number_in(entries[2].substr(0, entries[2].size() - rate_unit.size()));
  for (std::size_t i = before_rounds; i < entries.size(); ++i) {
    const std::vector<std::string_view> ms = parts(entries[i], ' ');
    if (ms.size() != bench::norm_ways) refuse(entries[i]);
    auto& round = results.times.rounds.emplace_back();
    std::ranges::transform(ms, round.begin(), number_in);
  }
  return results;
}

SpeedResults shipped_speed(tensor::Index rows, tensor::Index width) {
  for (int i = 0; i < measured_results_count; ++i)
    for (const std::string_view line : parts(measured_results[i].text, '\n'))
      if (SpeedResults results = speed_results(line);
          results.times.rows == rows && results.times.width == width)
        return results;
  throw Failure(wrong("no result of this size came with the program"));
}

SpeedResults measured_speed(tensor::Index rows, tensor::Index width, const std::function<void()>& between) {
  const int threads = bench::threads();
  return {plain(bench::machine()) + ", " + std::to_string(threads) +
              (threads == 1 ? " thread, " : " threads, ") + today(),
          bench::measure_norms(rows, width, rounds_measured, between)};
}

SpeedResults measured_speed_on_device(tensor::Index rows, tensor::Index width,
                                      const std::function<void()>& between) {
  // "llvmpipe (LLVM 15.0.6, 256 bits)": a comma ends the name of what was measured.
  std::string name = gpu::Device::of_this_thread().info().renderer;
  std::erase(name, ',');
  return {plain(name) + ", " +
              (bench::DeviceClock::of_this_thread().by_device() ? "own clock" : "wall clock") + ", " +
              today(),
          bench::measure_norms_on_device(rows, width, rounds_measured, between)};
}

}  // namespace orrery::study
