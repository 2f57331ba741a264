#include "core/attention/mask.h"

#include <cstdio>
#include <set>

#include "core/tensor/error.h"

namespace orrery::attention {

void check_mask(const Mask& mask, tensor::Index keys) {
  if (mask.kind == Mask::Kind::sliding && mask.window < 1)
    throw InvalidArgument(about(words("sliding window"))
                              .found(mask.window)
                              .led_by(", allowed: ")
                              .allowed("at least 1 (the token itself)"));
  if (mask.kind == Mask::Kind::chunked && mask.chunk < 1)
    throw InvalidArgument(
        about(words("chunk")).found(mask.chunk).led_by(", allowed: ").allowed("at least {}", 1));
  if (!mask.documents.empty() && std::ssize(mask.documents) != keys)
    throw InvalidArgument(about(Subject::Kind::input, "document_id")
                              .found(mask.documents.size())
                              .fault("found {} numbers", mask.documents.size())
                              .allowed("{}, one for each key", keys));
  if (mask.kind == Mask::Kind::prefix && mask.prefix < 0)
    throw InvalidArgument(about("prefix").found(mask.prefix).led_by(", allowed: ").allowed("at least {}", 0));
}

std::vector<KeyRange> documents_of(std::span<const double> ids) {
  std::vector<KeyRange> documents(ids.size());
  std::set<double> ended;
  for (std::size_t first = 0, end = 0; first < ids.size(); first = end) {
    while (end < ids.size() && ids[end] == ids[first]) ++end;
    if (end == first || !ended.insert(ids[first]).second) {  // NaN is not even equal to itself
      char id[32];
      std::snprintf(id, sizeof id, "%g", ids[first]);
      throw InvalidArgument(about(Subject::Kind::input, "document_id")
                                .found(id)
                                .fault("found {} again after another document", id)
                                .allowed("one number for each document, its keys side by side"));
    }
    const KeyRange own{static_cast<tensor::Index>(first), static_cast<tensor::Index>(end)};
    std::fill(documents.begin() + own.first, documents.begin() + own.end, own);
  }
  return documents;
}

}  // namespace orrery::attention
