// Everything that every study computes, as text: at its defaults, at its tries, at the built-in recipes and at random
// settings, on the reference and on the cpu. Two builds whose texts are equal show and say the same:
//
//   build/release/tests/study_dump FOLDER [ID…]      a file for each study; `diff -r` compares two folders
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/recipe/recipe.h"
#include "app/study/changes.h"
#include "app/study/study.h"
#include "tests/app/study/draw.h"

namespace orrery {
namespace {

using namespace figure;

/// Writes values one after another, every double with all of its digits.
class Text {
 public:
  explicit Text(std::ostream& out) : out_(out) {}

  template <class... T>
  void put(const T&... values) {
    (one(values), ...);
    out_ << '\n';
  }

 private:
  void one(double x) { out_ << parameter::shortest(x) << ' '; }
  void one(bool b) { out_ << (b ? "yes " : "no "); }
  void one(int i) { out_ << i << ' '; }
  void one(const std::string& s) { out_ << '"' << s << "\" "; }
  template <class E>
  requires std::is_enum_v<E>
  void one(E e) { out_ << static_cast<int>(e) << ' '; }
  void one(Range r) { put_open(r.lo, r.hi); }
  void one(const Ink& i) { put_open(i.role, i.index, i.alpha); }
  void one(const Scale& s) { put_open(s.kind(), s.base(), s.linear_width()); }
  void one(const Spread& s) { put_open(s.below, s.above); }
  void one(const Cell& c) { put_open(c.row, c.col, c.rows, c.cols); }
  void one(const ColorScale& c) { put_open(c.map, c.range, c.centre, c.label, c.bar, c.group); }
  void one(const std::shared_ptr<const Grid>& g) {
    if (g) put_open(g->rows, g->cols, std::vector<double>(g->values.begin(), g->values.end()));
  }
  template <class T>
  void one(const std::optional<T>& t) {
    t ? one(*t) : one(std::string("nothing"));
  }
  template <class T>
  void one(const std::vector<T>& v) {
    out_ << v.size() << "[ ";
    for (const auto& each : v) one(each);
    out_ << "] ";
  }
  template <class... T>
  void put_open(const T&... values) {
    out_ << "( ";
    (one(values), ...);
    out_ << ") ";
  }
  std::ostream& out_;
};

/// Whether a print theme dashes this line, or chooses a symbol for these points.
bool by_series(const Line& m) {
  return m.dash_by_series && m.dash == Dash::solid && m.ink.role == Role::series && m.ink.index != 0;
}
bool by_series(const Points& m) {
  return m.symbol_by_series && m.symbol == Symbol::disc && m.ink.role == Role::series && m.ink.index != 0;
}

struct WriteMark {
  Text& t;
  template <class M>
  void field(const char* name, const M& m) const {
    t.put(std::string(name), m.x, m.y, m.grid, m.full_cols, m.full_rows, m.colors);
    if (!m.sampler) return;
    const Range part{m.x.lo + 0.3 * m.x.length(), m.x.lo + 0.45 * m.x.length()};
    for (const Range x : {m.x, part}) t.put(cells(m.sampler(x, m.y, 31, 23)));
  }
  static std::vector<double> cells(const Grid& g) { return {g.values.begin(), g.values.end()}; }
  void operator()(const Line& m) const {
    t.put(std::string("line"), m.x, m.y, m.ink, m.width, m.dash, m.label, by_series(m), m.course);
  }
  void operator()(const Points& m) const {
    t.put(std::string("points"), m.x, m.y, m.ink, m.radius, m.symbol, m.label, by_series(m));
  }
  void operator()(const Stems& m) const {
    t.put(std::string("stems"), m.x, m.y, m.baseline, m.ink, m.width, m.radius, m.symbol, m.label);
  }
  void operator()(const ErrorBars& m) const {
    t.put(std::string("errors"), m.x, m.y, m.dx, m.dy, m.ink, m.width, m.cap, m.label);
  }
  void operator()(const Band& m) const { t.put(std::string("band"), m.x, m.lo, m.hi, m.ink, m.label); }
  void operator()(const Bars& m) const {
    t.put(std::string("bars"), m.x, m.height, m.width, m.baseline, m.ink, m.label);
  }
  void operator()(const Histogram& m) const {
    t.put(std::string("histogram"), m.edges, m.heights, m.baseline, m.ink, m.label);
  }
  void operator()(const Rule& m) const {
    t.put(std::string("rule"), m.direction, m.at, m.to, m.ink, m.width, m.dash, m.text);
  }
  void operator()(const Shape& m) const {
    t.put(std::string("shape"), m.x, m.y, m.fill, m.edge, m.width, m.dash, m.label);
  }
  void operator()(const Arrows& m) const {
    t.put(std::string("arrows"), m.x, m.y, m.dx, m.dy, m.ink, m.width, m.head, m.heads, m.dash, m.label);
  }
  void operator()(const Arc& m) const {
    t.put(std::string("arc"), m.x, m.y, m.radius, m.from, m.sweep, m.on_page, m.ink, m.width, m.dash, m.heads,
          m.head, m.fill, m.text);
  }
  void operator()(const Note& m) const {
    t.put(std::string("note"), m.x, m.y, m.text, m.ink, m.h, m.v, m.dx, m.dy, m.size, m.numbers, m.paragraph);
  }
  void operator()(const Annotation& m) const {
    t.put(std::string("annotation"), m.x, m.y, m.text, m.dx, m.dy, m.ink, m.heads, m.size);
  }
  void operator()(const Inset& m) const {
    t.put(std::string("inset"), m.text, m.place, m.ink, m.size, m.numbers, m.frame);
  }
  void operator()(const Heatmap& m) const { field("heatmap", m); }
  void operator()(const Contours& m) const {
    field("contours", m);
    t.put(m.levels, m.count, m.filled, m.ink, m.width, m.numbers);
  }
};

void write(Text& t, const Axis& a) {
  t.put(std::string("axis"), a.label, a.scale, a.range, a.ticks, a.visible, a.grid, a.reversed, a.numbers,
        a.names, a.group);
}

void write(Text& t, const std::optional<SecondAxis>& second) {
  if (!second) return;
  write(t, second->axis);
  t.put(second->marks, second->map ? second->map(1.25) : 0.0);
}

void write(Text& t, const study::StudyResult& result) {
  const Figure& f = result.figure;
  t.put(f.title, f.description, f.row_weights, f.col_weights, f.aspect);
  for (const Panel& p : f.panels) {
    t.put(std::string("panel"), p.title, p.legend, p.equal_aspect, p.frame, p.cell);
    write(t, p.x), write(t, p.y), write(t, p.top), write(t, p.right);
    for (const Mark& mark : p.marks) std::visit(WriteMark{t}, mark);
    for (const Handle& h : p.handles)
      t.put(std::string("handle"), h.x, h.y, h.parameter, h.origin_x, h.origin_y, h.unit, h.along_y,
            h.component, h.hint);
  }
  for (const Table& table : result.tables) {
    t.put(std::string("table"), table.name);
    for (const Column& c : table.columns) t.put(c.name, c.unit, c.digits, c.values);
  }
  for (const study::Check& c : result.checks) t.put(std::string("check"), c.statement, c.value, c.bound);
}

void write(std::ostream& out, const study::Study& study, const std::string& what,
           const parameter::Settings& settings) {
  Text t(out);
  for (const auto device : {study::DeviceChoice::ref, study::DeviceChoice::cpu}) {
    t.put(std::string("----"), what, device, study::described(settings));
    study::Run run;
    run.device = device;
    run.on_partial = [&](const study::StudyResult& partial) { write(t, partial); };
    write(t, study.compute(settings, run));
  }
}

void write(std::ostream& out, const study::Study& study) {
  Text t(out);
  t.put(std::string(study.id), std::string(study.title), std::string(study.topic), std::string(study.summary),
        std::string(study.formula), std::string(study.about), std::string(study.source));
  for (const auto& p : study.parameters) {
    t.put(std::string(p.name), std::string(p.label), p.kind, std::string(p.fallback), p.min, p.max, p.travel,
          p.multiple, p.length);
    t.put(std::string(p.choices), std::string(p.word), std::string(p.unit), std::string(p.help), p.plays,
          std::string(p.only_when), std::string(p.takes), std::string(p.model_fact), p.presentation);
  }
  const parameter::Settings defaults(study.parameters);
  write(out, study, "defaults", defaults);
  for (const auto& each : study.tries)
    write(out, study, std::string(each.text), study::changed(defaults, each.changes));
  for (int i = 0; i < recipe::built_in_recipes_count; ++i) {
    const tensor::EmbeddedFile& file = recipe::built_in_recipes[i];
    for (const auto& each : recipe::recipes_from_toml(file.text, file.name))
      if (each.recipe.study == &study) write(out, study, std::string(file.name), each.recipe.settings);
  }
  for (const auto& p : study.parameters)
    if (p.presentation)
      for (const auto choice : parameter::choices_of(p)) {
        parameter::Settings settings = defaults;
        settings.set(p.name, choice);
        write(out, study, "presentation", settings);
      }
  for (std::uint64_t seed = 0; seed < 12; ++seed) write(out, study, "random", study::drawn(study, seed));
}

}  // namespace
}  // namespace orrery

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "study_dump FOLDER [ID…]\n";
    return 2;
  }
  const std::filesystem::path folder(arguments[1]);
  std::filesystem::create_directories(folder);
  for (const orrery::study::Study* study : orrery::study::studies()) {
    std::string name(study->id);
    if (count > 2 &&
        std::none_of(arguments + 2, arguments + count, [&](const char* id) { return name == id; }))
      continue;
    std::ranges::replace(name, '/', '-');
    std::ofstream out(folder / (name + ".txt"));
    orrery::write(out, *study);
  }
}
