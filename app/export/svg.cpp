// A sheet as SVG, and the recipe in its metadata.
#include <pugixml.hpp>

#include "app/export/formats.h"
#include "app/export/svg_canvas.h"
#include "core/tensor/error.h"

namespace orrery::exporter {

std::string svg_bytes(const Sheet& sheet, const TextSetter& text) {
  const std::string width = svg_number(sheet.scene.width);
  const std::string height = svg_number(sheet.scene.height);
  std::string svg =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
      width + "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + ' ' + height + "\" role=\"img\">\n";
  if (!sheet.title.empty()) svg += "<title>" + svg_escaped(sheet.title) + "</title>\n";
  if (!sheet.description.empty()) svg += "<desc>" + svg_escaped(sheet.description) + "</desc>\n";
  if (!sheet.recipe.empty()) {
    svg += std::string("<metadata><recipe xmlns=\"") + recipe_namespace + "\">" + svg_escaped(sheet.recipe) +
           "</recipe></metadata>\n";
  }
  SvgCanvas canvas(text, sheet.dpi);
  if (!sheet.transparent) {
    const double w = sheet.scene.width;
    const double h = sheet.scene.height;
    canvas.polygon({{{0, 0}, {w, 0}, {w, h}, {0, h}}, sheet.scene.background});
  }
  figure::paint(sheet.scene, canvas);
  return svg + canvas.elements() + "</svg>\n";
}

std::string svg_recipe(const std::string& bytes) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(bytes.data(), bytes.size());
  if (!parsed) {
    throw Failure(std::string("broken SVG: ") + parsed.description() + " at byte " +
                  std::to_string(parsed.offset));
  }
  for (const pugi::xml_node metadata : document.document_element().children("metadata")) {
    for (const pugi::xml_node recipe : metadata.children("recipe")) {
      if (std::string_view(recipe.attribute("xmlns").value()) == recipe_namespace) return recipe.text().get();
    }
  }
  return {};
}

}  // namespace orrery::exporter
