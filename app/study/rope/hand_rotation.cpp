#include "app/study/rope/hand_rotation.h"

#include "app/study/kit.h"
#include "core/tensor/error.h"

namespace orrery::study::rope_steps {

using position::RopeLayout;

bool by_mistake(const Settings& settings) {
  return settings.choice("frequencies") == "multiples";
}
RopeLayout layout_of(const Settings& settings) {
  return settings.choice("layout") == "half" ? RopeLayout::half : RopeLayout::interleaved;
}

std::vector<double> vector_of(const Settings& settings) {
  std::vector<double> x = settings.vector("vector");
  if (x.empty() || x.size() > most_numbers)
    throw InvalidArgument(about(Subject::Kind::parameter, "vector")
                              .found(std::to_string(x.size()))
                              .fault("it has {} numbers", std::to_string(x.size()))
                              .allowed("{} to {}", 1, most_numbers));
  x.resize(x.size() + x.size() % 2, 0.0);
  return x;
}
Index head_of(const Settings& settings) {
  return std::max<Index>(settings.integer("head_width"), std::ssize(vector_of(settings)));
}

namespace {

std::vector<double> all_frequencies(const Settings& settings) {
  const Index d = head_of(settings);
  return by_mistake(settings) ? numbered(d / 2)
                              : position::rope_default_frequencies(d, settings.real("base"));
}

}  // namespace

position::RopeTable table_of(const Settings& settings) {
  std::vector<double> frequencies = all_frequencies(settings);
  frequencies.resize(vector_of(settings).size() / 2);
  return position::rope_table(std::array{number(settings.integer("position"))}, frequencies);
}

std::vector<Pair> pairs_of(const Settings& settings) {
  const std::vector<double> x = vector_of(settings);
  const auto typed = std::ssize(x) / 2;
  const Index d = head_of(settings);
  const position::RopeTable table = table_of(settings);
  const std::vector<double> frequencies = all_frequencies(settings);
  const bool half = layout_of(settings) == RopeLayout::half;
  const Matrix y = twin::rope(twin::on_reference({}), row_matrix(x), table, layout_of(settings));
  std::vector<Pair> pairs;
  for (Index i = 0; i < typed; ++i) {
    const Index a = half ? i : 2 * i, b = half ? i + typed : 2 * i + 1;
    const double frequency = frequencies[std::size_t(i)];
    pairs.push_back({.first = half ? i : a,
                     .second = half ? i + d / 2 : b,
                     .frequency = frequency,
                     .angle = number(settings.integer("position")) * frequency,
                     .cos = table.cos(0, i),
                     .sin = table.sin(0, i),
                     .a = x[std::size_t(a)],
                     .b = x[std::size_t(b)],
                     .turned_a = y(0, a),
                     .turned_b = y(0, b)});
  }
  return pairs;
}

double turned_error(const Pair& pair) {
  return (std::abs(pair.angle) + 4) * 0x1p-52 * (1 + std::hypot(pair.a, pair.b));
}

}  // namespace orrery::study::rope_steps
