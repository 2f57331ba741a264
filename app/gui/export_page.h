// What the export dialog asks: the page, the file. A plain value; writing it is one function.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/study/runner.h"
#include "app/study/study.h"

namespace orrery::gui {

struct ExportPage {
  std::string ending = "pdf";  ///< pdf, svg, png: the figure; csv, npy: the numbers behind it
  std::string size = "12cm×8cm";
  std::string theme = "print";
  int dpi = 300;
  bool title = false;
  std::string name;  ///< as typed: relative to the folder; empty: of the study
  std::string folder = ".";

  bool numbers() const { return ending == "csv" || ending == "npy"; }
};

/// Where it will be written: the ending is the format's, whatever ending was typed.
std::filesystem::path export_target(const ExportPage&, const study::Study&);
/// Every file that will be written: that one, and where the numbers are wanted, tables beyond the first beside
/// it under their own names.
std::vector<std::filesystem::path> export_targets(const ExportPage&, const study::Outcome&);

/// The picture as PGFPlots source for a document, and a table as a spreadsheet takes it (tabs, a head line, every digit):
/// what goes to the clipboard. The picture throws Failure when it needs files beside it.
std::string picture_as_pgf(const ExportPage&, const study::Outcome&, const figure::View&);
std::string tab_separated(const figure::Table&);

/// Writes what the outcome shows, with its recipe inside, and says what it did: "written: …".
/// Throws InvalidArgument or Failure in one line.
std::string write_export(const ExportPage&, const study::Outcome&, const figure::View&);

}  // namespace orrery::gui
