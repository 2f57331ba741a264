#include "app/render/tables.h"

#include <algorithm>

#include "app/export/export.h"
#include "app/export/text_runs.h"
#include "app/recipe/caption.h"
#include "app/study/translate.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;
using figure::Table;

const Table& named(const std::vector<Table>& tables, const std::string& name) {
  const auto found = std::ranges::find(tables, name, &Table::name);
  if (found != tables.end()) return *found;
  std::vector<std::string_view> known;
  for (const Table& table : tables) known.push_back(table.name);
  throw InvalidArgument(about(Subject::Kind::option, "--table").found_text(name).allowed(known));
}

}  // namespace

fs::path table_path(const fs::path& path, const Table& table, std::size_t tables) {
  if (tables == 1) return path;
  return fs::path(path).replace_filename(path.stem().string() + "." + table.name + path.extension().string());
}

std::vector<fs::path> write_tables(const recipe::Recipe& recipe, const recipe::Outcome& outcome,
                                   const fs::path& path, const Choice& choice,
                                   const exporter::BeforeWriting& before_writing) {
  const std::vector<Table>& tables = outcome.result.tables;
  if (tables.empty()) throw Failure(wrong("this study has no tables").within(in_file(path.string())));
  const bool read_by_people = exporter::is_table_of_text(path);
  std::vector<exporter::TableFile> files;
  const auto add = [&](const Table& table, const fs::path& to) {
    const Table said = read_by_people ? study::translated(table, recipe.language) : table;
    files.push_back(
        {said, to, choice.caption ? recipe::table_caption(recipe, outcome.result.figure, said.name) : ""});
  };
  if (!choice.table.empty())
    add(named(tables, choice.table), path);
  else
    for (const Table& table : tables) add(table, table_path(path, table, tables.size()));
  std::vector<fs::path> written;
  for (const exporter::TableFile& file : files) written.push_back(file.path);
  if (before_writing) before_writing(written);
  exporter::write_tables(files);
  return written;
}

std::vector<std::string> words_as_numbers(const recipe::Outcome& outcome, const fs::path& path,
                                          const Choice& choice) {
  std::vector<std::string> columns;
  if (exporter::ending_of(path) != ".npy") return columns;
  for (const Table& table : outcome.result.tables) {
    if (!choice.table.empty() && table.name != choice.table) continue;
    for (const figure::Column& column : table.columns)
      if (column.of_words()) columns.push_back(table.name + "." + exporter::plain_text(column.name));
  }
  return columns;
}

}  // namespace orrery::render
