// Two results as one: a pinned side A beside the side B that a person goes on changing. Studies, settings and devices of
// both may differ.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/compare.h"
#include "app/study/study.h"

namespace orrery::recipe {

struct Outcome;

/// What a recipe is compared with, and how.
struct Compare {
  figure::CompareMode mode = figure::CompareMode::side_by_side;
  const study::Study* study = nullptr;  ///< side A; side B is the recipe's own
  parameter::Settings settings;
  study::DeviceChoice device = study::DeviceChoice::cpu;
};

/// In the order of CompareMode.
inline constexpr std::array<std::string_view, 3> compare_mode_names{"side-by-side", "overlay", "difference"};
/// Throws InvalidArgument that names the argument.
figure::CompareMode parse_compare_mode(std::string_view argument, std::string_view text);

/// Settings of one study that are not the same, in the order of their declaration; without those that neither side reads.
std::vector<const parameter::Parameter*> differing(const parameter::Settings& a,
                                                   const parameter::Settings& b);

/// A value as people read it: "10 000", "on", the name of a file without its folders.
std::string value_text(const parameter::Parameter&, const parameter::Settings&);
/// The same in a label: powers of ten are set as such, and a dollar sign that was typed begins no formula.
std::string value_label(const parameter::Parameter&, const parameter::Settings&);

/// What is a side's own, in few words: "Base = 10 000", its device where those differ, or its study.
figure::SideWords side_words(const Outcome& a, const Outcome& b);

/// The figures as `mode` says; tables with the columns of both and their difference, or, where rows differ, one table for
/// each side; the checks of both. Of different studies the figures stand side by side. Everything else is B's. The outcome's
/// remarks say what could not be compared as asked; an error of either side is the error.
Outcome compared(const Outcome& a, const Outcome& b, figure::CompareMode mode);

}  // namespace orrery::recipe
