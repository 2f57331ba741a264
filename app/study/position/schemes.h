// The six ways to say where a token stands that position/compare sets beside each other: what is known of each, and the
// score of a query and a key under it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/study/twin.h"

namespace orrery::study {

enum class Scheme { sinusoidal, learned, rope, alibi, t5, none };

struct SchemeFacts {
  Scheme scheme;
  std::string_view id, name;  ///< as typed, as shown
  std::string_view heading;   ///< what it is, in a few words
  bool relative = false;      ///< the score depends on the distance; without a scheme it depends on no place
  std::string_view enters;    ///< where the position comes in
  std::string_view beyond;    ///< what happens past the trained length
  std::string_view kernel;    ///< what a kernel that never holds the scores must be given beside q and k
};

/// In the order of Scheme.
std::span<const SchemeFacts> scheme_facts();

/// One head of a model that was trained on L tokens.
struct SchemeModel {
  tensor::Index trained = 512;
  tensor::Index width = 64;
  double base = 10000;
  double slope = 0.0625;               ///< ALiBi's
  std::vector<double> query{}, key{};  ///< contents, the same at every position
  std::uint64_t seed = 1;              ///< of the learned table's rows
};

/// How many numbers are learned; T5's for this head.
tensor::Index scheme_parameters(Scheme, const SchemeModel&);
/// How many numbers a kernel of one head is given beside q, k and v for a text of the trained length: ALiBi's slope, or a
/// bias for each pair, as kernels take a bias that they cannot make.
double scheme_kernel_numbers(Scheme, const SchemeModel&);

/// The score of the query at `position` with the key each `distance` before it. Where the learned table has no row: NaN.
std::vector<double> scheme_scores(const Run&, Scheme, const SchemeModel&, tensor::Index position,
                                  const std::vector<tensor::Index>& distances);

/// The same of every key, from the query itself to the first token.
std::vector<double> scheme_scores_behind(const Run&, Scheme, const SchemeModel&, tensor::Index position);

}  // namespace orrery::study
