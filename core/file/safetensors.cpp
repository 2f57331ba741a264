#include "core/file/safetensors.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/file/json.h"
#include "core/file/source.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using nlohmann::json;

// The limit of the reference implementation.
constexpr std::uint64_t max_header = 100'000'000;
constexpr std::size_t max_axes = 8, max_tensors = 1'000'000;

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

[[noreturn]] void fail(std::string_view origin, const Complaint& what) {
  throw Failure(what.within(in_file(origin)));
}

const Type* type_of(std::string_view name) {
  const auto found = std::ranges::find(types, name, &Type::name);
  return found == types.end() ? nullptr : &*found;
}

/// For messages: a name from a file that anybody may have written.
std::string in_quotes(std::string_view name) {
  std::string text = "'";
  for (const char c : name.substr(0, 80)) text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return text + (name.size() > 80 ? "…'" : "'");
}

std::uint64_t whole(const json& number, std::string_view origin, const Phrase& what) {
  if (!number.is_number_unsigned()) fail(origin, wrong("{} is no whole number from 0", what));
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
      fail(origin, wrong("tensor {} has more elements than any array can have", tensor));
  }
  return empty ? 0 : product;
}

SafetensorsEntry parse_entry(const std::string& name, const json& about, std::uint64_t data_at,
                             std::uint64_t file_size, std::string_view origin) {
  const std::string tensor = in_quotes(name);
  const auto has = [&](const char* key, auto is) { return about.contains(key) && (about.at(key).*is)(); };
  if (!about.is_object() || !has("dtype", &json::is_string) || !has("shape", &json::is_array) ||
      !has("data_offsets", &json::is_array) || about.at("data_offsets").size() != 2)
    fail(origin, wrong("tensor {} lacks dtype, shape or two data_offsets", tensor));
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = about.at("dtype").get<std::string>();
  if (about.at("shape").size() > max_axes)
    fail(origin,
         wrong("tensor {} has {} axes", tensor, about.at("shape").size()).allowed("up to {}", max_axes));
  for (const json& axis : about.at("shape")) {
    const std::uint64_t length = whole(axis, origin, words("tensor {}: its shape", tensor));
    if (length > std::uint64_t{1} << 62)
      fail(origin, wrong("tensor {} has more elements than any array can have", tensor));
    entry.shape.push_back(static_cast<tensor::Index>(length));
  }
  const std::uint64_t count = count_of(entry.shape, origin, tensor);
  const Phrase offset = words("tensor {}: its offset", tensor);
  const std::uint64_t begin = whole(about.at("data_offsets")[0], origin, offset);
  const std::uint64_t end = whole(about.at("data_offsets")[1], origin, offset);
  const std::uint64_t room = file_size - data_at;
  if (begin > end || end > room)
    fail(origin,
         wrong("tensor {} lies at bytes {} to {} of the data, of which there are {}: the file is cut short "
               "or damaged",
               tensor, begin, end, room));
  if (const Type* type = type_of(entry.dtype)) {
    const auto bytes = static_cast<std::uint64_t>(type->number.bytes);
    if (count > room / bytes || count * bytes != end - begin)
      fail(origin, wrong("tensor {}: shape {} of {} does not take the {} bytes that it has", tensor,
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

/// One name, one tensor: which of two would count is each reader's own guess.
void refuse_repeated(const std::vector<SafetensorsEntry>& entries, std::string_view origin) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) names.push_back(entry.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    fail(origin, wrong("tensor {} stands there twice", in_quotes(*twice)));
}

/// For the message about a name that is not there: a few that contain the last part of it, else the first ones.
std::string some_names(const SafetensorsHeader& header, std::string_view wanted) {
  const std::string_view last = wanted.substr(wanted.rfind('.') + 1);
  std::string text;
  int count = 0;
  for (const bool near : {true, false})
    for (const SafetensorsEntry& entry : header.entries)
      if (count < 3 && (entry.name.find(last) != std::string::npos) == near && (near || count == 0)) {
        text += (text.empty() ? "" : ", ") + in_quotes(entry.name);
        ++count;
      }
  return text;
}

}  // namespace

std::uint64_t safetensors_header_size(std::string_view head, std::uint64_t file_size,
                                      std::string_view origin) {
  if (file_size < 8 || head.size() < 8)
    fail(origin, wrong("is no .safetensors file: it ends before its header"));
  const std::uint64_t length = little_endian(head.substr(0, 8));
  if (length > max_header || length > file_size - 8)
    fail(origin, wrong("is no .safetensors file, or cut short: its header would be {} bytes long", length));
  return 8 + length;
}

SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size,
                                           std::string_view origin) {
  const std::uint64_t data_at = safetensors_header_size(head, file_size, origin);
  if (head.size() < data_at) fail(origin, wrong("ends within its header"));
  SafetensorsHeader header;
  std::uint64_t members = 0;
  const auto member = [&](const std::string& name, const json& about) {
    if (++members > max_tensors) fail(origin, wrong("has more than {} tensors", max_tensors));
    if (name != "__metadata__")
      header.entries.push_back(parse_entry(name, about, data_at, file_size, origin));
  };
  const Complaint no_object = wrong("is no .safetensors file: its header is no JSON object");
  try {
    if (!read_json(head.substr(8, data_at - 8), {.on_member = member}).is_object()) fail(origin, no_object);
  } catch (const json::exception&) {
    fail(origin, no_object);
  } catch (const TooDeep&) {
    fail(origin, no_object);
  }
  refuse_repeated(header.entries, origin);
  std::ranges::sort(header.entries, {}, [](const SafetensorsEntry& e) { return std::tie(e.begin, e.name); });
  return header;
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  Source file(path);
  return header_of(file);
}

StoredArray open_safetensors(const std::filesystem::path& path, std::string_view name) {
  const auto file = std::make_shared<Source>(path);
  const SafetensorsHeader header = header_of(*file);
  const auto entry = std::ranges::find(header.entries, name, &SafetensorsEntry::name);
  if (entry == header.entries.end())
    file->fail(Complaint().found(name).fault(
        header.entries.empty() ? words("no tensor {}; it holds none", in_quotes(name))
                               : words("no tensor {}; it holds {}, such as {}", in_quotes(name),
                                       header.entries.size(), some_names(header, name))));
  const Type* type = type_of(entry->dtype);
  if (!type) {
    std::vector<std::string_view> known;
    for (const Type& each : types) known.push_back(each.name);
    file->fail(Complaint()
                   .found(entry->dtype)
                   .fault("tensor {} is of type {}", in_quotes(name), in_quotes(entry->dtype))
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
          .next = [file](char* to, std::size_t count) { return file->read(to, count); }};
}

tensor::Array read_safetensors(const std::filesystem::path& path, std::string_view name) {
  return open_safetensors(path, name).read();
}

TensorPath tensor_path(std::string_view text) {
  // A # may stand in the name of a folder: only one behind the ending of a file of tensors parts the two.
  constexpr std::string_view ending = ".safetensors#";
  const std::size_t at = text.find(ending);
  if (at == std::string_view::npos) return {std::filesystem::path(text), {}};
  const std::size_t hash = at + ending.size() - 1;
  return {std::filesystem::path(text.substr(0, hash)), std::string(text.substr(hash + 1))};
}

std::string chosen_tensor(const TensorPath& path, std::string_view ending) {
  if (!path.tensor.empty()) return path.tensor;
  const auto entries = read_safetensors_header(path.file).entries;
  const auto is_meant = [&](const SafetensorsEntry& e) {
    return entries.size() == 1 || (!ending.empty() && e.name.ends_with(ending));
  };
  const auto first = std::ranges::find_if(entries, is_meant);
  if (first != entries.end() && std::ranges::count_if(entries, is_meant) == 1) return first->name;
  const std::string example = first != entries.end() ? first->name
                              : entries.empty()      ? "NAME"
                                                     : entries.front().name;
  throw Failure(Complaint()
                    .found(entries.size())
                    .fault("holds {} tensors", entries.size())
                    .allowed("one of them as {}", "FILE#" + example)
                    .within(in_file(path.file.string())));
}

}  // namespace orrery::file
