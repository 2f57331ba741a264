// Rows of a matrix within an array, read where they lie: beside the same numbers of the whole array.
#include "core/file/stored_plane.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/file/npy.h"
#include "core/file/safetensors.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::stored_plane_test {
namespace {

using support::put;
using tensor::Index;

/// Element (a, b, c) of 3 × 5 × 4 is 100 a + 10 b + c.
constexpr Index A = 3, B = 5, C = 4;

std::string npy(bool fortran) {
  std::string head = std::string("{'descr': '<f4', 'fortran_order': ") + (fortran ? "True" : "False") +
                     ", 'shape': (3, 5, 4), }";
  head.resize(117, ' ');
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += head + "\n";
  const auto add = [&](Index a, Index b, Index c) {
    const auto x = static_cast<float>(100 * a + 10 * b + c);
    char four[4];
    std::memcpy(four, &x, 4);
    bytes.append(four, 4);
  };
  if (fortran)
    for (Index c = 0; c < C; ++c)
      for (Index b = 0; b < B; ++b)
        for (Index a = 0; a < A; ++a) add(a, b, c);
  else
    for (Index a = 0; a < A; ++a)
      for (Index b = 0; b < B; ++b)
        for (Index c = 0; c < C; ++c) add(a, b, c);
  return bytes;
}

TEST(StoredPlane, EveryPlaneOfAnArrayInEitherOrder) {
  const support::TemporaryFolder folder;
  for (const bool fortran : {false, true}) {
    put(folder / "a.npy", npy(fortran));
    const StoredArray array = open_npy(folder / "a.npy");
    const auto steps = steps_of(array);
    EXPECT_EQ(steps,
              fortran ? (std::vector<std::uint64_t>{1, 3, 15}) : (std::vector<std::uint64_t>{20, 4, 1}));
    for (Index a = 0; a < A; ++a) {
      const StoredPlane heads{.array = array,
                              .rows = B,
                              .cols = C,
                              .first = static_cast<std::uint64_t>(a) * steps[0],
                              .row_step = steps[1],
                              .col_step = steps[2]};
      const auto some = heads.read(1, 3);
      for (Index b = 0; b < 3; ++b)
        for (Index c = 0; c < C; ++c) EXPECT_EQ(some(b, c), 100 * a + 10 * (b + 1) + c) << fortran;
    }
    // Two columns of the middle axis, as one head of several side by side.
    const StoredPlane part{.array = array,
                           .rows = A,
                           .cols = 2,
                           .first = 3 * steps[1] + 2 * steps[2],
                           .row_step = steps[0],
                           .col_step = steps[2]};
    const auto two = part.read(0, A);
    for (Index a = 0; a < A; ++a)
      for (Index c = 0; c < 2; ++c) EXPECT_EQ(two(a, c), 100 * a + 30 + c + 2) << fortran;
    EXPECT_EQ(part.read(2, 0).size(), 0);
  }
}

TEST(StoredPlane, ReadsInAnyOrderAndNothingBehindIt) {
  const support::TemporaryFolder folder;
  put(folder / "s.safetensors",
      support::safetensors_bytes({{"first", "F32", "[2,2]", support::float_bytes({1, 2, 3, 4})},
                                  {"second", "F32", "[2,2]", support::float_bytes({5, 6, 7, 8})}}));
  const StoredArray array = open_safetensors(folder / "s.safetensors", "second");
  const StoredPlane plane{.array = array, .rows = 2, .cols = 2, .first = 0, .row_step = 2};
  EXPECT_EQ(plane.read(1, 1)(0, 1), 8);
  EXPECT_EQ(plane.read(0, 1)(0, 0), 5);
  // What is read by turns goes on where it was.
  EXPECT_EQ(array.read().values.to<double>(), (std::vector<double>{5, 6, 7, 8}));
  EXPECT_EQ(plane.read(0, 2)(1, 0), 7);
}

TEST(StoredPlane, AFileThatWasCutMeanwhileIsRefused) {
  const support::TemporaryFolder folder;
  put(folder / "a.npy", npy(false));
  const StoredArray array = open_npy(folder / "a.npy");
  std::filesystem::resize_file(folder / "a.npy", 128 + 4 * 30);
  const StoredPlane plane{.array = array, .rows = 15, .cols = 4, .first = 0, .row_step = 4};
  EXPECT_EQ(plane.read(0, 7)(6, 3), 113);
  const std::string said = support::message_of<Failure>([&] { plane.read(7, 1); });
  EXPECT_NE(said.find("cut short"), std::string::npos) << said;
}

}  // namespace
}  // namespace orrery::file::stored_plane_test
