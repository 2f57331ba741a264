#include "core/file/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>

#include "core/file/new_files.h"
#include "core/file/npy_header.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using tensor::Format;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t max_npy_header = 64 * 1024;
constexpr std::uint64_t max_trailing = std::uint64_t{4} << 30;

/// Of one file: bytes in their order, and how many there are in all, if that is known.
struct Stream {
  std::string origin;
  std::function<std::size_t(char*, std::size_t)> next;
  std::optional<std::uint64_t> size;
  std::function<std::size_t(std::uint64_t, char*, std::size_t)> at{};  // empty for a pipe

  [[noreturn]] void fail(const Complaint& what) const { throw Failure(what.within(in_file(origin))); }
  std::string bytes(std::size_t count) const {
    std::string some(count, '\0');
    some.resize(next(some.data(), count));
    return some;
  }
};

Stream stream_of(const std::filesystem::path& path, Accept accept) {
  const auto source = std::make_shared<Source>(path, accept);
  Stream stream{source->name(), [source](char* to, std::size_t count) { return source->read(to, count); },
                source->size()};
  if (source->size())
    stream.at = [source](std::uint64_t at, char* to, std::size_t count) {
      return source->read_at(at, to, count);
    };
  return stream;
}

Stream stream_of(std::string_view bytes, std::string_view origin) {
  const auto next = [rest = bytes](char* to, std::size_t count) mutable {
    const std::size_t n = rest.copy(to, count);
    rest.remove_prefix(n);
    return n;
  };
  return {std::string(origin), next, bytes.size()};
}

/// How many elements.
std::uint64_t checked_count(const NpyHeader& header, const Stream& stream) {
  // Axes of size 0 are left out of this product, so that no view of the array can overflow either.
  std::uint64_t product = 1;
  bool empty = false;
  std::string shape;
  for (const std::uint64_t axis : header.shape) {
    shape += (shape.empty() ? "" : "×") + std::to_string(axis);
    empty = empty || axis == 0;
    if (__builtin_mul_overflow(product, axis == 0 ? 1 : axis, &product) || product > (std::uint64_t{1} << 62))
      stream.fail(wrong("an array of {} has more elements than any array can have", shape));
  }
  return empty ? 0 : product;
}

StoredArray stored(const Stream& stream) {
  const std::string first = stream.bytes(magic.size() + 2);
  if (first.empty()) stream.fail(wrong("is empty").allowed("a NumPy .npy file"));
  if (!first.starts_with(magic) && !magic.starts_with(first))
    stream.fail(wrong("is no NumPy .npy file: it does not begin with {}", "\\x93NUMPY"));
  if (first.size() < magic.size() + 2) stream.fail(wrong("ends before the version of its header"));
  const int major = static_cast<unsigned char>(first[6]);
  const int minor = static_cast<unsigned char>(first[7]);
  if (major < 1 || major > 3 || minor != 0) {
    const std::string version = std::to_string(major) + "." + std::to_string(minor);
    stream.fail(
        Complaint().found(version).fault("npy version {}", version).allowed(name_phrase("1.0, 2.0, 3.0")));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::string length_text = stream.bytes(length_bytes);
  if (length_text.size() < length_bytes) stream.fail(wrong("ends before the length of its header"));
  const std::uint64_t length = little_endian(length_text);
  if (length > max_npy_header) {
    stream.fail(Complaint()
                    .found(length)
                    .fault("the header is {} bytes long", length)
                    .allowed("up to {}", max_npy_header));
  }
  const std::string text = stream.bytes(length);
  if (text.size() < length) stream.fail(wrong("ends within its header"));

  const NpyHeader header = parse_npy_header(text, stream.origin);
  StoredArray array{.origin = stream.origin,
                    .dtype = numpy_name(header.type),
                    .type = header.type,
                    .shape = {header.shape.begin(), header.shape.end()},
                    .fortran_order = header.fortran_order,
                    .count = checked_count(header, stream),
                    .data_bytes = {},
                    .next = stream.next};
  if (stream.size) {
    const std::uint64_t head = first.size() + length_bytes + length;
    array.data_bytes = *stream.size - std::min(*stream.size, head);
    if (stream.at)
      array.at = [at = stream.at, head](std::uint64_t from, char* to, std::size_t count) {
        return at(head + from, to, count);
      };
    if (array.count > *array.data_bytes / static_cast<std::uint64_t>(header.type.bytes))
      array.fail_short(*array.data_bytes);
  }
  return array;
}

Npy read(const StoredArray& stored, std::uint64_t most) {
  Npy npy{.array = stored.read(most), .dtype = stored.dtype, .data_bytes = stored.bytes()};
  npy.trailing_bytes = trailing_bytes(stored);
  return npy;
}

/// Of one number in a file that is written.
std::size_t bytes_of(Format format, BrainFloats brain) {
  if (format == Format::bf16) return brain == BrainFloats::kept ? 2 : 4;
  return static_cast<std::size_t>(tensor::info(format).bytes);
}

/// All that stands before the numbers.
std::string head_of(const tensor::Array& array, BrainFloats brain) {
  const char* kind = array.format == Format::bf16 && brain == BrainFloats::kept ? "<V" : "<f";
  std::string header = "{'descr': '" + (kind + std::to_string(bytes_of(array.format, brain))) +
                       "', 'fortran_order': False, 'shape': (";
  for (std::size_t a = 0; a < array.shape.size(); ++a) {
    header += (a == 0 ? "" : ", ") + std::to_string(array.shape[a]);
  }
  header += array.shape.size() == 1 ? ",), }" : "), }";  // a tuple of one has a comma in Python
  const std::size_t unpadded = 10 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';

  std::string head(magic);
  head += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return head + header;
}

static_assert(std::endian::native == std::endian::little);

/// The numbers, where they are kept as the file has them; else nothing.
std::optional<std::string_view> as_kept(const tensor::Array& array, BrainFloats brain) {
  return array.values.visit([&]<class T>(std::span<const T> values) -> std::optional<std::string_view> {
    if (sizeof(T) != bytes_of(array.format, brain)) return {};
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  });
}

std::string encoded(const tensor::Array& array, BrainFloats brain) {
  const std::size_t size = bytes_of(array.format, brain);
  std::string out(array.values.size() * size, '\0');
  char* to = out.data();
  const auto put = [&](auto bits) {
    std::memcpy(to, &bits, sizeof bits);
    to += sizeof bits;
  };
  for (const double v : array.values) {
    if (size == 8) put(v);
    if (size == 4) put(static_cast<float>(v));
    if (size == 2 && array.format == Format::f16)
      put(Eigen::numext::bit_cast<std::uint16_t>(tensor::f16(static_cast<float>(v))));
    if (size == 2 && array.format == Format::bf16)
      put(Eigen::numext::bit_cast<std::uint16_t>(tensor::bf16(static_cast<float>(v))));
  }
  return out;
}

}  // namespace

StoredArray open_npy(const std::filesystem::path& path, Accept accept) {
  return stored(stream_of(path, accept));
}

std::uint64_t trailing_bytes(const StoredArray& array) {
  if (array.data_bytes) return *array.data_bytes - array.bytes();
  std::uint64_t trailing = 0;
  std::array<char, 65536> some{};
  while (const std::size_t n = array.next(some.data(), some.size())) {
    trailing += n;
    if (trailing > max_trailing) array.fail(wrong("more than {} bytes behind the data", max_trailing));
  }
  return trailing;
}

Npy parse_npy(std::string_view bytes, std::string_view origin) {
  return read(stored(stream_of(bytes, origin)), most_numbers);
}

Npy read_npy_file(const std::filesystem::path& path, Accept accept) {
  return read(open_npy(path, accept), most_numbers);
}

tensor::Array read_npy(const std::filesystem::path& path) {
  return read_npy_file(path).array;
}

std::string npy_bytes(const tensor::Array& array, BrainFloats brain) {
  if (const auto kept = as_kept(array, brain)) return head_of(array, brain).append(*kept);
  return head_of(array, brain) + encoded(array, brain);
}

void write_npy(const std::filesystem::path& path, const tensor::Array& array, BrainFloats brain) {
  NewFiles one;
  write_npy(one, path, array, brain);
  one.commit();
}

void write_npy(NewFiles& files, const std::filesystem::path& path, const tensor::Array& array,
               BrainFloats brain) {
  const std::string head = head_of(array, brain);
  const auto kept = as_kept(array, brain);
  const std::string numbers = kept ? std::string() : encoded(array, brain);
  const std::string_view parts[] = {head, kept.value_or(numbers)};
  files.write(path, parts);
}

}  // namespace orrery::file
