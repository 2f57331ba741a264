// How many threads there are, and which of them takes which rows, changes no bit of any op's result.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "core/op/op.h"
#include "core/op/sample.h"
#include "tests/support/threads.h"

namespace orrery::op::threads_test {
namespace {

using tensor::Array;
using tensor::Format;

/// The matrix of a result, NaN and all.
template <class T>
std::vector<std::byte> bits(const Array& array) {
  const tensor::Matrix<T> values = array.matrix<T>();
  std::vector<std::byte> all(static_cast<std::size_t>(values.size()) * sizeof(T));
  std::memcpy(all.data(), values.data(), all.size());
  return all;
}
std::vector<std::byte> bits(const Array& array) {
  return array.format == Format::f64 ? bits<double>(array) : bits<float>(array);
}

/// Enough for several threads: lengths that are no multiple of a vector, a tile or a turn.
Sizes sizes_of(const Op& op, tensor::Index width) {
  Sizes sizes{.groups = 2, .T = 331, .S = 347, .D = 70, .d = 20, .F = 90, .H = 2, .V = 97, .N = 32, .M = 4};
  sizes[width_letter(op)] = width;
  return sizes;
}

std::string choices(const parameter::Settings& settings) {
  std::string text;
  for (const parameter::Parameter& p : settings.declared())
    if (p.kind == parameter::Kind::choice) text += " " + std::string(p.name) + "=" + settings.text(p.name);
  return text;
}

class AnyThreads : public testing::TestWithParam<std::string> {};

TEST_P(AnyThreads, GiveTheSameBits) {
  const Op& op = find(GetParam());
  int calls = 0;
  for (const tensor::Index width : {70, 302}) {
    const Sizes sizes = sizes_of(op, width);
    if (width < op.sampling.least || width > op.sampling.most) continue;
    if (sizes.H == 302) continue;  // each head has a matrix
    for (const parameter::Settings& settings : varied_settings(op, sizes))
      for (const Format compute : {Format::f32, Format::f64}) {
        Call call = sample(op, settings, sizes, random_values(3), Named::needed);
        call.compute = compute;
        const auto with = [&](int threads) {
          const support::Threads some(threads);
          return bits(op.cpu(call));
        };
        const std::vector<std::byte> alone = with(1);
        for (const int threads : {2, 3, 7})
          ASSERT_TRUE(with(threads) == alone) << threads << " threads, width " << width << choices(settings);
        ++calls;
      }
  }
  EXPECT_GT(calls, 0);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Op& op : table()) all.emplace_back(op.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Op, AnyThreads, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery::op::threads_test
