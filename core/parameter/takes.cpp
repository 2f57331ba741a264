#include "core/parameter/takes.h"

#include <algorithm>

namespace orrery::parameter {
namespace {

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return all;
}

}  // namespace

int taken(std::string_view takes, std::string_view file_name) {
  if (takes.empty()) return 1;
  std::string name = lower(file_name.substr(0, file_name.find('#')));
  // The index of tensors in several files is taken as they are, not as any other JSON.
  constexpr std::string_view index = ".index.json";
  if (name.ends_with(".safetensors.index.json")) name.resize(name.size() - index.size());
  int best = 0;
  for (const std::string_view each : each_taken(takes)) {
    if (!each.starts_with('.'))
      best = name == each ? 2 : best;
    else if (name.size() > each.size() && name.ends_with(each))
      best = std::max(best, 1);
  }
  return best;
}

std::vector<std::string_view> each_taken(std::string_view takes) {
  std::vector<std::string_view> all;
  while (!takes.empty()) {
    const std::size_t bar = takes.find('|');
    all.push_back(takes.substr(0, bar));
    takes = bar == std::string_view::npos ? std::string_view{} : takes.substr(bar + 1);
  }
  return all;
}

std::string takes_text(std::string_view takes) {
  std::string text(takes);
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos;) text.replace(at, 1, ", ");
  return text;
}

}  // namespace orrery::parameter
