// Random settings drawn from a study's own declarations, and what two results must share to be the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/study.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::study {

/// Three whole numbers in four are no larger than this where the declaration allows it: small sizes are quick, and have the
/// edges. The others are of the whole range, as often from 1000 to 2000 as from 100 000 to 200 000.
inline constexpr double small_size = 96;

inline double between(double u, double lo, double hi, bool log) {
  if (!log) return lo + u * (hi - lo);
  const double shift = lo > 0 ? 0 : 1 - lo;
  return std::exp(std::log(lo + shift) + u * (std::log(hi + shift) - std::log(lo + shift))) - shift;
}

inline parameter::Value drawn(const parameter::Parameter& p, const tensor::Random& random,
                              std::uint64_t& counter) {
  using parameter::Kind;
  const auto u = [&] { return random.uniform(counter++); };
  switch (p.kind) {
    case Kind::integer: {
      const bool whole_range = u() < 0.25;
      const double high = whole_range ? p.max : std::max(p.min, std::min(p.max, small_size));
      const double x = between(u(), p.min, high, whole_range || p.travel != parameter::Travel::linear);
      const auto steps = static_cast<std::int64_t>(x / p.multiple);
      return std::max(steps * p.multiple, static_cast<std::int64_t>(p.min));
    }
    case Kind::real:
      return std::clamp(between(u(), p.min, p.max, p.travel == parameter::Travel::log), p.min, p.max);
    case Kind::choice: {
      const auto choices = parameter::choices_of(p);
      return std::string(choices[static_cast<std::size_t>(u() * static_cast<double>(choices.size()))]);
    }
    case Kind::toggle:
      return u() < 0.5 && !p.measures;
    case Kind::vector: {
      std::vector<double> v(p.length > 0 ? p.length : 1 + static_cast<int>(u() * 4));
      for (double& x : v) x = between(u(), p.min, p.max, false);
      return v;
    }
    case Kind::text: {
      constexpr std::string_view alphabet[] = {"a", "e", "t", " ", "é", "语", "9", "'", "=", "."};
      const double high = std::min(p.max, std::max(p.min, 0.0) + 24);
      const auto length = static_cast<int>(between(u(), std::max(p.min, 0.0), high + 1, false));
      std::string text;
      for (int i = 0; i < length; ++i) text += alphabet[static_cast<std::size_t>(u() * std::size(alphabet))];
      return text;
    }
    case Kind::matrix: {
      const auto size = [&](int fixed) {
        return static_cast<std::size_t>(fixed > 0 ? fixed : 1 + static_cast<int>(u() * 4));
      };
      parameter::Matrix m{size(p.rows), size(p.length), {}};
      for (std::size_t i = 0; i < m.rows * m.columns; ++i)
        m.values.push_back(between(u(), p.min, p.max, false));
      return m;
    }
    case Kind::file:
      break;
  }
  return std::string();
}

inline parameter::Settings drawn(const Study& study, std::uint64_t seed) {
  parameter::Settings settings(study.parameters);
  const tensor::Random random(seed);
  std::uint64_t counter = 0;
  for (const auto& p : study.parameters) {
    if (p.presentation && p.kind == parameter::Kind::text)
      continue;  // what was measured and kept: no line of chance is that
    settings.set(p.name, drawn(p, random, counter));
  }
  return settings;
}

inline constexpr int quick = 2000;  // a second or two

/// How many settings chance draws for a property of every study, and how many of them are to be done within `quick`. What a
/// sanitizer looks for lies in the code that is walked through, and it walks ten times as slowly: a few settings do.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t settings_of_chance = 6;
inline constexpr int done_at_least = 3;
#else
inline constexpr std::uint64_t settings_of_chance = 40;
inline constexpr int done_at_least = 30;
#endif

/// What is computed with no more than so many checks, whatever the machine: sizes of the whole range may take longer than
/// tests have, and then there is nothing.
inline std::optional<StudyResult> within(int checks, DeviceChoice device, const Study& study,
                                         const parameter::Settings& settings) try {
  std::stop_source source;
  study::Run run;
  run.device = device;
  run.stop = source.get_token();
  run.on_check = [&] {
    if (--checks < 0) source.request_stop();
  };
  return study.compute(settings, run);
} catch (const Cancelled&) {
  return std::nullopt;
}

inline std::string described(const parameter::Settings& settings) {
  std::string text;
  for (const auto& p : settings.declared()) text += std::string(p.name) + "=" + settings.text(p.name) + " ";
  return text;
}

/// All numbers of a result, in order: tables, checks, and the coordinates and cells of every mark.
inline std::vector<double> numbers(const StudyResult& result) {
  std::vector<double> all;
  const auto add = [&](const auto& values) { all.insert(all.end(), values.begin(), values.end()); };
  for (const auto& table : result.tables)
    for (const auto& column : table.columns) add(column.values);
  for (const auto& check : result.checks) add(std::vector{check.value, check.bound});
  for (const auto& panel : result.figure.panels)
    for (const auto& mark : panel.marks)
      std::visit(
          [&](const auto& m) {
            if constexpr (requires { m.values; }) add(m.values);
            if constexpr (requires {
                            m.x.size();
                            m.y.size();
                          })
              add(m.x), add(m.y);
            if constexpr (requires { m.height; }) add(m.height);
            if constexpr (requires { m.grid; })
              if (m.grid) add(m.grid->values);
            if constexpr (requires { m.sampler; })
              if (m.sampler) add(m.sampler(m.x, m.y, 17, 13).values);
          },
          mark);
  return all;
}

/// Equal, NaN to NaN: what purity means.
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b,
                            [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace orrery::study
