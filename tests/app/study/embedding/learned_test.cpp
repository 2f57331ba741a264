// Learned rows: what is shown is what the file holds, and what NumPy says of it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "app/study/embedding/learned_rows.h"
#include "core/file/npy.h"
#include "core/tensor/array.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/source.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study {
namespace embedding_learned_test {
namespace {

std::string saved(const support::TemporaryFolder& folder, const char* name, const Matrix& x) {
  const auto path = folder.path() / name;
  file::write_npy(path, tensor::Array::from(tensor::View<const double>(x), tensor::Format::f64));
  return path.string();
}

/// Read here, by nothing of the program's: lines of facts, then rows.
TEST(EmbeddingLearned, WhatIsShownIsTheShippedFile) {
  std::ifstream file(support::source("assets/learned/positions.txt"));
  ASSERT_TRUE(file);
  const LearnedRows shipped = shipped_rows(0, 1024);
  Index rows = 0, facts = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) {
      ++facts;
      if (line.starts_with("# loss: ")) {
        EXPECT_EQ(std::stod(line.substr(8)), shipped_training().loss);
      }
      if (line.starts_with("# least: ")) {
        EXPECT_EQ(std::stod(line.substr(9)), shipped_training().least);
      }
      if (line.starts_with("# steps: ")) {
        EXPECT_EQ(std::stod(line.substr(9)), shipped_training().steps);
      }
      continue;
    }
    std::istringstream numbers(line);
    Index col = 0;
    for (double x = 0; numbers >> x; ++col) EXPECT_EQ(shipped.rows(rows, col), x);
    EXPECT_EQ(col, shipped.rows.cols());
    ++rows;
  }
  EXPECT_EQ(rows, 64);
  EXPECT_EQ(facts, 8);
  EXPECT_EQ(shipped.rows.rows(), 64);
  // It learned its task: within a hundredth of a nat of what no model can be below, which is the language's own entropy.
  EXPECT_LT(shipped_training().loss - shipped_training().least, 0.02);
  EXPECT_GT(shipped_training().loss, shipped_training().least);
}

// numpy.linalg.svd, numpy.fft.fft and numpy.linalg.norm on the rows of the shipped file.
TEST(EmbeddingLearned, NumPySaysTheSame) {
  const auto result = compute("embedding/learned", {});
  const auto& share = column(result, "spectrum", "learned");
  EXPECT_NEAR(share[0], 24.04382394071956, 1e-9);
  EXPECT_NEAR(share[1], 47.35631923126573, 1e-9);
  EXPECT_NEAR(share[7], 86.72232472178088, 1e-9);
  EXPECT_NEAR(at(result, "by_frequency", "learned", 8), 17.974653547643275, 1e-9);
  EXPECT_NEAR(at(result, "by_frequency", "learned", 16), 39.4320016158586, 1e-9);
  EXPECT_NEAR(at(result, "by_frequency", "learned", 0), 0.47004988014939714, 1e-9);
  EXPECT_NEAR(at(result, "by_frequency", "learned", 32), 0.5145518196660025, 1e-9);
  EXPECT_NEAR(at(result, "by_distance", "learned", 1), 0.07180096329209734, 1e-12);
  EXPECT_NEAR(at(result, "by_distance", "learned", 8), 0.7566459742873587, 1e-12);
  EXPECT_NEAR(at(result, "lengths", "learned", 0), 0.55029699, 1e-8);
  EXPECT_NEAR(column(result, "spectrum", "sinusoid")[2], 75.14769005, 1e-7);
  EXPECT_TRUE(all_hold(result));
  const auto centred = compute("embedding/learned", {{"centre", "on"}, {"base", "20"}});
  EXPECT_NEAR(column(centred, "spectrum", "sinusoid")[3], 47.18905072, 1e-7);
  EXPECT_NEAR(at(centred, "by_frequency", "learned", 0), 0, 1e-12);
}

TEST(EmbeddingLearned, AFileOfSinusoidsIsTheirEqual) {
  const support::TemporaryFolder folder;
  study::Run exact;
  exact.device = DeviceChoice::ref;
  const Matrix x = twin::sinusoidal(exact, 40, 12, {});
  const std::string path = saved(folder, "wpe.npy", x);
  const auto result = compute("embedding/learned", {{"table", path.c_str()}});
  for (const char* each : {"spectrum", "by_frequency", "by_distance"}) {
    const auto &learned = column(result, each, "learned"), &sinusoid = column(result, each, "sinusoid");
    for (std::size_t i = 0; i < learned.size(); ++i) EXPECT_NEAR(learned[i], sinusoid[i], 1e-10) << each << i;
  }
  EXPECT_EQ(result.figure.title,
            "Half of the squares of 40 learned rows lies in 1 direction, of as many sinusoids in 1");
  // A window of it: its own rows, beside the sinusoids of the same positions.
  const auto window = compute("embedding/learned", {{"table", path.c_str()}, {"first", "8"}, {"count", "4"}});
  EXPECT_EQ(column(window, "lengths", "").size(), 4u);
  EXPECT_EQ(column(window, "lengths", "").front(), 8);
  EXPECT_NEAR(at(window, "by_distance", "learned", 1), at(window, "by_distance", "sinusoid", 1), 1e-12);
  EXPECT_EQ(window.figure.title.find("Half of the squares of rows 8 to 11 of 40 lies in "), 0u);
  // Past its end, its last rows.
  const auto last = read_learned_rows(path, 1000, 6);
  EXPECT_EQ(last.first, 34);
  EXPECT_EQ(last.rows, x.bottomRows(6));
}

// As numpy.save leaves a transposed array: column by column.
TEST(EmbeddingLearned, ColumnsFirstIsReadAsRows) {
  const support::TemporaryFolder folder;
  const auto path = (folder.path() / "f.npy").string();
  std::ofstream out(path, std::ios::binary);
  std::string head = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }";
  head.resize(117, ' ');
  head += '\n';
  out.write("\x93NUMPY\x01\x00\x76\x00", 10) << head;
  for (const float x : {1.F, 2.F, 3.F, 10.F, 20.F, 30.F}) out.write(reinterpret_cast<const char*>(&x), 4);
  out.close();
  const auto learned = read_learned_rows(path, 1, 2);
  EXPECT_EQ(learned.rows, (Matrix(2, 2) << 2, 20, 3, 30).finished());
}

TEST(EmbeddingLearned, WhatIsNoTableOfRowsIsRefusedInOneLine) {
  const support::TemporaryFolder folder;
  Matrix nan = Matrix::Ones(3, 4);
  nan(1, 2) = std::nan("");
  for (const std::string& path :
       {saved(folder, "nan.npy", nan), saved(folder, "one.npy", Matrix::Ones(1, 4)),
        saved(folder, "odd.npy", Matrix::Ones(4, 3)), saved(folder, "wide.npy", Matrix::Ones(2, 16386)),
        saved(folder, "none.npy", Matrix::Ones(0, 4)), (folder.path() / "missing.npy").string()}) {
    try {
      read_learned_rows(path, 0, 1024);
      ADD_FAILURE() << path;
    } catch (const Failure& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  // Rows of zeros have no direction, and are drawn all the same.
  const std::string zeros = saved(folder, "zeros.npy", Matrix::Zero(4, 4));
  const auto result = compute("embedding/learned", {{"table", zeros.c_str()}});
  EXPECT_TRUE(all_hold(result));
  EXPECT_EQ(largest(column(result, "spectrum", "learned")), 0);
  // One among others is said where its cosines are drawn.
  Matrix padded = Matrix::Ones(4, 4);
  padded.row(1).setZero();
  const std::string path = saved(folder, "padded.npy", padded);
  const auto some = compute("embedding/learned", {{"table", path.c_str()}});
  EXPECT_EQ(column(some, "halves", "rows of zeros").front(), 1);
  EXPECT_EQ(some.figure.panels.front().title, "Cosines of learned rows, 0 for 1 row of zeros");
}

bool says_where_half_lies(const titles::Said& said) {
  const auto of = [&](const char* name) { return said.column("halves", name).front(); };
  std::vector<std::string> parts;
  if (const auto whole =
          said.as("Half of the squares of {} learned rows lies in {} {}, of as many sinusoids in {}")) {
    if (of("rows") != of("rows of the table") || !titles::says((*whole)[0], of("rows"))) return false;
    parts.assign(whole->begin() + 1, whole->end());
  } else if (const auto some = said.as(
                 "Half of the squares of rows {} to {} of {} lies in {} {}, of as many sinusoids in {}")) {
    if (!titles::says((*some)[0], of("first row")) ||
        !titles::says((*some)[1], of("first row") + of("rows") - 1) ||
        !titles::says((*some)[2], of("rows of the table")))
      return false;
    parts.assign(some->begin() + 3, some->end());
  } else {
    return false;
  }
  // Looked up in the spectrum: there, and not one direction earlier, is half of it.
  const auto is_half = [&](const std::string& n, const char* of_whom) {
    const auto& share = said.column("spectrum", of_whom);
    const auto k = static_cast<std::size_t>(titles::number_of(n));
    if (k == 0) return largest(share) < 50;
    return share.at(k - 1) >= 50 && (k == 1 || share[k - 2] < 50);
  };
  return is_half(parts[0], "learned") && titles::counts(parts[0], parts[1], "direction", "directions") &&
         is_half(parts[2], "sinusoid");
}

const titles::Entries entries{{"embedding/learned", says_where_half_lies}};

}  // namespace
}  // namespace embedding_learned_test
}  // namespace orrery::study
