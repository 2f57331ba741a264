#include "app/figure/theme.h"

#include <algorithm>

#include "core/tensor/error.h"

namespace orrery::figure {

namespace {

constexpr std::array<std::string_view, 3> known_themes{"print", "light", "dark"};

// Okabe and Ito's colours in an order whose first four stay apart under every common colour-vision
// deficiency; lifted a little on the dark ground.
constexpr std::array<Color, 6> series_on_white{rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73),
                                               rgb(0xCC79A7), rgb(0x56B4E9), rgb(0xE69F00)};
constexpr std::array<Color, 6> series_on_dark{rgb(0x5AA9E6), rgb(0xF08A4B), rgb(0x54D4A4),
                                              rgb(0xE08BC0), rgb(0x9BD1F5), rgb(0xF2C14E)};

// The same hues, so dark that a line of each is read on white as words are; chosen for the greatest distance that any of the
// four kinds of eyes sees between the first four.
constexpr std::array<Color, 6> dark_series_on_white{rgb(0x00428F), rgb(0xBB4A03), rgb(0x097655),
                                                    rgb(0xB84993), rgb(0x2B7BAF), rgb(0x8A5F00)};

/// What both screen themes share: one point is one logical pixel.
Theme screen_theme() {
  Theme t;
  t.fonts = {"Inter", "JetBrains Mono", "Latin Modern Math"};
  t.text_size = 11.5;
  t.label_size = 13;
  t.title_size = 13;
  t.line_width = 1.6;
  t.axis_width = 1;
  t.grid_width = 1;
  t.tick_length = 4;
  t.value_axis_line = false;
  return t;
}

Theme make_dark() {
  Theme t = screen_theme();
  t.name = known_themes[2];
  t.background = rgb(0x0E1217);
  t.text = rgb(0xE8ECF1);
  t.secondary = rgb(0x98A4B3);
  t.faint = rgb(0x5E6B7A);
  t.axis = rgb(0x5E6B7A);
  t.grid = rgb(0x232C36);
  t.outline = rgb(0x27313C);
  t.accent = rgb(0xE2B04A);
  t.accent_ground = rgb(0x3A3119);
  t.holds = rgb(0x4FBF8F);
  t.fails = rgb(0xF0705A);
  t.masked = rgb(0x2E3843);
  t.bad = rgb(0xF0308C);
  t.series = series_on_dark;
  return t;
}

Theme make_light() {
  Theme t = screen_theme();
  t.name = known_themes[1];
  t.background = rgb(0xFFFFFF);
  t.text = rgb(0x18202A);
  t.secondary = rgb(0x566373);
  t.faint = rgb(0x8B97A6);
  t.axis = rgb(0x8B97A6);
  t.grid = rgb(0xE1E5EB);
  t.outline = rgb(0xDDE2E9);
  t.accent = rgb(0x8F6200);
  t.accent_ground = rgb(0xF6EBD2);
  t.holds = rgb(0x167A52);
  t.fails = rgb(0xB3261E);
  t.masked = rgb(0xD4D6D9);
  t.bad = rgb(0xD0106E);
  t.series = series_on_white;
  return t;
}

Theme make_print() {
  Theme t = make_light();
  t.name = known_themes[0];
  t.fonts = {"Latin Modern Roman", "Latin Modern Roman", "Latin Modern Math"};
  t.text = t.axis = rgb(0x111111);
  t.secondary = rgb(0x333333);
  t.faint = rgb(0x888888);
  t.grid = rgb(0xDDDDDD);
  t.outline = rgb(0xBBBBBB);
  t.masked = rgb(0xDADADA);
  t.dash_series = true;
  t.text_size = 8;
  t.label_size = 8.5;
  t.title_size = 9;
  t.line_width = 1;
  t.axis_width = 0.6;
  t.grid_width = 0.4;
  t.tick_length = 3;
  t.show_title = false;
  t.value_axis_line = true;
  return t;
}

Theme with_thick_lines(Theme t) {
  t.high_contrast = true;
  t.line_width = 2.2;
  t.axis_width = 1.5;
  t.tick_length = 5;
  return t;
}

Theme make_dark_high_contrast() {
  Theme t = with_thick_lines(make_dark());
  t.text = rgb(0xFFFFFF);
  t.secondary = rgb(0xE3E8EE);
  t.faint = t.axis = rgb(0xB8C2CE);
  t.grid = rgb(0x5E6B7A);
  t.outline = rgb(0x8794A3);
  t.accent = rgb(0xFFD166);
  t.holds = rgb(0x6FE3AE);
  t.fails = rgb(0xFF9B85);
  return t;
}

Theme make_light_high_contrast() {
  Theme t = with_thick_lines(make_light());
  t.text = rgb(0x000000);
  t.secondary = rgb(0x2B3540);
  t.faint = t.axis = rgb(0x46515E);
  t.grid = rgb(0x9AA5B1);
  t.outline = rgb(0x6B7785);
  t.accent = rgb(0x664600);
  t.holds = rgb(0x0B5C3B);
  t.fails = rgb(0x8C1A14);
  t.series = dark_series_on_white;
  return t;
}

}  // namespace

Color Theme::color(const Ink& ink) const {
  Color c = text;
  switch (ink.role) {
    case Role::text:
      c = text;
      break;
    case Role::secondary:
      c = secondary;
      break;
    case Role::faint:
      c = faint;
      break;
    case Role::axis:
      c = axis;
      break;
    case Role::grid:
      c = grid;
      break;
    case Role::outline:
      c = outline;
      break;
    case Role::accent:
      c = accent;
      break;
    case Role::accent_ground:
      c = accent_ground;
      break;
    case Role::holds:
      c = holds;
      break;
    case Role::fails:
      c = fails;
      break;
    case Role::masked:
      c = masked;
      break;
    case Role::series: {
      const int n = int(series.size());
      c = series[std::size_t((ink.index % n + n) % n)];
      break;
    }
  }
  c.a = std::uint8_t(c.a * std::clamp(ink.alpha, 0.0, 1.0) + 0.5);
  return c;
}

const Theme& dark_theme() {
  static const Theme theme = make_dark();
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = make_light();
  return theme;
}

const Theme& print_theme() {
  static const Theme theme = make_print();
  return theme;
}

const Theme& high_contrast(const Theme& theme) {
  static const Theme dark = make_dark_high_contrast(), light = make_light_high_contrast();
  if (theme.name == dark.name) return dark;
  return theme.name == light.name ? light : theme;
}

const Theme& theme_by_name(std::string_view name) {
  for (const Theme* theme : {&dark_theme(), &light_theme(), &print_theme()})
    if (theme->name == name) return *theme;
  throw InvalidArgument(about(Subject::Kind::key, "theme")
                            .found(name)
                            .fault("unknown name {}", in_apostrophes(name))
                            .allowed(known_themes));
}

std::span<const std::string_view> theme_names() {
  return known_themes;
}

}  // namespace orrery::figure
