#include "core/file/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/file/bytes.h"
#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using nlohmann::json;
using tensor::Format;

// The limit of the reference implementation.
constexpr std::uint64_t max_header = 100'000'000;
constexpr std::size_t max_axes = 8, max_tensors = 1'000'000;

struct Type {
  std::string_view name;
  char kind;  // f float, b brain float, i and u whole numbers, t truth
  int bytes;
  Format format;
};
constexpr std::array types{
    Type{"F64", 'f', 8, Format::f64},   Type{"F32", 'f', 4, Format::f32}, Type{"F16", 'f', 2, Format::f16},
    Type{"BF16", 'b', 2, Format::bf16}, Type{"I64", 'i', 8, Format::f64}, Type{"I32", 'i', 4, Format::f64},
    Type{"I16", 'i', 2, Format::f64},   Type{"I8", 'i', 1, Format::f64},  Type{"U64", 'u', 8, Format::f64},
    Type{"U32", 'u', 4, Format::f64},   Type{"U16", 'u', 2, Format::f64}, Type{"U8", 'u', 1, Format::f64},
    Type{"BOOL", 't', 1, Format::f64}};

[[noreturn]] void fail(std::string_view origin, const std::string& what) {
  throw Failure(std::string(origin) + ": " + what);
}

const Type* type_of(std::string_view name) {
  const auto found = std::ranges::find(types, name, &Type::name);
  return found == types.end() ? nullptr : &*found;
}

std::uint64_t little_endian(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// For messages: a name from a file that anybody may have written.
std::string in_quotes(std::string_view name) {
  std::string text = "'";
  for (const char c : name.substr(0, 80)) text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return text + (name.size() > 80 ? "…'" : "'");
}

std::uint64_t whole(const json& number, std::string_view origin, const std::string& where) {
  if (!number.is_number_unsigned()) fail(origin, where + " is no whole number from 0");
  return number.get<std::uint64_t>();
}

/// Elements, 0 where an axis is; never more than 2^62.
std::uint64_t count_of(const std::vector<tensor::Index>& shape, std::string_view origin,
                       const std::string& where) {
  std::uint64_t product = 1;
  bool empty = false;
  for (const tensor::Index axis : shape) {
    empty = empty || axis == 0;
    if (__builtin_mul_overflow(product, static_cast<std::uint64_t>(std::max<tensor::Index>(axis, 1)),
                               &product) ||
        product > std::uint64_t{1} << 62)
      fail(origin, where + " has more elements than any array can have");
  }
  return empty ? 0 : product;
}

SafetensorsEntry parse_entry(const std::string& name, const json& about, std::uint64_t data_at,
                             std::uint64_t file_size, std::string_view origin) {
  const std::string where = "tensor " + in_quotes(name);
  const auto has = [&](const char* key, auto is) { return about.contains(key) && (about.at(key).*is)(); };
  if (!about.is_object() || !has("dtype", &json::is_string) || !has("shape", &json::is_array) ||
      !has("data_offsets", &json::is_array) || about.at("data_offsets").size() != 2)
    fail(origin, where + " lacks dtype, shape or two data_offsets");
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = about.at("dtype").get<std::string>();
  if (about.at("shape").size() > max_axes)
    fail(origin, where + " has " + std::to_string(about.at("shape").size()) + " axes; allowed: up to " +
                     std::to_string(max_axes));
  for (const json& axis : about.at("shape")) {
    const std::uint64_t length = whole(axis, origin, where + ": its shape");
    if (length > std::uint64_t{1} << 62) fail(origin, where + " has more elements than any array can have");
    entry.shape.push_back(static_cast<tensor::Index>(length));
  }
  const std::uint64_t count = count_of(entry.shape, origin, where);
  const std::uint64_t begin = whole(about.at("data_offsets")[0], origin, where + ": its offset");
  const std::uint64_t end = whole(about.at("data_offsets")[1], origin, where + ": its offset");
  const std::uint64_t room = file_size - data_at;
  if (begin > end || end > room)
    fail(origin, where + " lies at bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                     " of the data, of which there are " + std::to_string(room) +
                     ": the file is cut short or damaged");
  if (const Type* type = type_of(entry.dtype)) {
    const auto bytes = static_cast<std::uint64_t>(type->bytes);
    if (count > room / bytes || count * bytes != end - begin)
      fail(origin, where + ": shape " + tensor::shape_text(entry.shape) + " of " + entry.dtype +
                       " does not take the " + std::to_string(end - begin) + " bytes that it has");
  }
  entry.begin = data_at + begin;
  entry.end = data_at + end;
  return entry;
}

/// An open file and how large it is.
struct Opened {
  Descriptor descriptor;
  std::uint64_t size = 0;
  std::string name;

  explicit Opened(const std::filesystem::path& path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), name(path.string()) {
    if (descriptor.get() < 0) fail(name, std::string("cannot be opened: ") + std::strerror(errno));
    struct stat about {};
    if (::fstat(descriptor.get(), &about) != 0)
      fail(name, std::string("cannot be read: ") + std::strerror(errno));
    if (S_ISDIR(about.st_mode)) fail(name, "is a directory, not a file");
    if (!S_ISREG(about.st_mode)) fail(name, "is no regular file");
    size = static_cast<std::uint64_t>(about.st_size);
  }

  std::string bytes(std::uint64_t at, std::uint64_t count) const {
    std::string all(count, '\0');
    for (std::uint64_t filled = 0; filled < count;) {
      const ssize_t n =
          ::pread(descriptor.get(), all.data() + filled, count - filled, static_cast<off_t>(at + filled));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(name, std::string("cannot be read: ") + std::strerror(errno));
      if (n == 0) fail(name, "is cut short");
      filled += static_cast<std::uint64_t>(n);
    }
    return all;
  }
};

SafetensorsHeader header_of(const Opened& file) {
  const std::string first = file.bytes(0, std::min<std::uint64_t>(8, file.size));
  return parse_safetensors_header(file.bytes(0, safetensors_header_size(first, file.size, file.name)),
                                  file.size, file.name);
}

/// Nothing for an integer beyond ±2^53, where neighbours fall together.
std::optional<double> value_of(const Type& type, std::uint64_t bits) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const int unused = 64 - 8 * type.bytes;
  switch (type.kind) {
    case 't':
      return bits != 0;
    case 'u':
      return bits <= std::uint64_t{exact} ? std::optional(static_cast<double>(bits)) : std::nullopt;
    case 'i': {
      const std::int64_t n = static_cast<std::int64_t>(bits << unused) >> unused;
      return n >= -exact && n <= exact ? std::optional(static_cast<double>(n)) : std::nullopt;
    }
    case 'b':
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
    default:
      break;
  }
  if (type.bytes == 8) return std::bit_cast<double>(bits);
  if (type.bytes == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return static_cast<double>(
      static_cast<float>(Eigen::numext::bit_cast<tensor::f16>(static_cast<std::uint16_t>(bits))));
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
  if (file_size < 8 || head.size() < 8) fail(origin, "is no .safetensors file: it ends before its header");
  const std::uint64_t length = little_endian(head.data(), 8);
  if (length > max_header || length > file_size - 8)
    fail(origin, "is no .safetensors file, or cut short: its header would be " + std::to_string(length) +
                     " bytes long");
  return 8 + length;
}

SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size,
                                           std::string_view origin) {
  const std::uint64_t data_at = safetensors_header_size(head, file_size, origin);
  if (head.size() < data_at) fail(origin, "ends within its header");
  // No object within an object within an object stands in such a header: what nests deeper is not read on.
  const auto shallow = [](int depth, json::parse_event_t, json&) { return depth <= 3; };
  const json root = json::parse(head.substr(8, data_at - 8), shallow, false);
  if (!root.is_object()) fail(origin, "is no .safetensors file: its header is no JSON object");
  if (root.size() > max_tensors)
    fail(origin, "has " + std::to_string(root.size()) + " tensors; allowed: up to 1000000");
  SafetensorsHeader header;
  for (const auto& [name, about] : root.items())
    if (name != "__metadata__")
      header.entries.push_back(parse_entry(name, about, data_at, file_size, origin));
  std::ranges::stable_sort(header.entries, {}, &SafetensorsEntry::begin);
  return header;
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  return header_of(Opened(path));
}

tensor::Array read_safetensors(const std::filesystem::path& path, std::string_view name) {
  const Opened file(path);
  const SafetensorsHeader header = header_of(file);
  const auto entry = std::ranges::find(header.entries, name, &SafetensorsEntry::name);
  if (entry == header.entries.end())
    fail(file.name, "no tensor " + in_quotes(name) +
                        (header.entries.empty() ? "; it holds none"
                                                : "; it holds " + std::to_string(header.entries.size()) +
                                                      ", such as " + some_names(header, name)));
  const Type* type = type_of(entry->dtype);
  if (!type) {
    std::string known;
    for (const Type& each : types) known += (known.empty() ? "" : ", ") + std::string(each.name);
    fail(file.name,
         "tensor " + in_quotes(name) + " is of type " + in_quotes(entry->dtype) + "; allowed: " + known);
  }
  const std::string bytes = file.bytes(entry->begin, entry->end - entry->begin);
  const auto size = static_cast<std::size_t>(type->bytes);
  tensor::Array array{
      .format = type->format, .shape = entry->shape, .values = std::vector<double>(bytes.size() / size)};
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const auto value = value_of(*type, little_endian(bytes.data() + i * size, size));
    if (!value)
      fail(file.name, "tensor " + in_quotes(name) + ", element " + std::to_string(i) +
                          " is an integer beyond 2^53, which no double holds exactly");
    array.values[i] = *value;
  }
  return array;
}

TensorPath tensor_path(std::string_view text) {
  // A # may stand in the name of a folder: only one behind the ending of a file of tensors parts the two.
  constexpr std::string_view ending = ".safetensors#";
  const std::size_t at = text.find(ending);
  if (at == std::string_view::npos) return {std::filesystem::path(text), {}};
  const std::size_t hash = at + ending.size() - 1;
  return {std::filesystem::path(text.substr(0, hash)), std::string(text.substr(hash + 1))};
}

}  // namespace orrery::file
