#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/surroundings.h"
#include "app/cli/usage.h"
#include "app/cli/version.h"
#include "app/export/temporary.h"
#include "app/figure/theme.h"
#include "app/study/reading.h"
#include "app/study/tensor_file.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

constexpr int done = 0, could_not = 1, wrong_arguments = 2;

int complain(int code, const std::string& what) {
  std::fprintf(stderr, "orrery: %s\n", single_line(what).c_str());
  return code;
}

struct WindowWords {
  std::string file, study, theme, scale;
  bool no_config = false;
};

void add_window(CLI::App& root, WindowWords& w) {
  root.add_option("FILE", w.file,
                  "to open in the window: a recipe, a figure with a recipe inside, a model's config.json, "
                  "frequencies as .npy, .safetensors, .csv or .json");
  root.add_option("--study", w.study, "the study to open first")->type_name("ID");
  root.add_option("--theme", w.theme, "of the window: dark or light")->type_name("NAME");
  root.add_option("--scale", w.scale, "of the window's text and controls, 0.5 to 4")->type_name("NUMBER");
  root.add_flag("--no-config", w.no_config, "neither read nor write the session");
}

/// Not known where its place does not answer: the window waits for it.
bool missing(const std::string& file) {
  study::Reading<bool> there(file, [file] { return std::filesystem::exists(file); });
  return there.wait_for(study::short_wait) && !there.take();
}

int open_window(const CLI::App& root, const WindowWords& w, const Program& program) {
  if (const std::string text = unknown_command(root, w.file); !text.empty()) throw InvalidArgument(text);
  WindowRequest request;
  request.file = w.file;
  if (!w.file.empty() && missing(study::file_of(w.file).string())) throw Failure(w.file + ": no such file");
  if (!w.study.empty()) request.study = study::find(w.study).id;
  // Print is a theme of figures: a window has none of it.
  if (!w.theme.empty() && w.theme != "dark" && w.theme != "light")
    throw InvalidArgument("theme: '" + w.theme + "' is not a theme of the window; allowed: dark, light");
  request.theme = w.theme;
  if (!w.scale.empty()) request.scale = parse_number("--scale", w.scale, 0.5, 4);
  request.no_config = w.no_config;
  return program.open_window(request);
}

/// The window's words stand alone: before a command they would be read and mean nothing.
void refuse_before_command(const CLI::App& root) {
  const auto commands = root.get_subcommands();
  if (commands.empty()) return;
  for (const CLI::Option* option : root.get_options()) {
    if (option->count() == 0) continue;
    const std::string word =
        option->get_positional() ? "'" + option->as<std::string>() + "'" : option->get_name();
    throw InvalidArgument(word + ": found before the command " + commands.front()->get_name() +
                          ", which does not take it there; allowed: without a command, for the window");
  }
}

/// --size "$SIZE" with SIZE unset is a slip, not a wish for the default. What has no dash in front is asked for by name where
/// it is missing.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    option->check(
        [](const std::string& text) { return std::string(text.empty() ? "found ''; allowed: a value" : ""); },
        "");
  }
}

int parse_and_run(int argc, const char* const* argv, const Program& program) {
  CLI::App root("Orrery: an explorer of the numerics inside a Transformer. Without a command: the window.",
                "orrery");
  root.require_subcommand(0, 1);
  bool version = false;
  root.add_flag("--version", version, "of the program and of its libraries");
  WindowWords window;
  add_window(root, window);
  for (const auto add : {add_list, add_render, add_batch, add_gallery, add_apply, add_rope, add_identify,
                         add_inspect, add_bench})
    add(root);
  refuse_empty_values(root);
  for (CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; }))
    refuse_empty_values(*command);

  root.parse_complete_callback([&] { refuse_before_command(root); });

  try {
    root.parse(argc, argv);
  } catch (const CLI::Success&) {  // --help
    const auto command = root.get_subcommands();
    print(command.empty() ? root.help() : command.front()->help("orrery"));
    return done;
  } catch (const CLI::ParseError& error) {
    return complain(wrong_arguments, usage_error(root, argc > 1 ? argv[1] : "", error));
  }
  if (version) {
    print(version_text(program));
    return done;
  }
  return root.get_subcommands().empty() ? open_window(root, window, program) : done;
}

}  // namespace

int run(int argc, const char* const* argv, const Program& program) {
  // Mesa writes its own complaints to stderr, where one line is promised; ours says what was tried. A person who wants to
  // see them sets the variable.
  ::setenv("EGL_LOG_LEVEL", "fatal", 0);
  hold_standard_streams();
  exporter::remove_temporaries_on_signals();
  try {
    check_surroundings();
    return parse_and_run(argc, argv, program);
  } catch (const InvalidArgument& error) {
    return complain(wrong_arguments, error.what());
  } catch (const std::bad_alloc&) {
    return complain(could_not, "out of memory");
  } catch (const std::exception& error) {
    return complain(could_not, error.what());
  }
}

}  // namespace orrery::cli
