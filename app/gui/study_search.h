// Which studies a person means by a few letters, and where they speak of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/search_index.h"
#include "app/language/language.h"
#include "app/study/study.h"

namespace orrery::gui {

struct SearchHit {
  const study::Study* study = nullptr;
  Found found = Found::in_name;
  std::string said{};  ///< the parameter, or a piece of the text, that has it; empty for a name
  IndexMatch match{};
};

/// What is searched of a study, in English and in that language: made once.
const Indexed& indexed(const study::Study&, language::Language);

/// Every word of what was typed occurs in the study: in its names, its words, its formula, its source or its parameters,
/// in English or in that language. Capitals do not matter, and θ finds \theta.
std::optional<SearchHit> search(const study::Study&, std::string_view typed,
                                language::Language = language::Language::en);
bool matches(const study::Study&, std::string_view typed);

/// All that have it: by name first, then by parameter, then by their words, each the best first.
std::vector<SearchHit> search_all(std::string_view typed, language::Language);

/// Bytes of a text that were typed, in any capitals, ascending.
std::vector<std::size_t> typed_in(std::string_view text, std::string_view typed);

}  // namespace orrery::gui
