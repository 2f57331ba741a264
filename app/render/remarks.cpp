#include "app/render/remarks.h"

#include <string>
#include <utility>

#include "app/export/export.h"
#include "app/export/missing_characters.h"
#include "app/render/make.h"

namespace orrery::render {
namespace {

/// In typefaces of this machine.
bool is_drawn(const std::filesystem::path& target) {
  const std::string ending = exporter::ending_of(target);
  return ending == exporter::animation_ending || (exporter::is_figure(target) && ending != ".tex");
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
  return on_fonts(exporter::missing_characters_note(worded(recipe, outcome.result.figure)));
}

std::vector<Phrase> remarks_on(const recipe::Outcome& outcome) {
  std::vector<Phrase> all;
  // English of the program's own, with numbers in it.
  for (const std::string& remark : outcome.remarks) all.push_back(words("compare: {}", foreign(remark)));
  if (Phrase remark = remark_of(outcome); !remark.empty()) all.push_back(std::move(remark));
  all.insert(all.end(), outcome.of_sides.begin(), outcome.of_sides.end());
  return all;
}

}  // namespace orrery::render
