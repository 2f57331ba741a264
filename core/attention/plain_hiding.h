// −∞ where no query of a block sees a key. Included once for each kind of processor, like core/simd/vector.h.
#if defined(ORRERY_CORE_ATTENTION_PLAIN_HIDING_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ATTENTION_PLAIN_HIDING_H_
#undef ORRERY_CORE_ATTENTION_PLAIN_HIDING_H_
#else
#define ORRERY_CORE_ATTENTION_PLAIN_HIDING_H_
#endif

#include <cstdint>
#include <limits>

#include "core/attention/plain_scores_kernels.h"
#include "core/attention/plain_tiles.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

constexpr float hidden = -std::numeric_limits<float>::infinity();

template <bool streamed>
HWY_INLINE void hide(float* s, Index count) {
  fill<streamed>(s, static_cast<std::size_t>(count), [](auto, std::size_t) HWY_ATTR { return all(hidden); });
}

/// Hides the keys of a block that none of its rows sees, some lines in each of so many turns: memory takes them while the
/// processor multiplies. A turn never branches by where it is: a wrong guess costs more than the writing.
template <bool streamed>
class Hiding {
 public:
  HWY_INLINE Hiding(const PlainBlock& b, Index stride, Index turns) : rows_(b.rows), stride_(stride) {
    const Index end = b.key + b.keys, seen_first = HWY_MIN(b.first, end), seen_end = HWY_MIN(b.end, end);
    parts_[0] = {b.s + b.key, seen_first - b.key};
    parts_[1] = {b.s + seen_end, end - seen_end};
    each_turn_ = ((parts_[0].keys / line + parts_[1].keys / line) * rows_ + turns - 1) / turns;
    begin();
  }
  HWY_INLINE void go_on() {
    const Index lines = HWY_MIN(each_turn_, left_);
    for (Index n = 0; n < lines; ++n) {
      put_line(s_ + at_);
      const Index at_end = -static_cast<Index>(--left_in_row_ == 0);
      at_ += line + (to_next_row_ & at_end);
      left_in_row_ += lines_of_row_ & at_end;
    }
    left_ -= lines;
  }
  HWY_INLINE void next_part() {
    if (left_ == 0 && part_ < 2) begin();
  }
  HWY_INLINE void finish() {
    for (next_part(); left_ > 0; next_part()) {
      each_turn_ = left_;
      go_on();
    }
    for (const Part& part : parts_) {
      const Index rest = part.keys % line;
      for (Index row = 0; row < rows_ && rest > 0; ++row)
        hide<streamed>(part.s + row * stride_ + part.keys - rest, rest);
    }
  }

 private:
  struct Part {
    float* s;
    Index keys;
  };
  static HWY_INLINE void put_line(float* p) {
    const Index lanes = static_cast<Index>(hn::Lanes(Floats()));
    for (Index i = 0; i < line; i += lanes) put<streamed>(all(hidden), p + i);
  }
  HWY_NOINLINE void begin() {
    for (; left_ == 0 && part_ < 2; ++part_) {
      s_ = parts_[part_].s;
      at_ = 0;
      lines_of_row_ = left_in_row_ = parts_[part_].keys / line;
      left_ = lines_of_row_ * rows_;
      to_next_row_ = stride_ - lines_of_row_ * line;
    }
  }

  Part parts_[2];
  Index rows_, stride_, part_ = 0, each_turn_, left_ = 0;
  float* s_ = nullptr;
  Index at_ = 0;
  Index lines_of_row_ = 0, left_in_row_ = 0, to_next_row_ = 0;
};

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
