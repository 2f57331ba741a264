#include "app/cli/inspect_tensors.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "core/file/npy.h"
#include "core/file/tensor_files.h"
#include "core/file/tensor_statistics.h"
#include "core/parameter/shown.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

ordered_json histogram_json(const tensor::DyadicHistogram& h) {
  return {
      {"low", h.low()}, {"width", h.width()}, {"counts", std::vector(h.counts().begin(), h.counts().end())}};
}

ordered_json statistics_json(const std::string& name, const file::StoredArray& array,
                             const file::TensorStatistics& all) {
  const tensor::Statistics& s = all.numbers;
  ordered_json rows = ordered_json::array(), magnitudes = ordered_json::array();
  for (const auto& [row, norm] : all.rows) rows.push_back({{"row", row}, {"norm", norm}});
  for (const auto& [exponent, negative, positive] : s.magnitudes())
    magnitudes.push_back({{"exponent", exponent}, {"negative", negative}, {"positive", positive}});
  const bool any = s.finite() > 0;
  return {{"name", name},
          {"dtype", array.dtype},
          {"shape", array.shape},
          {"bytes", array.bytes()},
          {"min", s.min()},
          {"max", s.max()},
          {"mean", s.mean()},
          {"nan", s.nan()},
          {"infinite", s.infinite()},
          {"deviation", s.deviation()},
          {"norm", s.norm()},
          {"zeros", s.zeros()},
          {"farthest", any ? ordered_json{{"value", s.farthest()}, {"at", all.farthest_at}} : ordered_json()},
          {"histogram", any ? histogram_json(s.histogram()) : ordered_json()},
          {"magnitudes", magnitudes},
          {"largest_rows", rows}};
}

std::string statistics_text(const std::string& name, const file::StoredArray& array,
                            const file::TensorStatistics& all) {
  const tensor::Statistics& s = all.numbers;
  TextTable table;
  table.row({say("name"), name});
  table.row({say("number type"), array.dtype});
  table.row({say("shape"), tensor::shape_text(array.shape)});
  table.row({say("bytes"), std::to_string(array.bytes())});
  table.row({say("minimum"), short_number(s.min())});
  table.row({say("maximum"), short_number(s.max())});
  table.row({say("mean"), short_number(s.mean())});
  table.row({say("standard deviation"), short_number(s.deviation())});
  table.row({say("Euclidean norm"), short_number(s.norm())});
  if (s.zeros() > 0) table.row({say("zeros"), std::to_string(s.zeros())});
  if (s.nan() > 0) table.row({"NaN", std::to_string(s.nan())});
  if (s.infinite() > 0) table.row({say("infinite"), std::to_string(s.infinite())});
  if (!all.farthest_at.empty())
    table.row({say("largest absolute value"), short_number(std::abs(s.farthest())),
               tensor::place_text(all.farthest_at)});
  for (const auto& [row, norm] : all.rows) table.row({say("norm of row {}", row), short_number(norm)});
  return table.text();
}

/// Its numbers are looked through, not kept.
void report(const std::string& name, const file::StoredArray& array, bool json) {
  const file::TensorStatistics all = file::statistics_of(array);
  if (json) return print_json(ordered_json::array({statistics_json(name, array, all)}));
  print(statistics_text(name, array, all));
}

ordered_json listed_json(const file::ListedTensor& tensor) {
  ordered_json about = {{"name", tensor.name},   {"dtype", tensor.dtype}, {"shape", tensor.shape},
                        {"bytes", tensor.bytes}, {"min", nullptr},        {"max", nullptr},
                        {"mean", nullptr}};
  if (!tensor.shard.empty()) about["shard"] = tensor.shard;
  return about;
}

}  // namespace

void inspect_npy(const std::string& path, bool json) {
  const file::StoredArray npy = file::open_npy(path);
  if (const std::uint64_t more = trailing_bytes(npy); more > 0)
    warn(say("{}: {} bytes behind the data are ignored", path, more));
  if (npy.type.kind == file::NumberKind::brain_real)
    warn(say("{}: V2 is read as bf16, as ml_dtypes writes it", path));
  report(std::filesystem::path(path).stem().string(), npy, json);
}

void inspect_tensors(const file::TensorPath& path, bool json) {
  if (!path.tensor.empty()) return report(path.tensor, file::open_tensor(path), json);
  const file::TensorListing listing = file::list_tensors(path.file);
  for (const Phrase& remark : listing.remarks) warn(say(remark));
  if (json) {
    ordered_json all = ordered_json::array();
    for (const file::ListedTensor& each : listing.tensors) all.push_back(listed_json(each));
    return print_json(all);
  }
  if (listing.tensors.empty())
    return print(say("{}: holds no tensors", parameter::visible(path.file.string())) + "\n");
  TextTable table;
  for (const file::ListedTensor& each : listing.tensors) {
    std::vector<std::string> cells{each.name, each.dtype, tensor::shape_text(each.shape),
                                   std::to_string(each.bytes)};
    if (!each.shard.empty()) cells.push_back(each.shard);
    table.row(cells);
  }
  print(table.text());
}

}  // namespace orrery::cli
