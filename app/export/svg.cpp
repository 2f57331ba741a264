// A sheet as SVG, and the recipe in its metadata.
#include <pugixml.hpp>

#include "app/export/formats.h"
#include "app/export/svg_canvas.h"
#include "app/export/xml_tags.h"
#include "core/tensor/error.h"

namespace orrery::exporter {

std::string svg_bytes(const Sheet& sheet, const TextSetter& text) {
  const std::string width = svg_number(sheet.scene.width);
  const std::string height = svg_number(sheet.scene.height);
  std::string svg =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" +
      width + "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + ' ' + height + "\" role=\"img\">\n";
  if (!sheet.title.empty()) svg += "<title>" + svg_escaped(sheet.title) + "</title>\n";
  if (!sheet.description.empty()) svg += "<desc>" + svg_escaped(sheet.description) + "</desc>\n";
  if (!sheet.recipe.empty()) {
    svg += std::string("<metadata><recipe xmlns=\"") + recipe_namespace + "\">" + svg_escaped(sheet.recipe) +
           "</recipe></metadata>\n";
  }
  SvgCanvas canvas(text, sheet.dpi, sheet.svg_text);
  if (!sheet.transparent) {
    const double w = sheet.scene.width;
    const double h = sheet.scene.height;
    canvas.polygon({{{0, 0}, {w, 0}, {w, h}, {0, h}}, sheet.scene.background});
  }
  figure::paint(sheet.scene, canvas);
  return svg + canvas.elements() + "</svg>\n";
}

namespace {

// The recipe with every character written as an entity, and whatever else a program keeps in there.
constexpr std::size_t most_metadata_bytes = 8 << 20;

[[noreturn]] void broken(const Phrase& what) {
  throw Failure(wrong("broken {}: {}", "SVG", what));
}

std::string recipe_of(std::string_view metadata, std::size_t at) {
  if (metadata.size() > most_metadata_bytes) throw Failure(wrong("the metadata is larger than {}", "8 MiB"));
  pugi::xml_document document;
  const auto parsed = document.load_buffer(metadata.data(), metadata.size());
  if (!parsed)
    broken(
        words("{} at byte {}", foreign(parsed.description()), at + static_cast<std::size_t>(parsed.offset)));
  for (const pugi::xml_node recipe : document.document_element().children("recipe"))
    if (std::string_view(recipe.attribute("xmlns").value()) == recipe_namespace) return recipe.text().get();
  return {};
}

}  // namespace

/// Only the metadata becomes a tree: a file may have millions of elements. They are followed to the end all the same: one that
/// is cut off is no figure.
std::string svg_recipe(const std::string& bytes) {
  XmlTags tags(bytes);
  int depth = 0;
  std::size_t metadata_at = std::string::npos;
  std::string recipe;
  while (const auto tag = tags.next()) {
    if (tag->opens && depth++ == 1 && tag->name == "metadata") metadata_at = tag->begin;
    if (!tag->closes) continue;
    if (--depth < 0) broken(words("an end without a beginning at byte {}", tag->begin));
    if (depth == 0) return recipe;
    if (depth > 1 || metadata_at == std::string::npos) continue;
    if (recipe.empty())
      recipe = recipe_of(std::string_view(bytes).substr(metadata_at, tag->end - metadata_at), metadata_at);
    metadata_at = std::string::npos;
  }
  if (const auto fault = tags.fault()) broken(words("a tag without an end at byte {}", *fault));
  broken(words("an element without an end at byte {}", bytes.size()));
}

}  // namespace orrery::exporter
