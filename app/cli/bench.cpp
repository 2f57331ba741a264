// orrery bench: how fast each op is, next to what limits it.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "core/bench/benchmark.h"
#include "core/bench/device_benchmark.h"
#include "core/op/op.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  std::vector<std::string> ops;
  std::string device = "cpu", samples = "9";
  bool json = false;
};

ordered_json to_json(const bench::Result& r) {
  return {{"op", r.op},       {"shape", r.shape},       {"device", r.device},
          {"ms", r.ms},       {"bytes", r.bytes},       {"flops", r.flops},
          {"limit", r.limit}, {"limit_ms", r.limit_ms}, {"of_limit", r.of_limit}};
}

/// The median of ratios is far from the ratio of medians: others ran beside some samples.
bool has_swung(const bench::Result& r) {
  return std::abs(r.of_limit * r.ms / r.limit_ms - 1) > 0.1;
}

void bench_ops(const BenchOptions& o) {
  for (const std::string& op : o.ops) static_cast<void>(op::find(op));
  bench::Options options;
  const study::DeviceChoice device = parse_device(o.device);
  if (device == study::DeviceChoice::ref) {
    throw InvalidArgument(about(Subject::Kind::option, "--device")
                              .found("ref")
                              .fault("found {}, which is never optimised", "'ref'")
                              .allowed(name_phrase("cpu, gpu")));
  }
  options.gpu = device == study::DeviceChoice::gpu;
  options.samples = static_cast<int>(parse_whole("--samples", o.samples, 1, 1000));

  ordered_json results = ordered_json::array();
  TextTable table("", {2, 4, 5, 6});
  table.row({say("op"), say("shape"), "ms", say("what limits it"), say("limit, ms"), say("of the limit"),
             "GB/s", say("device")});
  int swung = 0;
  for (const bench::Planned& planned : bench::planned(o.ops, options)) {
    const bench::Result r = bench::measure(planned.make(), options);
    results.push_back(to_json(r));
    swung += has_swung(r);
    table.row({r.op, r.shape, short_number(r.ms), translated(r.limit), short_number(r.limit_ms),
               short_number(r.of_limit), short_number(r.bytes / r.ms * 1e-6), r.device});
  }
  std::string machine = bench::machine();
  if (options.gpu) machine += "; " + bench::device_and_clock();
  if (o.json) {
    return print_json({{"machine", machine}, {"threads", bench::threads()}, {"results", results}});
  }
  print(say("{}, {} threads", machine, bench::threads()) + "\n\n" + table.text() + "\n" +
        say("Times are medians; the share of the limit is the median of pairs that were measured in turns.") +
        "\n");
  if (swung > 0)
    warn(say("the machine was busy: in {} of {} rows the times and the share do not agree within a tenth",
             swung, results.size()));
}

}  // namespace

Command bench_command() {
  const auto o = std::make_shared<BenchOptions>();
  return {"bench",
          "how fast each op is, next to what limits it",
          {{"OP", &o->ops, "", "all of them when none is named", Offers::Kind::op},
           {"--device",
            &o->device,
            "NAME",
            "cpu, or gpu: a twin's own work on arrays that lie there (cpu)",
            {Offers::Kind::words, {"cpu", "gpu"}}},
           {"--samples", &o->samples, "NUMBER", "how often each is measured (9)"},
           {"--json", &o->json, "", "as JSON"}},
          [o] { return bench_ops(*o); },
          {{"orrery bench softmax rope", "two ops"}}};
}

}  // namespace orrery::cli
