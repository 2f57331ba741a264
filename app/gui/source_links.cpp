#include "app/gui/source_links.h"

#include <cctype>

namespace orrery::gui {

std::vector<std::string> source_links(std::string_view source) {
  constexpr std::string_view archive = "arXiv ";
  std::vector<std::string> links;
  for (std::size_t at = source.find(archive); at != source.npos; at = source.find(archive, at)) {
    at += archive.size();
    std::size_t end = at;
    while (end < source.size() &&
           (std::isdigit(static_cast<unsigned char>(source[end])) != 0 || source[end] == '.'))
      ++end;
    std::string_view number = source.substr(at, end - at);
    while (number.ends_with('.')) number.remove_suffix(1);  // of the sentence
    if (!number.empty()) links.push_back("https://arxiv.org/abs/" + std::string(number));
  }
  return links;
}

}  // namespace orrery::gui
