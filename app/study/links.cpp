#include "app/study/links.h"

#include <algorithm>

#include "app/study/changes.h"
#include "app/study/kit/numbers.h"

namespace orrery::study {
namespace {

constexpr const char* table_name = "links";

}  // namespace

figure::Table links_table(const std::vector<Link>& links) {
  figure::Table table{table_name,
                      {{.name = "panel"},
                       {.name = "numbers"},
                       {.name = "study", .typed = true},
                       {.name = "settings", .typed = true}}};
  for (const Link& link : links) add_row(table, link.of, link.text, link.study, link.changes);
  return table;
}

std::vector<Link> links_in(const StudyResult& result) {
  const auto table = std::ranges::find(result.tables, table_name, &figure::Table::name);
  std::vector<Link> links;
  if (table == result.tables.end() || table->columns.size() != 4) return links;
  const auto cell = [&](std::size_t column, std::size_t row) { return table->columns[column].words[row]; };
  for (std::size_t row = 0; row < table->columns[0].words.size(); ++row)
    links.push_back({cell(0, row), cell(1, row), cell(2, row), cell(3, row)});
  return links;
}

parameter::Settings settings_of(const Link& link) {
  return changed(parameter::Settings(find(link.study).parameters), link.changes);
}

}  // namespace orrery::study
