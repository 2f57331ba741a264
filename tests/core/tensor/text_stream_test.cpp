#include "core/tensor/text_stream.h"

#include <gtest/gtest.h>

#include <ios>
#include <iterator>
#include <locale>
#include <new>
#include <sstream>

namespace orrery::tensor::text_stream_test {
namespace {

using In = std::istreambuf_iterator<char>;
using Out = std::ostreambuf_iterator<char>;

/// Numbers for which there is no memory.
class NoRoomToWrite final : public std::num_put<char> {
  Out do_put(Out /*to*/, std::ios_base& /*stream*/, char /*fill*/, double /*value*/) const override {
    throw std::bad_alloc();
  }
};
class NoRoomToRead final : public std::num_get<char> {
  In do_get(In /*at*/, In /*end*/, std::ios_base& /*stream*/, std::ios_base::iostate& /*state*/,
            double& /*value*/) const override {
    throw std::bad_alloc();
  }
};

// What they are there for: the standard's own say nothing.
TEST(TextStream, ThrowsWhatTheStandardsOwnSwallow) {
  const std::locale writes(std::locale::classic(), new NoRoomToWrite),
      reads(std::locale::classic(), new NoRoomToRead);
  std::ostringstream quiet;
  quiet.imbue(writes);
  EXPECT_NO_THROW(quiet << "a " << 1.5 << " b");
  EXPECT_EQ(quiet.str(), "a ");
  TextWriter writer;
  writer.imbue(writes);
  EXPECT_THROW(writer << "a " << 1.5 << " b", std::bad_alloc);
  TextReader reader("1.5");
  reader.imbue(reads);
  double value = 0;
  EXPECT_THROW(reader >> value, std::bad_alloc);
}

TEST(TextStream, ReadsToTheEndWithoutAWord) {
  TextReader reader("one two");
  std::string word, all;
  while (reader >> word) all += word + ",";
  EXPECT_EQ(all, "one,two,");
  TextWriter writer;
  writer << 1 << ' ' << "two";
  EXPECT_EQ(writer.str(), "1 two");
}

}  // namespace
}  // namespace orrery::tensor::text_stream_test
