#include "app/study/embedding/learned_rows.h"
#include "app/study/kit/read_numbers.h"

#include <charconv>
#include <string_view>

#include "core/file/tensor_files.h"
#include "core/tensor/array.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

// assets/learned/*.txt
extern const tensor::EmbeddedFile learned_tables[];
extern const int learned_tables_count;

namespace {

constexpr Index widest_row = 16384;

/// Where the window stands that holds as many of `count` rows as there are.
Index window_start(Index all, Index first, Index count) {
  return std::min(first, all - std::min(count, all));
}

void check_shape(const file::StoredArray& stored) {
  const auto& shape = stored.shape;
  const bool rows = shape.size() == 2 && shape[0] >= 2 && shape[1] >= 2 && shape[1] <= widest_row;
  if (rows && shape[1] % 2 == 0) return;
  stored.fail(Complaint()
                  .found(tensor::shape_text(shape))
                  .fault("shape {}", tensor::shape_text(shape))
                  .allowed("2 rows or more, of an even number of components up to {}", widest_row));
}

/// "# name: fact" lines, then rows of numbers.
struct Shipped {
  Training training;
  Matrix rows;
};

double number_from(std::string_view text) {
  double x = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), x).ec != std::errc())
    throw Failure(wrong("holds no numbers").within(in_file("assets/learned/positions.txt")));
  return x;
}

void take_fact(std::string_view line, Training& training) {
  const std::array<std::pair<std::string_view, double*>, 5> facts{{{"# seed: ", &training.seed},
                                                                   {"# steps: ", &training.steps},
                                                                   {"# lines: ", &training.lines},
                                                                   {"# loss: ", &training.loss},
                                                                   {"# least: ", &training.least}}};
  for (const auto& [name, value] : facts)
    if (line.starts_with(name)) *value = number_from(line.substr(name.size()));
}

std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> row;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    row.push_back(number_from(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return row;
}

Shipped parse_shipped(std::string_view text) {
  Shipped shipped;
  std::vector<std::vector<double>> rows;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('#'))
      take_fact(line, shipped.training);
    else if (!line.empty())
      rows.push_back(numbers_of(line));
  }
  shipped.rows.resize(std::ssize(rows), std::ssize(rows.front()));
  for (std::size_t r = 0; r < rows.size(); ++r) shipped.rows.row(static_cast<Index>(r)) = row_matrix(rows[r]);
  return shipped;
}

const Shipped& shipped() {
  static const Shipped once = parse_shipped(learned_tables[0].text);
  return once;
}

}  // namespace

LearnedRows read_learned_rows(const std::string& path, Index first, Index count) {
  const file::StoredArray stored = file::open_tensor(file::tensor_path_on_disk(path));
  check_shape(stored);
  const Index all = stored.shape[0], width = stored.shape[1], kept = std::min(count, all);
  LearnedRows learned{.rows = Matrix(kept, width), .first = window_start(all, first, count), .all = all};
  // Column by column where the file was written so.
  const auto place = [&](Index at) {
    return stored.fortran_order ? std::pair{at % all, at / all} : std::pair{at / width, at % width};
  };
  Index at = 0;
  stored.for_each_block([&](std::span<const double> block) {
    for (const double x : block) {
      const auto [row, col] = place(at++);
      if (row < learned.first || row >= learned.first + kept) continue;
      learned.rows(row - learned.first, col) = x;
    }
  });
  if (!within_reach(learned.rows.reshaped())) stored.fail(beyond_reach());
  return learned;
}

LearnedRows shipped_rows(Index first, Index count) {
  const Matrix& table = shipped().rows;
  const Index from = window_start(table.rows(), first, count), kept = std::min(count, table.rows());
  return {.rows = table.middleRows(from, kept), .first = from, .all = table.rows()};
}

const Training& shipped_training() {
  return shipped().training;
}

}  // namespace orrery::study
