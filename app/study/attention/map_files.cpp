#include "app/study/attention/map_files.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "app/study/attention/head_files.h"
#include "app/study/kit/numbers.h"
#include "app/study/reading.h"
#include "core/position/rope.h"

namespace orrery::study {
namespace {

using attention::RowVectors;
using parameter::Settings;
using tensor::Index;
using Floats = tensor::Matrix<float>;

/// What turns rows that begin at a token.
using Turn = std::function<void(Index first, tensor::Matrix<double>&)>;

Turn turn_of(const Settings& settings, Index width) {
  if (!settings.toggle("rope")) return [](Index, tensor::Matrix<double>&) {};
  return [theta = position::rope_default_frequencies(width, settings.real("base"))](
             Index first, tensor::Matrix<double>& x) {
    std::vector<double> positions;
    for (Index t = 0; t < x.rows(); ++t) positions.push_back(number(first + t));
    const position::RopeTable table = position::rope_table(positions, theta);
    position::rope_cpu<double>(x, table.cos, table.sin, position::RopeLayout::half, x);
  };
}

/// The last ones that were looked through: a change of the mask or of a colour reads nothing.
class Kept {
 public:
  using Vectors = std::shared_ptr<const RowVectors>;
  Vectors find(const std::string& key) {
    const std::lock_guard lock(lock_);
    const auto found = std::ranges::find(kept_, key, &Entry::first);
    if (found == kept_.end()) return nullptr;
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().second;
  }
  void add(const std::string& key, Vectors vectors) {
    const std::lock_guard lock(lock_);
    kept_.emplace(kept_.begin(), key, std::move(vectors));
    if (kept_.size() > most) kept_.pop_back();
  }

 private:
  using Entry = std::pair<std::string, Vectors>;
  static constexpr std::size_t most = 2;  // queries and keys: each may hold most_kept bytes
  std::mutex lock_;
  std::vector<Entry> kept_;  // the last one first
};

Kept& kept() {
  static Kept once;
  return once;
}

/// Of a run, between two shares of its progress.
struct Pass {
  const Run& run;
  double from, to;
};

std::shared_ptr<const RowVectors> looked_through(const HeadVectors& head, Index tokens, const Turn& turn,
                                                 const std::string& key, const Pass& at) {
  if (auto found = kept().find(key)) return found;
  const auto rows = [head, turn](Index first, Index count) {
    tensor::Matrix<double> x = head.rows(first, count);
    turn(first, x);
    return Floats(x.cast<float>());
  };
  const auto pass = [&](Index first, Index count) {
    at.run.check();
    at.run.progress(at.from + (at.to - at.from) * number(first) / number(tokens));
    return read_patiently(at.run.stop, head.plane().array.origin, [=] { return rows(first, count); });
  };
  auto vectors = std::make_shared<const RowVectors>(tokens, head.width(), pass, rows);
  kept().add(key, vectors);
  return vectors;
}

/// Of each tensor, and what of it is read for so many tokens.
void tell_bytes(figure::Table& table, const HeadFiles& files, Index tokens) {
  figure::Column all{.name = "bytes", .digits = 15}, read{.name = "bytes read", .digits = 15};
  for (const HeadFile& each : files.files) {
    all.values.push_back(each.bytes);
    read.values.push_back(each.bytes_once + each.bytes_per_token * number(tokens));
  }
  table.columns.push_back(std::move(all));
  table.columns.push_back(std::move(read));
}

}  // namespace

std::optional<MapFiles> map_files(const Settings& settings, const Run& run) {
  if (!has_head_files(settings)) return {};
  const char* first = settings.choice("content") == "files" ? "q_file" : "hidden";
  const auto files = read_patiently(run.stop, settings.file(first), [settings] {
    return std::make_shared<const HeadFiles>(open_head_files(settings));
  });
  const Index tokens = std::min<Index>(settings.integer("length"), files->tokens());
  if (tokens < 2) files->q.plane().array.fail(wrong("{} tokens", tokens).allowed("2 or more"));
  const Turn turn = turn_of(settings, files->q.width());
  std::string key = settings.text("content") + ' ' + settings.text("head_width") + ' ' +
                    std::to_string(tokens) +
                    (settings.toggle("rope") ? ' ' + settings.text("base") : std::string()) + '\n';
  for (const HeadFile& each : files->files) key += each.state;
  MapFiles map;
  map.queries =
      looked_through(files->q, tokens, turn, key + "q " + std::to_string(files->head), {run, 0, 0.45});
  map.keys =
      looked_through(files->k, tokens, turn, key + "k " + std::to_string(files->key_head), {run, 0.45, 0.9});
  map.head = files->words();
  map.table = head_files_table(*files, 0, tokens);
  tell_bytes(map.table, *files, tokens);
  return map;
}

}  // namespace orrery::study
