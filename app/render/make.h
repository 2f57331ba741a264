// From a recipe to files: shared by render, batch and gallery.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/study/recipe.h"
#include "app/study/runner.h"

namespace orrery::cli {

/// What was computed, and the files that hold it.
struct Made {
  study::Outcome outcome;  ///< of an animation: the last frame's
  std::vector<std::filesystem::path> files;
};

struct MakeOptions {
  std::string table;                                     ///< of the tables only this one; empty: all
  std::function<void(int done, int all)> on_frame = {};  ///< of an animation
};

/// Computes and writes the figure with its recipe inside, the study's tables, or an animation, by the ending of
/// `path`. Throws what went wrong.
Made make(const study::Recipe&, const std::filesystem::path& path, const MakeOptions& = {});

/// Refuses what make() would refuse, before anything is computed.
void check_output(const study::Recipe&, const std::filesystem::path& path);

/// Computes; an error of the study is thrown.
study::Outcome compute(const study::Recipe&);

/// The paper that a recipe asks for; it keeps the theme that the page points to.
class Paper {
 public:
  Paper(const study::Recipe&, const figure::Figure&, double usual_dpi);
  Paper(const Paper&) = delete;
  const exporter::Page& page() const { return page_; }
  /// The figure as the recipe titles it.
  const figure::Figure& figure() const { return figure_; }

 private:
  figure::Theme theme_;
  figure::Figure figure_;
  exporter::Page page_;
};

/// .pdf .svg .png .tex .webp .csv .npy
std::vector<std::string_view> output_endings();

/// Families that the recipe's pages ask for and this machine does not have: empty, or a line for a person.
std::string missing_fonts(const study::Recipe&);

}  // namespace orrery::cli
