// This library as a contender: the cases of `orrery bench`, each with its fraction of the machine's limit.
#include <algorithm>

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
  std::vector<std::string> names;
  for (const bench::Planned& planned : bench::planned({}, {}))
    names.push_back(planned.op + " " + planned.shape);
  return peer::serve("Orrery", load, names);
}
