// What every kind of mark states about itself, in one place: its bounds, label, ink, samples, what a legend shows of it,
// how it is read and what a difference subtracts. mark_facts.cpp is the table, a row for each kind. Nothing has a
// default: a new kind of mark without a row, or a row that leaves out a fact, does not compile. What has code of its own
// for each kind (draw in stage.h, legend_sample.h, mark_difference.h) is declared for each kind and for no others.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

/// What a mark is to those that stand beside it.
enum class Nature : std::uint8_t {
  data,       ///< words had better not stand on it
  field,      ///< colours over a plane: words stand on it all the same
  guide,      ///< a line of the panel's own
  words,      ///< at a place that is given
  free_words  ///< they seek a place that nothing else has taken
};

/// What a pointer over a mark is told.
enum class ReadAs : std::uint8_t {
  nothing,
  samples,  ///< the sample that is meant
  columns,  ///< the column above the pointer's x
  bins,
  cells
};

/// Nothing, said aloud.
struct None {};
inline constexpr None none{};

/// A thing that a mark has, or none; it lives as long as the mark does.
template <class T>
class Fact {
 public:
  Fact(None) {}
  Fact(const T& thing) : thing_(&thing) {}
  Fact(const T&&) = delete;
  const T* get() const { return thing_; }
  explicit operator bool() const { return thing_ != nullptr; }
  const T& operator*() const { return *thing_; }
  const T* operator->() const { return thing_; }

 private:
  const T* thing_ = nullptr;
};

using Values = std::span<const double>;

/// Values that a mark covers along an axis: at[i] + times · by[i] + shift.
struct Bound {
  Values at;
  bool pinned = false;  ///< the panel's edge may touch them
  Values by{};
  double times = 1, shift = 0;
};

/// A value that has to be said.
template <class T>
class Stated {
 public:
  Stated(T value) : value_(value) {}
  operator T() const { return value_; }

 private:
  T value_;
};

/// One or more of a thing, or none.
template <class T>
class Several {
 public:
  Several(None) {}
  template <std::convertible_to<T>... More>
  Several(const T& first, const More&... more) : things_{first, T(more)...} {}
  auto begin() const { return things_.begin(); }
  auto end() const { return things_.end(); }
  std::size_t size() const { return things_.size(); }
  const T& operator[](std::size_t i) const { return things_[i]; }

 private:
  std::vector<T> things_;
};

/// How the samples of a curve or of markers stand; x and y are those that are drawn.
struct Sampled {
  Values x, y;
  Course course = Course::straight;
  bool scattered = false;  ///< markers that stand where they stand: no curve to be read at an x
};

struct MarkFacts {
  Stated<Nature> nature;
  Fact<std::string> label;  ///< in a legend
  Fact<std::string> text;   ///< written in the panel
  Fact<Ink> ink;            ///< that of its series
  Fact<Reading> reading;
  Fact<ColorScale> colors;
  Several<Bound> along_x, along_y;
  Stated<ReadAs> read_as;
  Several<Sampled> samples;           ///< one at most
  Fact<std::vector<double>> heights;  ///< what a difference subtracts, sample by sample
  Several<Values> numbers;            ///< what two devices are compared by; a field's are sampled
};

/// For what has code for each kind of mark: those that need none are named, so that a new kind is not forgotten.
template <class M, class... Ms>
concept OneOf = (std::same_as<M, Ms> || ...);

/// What `use` says of two marks of one kind; nothing of two kinds.
template <class Use>
auto same_kind(const Use& use, const Mark& a, const Mark& b) {
  return std::visit(
      [&]<class M>(const M& m) {
        const M* own = std::get_if<M>(&b);
        return own ? std::optional(use(m, *own)) : std::nullopt;
      },
      a);
}

/// They point into the mark.
MarkFacts facts(const Mark&);
MarkFacts facts(Mark&&) = delete;

}  // namespace orrery::figure
