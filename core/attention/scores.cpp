#include "core/attention/scores.h"

#include <algorithm>
#include <string>

#include "core/tensor/error.h"

namespace orrery::attention {

using tensor::Index;

double scores_gpu_bound(Index d) {
  return (12 + static_cast<double>(std::min<Index>(d, 16))) * 0x1p-24;
}

void check_scores(const ScoresParams& params, Index keys) {
  const auto refuse = [](Complaint complaint) { throw InvalidArgument(complaint.led_by(", allowed: ")); };
  check_mask(params.mask, keys);
  if (params.cap && !(*params.cap > 0))
    refuse(about("cap").found(std::to_string(*params.cap)).allowed("above {}", 0));
  if (params.log_n && !(params.log_n->trained > 1))
    refuse(about("log_n")
               .found(std::to_string(params.log_n->trained))
               .allowed("above 1, the length that ln n is measured by"));
  if (!params.padding.empty() && std::ssize(params.padding) != keys)
    refuse(about(Subject::Kind::input, "padding")
               .found(params.padding.size())
               .fault("found {} flags", params.padding.size())
               .allowed("{}, one for each key", keys));
}

double scores_scale(const ScoresParams& params, Index d) {
  return params.scale.value_or(d == 0 ? 1 : 1 / std::sqrt(static_cast<double>(d)));
}

Index ScoresParams::seen(Index t, Index queries, Index keys) const {
  const KeyRange range = mask.range(t, queries, keys);
  if (padding.empty()) return range.count();
  return range.count() - std::ranges::count(range.of(padding), std::uint8_t{0});
}

double score_factor(const ScoresParams& params, Index t, Index queries, Index keys, Index d) {
  const double scale = scores_scale(params, d);
  return params.log_n ? scale * params.log_n->factor(params.seen(t, queries, keys)) : scale;
}

}  // namespace orrery::attention
