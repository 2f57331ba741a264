// The numbers behind a figure, with every digit.
#include <charconv>
#include <cmath>

#include "app/export/export.h"
#include "app/export/table_text.h"
#include "app/export/text_runs.h"
#include "core/file/new_files.h"
#include "core/file/npy.h"
#include "core/file/write_file.h"
#include "core/tensor/array.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

std::size_t row_count(const figure::Table& table) {
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  for (const figure::Column& column : table.columns) {
    if (column.values.size() != rows) {
      throw InvalidArgument(about(words("table {}", in_apostrophes(table.name)))
                                .found(column.values.size())
                                .fault("column {} has {} values, the first one {}",
                                       in_apostrophes(column.name), column.values.size(), rows));
    }
    if (column.of_words() && column.words.size() != rows) {
      throw InvalidArgument(about(words("table {}", in_apostrophes(table.name)))
                                .found(column.words.size())
                                .fault("column {} has {} values, the first one {}",
                                       in_apostrophes(column.name), column.words.size(), rows));
    }
  }
  return rows;
}

/// The shortest text that reads back as the same double.
std::string digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// A field as RFC 4180 wants it.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string csv_bytes(const figure::Table& table, std::size_t rows) {
  std::string text;
  const auto line = [&](auto field) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      if (j > 0) text += ',';
      text += field(table.columns[j]);
    }
    text += '\n';
  };
  line([](const figure::Column& column) {
    const std::string name = plain_text(column.name);
    return quoted(column.unit.empty() ? name : name + " [" + plain_text(column.unit) + "]");
  });
  for (std::size_t i = 0; i < rows; ++i)
    line([i](const figure::Column& column) {
      return column.of_words() ? quoted(plain_text(column.words[i])) : digits(column.values[i]);
    });
  return text;
}

std::string npy_table_bytes(const figure::Table& table, std::size_t rows) {
  tensor::Matrix<double> values(static_cast<tensor::Index>(rows),
                                static_cast<tensor::Index>(table.columns.size()));
  for (tensor::Index j = 0; j < values.cols(); ++j) {
    for (tensor::Index i = 0; i < values.rows(); ++i) {
      values(i, j) = table.columns[static_cast<std::size_t>(j)].values[static_cast<std::size_t>(i)];
    }
  }
  return file::npy_bytes(tensor::Array::from(tensor::View<const double>(values), tensor::Format::f64));
}

/// Throws InvalidArgument for another ending.
std::string table_bytes(const figure::Table& table, const std::filesystem::path& path,
                        std::string_view caption) {
  const std::size_t rows = row_count(table);
  const std::string ending = ending_of(path);
  if (ending == ".csv") return csv_bytes(table, rows);
  if (ending == ".npy") return npy_table_bytes(table, rows);
  if (ending == ".md") return markdown_table(table, caption);
  if (ending == ".tex") return latex_table(table, caption, path.stem().string());
  throw InvalidArgument(about(words("table file"))
                            .found(path.string())
                            .fault("{} ends in {}", in_apostrophes(path.string()), in_apostrophes(ending))
                            .led_by("; allowed are ")
                            .allowed(name_phrase(".csv, .npy, .md, .tex")));
}

}  // namespace

bool is_table_of_text(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  return ending == ".md" || ending == ".tex";
}

void write_table(const figure::Table& table, const std::filesystem::path& path, std::string_view caption) {
  file::write_file(path, table_bytes(table, path, caption));
}

void write_tables(std::span<const TableFile> tables) {
  file::NewFiles files;
  for (const auto& [table, path, caption] : tables) files.write(path, table_bytes(table, path, caption));
  files.commit();
}

}  // namespace orrery::exporter
