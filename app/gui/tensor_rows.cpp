#include "app/gui/tensor_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace orrery::gui {
namespace {

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool name_holds(std::string_view name, std::string_view part) {
  const auto same = [](char a, char b) { return lower_letter(a) == lower_letter(b); };
  return part.empty() || std::ranges::search(name, part, same).begin() != name.end();
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// What sorts layers as a person counts them: the words before the number, how long it is, itself.
auto counting_order(const std::string& layer) {
  const std::size_t dot = layer.rfind('.');
  const std::string number = layer.substr(dot == std::string::npos ? 0 : dot + 1);
  return std::tuple(layer.substr(0, layer.size() - number.size()), number.size(), number);
}

struct ByCount {
  bool operator()(const std::string& a, const std::string& b) const {
    return counting_order(a) < counting_order(b);
  }
};

}  // namespace

std::string layer_of(std::string_view tensor) {
  for (std::size_t from = 0; from < tensor.size();) {
    const std::size_t dot = tensor.find('.', from);
    if (dot == std::string_view::npos) return {};
    if (all_digits(tensor.substr(from, dot - from))) return std::string(tensor.substr(0, dot));
    from = dot + 1;
  }
  return {};
}

std::vector<TensorRow> tensor_rows(const std::vector<study::TensorEntry>& tensors, std::string_view part,
                                   const std::set<std::string>& unfolded) {
  std::vector<TensorRow> rows;
  std::map<std::string, std::vector<std::size_t>, ByCount> layers;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!name_holds(tensors[i].name, part)) continue;
    const std::string layer = layer_of(tensors[i].name);
    if (layer.empty())
      rows.push_back({.tensor = i});
    else
      layers[layer].push_back(i);
  }
  for (const auto& [layer, members] : layers) {
    TensorRow head{.layer = layer, .head = true, .tensors = members.size()};
    head.folded = part.empty() && !unfolded.contains(layer);
    for (const std::size_t i : members) head.bytes += tensors[i].bytes;
    rows.push_back(head);
    if (head.folded) continue;
    for (const std::size_t i : members) rows.push_back({.layer = layer, .tensor = i});
  }
  return rows;
}

}  // namespace orrery::gui
