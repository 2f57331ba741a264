#include "app/study/training/sweep_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/parameter/shown.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"
#include "core/training/sweep_table_format.h"

namespace orrery::study {

// assets/sweeps/*.csv
extern const tensor::EmbeddedFile sweep_tables[];
extern const int sweep_tables_count;

namespace {

using training::sweep_heading;

class Lines {
 public:
  Lines(std::string_view text, std::string_view origin) : rest_(text), origin_(origin) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }
  [[noreturn]] void refuse(std::string_view found) const {
    throw Failure(Complaint()
                      .found_text(parameter::brief(parameter::visible(found)))
                      .allowed("the table of a sweep, whose first line is {}", sweep_heading)
                      .within(in_file(origin_, number_)));
  }

 private:
  std::string_view rest_, origin_;
  std::size_t number_ = 0;
};

/// Empty is NaN where that may be.
double number_in(const Lines& lines, std::string_view text, double least, double most,
                 bool may_be_empty = false) {
  if (text.empty() && may_be_empty) return std::numeric_limits<double>::quiet_NaN();
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !(x >= least && x <= most))
    lines.refuse(text);
  return x;
}

SweepRow row_of(const Lines& lines, std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    cells.push_back(line.substr(from, comma - from));
    from = comma + 1;
  }
  constexpr std::size_t columns = 9, longest_name = 200;
  if (cells.size() != columns || cells[0].empty() || cells[0].size() > longest_name ||
      !parameter::harmless(cells[0]))
    lines.refuse(line);
  constexpr double longest = 1e9, huge = 1e300;
  return {.variant = std::string(cells[0]),
          .trained = number_in(lines, cells[1], 1, longest),
          .seed = number_in(lines, cells[2], 0, longest * 10),
          .length = number_in(lines, cells[4], 1, longest),
          .sequences = number_in(lines, cells[5], 1, longest),
          .loss = number_in(lines, cells[6], 0, huge, true),
          .accuracy = number_in(lines, cells[7], 0, 1, true),
          .floor = number_in(lines, cells[8], 0, huge, true)};
}

}  // namespace

std::vector<std::string> SweepTable::variants() const {
  std::vector<std::string> names;
  for (const SweepRow& row : rows)
    if (std::ranges::find(names, row.variant) == names.end()) names.push_back(row.variant);
  return names;
}

std::vector<double> SweepTable::lengths() const {
  std::vector<double> lengths;
  for (const SweepRow& row : rows) lengths.push_back(row.length);
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  return lengths;
}

SweepTable SweepTable::trained_near(double length) const {
  const auto nearer = [&](const SweepRow& a, const SweepRow& b) {
    const double to_a = std::abs(a.trained - length), to_b = std::abs(b.trained - length);
    return to_a < to_b || (to_a == to_b && a.trained < b.trained);
  };
  SweepTable some;
  const double nearest = std::ranges::min_element(rows, nearer)->trained;
  std::ranges::copy_if(rows, std::back_inserter(some.rows),
                       [&](const SweepRow& row) { return row.trained == nearest; });
  return some;
}

std::vector<SweepRow> SweepTable::of(std::string_view variant, double length) const {
  std::vector<SweepRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const SweepRow& row) { return row.variant == variant && row.length == length; });
  return some;
}

SweepTable sweep_table(std::string_view csv, std::string_view origin) {
  Lines lines(csv, origin);
  std::string_view line;
  if (!lines.next(line) || line != sweep_heading) lines.refuse(line);
  SweepTable table;
  while (lines.next(line)) {
    table.rows.push_back(row_of(lines, line));
    if (table.rows.size() > training::most_sweep_rows) lines.refuse(line);
  }
  if (table.rows.empty()) lines.refuse(sweep_heading);
  return table;
}

SweepTable shipped_sweep() {
  return sweep_table(sweep_tables[0].text, sweep_tables[0].name);
}

}  // namespace orrery::study
