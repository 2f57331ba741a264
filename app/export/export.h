// Figures and their numbers into files. Every file is written beside its target and renamed: a crash or a
// full disk leaves the old one whole. The same figure and page give the same bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/layout.h"
#include "app/figure/page_size.h"
#include "app/figure/table.h"
#include "app/figure/theme.h"

namespace orrery::file {
class NewFiles;
}

namespace orrery::exporter {

/// Hears every file that will be written before the first of them is: what it throws leaves them all as they were.
using BeforeWriting = std::function<void(std::span<const std::filesystem::path>)>;

struct Page {
  figure::Size size;  ///< points
  const figure::Theme* theme = nullptr;
  double dpi = 300;  ///< of a PNG, and of images inside vector files
  bool title = false;
  bool transparent = false;
  bool svg_text = false;  ///< the words of an SVG are text, not outlines
  figure::View view;
  const figure::Standing* like = nullptr;  ///< of several figures that are shown one after another
  std::string recipe;                      ///< TOML, carried inside the file; empty: none
  std::string caption;                     ///< of a .tex, which is a float of its own then; empty: none
  BeforeWriting before_writing;
};

struct Written {
  std::vector<std::filesystem::path>
      files;                          ///< the file, and for .tex the pictures of large heatmaps beside it
  std::vector<std::string> left_out;  ///< texts of the figure that the page has no room for, each once
};

/// How much of the page's height its title takes, in points.
double heading_height(const figure::Figure&, const Page&);

/// By the ending: .pdf .svg .png .tex. Throws InvalidArgument for another one, Failure when it cannot be written.
Written write_figure(const figure::Figure&, const Page&, const std::filesystem::path&);
/// Several of them: commit() gives all their names, or where that cannot be none, as far as the file system can exchange two
/// names. Without it every file is as it was.
class NewFigures {
 public:
  NewFigures();
  ~NewFigures();
  Written write(const figure::Figure&, const Page&, const std::filesystem::path&);
  void commit();

 private:
  std::unique_ptr<file::NewFiles> files_;
};
std::span<const std::string_view> figure_endings();
/// Whether a path ends as a figure does.
bool is_figure(const std::filesystem::path&);
/// ".pdf" of "Fig.PDF": what decides the format, in lower case.
std::string ending_of(const std::filesystem::path&);
/// Where the bytes of a path go: behind its links, and the same for every way to write it.
std::filesystem::path real_target(const std::filesystem::path&);

/// The same as bytes in memory. A .tex that needs pictures beside it is a Failure.
std::string figure_bytes(const figure::Figure&, const Page&, std::string_view ending);

/// How an animated file plays.
struct Playback {
  double fps = 24;
  int times = 0;  ///< 0: for ever
};
/// How these figures are laid out on the page so that nothing moves from one to the next but what they show.
/// `before_each` is heard before each of many pages that are tried: what it throws ends the choice.
figure::Standing standing(const std::vector<figure::Figure>&, const Page&,
                          const std::function<void()>& before_each = {});

/// Pictures of one size after another, as one animated file. `on_frame` hears how many are done.
Written write_animation(const std::vector<figure::Figure>&, const Playback&, const Page&,
                        const std::filesystem::path&, const std::function<void(int done)>& on_frame = {});
inline constexpr std::string_view animation_ending = ".webp";

/// A table by the ending. For programs: .csv (a header line, every digit) or .npy (float64, rows × columns). For a text, with
/// as many digits as its columns show: .md or .tex, with a caption where there is one.
void write_table(const figure::Table&, const std::filesystem::path&, std::string_view caption = {});
/// Several of them: all are written, or where one cannot be none.
struct TableFile {
  figure::Table table;
  std::filesystem::path path;
  std::string caption{};
};
void write_tables(std::span<const TableFile>);
/// Whether a person reads it: its words are those of the page's language.
bool is_table_of_text(const std::filesystem::path&);

/// The recipe inside a PDF, an SVG, a PNG, a .tex, a WebP, or a .toml file itself. Throws Failure when there is none or the
/// file is broken.
std::string read_recipe(const std::filesystem::path&);

using figure::parse_size;

}  // namespace orrery::exporter
