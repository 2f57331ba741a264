// Studies speak English; what they say is translated when it is shown or written. Numbers stay what they are.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/language/language.h"
#include "app/study/study.h"

namespace orrery::study {

figure::Figure translated(const figure::Figure&, language::Language);
/// For the eye: its name is said in words. Files keep the English of the study, which other programs read.
figure::Table translated(const figure::Table&, language::Language);
StudyResult translated(const StudyResult&, language::Language);

/// What a table's name says: "angles_by_pair" is "angles by pair".
std::string table_words(std::string_view name);

/// What a study declares for people to read: its own words and those of its parameters and suggestions.
void each_declared_text(const Study&, const std::function<void(std::string_view)>&);
/// What a result says: its figure, tables and checks.
void each_text(const StudyResult&, const std::function<void(std::string_view)>&);

}  // namespace orrery::study
