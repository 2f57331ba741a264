#include "core/file/safetensors.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/file/json.h"
#include "core/file/source.h"
#include "core/file/tensor_name.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using nlohmann::json;

// The limit of the reference implementation.
constexpr std::uint64_t max_header = 100'000'000;
constexpr std::size_t max_axes = 8, max_tensors = 1'000'000;
constexpr int max_depth = 4;

struct Type {
  std::string_view name;
  NumberType number;
};
constexpr std::array types{Type{"F64", {NumberKind::real, 8}},    Type{"F32", {NumberKind::real, 4}},
                           Type{"F16", {NumberKind::real, 2}},    Type{"BF16", {NumberKind::brain_real, 2}},
                           Type{"I64", {NumberKind::whole, 8}},   Type{"I32", {NumberKind::whole, 4}},
                           Type{"I16", {NumberKind::whole, 2}},   Type{"I8", {NumberKind::whole, 1}},
                           Type{"U64", {NumberKind::natural, 8}}, Type{"U32", {NumberKind::natural, 4}},
                           Type{"U16", {NumberKind::natural, 2}}, Type{"U8", {NumberKind::natural, 1}},
                           Type{"BOOL", {NumberKind::truth, 1}}};

/// What is listed and not read: its numbers, in bits.
struct Listed {
  std::string_view name;
  std::uint64_t bits;
};
constexpr std::array only_listed{Listed{"F8_E4M3", 8},     Listed{"F8_E5M2", 8}, Listed{"F8_E4M3FNUZ", 8},
                                 Listed{"F8_E5M2FNUZ", 8}, Listed{"F8_E8M0", 8}, Listed{"F6_E2M3", 6},
                                 Listed{"F6_E3M2", 6},     Listed{"F4", 4},      Listed{"C64", 64}};

const Type* type_of(std::string_view name) {
  const auto found = std::ranges::find(types, name, &Type::name);
  return found == types.end() ? nullptr : &*found;
}

/// Of one number of that type; 0 where nobody here knows.
std::uint64_t bits_of(std::string_view dtype) {
  if (const Type* type = type_of(dtype)) return 8 * static_cast<std::uint64_t>(type->number.bytes);
  const auto found = std::ranges::find(only_listed, dtype, &Listed::name);
  return found == only_listed.end() ? 0 : found->bits;
}

std::uint64_t whole(const json& number, std::string_view origin, const Phrase& what) {
  if (!number.is_number_unsigned()) refuse_file(origin, wrong("{} is no whole number from 0", what));
  return number.get<std::uint64_t>();
}

/// Elements, 0 where an axis is; never more than 2^62.
std::uint64_t count_of(const std::vector<tensor::Index>& shape, std::string_view origin,
                       const std::string& tensor) {
  std::uint64_t product = 1;
  bool empty = false;
  for (const tensor::Index axis : shape) {
    empty = empty || axis == 0;
    if (__builtin_mul_overflow(product, static_cast<std::uint64_t>(std::max<tensor::Index>(axis, 1)),
                               &product) ||
        product > std::uint64_t{1} << 62)
      refuse_file(origin, wrong("tensor {} has more elements than any array can have", tensor));
  }
  return empty ? 0 : product;
}

/// As those that are known and those that are to come: F8_E4M3.
bool is_type_name(std::string_view dtype) {
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return !dtype.empty() && dtype.size() <= 32 && std::ranges::all_of(dtype, fits);
}

SafetensorsEntry parse_entry(const std::string& name, const json& about, std::uint64_t data_at,
                             std::uint64_t file_size, std::string_view origin) {
  const std::string tensor = shown_name(name);
  const auto has = [&](const char* key, auto is) { return about.contains(key) && (about.at(key).*is)(); };
  if (!about.is_object() || !has("dtype", &json::is_string) || !has("shape", &json::is_array) ||
      !has("data_offsets", &json::is_array) || about.at("data_offsets").size() != 2)
    refuse_file(origin, wrong("tensor {} lacks dtype, shape or two data_offsets", tensor));
  SafetensorsEntry entry;
  entry.name = name;
  if (const Complaint fault = fault_of_name(name); !fault.empty()) refuse_file(origin, fault);
  entry.dtype = about.at("dtype").get<std::string>();
  if (!is_type_name(entry.dtype))
    refuse_file(origin, wrong("tensor {}: its dtype is no name of a type", tensor));
  if (about.at("shape").size() > max_axes)
    refuse_file(
        origin,
        wrong("tensor {} has {} axes", tensor, about.at("shape").size()).allowed("up to {}", max_axes));
  for (const json& axis : about.at("shape")) {
    const std::uint64_t length = whole(axis, origin, words("tensor {}: its shape", tensor));
    if (length > std::uint64_t{1} << 62)
      refuse_file(origin, wrong("tensor {} has more elements than any array can have", tensor));
    entry.shape.push_back(static_cast<tensor::Index>(length));
  }
  const std::uint64_t count = count_of(entry.shape, origin, tensor);
  const Phrase offset = words("tensor {}: its offset", tensor);
  const std::uint64_t begin = whole(about.at("data_offsets")[0], origin, offset);
  const std::uint64_t end = whole(about.at("data_offsets")[1], origin, offset);
  const std::uint64_t room = file_size - data_at;
  if (begin > end || end > room)
    refuse_file(
        origin,
        wrong("tensor {} lies at bytes {} to {} of the data, of which there are {}: the file is cut short "
              "or damaged",
              tensor, begin, end, room));
  if (const std::uint64_t bits = bits_of(entry.dtype); bits > 0) {
    std::uint64_t taken = 0;  // in bits
    if (__builtin_mul_overflow(count, bits, &taken) || taken % 8 != 0 || taken / 8 != end - begin)
      refuse_file(origin, wrong("tensor {}: shape {} of {} does not take the {} bytes that it has", tensor,
                                tensor::shape_text(entry.shape), entry.dtype, end - begin));
  }
  entry.begin = data_at + begin;
  entry.end = data_at + end;
  return entry;
}

std::string some_bytes(Source& file, std::uint64_t count) {
  std::string bytes(count, '\0');
  if (file.read(bytes.data(), count) < count) file.fail(wrong("is cut short"));
  return bytes;
}

SafetensorsHeader header_of(Source& file) {
  const std::uint64_t size = file.size().value_or(0);
  std::string head = some_bytes(file, std::min<std::uint64_t>(8, size));
  head += some_bytes(file, safetensors_header_size(head, size, file.name()) - head.size());
  return parse_safetensors_header(head, size, file.name());
}

std::vector<std::string_view> names_of(const SafetensorsHeader& header) {
  std::vector<std::string_view> names;
  names.reserve(header.entries.size());
  for (const SafetensorsEntry& entry : header.entries) names.push_back(entry.name);
  return names;
}

/// One name, one tensor: which of two would count is each reader's own guess.
void refuse_repeated(const SafetensorsHeader& header, std::string_view origin) {
  auto names = names_of(header);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    refuse_file(origin, wrong("tensor {} stands there twice", shown_name(*twice)));
}

/// As the reference implementation has it: each tensor begins where the one before ends, the last one where the file does.
void refuse_holes(const SafetensorsHeader& header, std::uint64_t data_at, std::uint64_t file_size,
                  std::string_view origin) {
  const auto hole = [&](std::uint64_t from, std::uint64_t to) {
    refuse_file(origin, wrong("bytes {} to {} of the data belong to no tensor: the file is damaged",
                              from - data_at, to - data_at));
  };
  std::uint64_t at = data_at;
  const SafetensorsEntry* before = nullptr;
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.begin < at)
      refuse_file(origin, wrong("tensors {} and {} lie over each other", shown_name(before->name),
                                shown_name(entry.name)));
    if (entry.begin > at) hole(at, entry.begin);
    at = entry.end;
    before = &entry;
  }
  if (at < file_size) hole(at, file_size);
}

void check_metadata(const json& about, std::string_view origin) {
  const auto is_text = [](const json& value) { return value.is_string(); };
  if (!about.is_object() || !std::ranges::all_of(about, is_text))
    refuse_file(origin, wrong("__metadata__ is no object of texts"));
}

}  // namespace

std::uint64_t safetensors_header_size(std::string_view head, std::uint64_t file_size,
                                      std::string_view origin) {
  if (file_size < 8 || head.size() < 8)
    refuse_file(origin, wrong("is no .safetensors file: it ends before its header"));
  const std::uint64_t length = little_endian(head.substr(0, 8));
  if (length > max_header || length > file_size - 8)
    refuse_file(origin,
                wrong("is no .safetensors file, or cut short: its header would be {} bytes long", length));
  return 8 + length;
}

SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size,
                                           std::string_view origin) {
  const std::uint64_t data_at = safetensors_header_size(head, file_size, origin);
  if (head.size() < data_at) refuse_file(origin, wrong("ends within its header"));
  SafetensorsHeader header;
  std::uint64_t members = 0;
  bool metadata = false;
  const auto repeated = [&](const std::string& key) {
    refuse_file(origin, wrong("key {} stands there twice in one object", shown_name(key)));
  };
  const auto member = [&](const std::string& name, const json& about) {
    if (++members > max_tensors) refuse_file(origin, wrong("has more than {} tensors", max_tensors));
    if (name == "__metadata__") {
      if (std::exchange(metadata, true)) repeated(name);
      check_metadata(about, origin);
    } else {
      header.entries.push_back(parse_entry(name, about, data_at, file_size, origin));
    }
  };
  const Complaint no_object = wrong("is no .safetensors file: its header is no JSON object");
  try {
    const JsonReading reading{.max_depth = max_depth, .on_repeated = repeated, .on_member = member};
    if (!read_json(head.substr(8, data_at - 8), reading).is_object()) refuse_file(origin, no_object);
  } catch (const json::exception&) {
    refuse_file(origin, no_object);
  } catch (const TooDeep&) {
    refuse_file(origin, no_object);
  }
  refuse_repeated(header, origin);
  std::ranges::sort(header.entries, {},
                    [](const SafetensorsEntry& e) { return std::tie(e.begin, e.end, e.name); });
  refuse_holes(header, data_at, file_size, origin);
  return header;
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  Source file(path);
  return header_of(file);
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : file_(std::make_shared<Source>(path)), header_(header_of(*file_)) {}

StoredArray SafetensorsFile::open(std::string_view name) const {
  const std::shared_ptr<Source> file = file_;
  const auto entry = std::ranges::find(header_.entries, name, &SafetensorsEntry::name);
  if (entry == header_.entries.end()) file->fail(no_such_tensor(name, names_of(header_)));
  const Type* type = type_of(entry->dtype);
  if (!type) {
    std::vector<std::string_view> known;
    for (const Type& each : types) known.push_back(each.name);
    file->fail(Complaint()
                   .found(entry->dtype)
                   .fault("tensor {} is of type {}", shown_name(name), shown_name(entry->dtype))
                   .allowed(known));
  }
  const std::uint64_t bytes = entry->end - entry->begin;
  file->seek(entry->begin);
  return {.origin = file->name(),
          .tensor = std::string(name),
          .dtype = entry->dtype,
          .type = type->number,
          .shape = entry->shape,
          .count = bytes / static_cast<std::uint64_t>(type->number.bytes),
          .data_bytes = bytes,
          .next = [file](char* to, std::size_t count) { return file->read(to, count); },
          .at = [file, begin = entry->begin](
                    std::uint64_t from, char* to,
                    std::size_t count) { return file->read_at(begin + from, to, count); }};
}

StoredArray open_safetensors(const std::filesystem::path& path, std::string_view name) {
  return SafetensorsFile(path).open(name);
}

tensor::Array read_safetensors(const std::filesystem::path& path, std::string_view name) {
  return open_safetensors(path, name).read();
}

}  // namespace orrery::file
