// The formats that are painted, each from the same sheet. Same sheet, same bytes. PGFPlots has a room of its own: pgf/.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/export/text.h"
#include "app/figure/scene.h"

namespace orrery::exporter {

/// A scene ready for paper, and what the file says about itself.
struct Sheet {
  figure::Scene scene;
  std::string title;        ///< plain text
  std::string description;  ///< plain text
  std::string recipe;       ///< TOML; empty: none
  std::string caption;      ///< of a .tex, may hold $…$; empty: none
  double dpi = 300;
  bool transparent = false;
  bool svg_text = false;
};

/// Names that readers and writers share.
inline constexpr const char* creator = "Orrery";
inline constexpr const char* attachment_name = "recipe.toml";
inline constexpr const char* png_keyword = "orrery-recipe";
inline constexpr const char* recipe_namespace = "urn:orrery:recipe";
inline constexpr std::size_t most_recipe_bytes = std::size_t{1} << 20;

/// A sheet's pixels as Cairo leaves them: row by row from the top, 0xAARRGGBB, the alpha multiplied in.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint32_t> argb;
};
/// Throws InvalidArgument when the dpi makes more pixels than can be held.
Pixels paint_pixels(const Sheet&, const TextSetter&);
/// `count` of them as RGB or RGBA bytes, the alpha not multiplied in.
void straighten(const std::uint32_t* argb, int count, bool alpha, std::uint8_t* to);

std::string pdf_bytes(const Sheet&, const TextSetter&);
std::string svg_bytes(const Sheet&, const TextSetter&);
std::string png_bytes(const Sheet&, const TextSetter&);

struct Playback;
/// Sheets of one size into an animated WebP, lossless; it carries the first one's recipe.
class WebpWriter {
 public:
  explicit WebpWriter(const Playback&);
  ~WebpWriter();
  WebpWriter(const WebpWriter&) = delete;
  void add(const Sheet&, const TextSetter&);
  std::string bytes();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Readers of what those wrote: the recipe, empty where the file is whole but has none. Throw Failure for a
/// broken file.
std::string pdf_recipe(const std::string& bytes);
std::string svg_recipe(const std::string& bytes);
std::string png_recipe(const std::string& bytes);
std::string webp_recipe(const std::string& bytes);

}  // namespace orrery::exporter
