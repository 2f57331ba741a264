#include "core/file/npy.h"

#include <bit>
#include <optional>

#include "core/file/bytes.h"
#include "core/file/npy_header.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using tensor::Format;
using tensor::Index;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t max_header = 64 * 1024;
constexpr std::uint64_t max_file = std::uint64_t{4} << 30;

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::int64_t sign_extended(std::uint64_t bits, int bytes) {
  const int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// Nothing for an integer beyond ±2^53: neighbours fall together there, and nobody could tell which one was
/// meant.
std::optional<double> from_bits(const NpyType& type, std::uint64_t bits) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (type.kind == 'b') return bits != 0;
  if (type.kind == 'u') {
    return bits <= std::uint64_t{exact} ? std::optional(static_cast<double>(bits)) : std::nullopt;
  }
  if (type.kind == 'i') {
    const std::int64_t n = sign_extended(bits, type.bytes);
    return n >= -exact && n <= exact ? std::optional(static_cast<double>(n)) : std::nullopt;
  }
  if (type.bytes == 8) return std::bit_cast<double>(bits);
  if (type.bytes == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return static_cast<double>(
      static_cast<float>(Eigen::numext::bit_cast<tensor::f16>(static_cast<std::uint16_t>(bits))));
}

/// How many elements; never more than the file can hold, whatever the header says.
std::uint64_t checked_count(const NpyHeader& header, std::uint64_t available, std::string_view origin) {
  // Axes of size 0 are left out of this product, so that no view of the array can overflow either.
  std::uint64_t product = 1;
  bool empty = false;
  std::string shape;
  for (const std::uint64_t axis : header.shape) {
    shape += (shape.empty() ? "" : "×") + std::to_string(axis);
    empty = empty || axis == 0;
    if (__builtin_mul_overflow(product, axis == 0 ? 1 : axis, &product) ||
        product > (std::uint64_t{1} << 62)) {
      throw Failure(std::string(origin) + ": an array of " + shape +
                    " has more elements than any array can have");
    }
  }
  if (empty) return 0;
  const auto size = static_cast<std::uint64_t>(header.type.bytes);
  if (product > available / size) {
    throw Failure(std::string(origin) + ": the header promises " +
                  (shape.empty() ? "a scalar" : "shape " + shape) + " of " + numpy_name(header.type) +
                  ", but only " + std::to_string(available) +
                  " bytes of data follow: the file is cut short or damaged");
  }
  return product;
}

/// Column-major to row-major: the first axis of the file runs fastest.
std::vector<double> to_row_major(const std::vector<double>& file, const std::vector<Index>& shape) {
  std::vector<double> out(file.size());
  std::vector<std::size_t> stride(shape.size());  // in `out`, per axis
  std::size_t step = 1;
  for (std::size_t a = shape.size(); a-- > 0;) {
    stride[a] = step;
    step *= static_cast<std::size_t>(shape[a]);
  }
  std::vector<Index> at(shape.size(), 0);
  std::size_t target = 0;
  for (const double v : file) {
    out[target] = v;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      target += stride[a];
      if (++at[a] < shape[a]) break;
      target -= stride[a] * static_cast<std::size_t>(shape[a]);
      at[a] = 0;
    }
  }
  return out;
}

Format format_of(const NpyType& type) {
  if (type.kind != 'f' || type.bytes == 8) return Format::f64;
  return type.bytes == 4 ? Format::f32 : Format::f16;
}

}  // namespace

Npy parse_npy(std::string_view bytes, std::string_view origin) {
  const auto fail = [&](const std::string& what) { throw Failure(std::string(origin) + ": " + what); };
  if (bytes.size() < magic.size() + 2 || bytes.substr(0, magic.size()) != magic) {
    fail(bytes.empty() ? "is empty; allowed: a NumPy .npy file"
                       : "is no NumPy .npy file: it does not begin with \\x93NUMPY");
  }
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail("npy version " + std::to_string(major) + "." + std::to_string(minor) + "; allowed: 1.0, 2.0, 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t header_at = 8 + length_bytes;
  if (bytes.size() < header_at) fail("ends before the length of its header");
  const std::uint64_t length = little_endian(bytes.substr(8, length_bytes));
  if (length > max_header) {
    fail("the header is " + std::to_string(length) + " bytes long; allowed: up to " +
         std::to_string(max_header));
  }
  if (length > bytes.size() - header_at) fail("ends within its header");

  const NpyHeader header = parse_npy_header(bytes.substr(header_at, length), origin);
  const std::string_view data = bytes.substr(header_at + length);
  const std::uint64_t count = checked_count(header, data.size(), origin);
  const auto size = static_cast<std::size_t>(header.type.bytes);

  Npy npy;
  npy.dtype = numpy_name(header.type);
  npy.data_bytes = count * size;
  npy.trailing_bytes = data.size() - npy.data_bytes;
  npy.array.format = format_of(header.type);
  npy.array.shape.assign(header.shape.begin(), header.shape.end());
  npy.array.values.resize(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view element = data.substr(i * size, size);
    const std::uint64_t bits = header.type.big_endian ? big_endian(element) : little_endian(element);
    const auto value = from_bits(header.type, bits);
    if (!value)
      fail("element " + std::to_string(i) + " is an integer beyond 2^53, which no double holds exactly");
    npy.array.values[i] = *value;
  }
  if (header.fortran_order && header.shape.size() > 1)
    npy.array.values = to_row_major(npy.array.values, npy.array.shape);
  return npy;
}

Npy read_npy_file(const std::filesystem::path& path) {
  return parse_npy(read_bytes(path, max_file), path.string());
}

tensor::Array read_npy(const std::filesystem::path& path) {
  return read_npy_file(path).array;
}

std::string npy_bytes(const tensor::Array& array) {
  const int size = array.format == Format::f64 ? 8 : array.format == Format::f16 ? 2 : 4;
  std::string header = "{'descr': '<f" + std::to_string(size) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t a = 0; a < array.shape.size(); ++a) {
    header += (a == 0 ? "" : ", ") + std::to_string(array.shape[a]);
  }
  header += array.shape.size() == 1 ? ",), }" : "), }";  // a tuple of one has a comma in Python
  const std::size_t unpadded = 10 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';

  std::string out(magic);
  out += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  out += header;
  const std::size_t data_at = out.size();
  out.resize(data_at + array.values.size() * static_cast<std::size_t>(size));
  char* to = out.data() + data_at;
  const auto put = [&](auto bits) {
    for (std::size_t b = 0; b < sizeof bits; ++b) *to++ = static_cast<char>(bits >> (8 * b) & 0xff);
  };
  for (const double v : array.values) {
    if (size == 8) put(std::bit_cast<std::uint64_t>(v));
    if (size == 4) put(std::bit_cast<std::uint32_t>(static_cast<float>(v)));
    if (size == 2) put(Eigen::numext::bit_cast<std::uint16_t>(tensor::f16(static_cast<float>(v))));
  }
  return out;
}

}  // namespace orrery::file
