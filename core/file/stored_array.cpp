#include "core/file/stored_array.h"

#include <algorithm>
#include <type_traits>

#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using tensor::Index;

constexpr std::size_t block_numbers = 1 << 15;

/// Column-major to row-major: the first axis of the file runs fastest.
template <class T>
std::vector<T> to_row_major(const std::vector<T>& file, const std::vector<Index>& shape) {
  std::vector<T> out(file.size());
  std::vector<std::size_t> stride(shape.size());  // in `out`, per axis
  std::size_t step = 1;
  for (std::size_t a = shape.size(); a-- > 0;) {
    stride[a] = step;
    step *= static_cast<std::size_t>(shape[a]);
  }
  std::vector<Index> at(shape.size(), 0);
  std::size_t target = 0;
  for (const T v : file) {
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

}  // namespace

void StoredArray::fail(const Complaint& what) const {
  const Subject which{Subject::Kind::thing, words("tensor {}", in_apostrophes(tensor))};
  throw Failure((tensor.empty() ? what : what.within(which)).within(in_file(origin)));
}

void StoredArray::fail_short(std::uint64_t available) const {
  const Phrase promised = shape.empty() ? words("a scalar") : words("shape {}", tensor::shape_text(shape));
  fail(wrong(
      "the header promises {} of {}, but only {} bytes of data follow: the file is cut short or damaged",
      promised, dtype, available));
}

template <class T, class Use>
void StoredArray::each_block(Use use) const {
  const auto size = static_cast<std::size_t>(type.bytes);
  const auto largest = static_cast<std::size_t>(std::min<std::uint64_t>(count, block_numbers));
  std::string bytes(largest * size, '\0');
  std::vector<T> numbers(largest);
  for (std::uint64_t at = 0; at < count;) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(largest, count - at));
    const std::size_t got = next(bytes.data(), now * size);
    if (got < now * size) fail_short(at * size + got);
    if constexpr (std::is_same_v<T, float>) {
      decode_reals(type, bytes, std::span(numbers).first(now));
    } else {
      const std::size_t right = decode(type, bytes, std::span(numbers).first(now));
      if (right < now)
        fail(wrong("element {} is an integer beyond 2^53, which no double holds exactly", at + right));
    }
    use(std::span<const T>(numbers).first(now));
    at += now;
  }
}

void StoredArray::for_each_block(const std::function<void(std::span<const double>)>& block) const {
  each_block<double>(block);
}

void StoredArray::numbers_at(std::uint64_t first, std::span<double> out) const {
  const auto size = static_cast<std::uint64_t>(type.bytes);
  std::string bytes(out.size() * size, '\0');
  const std::size_t got = at(first * size, bytes.data(), bytes.size());
  if (got < bytes.size()) fail_short(first * size + got);
  const std::size_t right = decode(type, bytes, out);
  if (right < out.size())
    fail(wrong("element {} is an integer beyond 2^53, which no double holds exactly", first + right));
}

template <class T>
std::vector<T> StoredArray::all_numbers() const {
  std::vector<T> all;
  // What a pipe promises is believed as it comes.
  if (data_bytes) all.reserve(count);
  each_block<T>([&](std::span<const T> block) { all.insert(all.end(), block.begin(), block.end()); });
  return fortran_order && shape.size() > 1 ? to_row_major(all, shape) : all;
}

tensor::Array StoredArray::read(std::uint64_t most) const {
  if (count > most)
    fail(Complaint()
             .found(count)
             .fault("{} numbers, shape {}", count, tensor::shape_text(shape))
             .allowed("up to {}", most));
  const tensor::Format format = exact_format(type);
  if (format == tensor::Format::f64) return {format, shape, all_numbers<double>()};
  return {format, shape, all_numbers<float>()};
}

}  // namespace orrery::file
