// Tables for a text as LaTeX sets them and poppler reads them: every number of their first and last rows, and the caption.
#include <gtest/gtest.h>

#include <iostream>

#include "app/export/text_runs.h"
#include "app/figure/cell_text.h"
#include "app/recipe/caption.h"
#include "app/render/make.h"
#include "app/render/tables.h"
#include "tests/eyes/cases.h"
#include "tests/eyes/letters.h"
#include "tests/eyes/printed.h"
#include "tests/support/temporary_folder.h"

namespace orrery::eyes::tables_test {
namespace {

constexpr std::size_t rows_at_each_end = 3;
constexpr const char* packages =
    "\\usepackage{booktabs,longtable}\n\\usepackage[paperwidth=400cm,paperheight=100cm]{geometry}\n";

std::u32string plain_letters(const std::string& text) {
  return letters(exporter::plain_text(text));
}

void expect_said(const std::u32string& page, const std::string& text) {
  const std::u32string wanted = plain_letters(text);
  if (wanted.empty()) return;  // an infinity has no letters
  EXPECT_NE(page.find(wanted), page.npos) << text;
}

void expect_rows(const std::u32string& page, const figure::Table& table) {
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  for (const figure::Column& column : table.columns)
    for (std::size_t i = 0; i < rows; ++i)
      if (i < rows_at_each_end || i + rows_at_each_end >= rows)
        expect_said(page, figure::shown_number(column.values[i], figure::column_style(column)).digits);
}

TEST(ForeignEyes, ReadTheTablesAsTheyWereWritten) {
  std::cout << "        of ";
  for (const Case& each : todays_cases()) {
    SCOPED_TRACE(each.name());
    const Engine& engine = engine_for(each.language == language::Language::zh);
    if (const std::string missing = missing_for(engine); !missing.empty()) GTEST_SKIP() << "no " << missing;
    const recipe::Recipe recipe = each.recipe();
    const recipe::Outcome outcome = render::compute(recipe);
    const support::TemporaryFolder folder;
    std::string body;
    for (const figure::Table& table : outcome.result.tables) {
      const std::filesystem::path file = folder.path() / (table.name + ".tex");
      render::write_tables(recipe, outcome, file, {table.name, true});
      body += "\\input{" + file.stem().string() + "}\n\\clearpage\n";
    }
    const std::u32string page = letters(words_of(engine, folder.path(), packages, body));
    for (const figure::Table& table : outcome.result.tables) expect_rows(page, table);
    std::cout << each.name() << "; ";
  }
  std::cout << std::endl;
}

/// The widest that fit: as wide as an article's line is, a line that is not held is a complaint.
TEST(ForeignEyes, FindWideTablesWithinAnArticlesLine) {
  const Engine& engine = engine_for(false);
  if (const std::string missing = missing_for(engine); !missing.empty()) GTEST_SKIP() << "no " << missing;
  for (const char* study : {"rope/rotation", "norm/axes", "block/walk", "model/card"}) {
    SCOPED_TRACE(study);
    recipe::Recipe recipe;
    recipe.study = &study::find(study);
    recipe.settings = parameter::Settings(recipe.study->parameters);
    const recipe::Outcome outcome = render::compute(recipe);
    const support::TemporaryFolder folder;
    for (const figure::Table& table : outcome.result.tables) {
      SCOPED_TRACE(table.name);
      render::write_tables(recipe, outcome, folder.path() / "t.tex", {table.name, true});
      EXPECT_NO_THROW(words_of(engine, folder.path(), "\\usepackage{booktabs,longtable}\n", "\\input{t}\n"));
    }
  }
}

}  // namespace
}  // namespace orrery::eyes::tables_test
