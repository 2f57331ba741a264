// Rotary positions of an image among text (M-RoPE): time, row and column, which pairs turn with which, and what goes wrong.
#include "app/study/kit.h"
#include "core/position/mrope_positions.h"
#include "core/position/rope_axes.h"

namespace orrery::study::rope_multimodal {
namespace {

using position::MropeStretch;
using position::RopeTable;

constexpr Index head_width = 128, pair_count = head_width / 2;
constexpr std::array<const char*, 3> axis_names{"time", "row", "column"};

constexpr auto parameters = std::to_array<Parameter>({
    choice("model", "Model", "qwen2_vl|qwen3_vl",
           "Qwen2-VL: 16, 24 and 24 pairs in sections; Qwen3-VL: 24, 20 and 20 in turns"),
    choice(
        "mistake", "Mistake", "none|arrangement|flattened",
        "none; sections read as turns and turns as sections; or the tokens of the image counted one by one, as text"),
    whole("before", "Text before", "4", {1, 64}, "tokens of text before the image", {.unit = "tokens"}),
    whole("frames", "Frames", "1", {1, 8}, "of a video; an image has one"),
    whole("rows", "Rows", "4", {1, 16}, "of image tokens"),
    whole("columns", "Columns", "6", {1, 16}, "of image tokens"),
    whole("after", "Text after", "6", {1, 64}, "tokens of text after the image", {.unit = "tokens"}),
    real("base", "Base", "1e6", {10, 1e9}, "b: 1 000 000 in Qwen2-VL, 5 000 000 in Qwen3-VL",
         {.travel = Travel::log}),
    show_parameter("all|positions|pairs|scores"),
});

struct Read {
  Index before, frames, rows, columns, after;
  bool apart;  ///< each frame is an image by itself, as Qwen3-VL's code has it
  std::vector<int> axis_of_pair;
  Matrix positions;  ///< axes × tokens

  Index image() const { return frames * rows * columns; }
  bool video() const { return frames > 1; }
  Index tokens() const { return before + image() + after; }
  Index query() const { return before + image(); }  ///< the first token of text after the image
};

bool is_third(const Settings& settings) {
  return settings.choice("model") == "qwen3_vl";
}

std::vector<int> axes_of(const Settings& settings, bool swapped) {
  const bool third = is_third(settings);
  const std::array<int, 3> sections = third ? std::array{24, 20, 20} : std::array{16, 24, 24};
  // No list of turns has these sections; code that takes turns all the same (Hugging Face's, of Qwen3-VL) gives each axis
  // every third pair.
  if (!third && swapped) {
    std::vector<int> axes(pair_count);
    for (Index i = 0; i < pair_count; ++i) axes[std::size_t(i)] = static_cast<int>(i % 3);
    return axes;
  }
  return position::mrope_axes(sections, third != swapped);
}

/// Of Qwen2-VL a video is one block; of Qwen3-VL its frames are blocks one behind the other. The text with the time of each,
/// which that model has between them, is left out.
std::vector<MropeStretch> stretches_of(const Read& r) {
  std::vector<MropeStretch> stretches;
  stretches.push_back({.text = r.before});
  for (Index block = 0; block < (r.apart ? r.frames : 1); ++block)
    stretches.push_back({.frames = r.apart ? 1 : r.frames, .rows = r.rows, .columns = r.columns});
  stretches.push_back({.text = r.after});
  return stretches;
}

Read read_as(const Settings& settings, const std::string& mistake) {
  Read r{.before = settings.integer("before"),
         .frames = settings.integer("frames"),
         .rows = settings.integer("rows"),
         .columns = settings.integer("columns"),
         .after = settings.integer("after"),
         .apart = is_third(settings),
         .axis_of_pair = axes_of(settings, mistake == "arrangement"),
         .positions = {}};
  const auto whole_text = std::to_array<MropeStretch>({{.text = r.tokens()}});
  r.positions = mistake == "flattened" ? position::mrope_positions(whole_text)
                                       : position::mrope_positions(stretches_of(r));
  return r;
}

std::vector<double> frequencies_of(const Settings& settings) {
  return position::rope_default_frequencies(head_width, settings.real("base"));
}

RopeTable table_of(const Read& r, const std::vector<double>& frequencies) {
  return position::rope_table(tensor::View<const double>(r.positions), r.axis_of_pair, frequencies);
}

/// Of a query and keys that are all the same vector of ones, over d: by their places alone.
std::vector<double> scores_of(const Read& r, const std::vector<double>& frequencies, const Run& run) {
  const Matrix turned = twin::rope(run, Matrix::Ones(r.tokens(), head_width), table_of(r, frequencies),
                                   position::RopeLayout::half);
  return row_of(twin::scores(run, turned.row(r.query()), turned, {.scale = 1.0 / head_width, .mask = {}}));
}

Series token_series(const Read& r, const std::vector<double>& right, const std::vector<double>& scores) {
  Series series("tokens", {"token", "", counted(r.tokens())});
  for (Index axis = 0; axis < 3; ++axis) series.add(axis_names[std::size_t(axis)], row_of(r.positions, axis));
  series.add("score", scores).add("score when read right", right);
  return series;
}

Panel position_panel(const Read& r, const Series& tokens) {
  Panel panel{.title = r.video() ? "Positions of text, video, text" : "Positions of text, image, text",
              .x = counts("token"),
              .y = counts("position"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      Rule{.at = number(r.before) - 0.5, .to = number(r.query()) - 0.5, .ink = ink(Role::accent, 0.5)});
  // Its name stands over it, above all positions, and not beside it over text.
  const double highest = r.positions.maxCoeff(), room = 0.12 * highest + 0.6;
  panel.y.range = Range{-0.04 * highest - 0.2, highest + room};
  panel.marks.emplace_back(Note{.x = (number(r.before) + number(r.query()) - 1) / 2,
                                .y = highest + room,
                                .text = r.video() ? "video" : "image",
                                .ink = ink(Role::accent),
                                .v = VAlign::top,
                                .dy = 1});
  for (int axis = 0; axis < 3; ++axis)
    panel.marks.emplace_back(tokens.points(
        axis_names[std::size_t(axis)],
        {.ink = series(axis), .radius = 1.9 - 0.35 * axis, .label = axis_names[std::size_t(axis)]}));
  return panel;
}

Series pair_series(const Read& r, const std::vector<double>& frequencies) {
  Series pairs("pairs", {"pair", "", counted(pair_count)});
  pairs.add("axis", [&](double i) { return number(r.axis_of_pair[std::size_t(i)]); });
  pairs.add({.name = "wavelength", .unit = "tokens"},
            [&](double i) { return 2 * std::numbers::pi / frequencies[std::size_t(i)]; });
  return pairs;
}

Panel pair_panel(const Series& pairs) {
  Panel panel{.title = "Which pairs turn with which axis",
              .x = counts("pair $i$"),
              .y = {.label = "wavelength", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  for (int axis = 0; axis < 3; ++axis) {
    Points points{.ink = series(axis), .radius = 1.9, .label = axis_names[std::size_t(axis)]};
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs["axis"][i] == axis) {
        points.x.push_back(number(i));
        points.y.push_back(pairs["wavelength"][i]);
      }
    panel.marks.emplace_back(std::move(points));
  }
  return panel;
}

/// The first frame as it lies in the picture.
Panel score_panel(const Read& r, const std::vector<double>& scores) {
  Matrix first(r.rows, r.columns);
  for (Index row = 0; row < r.rows; ++row)
    for (Index column = 0; column < r.columns; ++column)
      first(row, column) = scores[std::size_t(r.before + row * r.columns + column)];
  Heatmap map = heatmap(first, {.range = Range{std::min(0.5, first.minCoeff()), 1}, .label = "score"});
  map.decimals = 2;
  return square_map_panel(
      r.video() ? "Scores of the first frame for the next word" : "Scores of the image for the next word",
      std::move(map), "column", "row");
}

double image_error(const Read& r, const std::vector<double>& scores, const std::vector<double>& right) {
  Worst most;
  for (Index k = r.before; k < r.query(); ++k)
    most.meet(std::abs(scores[std::size_t(k)] - right[std::size_t(k)]));
  return most;
}

std::string title_of(const Settings& settings, const Read& r, double error) {
  const std::string& mistake = settings.choice("mistake");
  if (mistake == "arrangement")
    return std::string(r.video() ? "Pairs given to the wrong axes: scores of the video are off by up to "
                                 : "Pairs given to the wrong axes: scores of the image are off by up to ") +
           short_text(error, 2);
  if (mistake == "flattened")
    return std::string(r.video() ? "A video counted as text: its scores are off by up to "
                                 : "An image counted as text: its scores are off by up to ") +
           short_text(error, 2);
  const std::string moves = (r.image() == 1 ? " token" : " tokens") +
                            std::string(" moves the text behind it on by ") +
                            grouped(r.positions(0, r.query()) - number(r.before));
  const char* const of = !r.video() ? "An image of "
                         : r.apart  ? "Without its timestamps a video of "
                                    : "A video of ";
  return of + grouped(number(r.image())) + moves;
}

std::vector<Check> checks_of(const Run& run, const Read& r, const std::vector<double>& frequencies,
                             const std::vector<double>& scores) {
  Worst off, text;
  double farthest = 0;
  for (Index k = 0; k < r.tokens(); ++k) {
    double sum = 0;
    for (Index i = 0; i < pair_count; ++i) {
      const Index axis = r.axis_of_pair[std::size_t(i)];
      sum += std::cos((r.positions(axis, r.query()) - r.positions(axis, k)) * frequencies[std::size_t(i)]);
    }
    off.meet(std::abs(scores[std::size_t(k)] - sum / number(pair_count)));
    farthest = std::max(farthest, r.positions.col(k).maxCoeff());
  }
  const RopeTable own = table_of(r, frequencies);
  for (const Index token : {Index{0}, r.query(), r.tokens() - 1}) {
    const RopeTable plain = position::rope_table(std::array{r.positions(0, token)}, frequencies);
    text.meet((own.cos.row(token) - plain.cos).cwiseAbs().maxCoeff());
    text.meet((own.sin.row(token) - plain.sin).cwiseAbs().maxCoeff());
  }
  const std::array<int, 3> published{24, 20, 20};
  const std::vector<int> turns = position::mrope_axes(published, true);
  return {{"a score is the mean of $\\cos(\\Delta_i \\theta_i)$, each pair with the distance on its axis",
           off, twin::turned_score_slack(run, head_width) + 4 * farthest * 0x1p-53},
          {"text has the angles of plain RoPE, whatever the sections", text, 0},
          known_answer(
              "Qwen3-VL: the slowest pairs, 60 to 63, all turn with time",
              number(std::count_if(turns.begin() + 60, turns.end(), [](int axis) { return axis != 0; })), 0)};
}

std::string worked_text(const Read& r, const Settings& settings) {
  const Index most = std::max({r.frames, r.rows, r.columns});
  if (settings.choice("mistake") == "flattened")
    return "p = " + std::to_string(r.before) + " + " + std::to_string(r.frames) + " \\cdot " +
           std::to_string(r.rows) + " \\cdot " + std::to_string(r.columns) + " = " +
           std::to_string(r.query());
  if (r.video() && r.apart)
    return "p = " + std::to_string(r.before) + " + " + std::to_string(r.frames) + " \\cdot \\max(" +
           std::to_string(r.rows) + ", " + std::to_string(r.columns) +
           ") = " + std::to_string(r.before + r.frames * std::max(r.rows, r.columns));
  return "p = " + std::to_string(r.before) + " + \\max(\\max(" + std::to_string(r.frames) + ", " +
         std::to_string(r.rows) + "), " + std::to_string(r.columns) +
         ") = " + std::to_string(r.before + most);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<double> frequencies = frequencies_of(settings);
  const Read r = read_as(settings, settings.choice("mistake"));
  const std::vector<double> scores = scores_of(r, frequencies, run),
                            right = scores_of(read_as(settings, "none"), frequencies, run);
  const Series tokens = token_series(r, right, scores), pairs = pair_series(r, frequencies);
  Picture picture(
      title_of(settings, r, image_error(r, scores, right)),
      "The position of each token on the axes of time, row and column; the axis that each pair turns with, at "
      "its wavelength; and the scores of the image's tokens for the first word behind it, where they lie in "
      "the image.");
  picture.at({0, 0}, "positions", position_panel(r, tokens));
  picture.at({0, 1}, "pairs", pair_panel(pairs));
  picture.at({1, 0, 1, 2}, "scores", score_panel(r, scores));
  return {.figure = std::move(picture).figure(
              settings,
              {.aspect = 1.35, .rows = {1, 1}, .cols = {1, 1}, .telling = {"positions", "scores", "pairs"}}),
          .tables = {tokens.table(), pairs.table()},
          .checks = checks_of(run, r, frequencies, scores),
          .worked = worked_text(r, settings)};
}

double off_by(const StudyResult& result) {
  return largest_difference(column(result, "tokens", "score"),
                            column(result, "tokens", "score when read right"));
}

constexpr auto tries = std::to_array<Try>({
    {"Sections read as turns: text alone would look right, the image does not.", "mistake=arrangement",
     [](auto& now, auto& before) {
       return off_by(now) > 0.01 && off_by(before) == 0 &&
              at(now, "tokens", "score", 0) == at(before, "tokens", "score", 0);
     }},
    {"The image counted as text: 24 tokens take 24 positions, where 6 were meant.", "mistake=flattened",
     [](auto& now, auto& before) {
       return at(now, "tokens", "time", 28) == 28 && at(before, "tokens", "time", 28) == 10 &&
              off_by(now) > 0.01;
     }},
    {"Qwen3-VL: the axes take turns, so that each of them has fast and slow pairs.",
     "model=qwen3_vl base=5e6",
     [](auto& now, auto&) {
       const auto& axis = column(now, "pairs", "axis");
       return axis[0] == 0 && axis[1] == 1 && axis[2] == 2 && axis[3] == 0;
     }},
    {"Qwen2-VL, a video of four frames: time moves on from frame to frame, rows and columns begin again.",
     "model=qwen2_vl frames=4",
     [](auto& now, auto&) {
       return at(now, "tokens", "time", 4 + 24) == 5 && at(now, "tokens", "row", 4 + 24) == 4 &&
              at(now, "tokens", "column", 4 + 24) == 4 && at(now, "tokens", "time", 4 + 96) == 10;
     }},
    {"Qwen3-VL, four frames: each is an image behind the one before it, and the text behind them moves on by 24.",
     "model=qwen3_vl base=5e6 frames=4",
     [](auto& now, auto&) {
       const auto stands_at = [&](double token, double place) {
         return at(now, "tokens", "time", token) == place && at(now, "tokens", "row", token) == place &&
                at(now, "tokens", "column", token) == place;
       };
       return stands_at(4 + 24, 4 + 6) && stands_at(4 + 72, 4 + 18) && stands_at(4 + 96, 4 + 24);
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/multimodal",
    .title = "Image and text",
    .topic = "Rotary positions",
    .summary = "three positions for each token: time, row and column, shared out among the pairs",
    .formula = R"(\varphi_i = p_{a(i)}\,\theta_i, \quad a(i) \in \{\text{time}, \text{row}, \text{column}\})",
    .derivation =
        "A token of text has the same position on all three axes, so that every pair turns by $p\\,\\theta_i$: plain RoPE.\n"
        "A token of an image that begins at $p_0$, or of a video in Qwen2-VL, stands at "
        "$(p_0 + t,\\, p_0 + r,\\, p_0 + c)$.\n"
        "The text behind it goes on "
        "one past the largest of these, at $p_0 + \\max(\\text{frames}, \\text{rows}, \\text{columns})$, so an image costs "
        "far fewer positions than it has tokens.\n"
        "Qwen3-VL takes each frame of a video for such an image, where $t = 0$, with its time as text before it. Without these "
        "timestamps the text behind goes on at $p_0 + \\text{frames} \\cdot \\max(\\text{rows}, \\text{columns})$.\n"
        "A score depends on the three differences only, each through the pairs of "
        "its axis.",
    .about =
        "Models for images and text turn some pairs with the time, some with the row, some with the column of a token. "
        "Qwen2-VL gives the fast pairs to time and the slow ones to columns; Qwen3-VL lets the axes take turns. Text looks "
        "right with either, so a program that mixes them up fails on images only. Of a video Qwen2-VL counts the frames on "
        "the axis of time; Qwen3-VL has them one behind the other, and writes the time of each before it, as text. These "
        "timestamps are not counted here.",
    .source = "Wang et al. 2024, arXiv 2409.12191, section 2.1; Hugging Face's code of Qwen2-VL and Qwen3-VL",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_multimodal
