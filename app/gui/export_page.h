// What the export dialog asks: the page, the file. A plain value; writing it is one function.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/gui/document.h"
#include "app/recipe/recipe.h"
#include "app/recipe/runner.h"
#include "app/render/make.h"
#include "app/study/study.h"

namespace orrery::gui {

/// As a recipe has it; the language is that of the window, until another is chosen.
struct ExportPage : recipe::Page {
  std::string ending =
      "pdf";  ///< pdf, svg, png, tex: the figure; webp: its motion; csv, npy, md: the numbers behind it
  std::string size = "12cm×8cm";  ///< as typed
  std::string name;               ///< as typed: relative to the folder; empty: of the study
  std::string folder = ".";       ///< as typed
  int frames = 48;                ///< of a motion
  double fps = 24;

  bool numbers() const { return ending == "csv" || ending == "npy" || ending == "md"; }
  bool motion() const { return ending == "webp"; }
  bool operator==(const ExportPage&) const = default;
};

/// What an outcome and a way of looking at it are on this page. Throws InvalidArgument for a size that is none.
recipe::Recipe recipe_of(const ExportPage&, const recipe::Outcome&, const figure::View&);
/// What its pixels come to: what was chosen, else what suits the format.
int dpi_of(const ExportPage&);
/// Of the page; zero where it is none.
figure::Size recipe_size(const ExportPage&);
/// The page a recipe asks for; what it does not say is as it was.
void take_page(const recipe::Recipe&, ExportPage&);

/// The way of a parameter that plays: what a webp shows. Of one that goes far, such as a position, as much as the eye
/// follows: a step a frame, unless ends were set.
recipe::Animation animation_of(const ExportPage&, const parameter::Parameter&, const Motion&);

/// Where it will be written: the ending is the format's, whatever ending was typed.
std::filesystem::path export_target(const ExportPage&, const study::Study&);
/// Every file that will be written: that one, or one for each table.
std::vector<std::filesystem::path> export_targets(const ExportPage&, const recipe::Outcome&);

/// The picture as PGFPlots source for a document, and a table as a spreadsheet takes it (tabs, a head line, every digit):
/// what goes to the clipboard. The picture throws Failure when it needs files beside it.
std::string picture_as_pgf(const ExportPage&, const recipe::Outcome&, const figure::View&);
std::string tab_separated(const figure::Table&);
/// The same picture as the bytes of a PNG.
std::string picture_as_png(const ExportPage&, const recipe::Outcome&, const figure::View&);

/// Writes what the outcome shows, with its recipe inside. Throws InvalidArgument or Failure in one line. Of a motion every
/// frame is computed, so it wants a thread of its own.
exporter::Written write_export(const recipe::Recipe&, const recipe::Outcome&, const std::filesystem::path&,
                               const render::MakeOptions& = {});

}  // namespace orrery::gui
