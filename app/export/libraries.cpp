#include "app/export/libraries.h"

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <hb.h>
#include <pango/pango.h>
#include <png.h>
#include <webp/encode.h>

#include <pugixml.hpp>
#include <qpdf/QPDF.hh>

namespace orrery::exporter {

std::vector<std::string> libraries() {
  const auto text = [](int n) { return std::to_string(n); };
  // Asked at run time where the library can answer: the one that is loaded, not the one that was built against.
  const int fontconfig = FcGetVersion();
  const int webp = WebPGetEncoderVersion();
  return {
      std::string("Cairo ") + cairo_version_string(),
      std::string("Pango ") + pango_version_string(),
      std::string("HarfBuzz ") + hb_version_string(),
      "fontconfig " + text(fontconfig / 10000) + "." + text(fontconfig / 100 % 100) + "." +
          text(fontconfig % 100),
      std::string("libpng ") + png_get_libpng_ver(nullptr),
      "libwebp " + text(webp >> 16) + "." + text(webp >> 8 & 255) + "." + text(webp & 255),
      "QPDF " + QPDF::QPDFVersion(),
      "pugixml " + text(PUGIXML_VERSION / 1000) + "." + text(PUGIXML_VERSION / 10 % 100),
  };
}

}  // namespace orrery::exporter
