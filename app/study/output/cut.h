// Which words of a vocabulary are kept before one is drawn, and what cuts the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/study.h"
#include "app/study/twin.h"
#include "core/attention/truncation.h"

namespace orrery::study::output {

struct Vocabulary {
  std::vector<std::string> words;
  /// The first 16 of a text. Throws InvalidArgument where it has none.
  static Vocabulary of(std::string_view text);
  Vocabulary in_order(const std::vector<tensor::Index>&) const;
  /// As axes and titles have typed words: a dollar sign begins no formula.
  std::vector<std::string> as_names() const;
  void name(figure::Axis&) const;
};

/// One after the other, each on what the one before has left: as Hugging Face's generate() goes.
struct Rules {
  double temperature = 1;
  std::optional<attention::TopK> top_k{};
  std::optional<attention::TopP> top_p{};
  std::optional<attention::MinP> min_p{};
};

enum class Reason : int { kept, top_k, top_p, min_p };

struct Cut {
  std::vector<tensor::Index> order;  ///< by falling logits, equal ones by their place
  std::vector<Reason> reason;        ///< of each word
  twin::Matrix probability;          ///< 1 × V, of all
  twin::Matrix seen;                 ///< as top-p sees them: of what top-k has left
  twin::Matrix drawn;                ///< renormalised; 0 for what is cut
  tensor::Index kept = 0;
  bool is_kept(tensor::Index v) const { return reason[static_cast<std::size_t>(v)] == Reason::kept; }
};

Cut cut_of(const Run&, const twin::Matrix& logits, const Rules&);

/// By how much the tokens that top-p keeps miss p, or would still reach it without the last; 0 where neither is so.
double missed(const attention::TopP&, const Cut&);

}  // namespace orrery::study::output
