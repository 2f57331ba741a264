#include "core/bench/benchmark.h"

#include <omp.h>

#include <fstream>

#include "core/bench/arithmetic.h"
#include "core/bench/device_benchmark.h"
#include "core/bench/memory.h"
#include "core/bench/statistics.h"

namespace orrery::bench {
namespace {

int repeats_of(const std::function<void()>& f) {
  f();  // pages touched, code paged in, frequency up
  return repeats_for(milliseconds(f, 1));
}

}  // namespace

int threads() {
  return omp_get_max_threads();
}

std::string machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

namespace {

std::string_view limit_of(const Case& c, bool cached) {
  if (c.arithmetic) return c.in_double ? "multiply-adds in double" : "multiply-adds";
  if (!c.reads()) return "non-temporal write";
  return cached ? "copy" : "non-temporal copy";
}

}  // namespace

Result measure(const Case& c, const Options& options) {
  if (c.device == "gpu") return measure_on_device(c, options);
  const bool cached = c.reads() && c.bytes() <= cached_bytes;
  const auto read = static_cast<std::ptrdiff_t>(c.read / sizeof(float)),
             written = static_cast<std::ptrdiff_t>(c.written / sizeof(float));
  // From and to the op's own arrays, where they are that long: where arrays lie makes a tenth of a copy's speed.
  const bool from_own = !c.inputs.empty() && std::ssize(c.inputs.front()) >= read,
             to_own = std::ssize(c.output) >= written;
  const AlignedFloats other_from(from_own ? 0 : read, 1), other_to(to_own ? 0 : written);
  const float* const from = from_own ? c.inputs.front().data() : other_from.data();
  float* const to = to_own ? c.output.data() : other_to.data();
  const std::function<void()> reference = [&] {
    if (c.arithmetic) return c.in_double ? multiply_adds_in_double(c.flops) : multiply_adds(c.flops);
    move_floats(from, read, to, written, !cached);
  };

  const int op_repeats = repeats_of(c.call), copy_repeats = repeats_of(reference);
  std::vector<double> op_ms, copy_ms, ratio;
  for (int i = 0; i < options.samples; ++i) {
    op_ms.push_back(milliseconds(c.call, op_repeats));
    copy_ms.push_back(milliseconds(reference, copy_repeats));
    ratio.push_back(copy_ms.back() / op_ms.back());
  }
  c.call();  // what the op writes is in its array again
  return {c.op,
          c.shape,
          c.device,
          median(op_ms),
          c.bytes(),
          c.flops,
          median(copy_ms),
          median(ratio),
          std::string(limit_of(c, cached))};
}

}  // namespace orrery::bench
