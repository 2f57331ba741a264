// This library as a contender: the cases of `orrery bench`, each with its fraction of the machine's limit. ORRERY_VECTORS=avx2:
// as on a processor without AVX-512, the measure of the limit too.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/bench/benchmark.h"
#include "core/op/op.h"
#include "tests/bench/peer.h"

using namespace orrery;

namespace {

std::optional<peer::Contest> load(const std::string& name) {
  const std::string op = name.substr(0, name.find(' '));
  const auto rows = op::table();
  if (std::none_of(rows.begin(), rows.end(), [&](const op::Op& row) { return row.name == op; })) return {};
  const std::vector<std::string> ops{op};
  for (const bench::Planned& planned : bench::planned(ops, {})) {
    if (planned.op + " " + planned.shape != name) continue;
    const bench::Case c = planned.make();
    return peer::Contest{.inputs = c.inputs, .output = c.output, .call = c.call, .time = [c] {
                           const bench::Result r = bench::measure(c, {.samples = 1});
                           return std::pair(r.ms, r.of_limit);
                         }};
  }
  return {};
}

}  // namespace

int main() {
  if (const char* vectors = std::getenv("ORRERY_VECTORS"); vectors && vectors == std::string_view("avx2")) {
    hwy::SetSupportedTargetsForTest(HWY_AVX2);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  std::vector<std::string> names;
  for (const bench::Planned& planned : bench::planned({}, {}))
    names.push_back(planned.op + " " + planned.shape);
  return peer::serve("Orrery", load, names);
}
