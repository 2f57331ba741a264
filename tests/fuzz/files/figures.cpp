// The recipe inside a figure: PDF, SVG, PNG, WebP, TeX. What is found is no longer than a recipe may be.
#include "app/export/formats.h"
#include "app/export/pgf/pgf.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::figures {
namespace {

template <std::string (*find)(const std::string&)>
void read(std::string_view bytes) {
  or_refuse([&] {
    // One that is longer than allowed is refused by who asked: not before it is known, and not much longer.
    promise(find(std::string(bytes)).size() <= 8 * exporter::most_recipe_bytes, "a recipe without end");
  });
}

constexpr const char* pdf_end = "\nstartxref\n1\n%%EOF\n";
const std::string png_begin(
    "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89",
    33);
// No pixels and the end; a text "a" that says "b".
const std::string png_end("\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e\x00\x00\x00\x00IEND\xae\x42\x60\x82", 24);
const std::string png_text(
    "\x00\x00\x00\x03tEXta\x00"
    "b\xdc\x49\xa2\x3b",
    15);
/// Behind its length: canvas, a picture of one pixel, and what else there is.
const std::string webp_begin(
    "VP8X\x0a\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "VP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00",
    40);
std::string chunk(const char* name, const std::string& bytes) {
  std::string head(name);
  for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>(bytes.size() >> shift & 0xff);
  return head + bytes + std::string(bytes.size() % 2, '\0');
}
std::string as_webp(std::string chunks) {
  return chunk("RIFF", "WEBP" + chunks);
}
std::string as_metadata(std::string xml) {
  return as_webp(webp_begin + chunk("XMP ", xml));
}
constexpr const char* tex_begin = "% orrery-recipe begin\n";

const Registered pdf(
    {"pdf",
     read<exporter::pdf_recipe>,
     {{"%PDF-1.5\n", "/EmbeddedFile ", pdf_end},
      {"%PDF-1.5\n", "1 0 obj <</Type /EmbeddedFile /Subtype /application#2ftoml>>\n", pdf_end},
      {"%PDF-1.5\n1 0 obj <</Type /EmbeddedFile /Subtype /application#2ftoml>> stream\n", "x", pdf_end},
      {"%PDF-1.5\n", "stream endobj obj ", pdf_end}}});
const Registered svg({"svg",
                      read<exporter::svg_recipe>,
                      {{"<svg>", "<a>", ""},
                       {"<svg>", "<a b='c'/>", "</svg>"},
                       {"", "<", ""},
                       {"<svg>", "<!--", ""},
                       {"<svg>", "<!-- -->", "</svg>"},
                       {"<svg>", "<metadata>", ""},
                       {"<svg>", "<metadata></metadata>", "</svg>"},
                       {"<svg><metadata>", "<a>", "</metadata></svg>"},
                       {"<svg><metadata>", "&#38;", "</metadata></svg>"},
                       {"<!DOCTYPE svg [", "<!ENTITY a# 'b'>", "]><svg/>"},
                       {"<svg a='", "x", "'/>"}}});
const Registered png({"png",
                      read<exporter::png_recipe>,
                      {{png_begin, png_text, png_end},
                       {png_begin, std::string("\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e", 12),
                        std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12)},
                       {png_begin, std::string(12, '\0'), png_end}}});
const Registered webp({"webp",
                       read<exporter::webp_recipe>,
                       {{webp_begin, std::string("XMP \x02\x00\x00\x00<a", 10), "", as_webp},
                        {webp_begin, std::string("junk\x00\x00\x00\x00", 8), "", as_webp},
                        {"<a>", "<a/>", "</a>", as_metadata}}});
const Registered tex({"tex_recipe",
                      read<exporter::pgf::recipe_in>,
                      {{tex_begin, "%| a\n", "% orrery-recipe end"},
                       {tex_begin, "%| \n", ""},
                       {"", tex_begin, ""},
                       {tex_begin + std::string("%| "), "x", "\n% orrery-recipe end"}}});

}  // namespace
}  // namespace orrery::fuzz::figures
