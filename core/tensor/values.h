// The numbers of an array: in float where each of them is one, so that they take half the memory and go no way through
// double and back.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor/format.h"

namespace orrery::tensor {

/// Read as doubles, whatever they are kept as: every float is one.
class Values {
 public:
  class Iterator;
  using value_type = double;
  using iterator = Iterator;
  using const_iterator = Iterator;

  Values() = default;
  Values(std::vector<double> values) : kept_(std::move(values)) {}  // NOLINT(google-explicit-constructor)
  Values(std::vector<float> values) : kept_(std::move(values)) {}   // NOLINT(google-explicit-constructor)
  Values(std::initializer_list<double> values) : kept_(std::vector<double>(values)) {}
  template <class T>
  Values(const T* first, const T* last) : kept_(std::vector<T>(first, last)) {}

  /// Calls f with them as they are kept: a span of const float or of const double.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&](const auto& values) { return f(std::span(values)); }, kept_);
  }

  std::size_t size() const {
    return visit([](auto values) { return values.size(); });
  }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const {
    const auto* floats = std::get_if<std::vector<float>>(&kept_);
    return floats != nullptr ? static_cast<double>((*floats)[i]) : std::get<std::vector<double>>(kept_)[i];
  }
  Iterator begin() const;
  Iterator end() const;

  template <class T>
  std::vector<T> to() const {
    return visit([](auto values) { return std::vector<T>(values.begin(), values.end()); });
  }

  /// To be changed: kept in double from here on.
  std::vector<double>& doubles();
  /// Each to the nearest value of the format, once; kept in float then, but for f64.
  void round_to(Format);

 private:
  std::variant<std::vector<double>, std::vector<float>> kept_;
};

class Values::Iterator {
 public:
  using value_type = double;
  using difference_type = std::ptrdiff_t;
  using reference = double;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  Iterator() = default;
  Iterator(const Values& values, difference_type at) : values_(&values), at_(at) {}

  double operator*() const { return (*values_)[static_cast<std::size_t>(at_)]; }
  double operator[](difference_type n) const { return *(*this + n); }
  Iterator& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  Iterator& operator-=(difference_type n) { return *this += -n; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) {
    const Iterator old = *this;
    ++*this;
    return old;
  }
  Iterator operator--(int) {
    const Iterator old = *this;
    --*this;
    return old;
  }
  friend Iterator operator+(Iterator i, difference_type n) { return i += n; }
  friend Iterator operator+(difference_type n, Iterator i) { return i += n; }
  friend Iterator operator-(Iterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
  friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

 private:
  const Values* values_ = nullptr;
  difference_type at_ = 0;
};

inline Values::Iterator Values::begin() const {
  return {*this, 0};
}
inline Values::Iterator Values::end() const {
  return {*this, static_cast<std::ptrdiff_t>(size())};
}

/// Number by number, whatever they are kept as.
inline bool operator==(const Values& a, const Values& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace orrery::tensor
