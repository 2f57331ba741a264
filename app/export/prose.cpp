#include "app/export/prose.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "app/export/typefaces.h"
#include "core/tensor/error.h"
#include "core/tensor/text_stream.h"

namespace orrery::exporter {
namespace {

using figure::TextStyle;

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
template <class T>
using GObjectPtr = std::unique_ptr<T, Unref>;
using DescriptionPtr = std::unique_ptr<PangoFontDescription, decltype(&pango_font_description_free)>;

/// Latin Modern comes in design sizes, as type always did: small text is drawn wider and heavier. Others come
/// in one.
std::string design_size(const std::string& family, double size) {
  if (family != "Latin Modern Roman") return family;
  constexpr std::array<std::pair<double, const char*>, 7> last_size{
      {{5.5, "5"}, {6.5, "6"}, {7.5, "7"}, {8.49, "8"}, {9.5, "9"}, {11, "10"}, {1e9, "12"}}};
  for (const auto& [limit, name] : last_size) {
    if (size <= limit) return std::string("LM Roman ") + name + "," + family;
  }
  return family;
}

/// Where letters come from that a typeface lacks. Latin Modern Roman has no Greek: its mathematics font has, upright
/// and of the same hand; a serif is nearer to it than a sans. Chinese comes from Noto's faces where they are installed: they
/// have the weights that titles ask for.
std::string replacements(const std::string& family) {
  const bool serif = family.starts_with("Latin Modern Roman");
  return serif ? ",Latin Modern Math,DejaVu Serif,Noto Serif CJK SC,serif,DejaVu Sans"
               : ",DejaVu Sans,Noto Sans CJK SC,sans-serif";
}

/// Whether one of the names of a font's family is this one.
bool is_of_family(PangoFont* font, const std::string& family) {
  FcPattern* const pattern =
      PANGO_IS_FC_FONT(font) ? pango_fc_font_get_pattern(PANGO_FC_FONT(font)) : nullptr;
  FcChar8* name = nullptr;
  for (int i = 0; pattern && FcPatternGetString(pattern, FC_FAMILY, i, &name) == FcResultMatch; ++i)
    if (family == reinterpret_cast<const char*>(name)) return true;
  return false;
}

/// Letters and digits of ASCII, and no sign but ASCII's.
bool is_plain(std::string_view text) {
  const auto plain = [](unsigned char c) { return c < 128 && std::isalnum(c); };
  return std::ranges::any_of(text, plain) &&
         std::ranges::all_of(text, [](unsigned char c) { return c < 128; });
}

}  // namespace

struct Prose::State {
  figure::Fonts fonts;
  GObjectPtr<PangoFontMap> map;
  GObjectPtr<PangoContext> context;
  /// Families: whether they are there and have Latin letters and digits.
  std::map<std::string, bool> with_letters{};

  /// With commas between them.
  std::string families(const TextStyle& style) const {
    const bool words = style.voice == figure::Voice::words;
    const std::string& asked = words ? fonts.words : fonts.numbers;
    return design_size(asked, style.size) + replacements(asked);
  }

  DescriptionPtr description(const TextStyle& style) const {
    const std::string family = families(style);
    DescriptionPtr result(pango_font_description_new(), &pango_font_description_free);
    // Not from a string: "Latin Modern Roman" would be read as the family "Latin Modern" in roman style.
    pango_font_description_set_family(result.get(), family.c_str());
    pango_font_description_set_weight(
        result.get(), style.bold ? static_cast<PangoWeight>(bold_weight) : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(result.get(), style.size * PANGO_SCALE);
    return result;
  }

  bool has_letters(const std::string& family) {
    const auto known = with_letters.find(family);
    if (known != with_letters.end()) return known->second;
    const Face face = face_for(family);
    return with_letters[family] = face.installed() && face.letters;
  }

  /// Throws Failure where the first family is there and letters came from another: fontconfig does that without a word when
  /// it is short of memory, so that they would be of a neighbouring design size. Asked of each run: Pango has a list of
  /// typefaces for every size and language.
  void require_face(PangoLayout* layout, const TextStyle& style) {
    const std::string all = families(style), family = all.substr(0, all.find(','));
    const std::string_view text = pango_layout_get_text(layout);
    for (const GSList* each = pango_layout_get_line_readonly(layout, 0)->runs; each; each = each->next) {
      const PangoItem& item = *static_cast<const PangoGlyphItem*>(each->data)->item;
      const std::string_view part = text.substr(std::size_t(item.offset), std::size_t(item.length));
      if (!is_plain(part) || is_of_family(item.analysis.font, family) || !has_letters(family)) continue;
      throw Failure(about(words("fonts"))
                        .found(family)
                        .fault("the typeface {} is there, and another was taken", in_apostrophes(family))
                        .allowed("enough memory for the list of typefaces"));
    }
  }

  GObjectPtr<PangoLayout> layout(const std::string& text, const TextStyle& style) {
    GObjectPtr<PangoLayout> result(pango_layout_new(context.get()));
    pango_layout_set_single_paragraph_mode(result.get(), TRUE);
    pango_layout_set_font_description(result.get(), description(style).get());
    pango_layout_set_text(result.get(), text.data(), static_cast<int>(text.size()));
    require_face(result.get(), style);
    return result;
  }

  double ink_height(const char* letter, const TextStyle& style) {
    PangoRectangle ink;
    pango_layout_get_extents(layout(letter, style).get(), &ink, nullptr);
    return static_cast<double>(ink.height) / PANGO_SCALE;
  }
};

Prose::Prose(const figure::Fonts& fonts) : state_(std::make_unique<State>()) {
  state_->fonts = fonts;
  state_->map.reset(pango_cairo_font_map_new());
  pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(state_->map.get()), 72);
  // The context comes from the font map and never meets a cairo_t: Pango lays sub- and superscripts out
  // wrongly for a context that saw a scale (1.50 and 1.56 both do), and would round advances to device
  // pixels.
  state_->context.reset(pango_font_map_create_context(state_->map.get()));
  PangoContext* context = state_->context.get();
  pango_context_set_round_glyph_positions(context, FALSE);
  pango_context_set_language(context, pango_language_from_string("zh-cn"));
  const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
      cairo_font_options_create(), &cairo_font_options_destroy);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options.get());
}

Prose::~Prose() = default;

double Prose::width(const std::string& text, const TextStyle& style) const {
  PangoRectangle logical;
  pango_layout_get_extents(state_->layout(text, style).get(), nullptr, &logical);
  return static_cast<double>(logical.width) / PANGO_SCALE;
}

double Prose::cap_height(const TextStyle& style) const {
  return state_->ink_height("H", style);
}
double Prose::x_height(const TextStyle& style) const {
  return state_->ink_height("x", style);
}

std::vector<std::string> Prose::families(const TextStyle& style) const {
  tensor::TextReader list(state_->families(style));
  std::vector<std::string> all;
  for (std::string family; std::getline(list, family, ',');) all.push_back(family);
  return all;
}

void Prose::show(cairo_t* cr, double x, double y, const std::string& text, const TextStyle& style) const {
  const auto layout = state_->layout(text, style);
  cairo_move_to(cr, x, y);
  pango_cairo_show_layout_line(cr, pango_layout_get_line_readonly(layout.get(), 0));
  cairo_new_path(cr);
}

void Prose::outline(cairo_t* cr, double x, double y, const std::string& text, const TextStyle& style) const {
  const auto layout = state_->layout(text, style);
  cairo_move_to(cr, x, y);
  pango_cairo_layout_line_path(cr, pango_layout_get_line_readonly(layout.get(), 0));
}

}  // namespace orrery::exporter
