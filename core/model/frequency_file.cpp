#include "core/model/frequency_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/file/bytes.h"
#include "core/file/npy.h"
#include "core/file/tensor_files.h"
#include "core/model/frequency_text.h"
#include "core/model/json.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using nlohmann::json;

constexpr std::uint64_t max_vectors = 16 << 20;
constexpr std::size_t most_numbers = 1 << 20;

[[noreturn]] void fail(std::string_view origin, const Complaint& what) {
  throw Failure(what.within(in_file(origin)));
}

/// One number or none has one too: how many there must be, whoever reads them says.
bool has_one_axis(const std::vector<tensor::Index>& shape) {
  return std::ranges::count_if(shape, [](tensor::Index n) { return n > 1; }) <= 1;
}

Complaint several_axes(const std::vector<tensor::Index>& shape) {
  const std::string text = tensor::shape_text(shape);
  return Complaint().found(text).fault("shape {}", text).allowed("one axis of frequencies");
}

std::vector<double> one_axis(const tensor::Array& array, std::string_view origin) {
  if (!has_one_axis(array.shape)) fail(origin, several_axes(array.shape));
  return array.values.to<double>();
}

/// What has another shape, or is too long, is refused before it is read.
std::vector<double> from_safetensors(const file::TensorPath& path) {
  const file::StoredArray stored = file::open_tensor(path, "inv_freq");
  if (!has_one_axis(stored.shape)) stored.fail(several_axes(stored.shape));
  return stored.read(most_numbers).values.to<double>();
}

std::vector<double> from_list(const json& list, std::string_view origin) {
  std::vector<double> numbers;
  for (const json& each : list) {
    if (!each.is_number()) {
      fail(origin, wrong("element {} of the list is no number", numbers.size()));
    }
    numbers.push_back(each.get<double>());
  }
  return numbers;
}

std::vector<double> from_json(std::string_view text, std::string_view origin) {
  std::vector<std::string> repeated;  // the last one counts
  const json root = parse_any_json(text, origin, repeated);
  const auto list_in = [](const json& object) -> const json* {
    if (object.is_array()) return &object;
    const auto found = object.is_object() ? object.find("inv_freq") : object.end();
    return found != object.end() && found->is_array() ? &*found : nullptr;
  };
  if (const json* list = list_in(root)) return from_list(*list, origin);
  const auto layers = root.is_object() ? root.find("layers") : root.end();
  if (layers != root.end() && layers->is_array()) {
    for (const json& layer : *layers)  // those that do not turn have none
      if (const json* list = list_in(layer); list && !list->empty()) return from_list(*list, origin);
  }
  fail(origin, wrong("holds no list of numbers").allowed("[1.0, …], or an object with inv_freq"));
}

std::vector<double> checked(std::vector<double> numbers, std::string_view origin) {
  if (numbers.empty()) fail(origin, wrong("holds no numbers"));
  if (numbers.size() > most_numbers) fail(origin, wrong("holds more than {} numbers", most_numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i]) || numbers[i] < 0)
      fail(origin, Complaint()
                       .found(std::to_string(numbers[i]))
                       .fault("number {} is no frequency", i)
                       .allowed("finite numbers, 0 or more"));
  }
  return numbers;
}

}  // namespace

std::vector<double> parse_frequencies(std::string_view bytes, std::string_view origin) {
  const std::string ending = std::filesystem::path(origin).extension().string();
  const bool npy = bytes.starts_with("\x93NUMPY") || ending == ".npy";
  return checked(npy                 ? one_axis(file::parse_npy(bytes, origin).array, origin)
                 : ending == ".json" ? from_json(bytes, origin)
                                     : frequencies_in_text(bytes, origin),
                 origin);
}

std::vector<double> read_frequencies(const std::filesystem::path& path, file::Accept accept) {
  const file::TensorPath parts = file::tensor_path_on_disk(path.string());
  if (file::holds_several(parts.file)) return checked(from_safetensors(parts), path.string());
  return parse_frequencies(file::read_bytes(path, max_vectors, accept), path.string());
}

}  // namespace orrery::model
