// The bytes below are written out by hand from the format's specification, so that reader and writer cannot
// agree on a mistake.
#include "core/file/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/file/bytes.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/kept.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::npy_test {
namespace {

using orrery::Failure;
using orrery::file::parse_npy;
using orrery::tensor::Array;
using orrery::tensor::Format;

std::string file(std::string header, const std::string& data, int major = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  for (int b = 0; b < (major == 1 ? 2 : 4); ++b) out += static_cast<char>(header.size() >> (8 * b) & 0xff);
  return out + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

std::string little(std::uint64_t bits, int bytes) {
  std::string out;
  for (int b = 0; b < bytes; ++b) out += static_cast<char>(bits >> (8 * b) & 0xff);
  return out;
}

std::string big(std::uint64_t bits, int bytes) {
  const std::string l = little(bits, bytes);
  return {l.rbegin(), l.rend()};
}

TEST(Npy, ReadsEveryFloatInBothByteOrders) {
  // 1.5 in the three formats: sign 0, exponent at its bias, significand 1.1b.
  EXPECT_EQ(parse_npy(file(header("<f8", "(1,)"), little(0x3ff8000000000000, 8)), "a").array.values[0], 1.5);
  EXPECT_EQ(parse_npy(file(header(">f8", "(1,)"), big(0x3ff8000000000000, 8)), "a").array.values[0], 1.5);
  EXPECT_EQ(parse_npy(file(header("<f4", "(1,)"), little(0x3fc00000, 4)), "a").array.values[0], 1.5);
  EXPECT_EQ(parse_npy(file(header(">f4", "(1,)"), big(0x3fc00000, 4)), "a").array.values[0], 1.5);
  EXPECT_EQ(parse_npy(file(header("<f2", "(1,)"), little(0x3e00, 2)), "a").array.values[0], 1.5);
  EXPECT_EQ(parse_npy(file(header(">f2", "(1,)"), big(0x3e00, 2)), "a").array.values[0], 1.5);
  // The smallest subnormal half, 2^-24, and the largest half.
  EXPECT_EQ(parse_npy(file(header("<f2", "(2,)"), little(0x7bff0001, 4)), "a").array.values,
            (std::vector<double>{0x1p-24, 65504}));
  EXPECT_TRUE(std::isnan(parse_npy(file(header("<f4", "(1,)"), little(0x7fc00000, 4)), "a").array.values[0]));
}

TEST(Npy, KeepsTheFormatAndNamesTheType) {
  const auto f2 = parse_npy(file(header("<f2", "(1,)"), little(0x3e00, 2)), "a");
  EXPECT_EQ(f2.array.format, Format::f16);
  EXPECT_EQ(f2.dtype, "float16");
  const auto i4 = parse_npy(file(header("<i4", "(1,)"), little(7, 4)), "a");
  EXPECT_EQ(i4.array.format, Format::f64);
  EXPECT_EQ(i4.dtype, "int32");
}

TEST(Npy, ReadsIntegersAndBooleans) {
  EXPECT_EQ(parse_npy(file(header("|i1", "(2,)"), "\x80\x7f"), "a").array.values,
            (std::vector<double>{-128, 127}));
  EXPECT_EQ(parse_npy(file(header("|u1", "(2,)"), "\x80\x7f"), "a").array.values,
            (std::vector<double>{128, 127}));
  EXPECT_EQ(parse_npy(file(header(">i2", "(1,)"), big(0xfffe, 2)), "a").array.values[0], -2);
  EXPECT_EQ(parse_npy(file(header("<u4", "(1,)"), little(0xffffffff, 4)), "a").array.values[0], 4294967295.0);
  EXPECT_EQ(
      parse_npy(file(header("<i8", "(1,)"), little(static_cast<std::uint64_t>(-5), 8)), "a").array.values[0],
      -5);
  EXPECT_EQ(parse_npy(file(header("|b1", "(2,)"), std::string("\x01\x00", 2)), "a").array.values,
            (std::vector<double>{1, 0}));
}

TEST(Npy, RefusesIntegersThatNoDoubleHolds) {
  const std::uint64_t limit = std::uint64_t{1} << 53;
  EXPECT_EQ(parse_npy(file(header("<i8", "(1,)"), little(limit, 8)), "a").array.values[0],
            9007199254740992.0);
  EXPECT_THROW(parse_npy(file(header("<u8", "(1,)"), little(limit + 2, 8)), "a"), Failure);
  // 2^53 + 1 becomes 2^53 as a double: the check must be on the integer, not on what is left of it.
  EXPECT_THROW(parse_npy(file(header("<u8", "(1,)"), little(limit + 1, 8)), "a"), Failure);
  EXPECT_THROW(parse_npy(file(header("<i8", "(1,)"), little(std::uint64_t{1} << 63, 8)), "a"), Failure);
}

TEST(Npy, ReadsFortranOrderRowMajor) {
  // [[0 1 2] [3 4 5]] by columns: 0 3 1 4 2 5.
  const std::string columns("\x00\x03\x01\x04\x02\x05", 6);
  const Array a = parse_npy(file(header("|u1", "(2, 3)", "True"), columns), "a").array;
  EXPECT_EQ(a.values, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  // Element (i, j, k) of a 2×3×2 array stands at i + 2j + 6k; row-major it is number 6i + 2j + k.
  std::string data;
  for (char n = 0; n < 12; ++n) data += n;
  const Array b = parse_npy(file(header("|u1", "(2, 3, 2)", "True"), data), "a").array;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k)
        EXPECT_EQ(b.values[static_cast<std::size_t>(6 * i + 2 * j + k)], i + 2 * j + 6 * k);
    }
  }
}

TEST(Npy, ReadsAllVersionsAndUnusualButLegalHeaders) {
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(parse_npy(file(header("<f4", "(1,)"), little(0x3fc00000, 4), version), "a").array.values[0],
              1.5);
  }
  const std::string other =
      "{\"shape\":(2L,),'fortran_order':False,'descr':'<u2'}";  // other order, Python 2, no padding
  EXPECT_EQ(parse_npy(file(other, little(0x00020001, 4)), "a").array.values, (std::vector<double>{1, 2}));
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  const Array scalar = parse_npy(file(header("<f8", "()"), little(0x3ff8000000000000, 8)), "a").array;
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(scalar.values, std::vector<double>{1.5});
  const Array empty = parse_npy(file(header("<f8", "(0, 3)"), ""), "a").array;
  EXPECT_EQ(empty.shape, (std::vector<orrery::tensor::Index>{0, 3}));
  EXPECT_TRUE(empty.values.empty());
}

TEST(Npy, CountsTrailingBytes) {
  EXPECT_EQ(parse_npy(file(header("|u1", "(2,)"), "abcde"), "a").trailing_bytes, 3u);
}

// What begins as it should and is no longer is cut off, and no other kind of file.
TEST(Npy, AFileOfTheFirstBytesAloneEndsTooEarly) {
  const std::string whole = file(header("<f4", "(2,)"), std::string(8, '\0'));
  for (const std::size_t bytes : {1u, 5u, 6u, 7u}) {
    try {
      parse_npy(whole.substr(0, bytes), "a.npy");
      ADD_FAILURE() << bytes << " bytes were read";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("ends before the version of its header"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Npy, EveryMalformedFileIsOneLineThatNamesIt) {
  const std::string good = header("<f4", "(2,)");
  const std::string data(8, '\0');
  const std::vector<std::string> broken{
      "",
      "PK\x03\x04 a zip archive, as .npz files are",
      std::string("\x93NUMPY\x01", 7),
      std::string("\x93NUMPY\x04\x00\x00\x00", 10),
      file(good, data, 2).substr(0, 11),                            // ends within the length
      file(good, data).substr(0, 20),                               // ends within the header
      file(good, data).substr(0, file(good, data).size() - 1),      // ends within the data
      std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12) + good,  // a header of 2 GiB
      file("", ""),
      file("{}", ""),
      file("{'descr': '<f4', 'shape': (2,)}", data),
      file("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'colour': 1}", data),
      file("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2.5,)}", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", data),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + exit()", data),
      file("{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}", data),
      file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", data),
      file(header("|O", "(2,)"), data),
      file(header("<c8", "(1,)"), data),
      file(header("<f3", "(2,)"), data),
      file(header("<f16", "(1,)"), data),
      file(header("<U4", "(2,)"), data),
      file(header("", "(2,)"), data),
      file(header("<f4", "(4611686018427387904, 4)"), data),  // 2^64 elements: the product wraps to 0
      file(header("<f4", "(0, 4611686018427387904, 4611686018427387904)"), ""),
      file(header("<f4", "(99999999999999999999999,)"), data),
      file(header("<f4", "(1000000000,)"), data),  // 4 GB promised by a file of 100 bytes
      file(header("<f4", "(1,1,1,1,1,1,1,1,1)"), data),
  };
  for (const std::string& bytes : broken) {
    try {
      parse_npy(bytes, "bad.npy");
      ADD_FAILURE() << "accepted: " << testing::PrintToString(bytes.substr(0, 120));
    } catch (const Failure& e) {
      const std::string what = e.what();
      EXPECT_TRUE(what.starts_with("bad.npy: ")) << what;
      EXPECT_EQ(what.find_first_of("\r\n\t\x93"), std::string::npos) << what;
    }
  }
}

/// Every cut and every single changed byte of a good file: read, or refused with a Failure; run under the
/// sanitizers this also shows that nothing is read past the end.
TEST(Npy, NoDamageCrashesTheReader) {
  const std::string good = file(header("<f4", "(2, 3)", "True"), std::string(24, '\x40'));
  int refused = 0, read = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      parse_npy(bytes, "bad.npy");
      ++read;
    } catch (const Failure&) {
      ++refused;
    }
  };
  for (std::size_t n = 0; n < good.size(); ++n) attempt(good.substr(0, n));
  EXPECT_EQ(read, 0);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int b = 0; b < 256; ++b) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(b);
      attempt(bytes);
    }
  }
  EXPECT_GT(read, 24 * 256 - 1);  // a changed number is still a number
  EXPECT_GT(refused, 1000);
}

TEST(Npy, WritesTheBytesOfTheSpecification) {
  Array a = Array::zeros(Format::f32, {2});
  a.values = {1.5, -0.0};
  std::string expected = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  expected.append(128 - 10 - 1 - expected.size(), ' ');
  expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + expected + "\n" + little(0x3fc00000, 4) +
             little(0x80000000, 4);
  EXPECT_EQ(orrery::file::npy_bytes(a), expected);
}

TEST(Npy, WhatIsWrittenIsReadBackExactly) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    for (const std::vector<orrery::tensor::Index>& shape :
         {std::vector<orrery::tensor::Index>{}, {6}, {2, 3}, {1, 2, 3}, {0, 4}}) {
      Array a = Array::zeros(format, shape);
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        a.values.doubles()[i] =
            orrery::tensor::round_to(format, i == 1 ? -inf : std::sin(1.0 + static_cast<double>(i)));
      }
      const std::string bytes = orrery::file::npy_bytes(a);
      const Array b = parse_npy(bytes, "a").array;
      EXPECT_EQ(b.values, a.values);
      EXPECT_EQ(b.shape, a.shape);
      EXPECT_EQ(b.format, format == Format::bf16 ? Format::f32 : format);
      EXPECT_EQ((bytes.size() - a.values.size() * (format == Format::f64   ? 8
                                                   : format == Format::f16 ? 2
                                                                           : 4)) %
                    64,
                0u);
    }
  }
}

// NumPy has no name for the two bytes of ml_dtypes.bfloat16, and writes them as V2.
TEST(Npy, TwoUnknownBytesAreBf16) {
  // 1.5, the largest finite value, the smallest subnormal 2^-133, and −∞: the upper halves of the floats.
  const std::string data = little(0x3fc0, 2) + little(0x7f7f, 2) + little(0x0001, 2) + little(0xff80, 2);
  const std::vector<double> values{1.5, 0x1.fep127, 0x1p-133, -std::numeric_limits<double>::infinity()};
  for (const char* descr : {"<V2", "|V2"}) {
    const orrery::file::Npy npy = parse_npy(file(header(descr, "(4,)"), data), "a");
    EXPECT_EQ(npy.array.format, Format::bf16);
    EXPECT_EQ(npy.array.values, values);
    EXPECT_EQ(npy.dtype, "bfloat16");
  }
  for (const char* descr : {">V2", "|V1", "|V4", "V22"})
    EXPECT_THROW(parse_npy(file(header(descr, "(1,)"), std::string(64, '\0')), "a"), Failure) << descr;

  // The head that np.save writes, and the bytes back.
  Array a{Format::bf16, {4}, values};
  std::string expected = "{'descr': '<V2', 'fortran_order': False, 'shape': (4,), }";
  expected.append(128 - 10 - 1 - expected.size(), ' ');
  expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + expected + "\n" + data;
  EXPECT_EQ(orrery::file::npy_bytes(a, BrainFloats::kept), expected);
  // Other formats are written as ever.
  a.format = Format::f32;
  EXPECT_EQ(orrery::file::npy_bytes(a, BrainFloats::kept), orrery::file::npy_bytes(a));
}

TEST(Npy, FloatsAndNarrowerAreKeptInFloat) {
  for (const Format format : {Format::f64, Format::f32, Format::f16}) {
    const Array read = parse_npy(orrery::file::npy_bytes({format, {2, 2}, {1, 0.5, -2, 3}}), "a").array;
    EXPECT_EQ(orrery::support::in_float(read.values), format != Format::f64);
    EXPECT_EQ(read.values, (orrery::tensor::Values{1, 0.5, -2, 3}));
  }
}

TEST(Npy, WhatIsWrittenFromFloatsIsWhatIsWrittenFromDoubles) {
  const orrery::support::TemporaryFolder folder;
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    const Array doubles{format, {3}, std::vector<double>{1, -0.5, 65504}};
    const Array floats{format, {3}, std::vector<float>{1, -0.5f, 65504}};
    const std::string bytes = orrery::file::npy_bytes(doubles);
    EXPECT_EQ(orrery::file::npy_bytes(floats), bytes);
    for (const Array& a : {doubles, floats}) {
      orrery::file::write_npy(folder / "a.npy", a);
      EXPECT_EQ(orrery::support::contents(folder / "a.npy"), bytes);
    }
  }
}

TEST(Bytes, RefusalsNameThePathAndTheReason) {
  const orrery::support::TemporaryFolder directory;
  const auto expect_failure = [](const std::filesystem::path& path, std::uint64_t limit,
                                 const std::string& reason) {
    try {
      orrery::file::read_bytes(path, limit);
      ADD_FAILURE() << path;
    } catch (const Failure& e) {
      EXPECT_EQ(std::string(e.what()).find(path.string() + ": "), 0u) << e.what();
      EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
    }
  };
  expect_failure(directory.path(), 1000, "directory");
  expect_failure(directory / "orrery-no-such-file", 1000, "No such file");
  expect_failure("/dev/zero", 1000, "neither a file nor a pipe");
  const auto path = directory / "orrery-bytes-test";
  std::ofstream(path) << std::string(1000, 'x');
  EXPECT_EQ(orrery::file::read_bytes(path, 1000), std::string(1000, 'x'));
  expect_failure(path, 999, "1000 bytes; allowed: up to 999 bytes");
}

TEST(Bytes, APipeIsReadOnceOrNotAtAll) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "abc", 3), 3);
  ::close(ends[1]);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[0]);
  try {
    orrery::file::read_head(path, 2);
    ADD_FAILURE();
  } catch (const Failure& e) {
    EXPECT_EQ(std::string(e.what()), path + ": is a pipe, which can be read only once; allowed: a file");
  }
  EXPECT_EQ(orrery::file::read_bytes(path, 3, orrery::file::Accept::files_and_pipes), "abc");
  ::close(ends[0]);
}

}  // namespace
}  // namespace orrery::file::npy_test
