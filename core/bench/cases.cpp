// What is measured: the benchmarks of every row of the op table.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "core/bench/benchmark.h"
#include "core/gpu/device.h"
#include "core/op/sample.h"
#include "core/op/work.h"
#include "core/tensor/text_stream.h"

namespace orrery::bench {
namespace {

using op::Benchmark;
using op::Op;
using op::Sizes;

/// "{T}×{2F} swiglu" → "512×1536 swiglu"
std::string name_of(std::string_view pattern, const Sizes& sizes) {
  std::string name;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '{') {
      name += pattern[at];
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    std::string_view letter = pattern.substr(at + 1, end - at - 1);
    const tensor::Index times = letter.starts_with('2') ? 2 : 1;
    if (times == 2) letter.remove_prefix(1);
    name += std::to_string(letter == "…" ? sizes.groups : times * sizes[letter.front()]);
    at = end;
  }
  return name;
}

parameter::Settings settings_of(const Op& op, const Benchmark& b, const Sizes& sizes) {
  parameter::Settings settings = op::sample_settings(op, sizes);
  tensor::TextReader words{std::string(b.settings)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    settings.set(word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

/// Seeded normals; gains of 1 and shifts of 0; matrices small enough that results stay near 1; words in an order that no
/// cache foresees.
double value_at(const op::Place& at) {
  static const op::Fill normals = op::random_values(1);
  if (!std::isnan(at.input.neutral)) return at.input.neutral;
  if (at.input.holds == op::Holds::row_numbers)
    return static_cast<double>(at.i * 7919 % static_cast<std::uint64_t>(at.sizes.V));
  const char rows = at.input.shape.size() > 1 ? at.input.shape.front() : ' ';
  const bool weights = rows == 'D' || rows == 'F';
  return normals(at) / (weights ? std::sqrt(static_cast<double>(at.sizes[rows])) : 1);
}

/// Bytes that an ideal op reads.
double read_by(const Op& op, const op::Call& call) {
  double read = 0;
  for (const op::Input& input : op.inputs)
    if (input.positional) read += static_cast<double>(call.input(input.name).size());
  if (op.reads != nullptr) read = op.reads(call);
  return sizeof(float) * read;
}

Case case_of(const Op& op, const Benchmark& b, const Sizes& sizes, bool gpu) {
  op::Call call = op::sample(op, settings_of(op, b, sizes), sizes, value_at,
                             b.named ? op::Named::all : op::Named::needed);
  tensor::TextReader without{std::string(b.without)};
  for (std::string name; without >> name;) call.inputs.erase(name);
  call.in_place = b.in_place;
  if (gpu) call.device = &gpu::Device::of_this_thread();
  const auto work = std::make_shared<op::Work>((gpu ? op.gpu_work : op.cpu_work)(call));
  Case c;
  c.op = op.name;
  c.shape = name_of(b.name, sizes);
  c.device = gpu ? "gpu" : "cpu";
  c.read = read_by(op, call);
  c.written = sizeof(float) * static_cast<double>(work->output().size());
  c.flops = op.flops == nullptr ? 0 : op.flops(call);
  c.call = [work] { work->run(); };
  c.arithmetic = op.flops != nullptr;
  c.in_double = c.arithmetic && op.flops_in_double && !gpu;
  c.inputs = work->inputs();
  c.output = work->output();
  return c;
}

}  // namespace

std::vector<Planned> planned(std::span<const std::string> ops, const Options& options) {
  for (const std::string& name : ops) op::find(name);  // unknown names are refused before anything is timed
  const bool software = options.gpu && gpu::Device::of_this_thread().info().software;
  std::vector<Planned> all;
  for (const Op& op : op::table()) {
    const bool wanted = ops.empty() || std::ranges::find(ops, op.name) != ops.end();
    if (!wanted || (options.gpu && op.gpu_work == nullptr)) continue;
    for (const Benchmark& b : op.benchmarks) {
      if (options.gpu && b.in_place) continue;  // to the device, x and y are two buffers
      const Sizes& sizes = software ? b.on_software : b.sizes;
      all.push_back({std::string(op.name), name_of(b.name, sizes),
                     [&op, &b, &sizes, gpu = options.gpu] { return case_of(op, b, sizes, gpu); }});
    }
  }
  return all;
}

}  // namespace orrery::bench
