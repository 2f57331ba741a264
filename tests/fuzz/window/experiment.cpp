// What trainings are asked for by: SETTINGS.toml, and GRID.toml for many of them.
#include "app/experiment/grid.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::experiments {
namespace {

/// A task that reads a text would open whatever file is named.
bool names_a_file(std::string_view bytes) {
  return bytes.find("file") != std::string_view::npos;
}

/// What was read can be written, and then reads the same.
void read_settings(std::string_view bytes) {
  or_refuse([&] {
    const std::string text = experiment::to_toml(experiment::settings_from_toml(bytes, "fuzz.toml"));
    promise(experiment::to_toml(experiment::settings_from_toml(text, "fuzz.toml")) == text,
            "settings that are others when they were written");
  });
}

void read_grid(std::string_view bytes) {
  if (names_a_file(bytes)) return;
  or_refuse([&] {
    const experiment::Grid grid = experiment::grid_from_toml(bytes, "fuzz.toml");
    promise(!grid.cells.empty(), "a grid without a cell");
  });
}

const std::string begin = "orrery = 1\n";

const Registered settings({"settings",
                           read_settings,
                           {{begin, "[training]\n", ""},
                            {begin + "[evaluation]\nlengths = [", "1,", "1]\n"},
                            {begin + "a = ", "[", ""},
                            {begin + "[task]\nkind = \"", "x", "\"\n"}}});
const Registered grid({"grid",
                       read_grid,
                       {{begin + "[grid]\nseeds = [", "#,", "4000000000]\n"},
                        {begin + "[grid]\nseeds = [", "#,         ",
                         "4000000000]\n"},  // no more than a grid may have
                        {begin + "[grid]\nlengths = [", "#,", "0]\n"},
                        {begin, "[[variant]]\nname = \"a#\"\n", ""},
                        {begin + "[[variant]]\nname = \"", "x", "\"\n"}}});

}  // namespace
}  // namespace orrery::fuzz::experiments
