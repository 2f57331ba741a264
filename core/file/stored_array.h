// An array where it lies in a file: what it is, known before any of its numbers is read, and its numbers, all at once or
// some at a time, so that a file of many gigabytes can be looked through in little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/file/numbers.h"
#include "core/tensor/array.h"
#include "core/tensor/complaint.h"

namespace orrery::file {

/// How many numbers are read at once, where nothing else is said: 4 GiB as doubles, 2 GiB as floats.
inline constexpr std::uint64_t most_numbers = std::uint64_t{1} << 29;

struct StoredArray {
  std::string origin;    ///< of the file, for errors
  std::string tensor{};  ///< which of the file's; empty: there is but one

  std::string dtype;  ///< as the file calls it: "float32", "BF16"
  NumberType type;
  std::vector<tensor::Index> shape;
  bool fortran_order = false;
  std::uint64_t count = 0;  ///< of its elements
  std::optional<std::uint64_t>
      data_bytes;  ///< what there is of them; nothing for a pipe, which says it at its end

  /// Fewer bytes than asked for only at the end.
  std::function<std::size_t(char* to, std::size_t count)> next;
  /// Bytes from anywhere among those of its elements, as Source::read_at has them; empty for a pipe, which passes once.
  std::function<std::size_t(std::uint64_t at, char* to, std::size_t count)> at{};

  /// As many bytes as `count` elements take.
  std::uint64_t bytes() const { return count * static_cast<std::uint64_t>(type.bytes); }

  /// Hands out all numbers once, in the order of the file. Throws Failure where the data ends too early, and for an integer
  /// that no double holds exactly.
  void for_each_block(const std::function<void(std::span<const double>)>&) const;
  /// Those from element `first` on, in the order of the file, of what is no pipe; no other is read. Throws Failure as above.
  /// From any thread.
  void numbers_at(std::uint64_t first, std::span<double> out) const;
  /// All of them, row-major. Throws Failure for more than `most`, before it takes memory for any.
  tensor::Array read(std::uint64_t most = most_numbers) const;

  /// Failure about this array.
  [[noreturn]] void fail(const Complaint&) const;
  /// About too few bytes.
  [[noreturn]] void fail_short(std::uint64_t available) const;

 private:
  template <class T, class Use>
  void each_block(Use) const;
  template <class T>
  std::vector<T> all_numbers() const;
};

}  // namespace orrery::file
