#include "app/render/remarks.h"

#include <string>

#include "app/export/export.h"
#include "app/export/missing_characters.h"
#include "app/render/make.h"
#include "app/study/translate.h"

namespace orrery::render {
namespace {

/// Numbers are read in the reader's own typefaces.
bool is_drawn(const std::filesystem::path& target) {
  return exporter::is_figure(target) || exporter::ending_of(target) == exporter::animation_ending;
}

Phrase on_fonts(const Phrase& missing) {
  return missing.empty() ? missing : words("fonts: {}", missing);
}

}  // namespace

Phrase remark_on_fonts(const recipe::Recipe& recipe, const std::filesystem::path& target) {
  return is_drawn(target) ? on_fonts(missing_fonts(recipe)) : Phrase();
}

Phrase remark_on_characters(const recipe::Recipe& recipe, const recipe::Outcome& outcome,
                            const std::filesystem::path& target) {
  if (!is_drawn(target)) return {};
  return on_fonts(
      exporter::missing_characters_note(study::translated(outcome.result.figure, recipe.language)));
}

std::vector<Phrase> remarks_on(const recipe::Recipe& recipe, const recipe::Outcome& outcome,
                               const std::filesystem::path& target) {
  std::vector<Phrase> all;
  // English of ours, with numbers in it: a key of the tables, or of a form that they know.
  for (const std::string& remark : outcome.remarks) all.push_back(words("compare: {}", foreign(remark)));
  if (const std::string& remark = outcome.result.remark; !remark.empty())
    all.push_back(words("{}: {}", recipe.study->id, foreign(remark)));
  if (Phrase characters = remark_on_characters(recipe, outcome, target); !characters.empty())
    all.push_back(std::move(characters));
  return all;
}

}  // namespace orrery::render
