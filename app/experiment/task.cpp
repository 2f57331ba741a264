#include "app/experiment/task.h"

#include <map>
#include <mutex>
#include <utility>

#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

using Keys = parameter::Settings;
using transformer::Batch;

/// Each test sequence has a stream of its own.
template <class Of>
Batch one_by_one(Index first, Index count, Of of) {
  Batch batch;
  for (Index i = first; i < first + count; ++i) {
    const Batch one = of(static_cast<std::uint32_t>(i));
    batch.sequences += 1;
    batch.length = one.length;
    batch.tokens.insert(batch.tokens.end(), one.tokens.begin(), one.tokens.end());
    batch.targets.insert(batch.targets.end(), one.targets.begin(), one.targets.end());
  }
  return batch;
}

class Copying : public Task {
 public:
  explicit Copying(const Keys& s)
      : task_{.content = s.integer("content"),
              .shortest = s.integer("shortest"),
              .longest = s.integer("longest"),
              .tokens = s.integer("tokens")} {
    if (task_.shortest > task_.longest)
      throw InvalidArgument(
          about("shortest").found(task_.shortest).allowed("up to {}, the longest", task_.longest));
  }
  Index vocabulary() const override { return task_.vocabulary(); }
  Index read(Index n) const override { return training::CopyTask::read(n); }
  Index trained() const override { return task_.longest; }
  Batch training(std::uint64_t seed, std::uint64_t step) const override { return task_.training(seed, step); }
  Batch asked(Index n, Index first, Index count, Index, std::uint64_t seed) const override {
    return one_by_one(first, count, [&](std::uint32_t i) { return task_.of_length(n, 1, seed, i); });
  }
  /// A word that stands there can be said without a doubt.
  std::optional<std::vector<double>> floor(const Batch& batch) const override {
    return std::vector<double>(batch.targets.size());
  }

 private:
  training::CopyTask task_;
};

class Chains : public Task {
 public:
  explicit Chains(const Keys& s)
      : task_{.states = s.integer("states"),
              .concentration = s.real("concentration"),
              .length = s.integer("length"),
              .sequences = s.integer("sequences")} {}
  Index vocabulary() const override { return task_.vocabulary(); }
  Index trained() const override { return task_.length; }
  Index sequences() const override { return task_.sequences; }
  Batch training(std::uint64_t seed, std::uint64_t step) const override { return task_.training(seed, step); }
  Batch asked(Index n, Index first, Index count, Index, std::uint64_t seed) const override {
    return one_by_one(first, count, [&](std::uint32_t i) { return task_.of_length(n, 1, seed, i); });
  }
  std::optional<std::vector<double>> floor(const Batch& batch) const override {
    return task_.floor_of(batch);
  }

 private:
  training::MarkovTask task_;
};

/// Read once, and there as long as a task is made of it: a grid asks for the same one at every variant and length.
std::shared_ptr<const training::Text> text_of(const std::string& path, double held_out) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<std::string, double>, std::weak_ptr<const training::Text>> known;
  const std::scoped_lock lock(one_at_a_time);
  std::weak_ptr<const training::Text>& kept = known[{path, held_out}];
  auto text = kept.lock();
  if (!text) kept = text = std::make_shared<const training::Text>(training::read_text(path, held_out));
  return text;
}

/// What is wrong with a text is said of the key that names it.
std::shared_ptr<const training::Text> text_in(const Keys& s) {
  const std::string& path = s.file("file");
  if (path.empty())
    throw InvalidArgument(about("file").found_text(path).allowed("a text file, or a folder with some"));
  try {
    return text_of(path, s.real("held_out"));
  } catch (const Failure& error) {
    throw Failure(error.complaint().within({Subject::Kind::key, name_phrase("file")}));
  }
}

class Reading : public Task {
 public:
  explicit Reading(const Keys& s)
      : task_{.text = text_in(s), .length = s.integer("length"), .sequences = s.integer("sequences")} {
    task_.check(task_.length);
  }
  Index vocabulary() const override { return training::TextTask::vocabulary(); }
  Index trained() const override { return task_.length; }
  Index sequences() const override { return task_.sequences; }
  Batch training(std::uint64_t seed, std::uint64_t step) const override { return task_.training(seed, step); }
  Batch asked(Index n, Index first, Index count, Index all, std::uint64_t) const override {
    return task_.part_of_length(n, all, first, count);
  }
  std::optional<Index> longest() const override { return task_.longest(); }
  void check(Index n) const override { task_.check(n, "lengths"); }
  const training::Text* text() const override { return task_.text.get(); }
  Batch known(Index n, Index count) const override { return task_.trained_of_length(n, count); }

 private:
  training::TextTask task_;
};

}  // namespace

std::unique_ptr<Task> task_of(const Settings& settings) {
  const Keys& task = settings.of("task");
  const std::string& kind = task.choice("kind");
  if (kind == "copy") return std::make_unique<Copying>(task);
  if (kind == "markov") return std::make_unique<Chains>(task);
  return std::make_unique<Reading>(task);
}

}  // namespace orrery::experiment
