#include "app/study/training/courses.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit/kept_results.h"

namespace orrery::study {
namespace {

constexpr double most_course_steps = 1e5, most_course_seeds = 1e6, most_course_value = 1e30;

/// "name 1 2 3": the numbers, so many.
std::vector<double> named_numbers(std::string_view entry, std::string_view name, std::size_t count) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  if (words.size() != 1 + count || words[0] != name) refuse_results(entry);
  std::vector<double> all;
  for (std::size_t i = 1; i < words.size(); ++i)
    all.push_back(kept_number(words[i], -most_course_value, most_course_value));
  return all;
}

void add(std::string& text, const std::vector<double>& numbers) {
  for (const double x : numbers) text += " " + five_digits(x);
}

std::vector<double> over_stretches(const std::vector<double>& by_step) {
  const std::vector<std::int64_t> edges = stretches(std::ssize(by_step));
  std::vector<double> means;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    double sum = 0;
    for (std::int64_t step = edges[i]; step < edges[i + 1]; ++step)
      sum += by_step[static_cast<std::size_t>(step - 1)];
    means.push_back(sum / static_cast<double>(edges[i + 1] - edges[i]));
  }
  return means;
}

}  // namespace

std::vector<std::int64_t> stretches(std::int64_t steps) {
  constexpr std::int64_t share = 12;
  std::vector<std::int64_t> edges{1};
  while (edges.back() <= steps)
    edges.push_back(std::min(steps + 1, edges.back() + std::max<std::int64_t>(1, edges.back() / share)));
  return edges;
}

std::vector<double> Courses::mean(std::string_view key, std::vector<double> TrainedCourse::*of) const {
  std::vector<double> sum(stretches(steps).size() - 1);
  double count = 0;
  for (const TrainedCourse& run : runs) {
    if (run.key != key) continue;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (run.*of)[i];
    ++count;
  }
  for (double& x : sum) x /= count;
  return sum;
}

std::vector<double> Courses::places() const {
  const std::vector<std::int64_t> edges = stretches(steps);
  std::vector<double> middles;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    middles.push_back(std::sqrt(static_cast<double>(edges[i]) * static_cast<double>(edges[i + 1] - 1)));
  return middles;
}

TrainedCourse course_of(std::string key, std::uint64_t seed, const training::Trained& trained) {
  return {std::move(key), seed, over_stretches(trained.losses), over_stretches(trained.moved)};
}

std::string text_of(const Courses& courses) {
  std::string text = courses.where + "; " + std::to_string(courses.steps) + " steps; settings";
  add(text, courses.settings);
  text += "; measured";
  add(text, courses.measured);
  for (const TrainedCourse& run : courses.runs) {
    text += "; " + run.key + " " + std::to_string(run.seed);
    add(text, run.loss);
    add(text, run.moved);
  }
  return text;
}

Courses courses_in(std::string_view text, const std::vector<std::string_view>& keys, std::size_t settings,
                   std::size_t measured) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 5) refuse_results(text);
  Courses courses;
  courses.where = std::string(entries[0]);
  courses.steps = static_cast<std::int64_t>(kept_count(entries[1], "steps", most_course_steps));
  if (courses.steps < 1) refuse_results(entries[1]);
  courses.settings = named_numbers(entries[2], "settings", settings);
  courses.measured = named_numbers(entries[3], "measured", measured);
  const std::size_t count = stretches(courses.steps).size() - 1;
  for (std::size_t i = 4; i < entries.size(); ++i) {
    const std::vector<std::string_view> words = parts(entries[i], ' ');
    if (words.size() != 2 + 2 * count || std::ranges::find(keys, words[0]) == keys.end())
      refuse_results(entries[i]);
    TrainedCourse run{std::string(words[0]),
                      static_cast<std::uint64_t>(kept_number(words[1], 0, most_course_seeds)),
                      {},
                      {}};
    for (std::size_t n = 0; n < count; ++n) {
      run.loss.push_back(kept_number(words[2 + n], -most_course_value, most_course_value));
      run.moved.push_back(kept_number(words[2 + count + n], 0, most_course_value));
    }
    courses.runs.push_back(std::move(run));
  }
  for (const std::string_view key : keys)
    if (std::ranges::none_of(courses.runs, [&](const TrainedCourse& run) { return run.key == key; }))
      refuse_results(key);
  return courses;
}

}  // namespace orrery::study
