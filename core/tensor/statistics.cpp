#include "core/tensor/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/tensor/lanes.h"

namespace orrery::tensor {
namespace {

constexpr std::size_t summed_together = 512;

}  // namespace

/// So that squares of numbers up to `largest` are below 1. What was summed before is in the new unit then.
void Statistics::rescale(double largest) {
  const int needed = std::ilogb(largest) + 1;
  if (needed <= unit_) return;
  const int step = unit_ - needed;
  mean_ = std::ldexp(mean_, step);
  m2_ = std::ldexp(m2_, 2 * step);
  squares_ = std::ldexp(squares_, 2 * step);
  unit_ = needed;
}

void Statistics::count_magnitudes(std::span<const double> finite) {
  for (const double x : finite) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    if (x == 0) {
      ++zeros_;
      continue;
    }
    const int exponent = biased > 0 ? biased - 1023 : std::ilogb(x);
    ++magnitudes_[bits >> 63 ? 0 : 1][static_cast<std::size_t>(exponent - least_exponent)];
  }
}

void Statistics::add_finite(std::span<const double> chunk, std::int64_t offset) {
  const auto [least, most] = ends_of(chunk);
  const double largest = std::max(-least, most);
  if (largest > std::abs(farthest_) || farthest_at_ < 0) {
    const auto first = std::ranges::find_if(chunk, [&](double x) { return std::abs(x) == largest; });
    farthest_ = *first;
    farthest_at_ = offset + (first - chunk.begin());
  }
  histogram_.add(chunk, least, most);
  if (largest == 0)
    zeros_ += static_cast<std::int64_t>(chunk.size());
  else
    count_magnitudes(chunk);
  if (largest > 0) rescale(largest);
  const double unit = std::ldexp(1.0, -unit_);
  const auto n = static_cast<double>(chunk.size()), before = static_cast<double>(finite_);
  const double mean = lane_sum(chunk, [unit](double x) { return x * unit; }) / n;
  const double m2 = lane_sum(chunk, [unit, mean](double x) { return (x * unit - mean) * (x * unit - mean); });
  squares_ += lane_sum(chunk, [unit](double x) { return (x * unit) * (x * unit); });
  const double apart = mean - mean_, all = before + n;
  m2_ += m2 + apart * apart * (before / all) * n;
  mean_ += apart * (n / all);
  finite_ += static_cast<std::int64_t>(chunk.size());
}

void Statistics::add(std::span<const double> block) {
  summary_.add(block);
  for (; !block.empty(); block = block.subspan(std::min(summed_together, block.size()))) {
    const auto chunk = block.first(std::min(summed_together, block.size()));
    const bool whole = all_finite(chunk);
    // Stretches of finite numbers, so that each knows where it stands: mostly all of it.
    for (std::size_t from = 0; from < chunk.size();) {
      const auto rest = chunk.subspan(from);
      const auto end =
          whole ? rest.end() : std::ranges::find_if(rest, [](double x) { return !std::isfinite(x); });
      const auto finite = static_cast<std::size_t>(end - rest.begin());
      if (finite > 0) add_finite(rest.first(finite), count_ + static_cast<std::int64_t>(from));
      from += std::max<std::size_t>(1, finite);
    }
    count_ += static_cast<std::int64_t>(chunk.size());
  }
}

double Statistics::deviation() const {
  return finite_ == 0 ? NAN : std::ldexp(std::sqrt(m2_ / static_cast<double>(finite_)), unit_);
}

double Statistics::norm() const {
  return finite_ == 0 ? NAN : std::ldexp(std::sqrt(squares_), unit_);
}

std::vector<MagnitudeCount> Statistics::magnitudes() const {
  const auto& [negative, positive] = magnitudes_;
  std::vector<MagnitudeCount> all;
  std::size_t end = 0;
  for (std::size_t i = 0; i < negative.size(); ++i) {
    const bool there = negative[i] + positive[i] > 0;
    if (!there && all.empty()) continue;
    all.push_back({least_exponent + static_cast<int>(i), negative[i], positive[i]});
    if (there) end = all.size();
  }
  all.resize(end);
  return all;
}

void LargestRows::add(std::span<const double> block) {
  while (!block.empty()) {
    const auto now = std::min<std::size_t>(block.size(), static_cast<std::size_t>(width_ - in_row_));
    add_to_row(block.first(now));
    block = block.subspan(now);
    in_row_ += static_cast<std::int64_t>(now);
    if (in_row_ == width_) end_row();
  }
}

void LargestRows::add_to_row(std::span<const double> part) {
  const auto take = [&](double size) {
    if (size > scale_) {
      const double ratio = scale_ / size;
      sum_ = 1 + sum_ * ratio * ratio;
      scale_ = size;
    } else if (size > 0) {
      const double ratio = size / scale_;
      sum_ += ratio * ratio;
    }
  };
  // The square of none of them overflowed, nor was one that counts too small for a square: the part's norm is one number more.
  constexpr double tiny = 1e-280;
  const double squares = lane_sum(part, [](double x) { return x * x; });
  if (squares > tiny && std::isfinite(squares)) {
    take(std::sqrt(squares));
    return;
  }
  for (const double x : part) {
    if (std::isfinite(x)) {
      take(std::abs(x));
    } else {
      finite_ = false;
    }
  }
}

void LargestRows::end_row() {
  const Row row{row_++, scale_ * std::sqrt(sum_)};
  in_row_ = 0;
  scale_ = sum_ = 0;
  if (!std::exchange(finite_, true)) return;
  const auto place = std::ranges::find_if(rows_, [&](const Row& each) { return row.norm > each.norm; });
  if (place == rows_.end() && rows_.size() == kept_) return;
  rows_.insert(place, row);
  if (rows_.size() > kept_) rows_.pop_back();
}

}  // namespace orrery::tensor
