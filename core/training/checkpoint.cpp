// A training as a .safetensors file: "model.NAME" would hide the names that other programs look for, so the model's arrays keep
// theirs, and what only a training needs stands under training/.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/file/safetensors.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"
#include "core/training/trainer.h"

namespace orrery::training {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian, and so is what is written as it lies");

constexpr const char *first_moment = "training/first_moment", *second_moment = "training/second_moment",
                     *progress = "training/steps";

std::string_view bytes_of(std::span<const float> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

/// What a checkpoint has under a name, of one state of the file.
class Checkpoint {
 public:
  explicit Checkpoint(const std::filesystem::path& path) : path_(path), file_(path) {}

  /// An array of this shape into numbers that are there already.
  void read(const std::string& name, const std::vector<tensor::Index>& shape,
            std::span<float> numbers) const {
    const file::StoredArray stored = file_.open(name);
    if (stored.shape != shape || stored.count != numbers.size())
      refuse(wrong("{} has the shape {}, where the model's has {}", name, tensor::shape_text(stored.shape),
                   tensor::shape_text(shape)));
    const tensor::Array array = stored.read();
    std::ranges::transform(array.values, numbers.begin(), [](double x) { return static_cast<float>(x); });
  }

  /// The steps that changed weights, and those that were left out.
  std::array<std::int64_t, 2> counts() const {
    const tensor::Array array = file_.open(progress).read();
    constexpr double most = 0x1p53;
    const auto is_count = [](double x) { return x >= 0 && x <= most && x == std::floor(x); };
    if (array.values.size() != 2 || !std::ranges::all_of(array.values, is_count))
      refuse(wrong("{} holds no two counts of steps", progress));
    return {static_cast<std::int64_t>(array.values[0]), static_cast<std::int64_t>(array.values[1])};
  }

 private:
  [[noreturn]] void refuse(const Complaint& why) const {
    throw Failure(Complaint(why).within({Subject::Kind::file, {path_.string()}}));
  }

  std::filesystem::path path_;
  file::SafetensorsFile file_;
};

}  // namespace

void Trainer::save(const std::filesystem::path& path) {
  nlohmann::ordered_json header = {{"__metadata__", {{"format", "pt"}}}};
  std::vector<std::string_view> data;
  std::size_t end = 0;
  const auto add = [&](const std::string& name, const char* type, const std::vector<tensor::Index>& shape,
                       std::string_view bytes) {
    header[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {end, end + bytes.size()}}};
    end += bytes.size();
    data.push_back(bytes);
  };
  const auto all = static_cast<tensor::Index>(values_.size());
  const std::array<std::int64_t, 2> counts{adam_.steps(), left_out_};
  add(progress, "I64", {2}, {reinterpret_cast<const char*>(counts.data()), sizeof counts});
  for (const transformer::NamedSlot& array : model_.layout().arrays())
    add(array.name, "F32", array.shape, bytes_of(array.slot.numbers(std::span<const float>(values_))));
  add(first_moment, "F32", {all}, bytes_of(adam_.first_moment()));
  add(second_moment, "F32", {all}, bytes_of(adam_.second_moment()));
  std::string head = header.dump();
  head.append((8 - head.size() % 8) % 8, ' ');
  const auto size = static_cast<std::uint64_t>(head.size());
  data.insert(data.begin(),
              {std::string_view(reinterpret_cast<const char*>(&size), sizeof size), std::string_view(head)});
  file::write_file(path, data);
}

void Trainer::load(const std::filesystem::path& path) {
  std::vector<float> values(values_.size()), first(values_.size()), second(values_.size());
  const Checkpoint checkpoint(path);
  for (const transformer::NamedSlot& array : model_.layout().arrays())
    checkpoint.read(array.name, array.shape, array.slot.numbers(std::span(values)));
  const std::vector<tensor::Index> all{static_cast<tensor::Index>(values.size())};
  checkpoint.read(first_moment, all, first);
  checkpoint.read(second_moment, all, second);
  const auto [steps, left_out] = checkpoint.counts();
  // All of it is there: only now is anything put in place.
  values_ = std::move(values);
  std::ranges::copy(first, adam_.first_moment().begin());
  std::ranges::copy(second, adam_.second_moment().begin());
  adam_.resume_after(steps);
  left_out_ = left_out;
}

}  // namespace orrery::training
