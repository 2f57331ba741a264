// Chunks and documents, key by key: against their definitions, which know nothing of ranges.
#include "core/attention/mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::attention::mask_test {
namespace {

using tensor::Index;
using Kind = Mask::Kind;

bool by_definition(const Mask& mask, const std::vector<double>& ids, Index position, Index key) {
  if (!ids.empty()) {
    if (position < 0) return false;
    if (ids[static_cast<std::size_t>(position)] != ids[static_cast<std::size_t>(key)]) return false;
  }
  switch (mask.kind) {
    case Kind::none:
      return true;
    case Kind::causal:
      return key <= position;
    case Kind::sliding:
      return key <= position && position - key < mask.window;
    case Kind::prefix:
      return key < mask.prefix || key <= position;
    case Kind::chunked:
      return key <= position && key / mask.chunk == position / mask.chunk;
  }
  return false;
}

TEST(Mask, EveryKindWithAndWithoutDocuments) {
  const std::vector<double> none, ids{4, 4, 4, -1, -1, 9, 9, 9, 9};
  const std::vector<KeyRange> documents = documents_of(ids);
  constexpr Index keys = 9;
  for (Mask mask : {Mask{}, Mask{.kind = Kind::causal}, Mask{.kind = Kind::sliding, .window = 2},
                    Mask{.kind = Kind::prefix, .prefix = 4}, Mask{.kind = Kind::chunked, .chunk = 4},
                    Mask{.kind = Kind::chunked, .chunk = 1}, Mask{.kind = Kind::chunked, .chunk = 100}}) {
    for (const bool packed : {false, true}) {
      mask.documents = packed ? std::span<const KeyRange>(documents) : std::span<const KeyRange>();
      check_mask(mask, keys);
      for (const Index queries : {1, 4, 9, 12}) {
        KeyRange before{0, 0};
        for (Index t = 0; t < queries; ++t) {
          const KeyRange seen = mask.range(t, queries, keys);
          // Blocks of queries rely on it: both ends only ever grow.
          EXPECT_TRUE(before.first <= seen.first && before.end <= seen.end && seen.first <= seen.end);
          before = seen;
          for (Index n = 0; n < keys; ++n)
            EXPECT_EQ(mask.allows(t, n, queries, keys),
                      by_definition(mask, packed ? ids : none, t + keys - queries, n))
                << static_cast<int>(mask.kind) << " " << t << " " << n << " of " << queries;
        }
      }
    }
  }
}

std::string refused(auto call) {
  try {
    call();
    return "accepted";
  } catch (const InvalidArgument& e) {
    return e.what();
  }
}

TEST(Mask, WhatIsNoMaskIsRefused) {
  EXPECT_EQ(refused([] { check_mask({.kind = Kind::chunked, .chunk = 0}, 3); }),
            "chunk: found 0, allowed: at least 1");
  const std::vector<KeyRange> documents(2);
  EXPECT_EQ(refused([&] { check_mask({.documents = documents}, 3); }),
            "document_id: found 2 numbers; allowed: 3, one for each key");
  EXPECT_EQ(
      refused([] {
        documents_of(std::vector<double>{1, 2, 1});
      }),
      "document_id: found 1 again after another document; allowed: one number for each document, its keys "
      "side by side");
  EXPECT_NE(refused([] { documents_of(std::vector<double>{NAN}); }), "accepted");
}

}  // namespace
}  // namespace orrery::attention::mask_test
