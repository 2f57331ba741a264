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
                      {{png_begin, std::string("\x00\x00\x00\x00tEXt\x00\x00\x00\x00", 12), ""},
                       {png_begin, std::string("\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e", 12),
                        std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12)},
                       {png_begin, std::string(1, '\0'), ""}}});
const Registered webp(
    {"webp",
     read<exporter::webp_recipe>,
     {{std::string("RIFF\xff\xff\x10\x00WEBPVP8X\x0a\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00",
                   30),
       std::string("XMP \x02\x00\x00\x00<a", 10), ""},
      {std::string("RIFF\xff\xff\x10\x00WEBP", 12), std::string(1, '\0'), ""}}});
const Registered tex({"tex_recipe",
                      read<exporter::pgf::recipe_in>,
                      {{tex_begin, "%| a\n", "% orrery-recipe end"},
                       {tex_begin, "%| \n", ""},
                       {"", tex_begin, ""},
                       {tex_begin + std::string("%| "), "x", "\n% orrery-recipe end"}}});

}  // namespace
}  // namespace orrery::fuzz::figures
