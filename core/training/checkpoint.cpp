// A training as a .safetensors file: "model.NAME" would hide the names that other programs look for, so the model's arrays keep
// theirs, and what only a training needs stands under training/.
#include <algorithm>
#include <bit>
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

/// One array of the file into numbers that are there already.
void read_into(std::span<float> numbers, const std::filesystem::path& path, const std::string& name) {
  const tensor::Array array = file::read_safetensors(path, name);
  if (array.values.size() != numbers.size())
    throw Failure(
        about(Subject::Kind::file, path.string())
            .fault("{} has {} numbers, where the model has {}", name, array.values.size(), numbers.size()));
  std::ranges::transform(array.values, numbers.begin(), [](double x) { return static_cast<float>(x); });
}

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
  for (const transformer::NamedSlot& array : model_.layout().arrays())
    read_into(array.slot.numbers(std::span(values)), path, array.name);
  read_into(first, path, first_moment);
  read_into(second, path, second_moment);
  const tensor::Array counts = file::read_safetensors(path, progress);
  // All of it is there: only now is anything put in place.
  values_ = std::move(values);
  std::ranges::copy(first, adam_.first_moment().begin());
  std::ranges::copy(second, adam_.second_moment().begin());
  adam_.resume_after(static_cast<std::int64_t>(counts.values[0]));
  left_out_ = static_cast<std::int64_t>(counts.values[1]);
}

}  // namespace orrery::training
