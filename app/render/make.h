// From a recipe to files: what the command line and the window share, so that both write the same bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/recipe/recipe.h"
#include "app/recipe/runner.h"

namespace orrery::render {

/// What was computed, and the files that hold it.
struct Made {
  recipe::Outcome outcome;  ///< of an animation: the last frame's
  std::vector<std::filesystem::path> files;
  std::vector<std::string> left_out;  ///< texts of the figure that its page has no room for
};

/// What of an outcome goes into a file.
struct Choice {
  std::string table{};   ///< of the tables only this one; empty: all. It makes a .tex a table
  bool caption = false;  ///< tables for a text and a .tex say their caption
};

struct MakeOptions {
  Choice choice{};
  std::function<void(int done, int all)> on_frame = {};  ///< of an animation
  std::function<void(double share)> on_progress = {};    ///< of a single figure, on its way to be computed
  std::stop_token stop = {};                    ///< ends it early, by throwing Cancelled: nothing is written
  exporter::BeforeWriting before_writing = {};  ///< of a figure, its tables or its frames
};

/// Computes and writes the figure with its recipe inside, the study's tables, or an animation, by the ending of
/// `path`. Throws what went wrong.
Made make(const recipe::Recipe&, const std::filesystem::path& path, const MakeOptions& = {});

/// Refuses what make() would refuse, before anything is computed, but for files that the figure is made of: how its tables and
/// pictures are called is known afterwards.
void check_output(const recipe::Recipe&, const std::filesystem::path& path);

/// The same where it has been computed already. `outcome` must be of this recipe, which may not be animated. A file that the
/// recipe reads is not written over: that is an InvalidArgument.
exporter::Written write(const recipe::Recipe&, const recipe::Outcome&, const std::filesystem::path&,
                        const MakeOptions& = {});
/// Every file that write() would write, before it does.
std::vector<std::filesystem::path> targets(const recipe::Outcome&, const std::filesystem::path&);

/// Computes both sides of a comparison, or the one there is; an error of a study is thrown.
recipe::Outcome compute(const recipe::Recipe&, std::stop_token = {},
                        std::function<void(double)> on_progress = {});
/// The same where the pinned side is known already: through an animation it stands still.
std::optional<recipe::Outcome> compute_pinned(const recipe::Recipe&, std::stop_token = {});
recipe::Outcome compute(const recipe::Recipe&, const std::optional<recipe::Outcome>& pinned,
                        std::stop_token = {}, std::function<void(double)> on_progress = {});

/// A figure in the words of a recipe's page: its language, its title, and what it is of.
figure::Figure worded(const recipe::Recipe&, const figure::Figure&);

/// The paper that a recipe asks for; it keeps the theme that the page points to.
class Paper {
 public:
  Paper(const recipe::Recipe&, const figure::Figure&, double usual_dpi);
  Paper(const Paper&) = delete;
  const exporter::Page& page() const { return page_; }
  /// The figure as the recipe titles it.
  const figure::Figure& figure() const { return figure_; }

 private:
  figure::Size usual_size(const recipe::Recipe&);

  figure::Theme theme_;
  figure::Figure figure_;
  exporter::Page page_;
};

/// Where a recipe asks for none: fine enough for paper, or for the screen that an animation plays on.
double usual_dpi(std::string_view ending);

/// .pdf .svg .png .tex .webp .csv .npy .md
std::vector<std::string_view> output_endings();

/// Families that the recipe's pages ask for and this machine does not have: empty, or a line for a person.
Phrase missing_fonts(const recipe::Recipe&);

}  // namespace orrery::render
