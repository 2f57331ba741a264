#include "core/training/kept_training.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>

#include "core/file/base_folder.h"
#include "core/file/listing.h"
#include "core/file/write_file.h"
#include "core/simd/target.h"
#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::training {
namespace {

namespace fs = std::filesystem;

/// To be raised when the same words no longer mean the same numbers.
constexpr std::string_view edition = "orrery training 1";

/// "name=value name=value …", numbers so that they are read back to the bit.
class Words {
 public:
  explicit Words(std::string_view head) : text_(head) {}
  template <class T>
  Words& add(std::string_view name, T value) {
    char digits[64];
    const double x = static_cast<double>(value);
    const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
    text_.append(" ").append(name).append("=").append(digits, end);
    return *this;
  }
  std::string text() { return std::move(text_); }

 private:
  std::string text_;
};

std::string model_words(const transformer::Config& c) {
  Words words("model");
  words.add("family", static_cast<int>(c.family)).add("vocabulary", c.vocabulary).add("length", c.length);
  words.add("width", c.width).add("layers", c.layers).add("encoder_layers", c.encoder_layers);
  words.add("heads", c.heads).add("key_value_heads", c.key_value_heads).add("head_width", c.head_width);
  words.add("hidden", c.hidden).add("norm", static_cast<int>(c.norm.kind)).add("eps", c.norm.eps);
  words.add("norm_bias", c.norm.bias).add("placement", static_cast<int>(c.placement));
  words.add("embedding_norm", c.embedding_norm).add("final_norm", c.final_norm ? int{*c.final_norm} : -1);
  words.add("qk_norm", static_cast<int>(c.qk_norm)).add("activation", static_cast<int>(c.activation.kind));
  words.add("alpha", c.activation.alpha).add("beta", c.activation.beta).add("gated", c.gated);
  words.add("bias", c.bias).add("positions", static_cast<int>(c.positions)).add("rope_base", c.rope.base);
  words.add("rope_layout", static_cast<int>(c.rope.layout)).add("rope_width", c.rope.width);
  for (const double frequency : c.rope.frequencies) words.add("frequency", frequency);
  words.add("attention_factor", c.rope.attention_factor);
  words.add("t5_buckets", c.t5_buckets).add("t5_distance", c.t5_distance);
  words.add("fire_c", c.fire.c).add("fire_threshold", c.fire.threshold).add("fire_width", c.fire_width);
  words.add("fire_deep", c.fire_deep);
  words.add("score_scale", c.score_scale.value_or(-1)).add("score_cap", c.score_cap.value_or(-1));
  words.add("log_n", c.score_log_n ? c.score_log_n->trained : -1);
  words.add("log_n_clipped", c.score_log_n && c.score_log_n->clipped);
  words.add("window", c.window).add("scaled_embedding", c.scaled_embedding).add("tied", c.tied);
  return words.text();
}

std::string settings_words(const TrainerSettings& s) {
  Words words("start");
  words.add("spread", static_cast<int>(s.start.spread)).add("deviation", s.start.deviation);
  words.add("embedding_deviation", s.start.embedding_deviation);
  words.add("into_stream", static_cast<int>(s.start.into_stream)).add("inner_gain", s.start.inner_gain);
  // Said where it is not 1 alone: trainings are kept that began before there was another one.
  if (s.start.before_gain != 1) words.add("before_gain", s.start.before_gain);
  words.add("beta1", s.adam.beta1).add("beta2", s.adam.beta2).add("eps", s.adam.eps);
  words.add("decay", s.adam.decay).add("decoupled", s.adam.decoupled).add("corrected", s.adam.corrected);
  words.add("schedule", static_cast<int>(s.schedule.kind)).add("highest", s.schedule.highest);
  words.add("warm_up", s.schedule.warm_up).add("schedule_steps", s.schedule.steps).add("end", s.schedule.end);
  words.add("decay_share", s.schedule.decay_share).add("clip", s.clip);
  words.add("seed", static_cast<double>(s.seed));
  return words.text();
}

std::optional<std::string> read(const fs::path& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in && errno == ENOMEM) throw std::bad_alloc();  // it may be there: what follows would overwrite it
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Numbers as they lie in a file; nothing where they are not all there.
template <class T>
std::optional<std::vector<T>> read_numbers(const fs::path& path, std::size_t count) {
  const auto bytes = read(path);
  if (!bytes || bytes->size() < count * sizeof(T)) return std::nullopt;
  std::vector<T> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes->data(), count * sizeof(T));
  return numbers;
}

template <class T>
void write_numbers(const fs::path& path, std::span<const T> numbers) {
  file::write_file(path,
                   std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
}

/// What lies in the folder of one training.
class Kept {
 public:
  Kept(fs::path folder, const Plan& plan) : folder_(std::move(folder)), looks_(plan.looks) {
    if (folder_.empty()) return;
    const std::string words = description_of(plan);
    name_ = tensor::Hash().add(words).digits();
    const fs::path said = folder_ / (name_ + ".txt");
    std::error_code failed;
    fs::create_directories(folder_, failed);
    // Nowhere to keep it, or another training of the same hash is there: it is trained all the same.
    if (const auto there = read(said); failed || (there && *there != words + "\n"))
      folder_.clear();
    else if (!there)
      or_nowhere([&] { file::write_file(said, words + "\n"); });
  }

  /// Puts the trainer where the last checkpoint is that all else is there for; else everything stays as it is.
  bool resume(Trainer& trainer, Trained& result) {
    for (const std::int64_t step : checkpoints()) {
      const auto course = read_numbers<double>(course_path(), 2 * static_cast<std::size_t>(step));
      std::vector<std::vector<float>> looks;
      if (!course || !looks_until(step, trainer.values().size(), looks) || !load(trainer, step)) continue;
      for (std::size_t i = 0; i < course->size(); i += 2) {
        result.losses.push_back((*course)[i]);
        result.moved.push_back((*course)[i + 1]);
      }
      result.looks = std::move(looks);
      last_ = step;
      return true;
    }
    return false;
  }

  /// The checkpoint behind all that it needs: it never knows of more steps than the course does.
  void save(Trainer& trainer, const Trained& result) {
    if (!folder_.empty()) or_nowhere([&] { write(trainer, result); });
  }

 private:
  /// Where it cannot be written (a full disk, a file system that may only be read), it is trained all the same.
  template <class Write>
  void or_nowhere(Write write) {
    try {
      write();
    } catch (const Failure&) {
      folder_.clear();
    }
  }
  void write(Trainer& trainer, const Trained& result) {
    const std::int64_t step = trainer.steps();
    std::vector<double> course;
    for (std::size_t i = 0; i < result.losses.size(); ++i)
      course.insert(course.end(), {result.losses[i], result.moved[i]});
    write_numbers<double>(course_path(), course);
    if (std::ranges::find(looks_, step) != looks_.end())
      write_numbers<float>(weights(step), trainer.values());
    trainer.save(checkpoint(step));
    std::error_code ignored;
    if (last_ && *last_ != step) fs::remove(checkpoint(*last_), ignored);
    last_ = step;
  }
  fs::path checkpoint(std::int64_t step) const { return numbered(step, ".safetensors"); }
  fs::path weights(std::int64_t step) const { return numbered(step, ".weights"); }
  fs::path course_path() const { return folder_ / (name_ + ".course"); }
  fs::path numbered(std::int64_t step, const char* ending) const {
    return folder_ / (name_ + "." + std::to_string(step) + ending);
  }

  /// The steps of the checkpoints that there are, the last one first.
  std::vector<std::int64_t> checkpoints() const {
    std::vector<std::int64_t> steps;
    if (folder_.empty()) return steps;
    constexpr std::string_view ending = ".safetensors";
    file::Listing files(folder_);  // none where it cannot be read
    while (const auto path = files.next()) {
      const std::string file = path->filename().string();
      if (!file.starts_with(name_ + ".") || !file.ends_with(ending)) continue;
      const char *first = file.data() + name_.size() + 1, *last = file.data() + file.size() - ending.size();
      std::int64_t step = 0;
      if (first < last && std::from_chars(first, last, step).ptr == last) steps.push_back(step);
    }
    std::ranges::sort(steps, std::greater());
    return steps;
  }
  bool load(Trainer& trainer, std::int64_t step) const {
    try {
      trainer.load(checkpoint(step));
    } catch (const std::bad_alloc&) {  // it is whole: what came after it would be done again, and lost
      throw;
    } catch (const std::exception&) {  // damaged: it is as if it were not there
      return false;
    }
    return trainer.steps() == step;
  }
  /// The looks up to `end`; false where one is missing.
  bool looks_until(std::int64_t end, std::size_t size, std::vector<std::vector<float>>& to) const {
    for (const std::int64_t look : looks_) {
      if (look > end) break;
      auto values = read_numbers<float>(weights(look), size);
      if (!values) return false;
      to.push_back(std::move(*values));
    }
    return true;
  }

  fs::path folder_;
  std::vector<std::int64_t> looks_;
  std::string name_;
  std::optional<std::int64_t> last_;
};

std::vector<float> values_of(const Trainer& trainer) {
  return {trainer.values().begin(), trainer.values().end()};
}

/// |b − a|/|a|, summed in double in the order of the weights.
double moved(std::span<const float> a, std::span<const float> b) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(b[i]) - static_cast<double>(a[i]);
    change += d * d;
    size += static_cast<double>(a[i]) * static_cast<double>(a[i]);
  }
  return std::sqrt(change / size);
}

}  // namespace

std::string description_of(const Plan& plan) {
  std::string text = std::string(edition) + "; " + simd::target() + "; " + plan.task +
                     "; steps=" + std::to_string(plan.steps) + "; " + model_words(plan.settings.model) +
                     "; " + settings_words(plan.settings);
  if (!plan.from.empty())
    text += "; from=" +
            tensor::Hash()
                .add({reinterpret_cast<const char*>(plan.from.data()), plan.from.size() * sizeof(float)})
                .digits();
  return text;
}

Trained train(const Plan& plan, const fs::path& folder, const Between& between) {
  Kept kept(folder, plan);
  Trainer trainer(plan.settings);
  if (!plan.from.empty()) trainer.begin_from(plan.from);
  Trained result;
  between(0);

  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds between_saves{30};
  auto saved = Clock::now();
  // Of each number of steps that is come to: what is to be kept of it, and then the next one.
  for (bool resumed = kept.resume(trainer, result);; resumed = false) {
    const std::int64_t now = trainer.steps();
    const bool looked_at = std::ranges::find(plan.looks, now) != plan.looks.end();
    if (!resumed) {
      if (looked_at) result.looks.push_back(values_of(trainer));
      if (looked_at || now == plan.steps || Clock::now() - saved > between_saves) {
        kept.save(trainer, result);
        saved = Clock::now();
      }
    }
    if (now >= plan.steps) break;
    const double share = static_cast<double>(now) / static_cast<double>(plan.steps);
    const std::vector<float> before = values_of(trainer);
    result.losses.push_back(
        trainer.step(plan.batch(static_cast<std::uint64_t>(now)), [&] { between(share); }));
    result.moved.push_back(moved(before, trainer.values()));
  }
  result.values = values_of(trainer);
  return result;
}

fs::path kept_folder() {
  if (const char* given = std::getenv("ORRERY_TRAININGS")) return given;
  const fs::path base = file::base_folder("XDG_CACHE_HOME", ".cache");
  return base.empty() ? base : base / "orrery" / "trainings";
}

std::string kept_line(const fs::path& folder, const std::string& of,
                      const std::function<std::string()>& make) {
  if (folder.empty()) return make();
  const std::string words = std::string(edition) + "; " + simd::target() + "; " + of;
  const fs::path path = folder / (tensor::Hash().add(words).digits() + ".line");
  // The words stand above the line: two of one hash are told apart.
  if (const auto text = read(path); text && text->starts_with(words + "\n") && text->ends_with("\n"))
    return text->substr(words.size() + 1, text->size() - words.size() - 2);
  const std::string line = make();
  std::error_code failed;
  fs::create_directories(folder, failed);
  try {
    if (!failed) file::write_file(path, words + "\n" + line + "\n");
  } catch (const Failure&) {  // made anew the next time
  }
  return line;
}

Between part_of(const Between& whole, double from, double to) {
  return [whole, from, to](double share) { whole(from + (to - from) * share); };
}

}  // namespace orrery::training
