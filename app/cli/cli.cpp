#include "app/cli/cli.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/error_json.h"
#include "app/cli/offers.h"
#include "app/cli/parse.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/surroundings.h"
#include "app/cli/usage.h"
#include "app/cli/version_report.h"
#include "app/export/font_stall.h"
#include "app/study/reading.h"
#include "app/study/tensor_file.h"
#include "core/file/temporary.h"
#include "core/file/undisturbed.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

constexpr int done = 0, could_not = 1, wrong_arguments = 2;

int complain(int code, const Complaint& complaint, bool as_json) {
  const std::string line = as_json ? error_json(complaint) : "orrery: " + single_line(say(complaint));
  std::fprintf(stderr, "%s\n", line.c_str());
  return code;
}

/// Before the words are read, and for those that cannot be.
bool json_asked(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

[[noreturn]] void give_up_on_fonts() {
  complain(could_not,
           about(words("fonts"))
               .fault("the list of typefaces does not come: the program waits, and nothing is computed")
               .allowed("enough memory for the list of typefaces"),
           false);
  file::end_program(could_not);
}

struct WindowWords {
  std::string file, study, theme, scale, language;
  bool high_contrast = false, reduced_motion = false;
  bool no_config = false, version = false, verbose = false, json = false;
};

/// Not known where its place does not answer: the window waits for it.
bool missing(const std::string& file) {
  study::Reading<bool> there(file, [file] { return std::filesystem::exists(file); });
  return there.wait_for(study::short_wait) && !there.take();
}

int open_window(const WindowWords& w, const Program& program) {
  if (const Complaint unknown = unknown_command(commands(program), w.file); !unknown.empty())
    throw InvalidArgument(unknown);
  WindowRequest request;
  request.file = w.file;
  if (!w.file.empty() && missing(study::file_of(w.file).string()))
    throw Failure(wrong("no such file").within(in_file(w.file)));
  if (!w.study.empty()) request.study = study::find(w.study).id;
  // Print is a theme of figures: a window has none of it.
  if (!w.theme.empty() && w.theme != "dark" && w.theme != "light")
    throw InvalidArgument(about(Subject::Kind::key, "theme")
                              .found(w.theme)
                              .fault("{} is not a theme of the window", in_apostrophes(w.theme))
                              .allowed(name_phrase("dark, light")));
  request.theme = w.theme;
  if (!w.scale.empty()) request.scale = parse_number("--scale", w.scale, 0.5, 4);
  if (!w.language.empty()) request.language = language::code(parse_language(w.language));
  request.high_contrast = w.high_contrast;
  request.reduced_motion = w.reduced_motion;
  request.no_config = w.no_config;
  return program.open_window(request);
}

/// `orrery --lang zh rope …` is `orrery rope --lang zh …`: the window's words stand alone, but a language is everybody's.
std::vector<const char*> with_language_behind_command(std::span<const Command> all, int argc,
                                                      const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  words.push_back(nullptr);
  const std::string_view first = argc > 1 ? argv[1] : "";
  const std::ptrdiff_t length = first == "--lang" ? 2 : first.starts_with("--lang=") ? 1 : 0;
  if (length == 0 || argc < length + 2) return words;
  const auto begin = words.begin() + 1, command = begin + length;
  if (std::ranges::find(all, std::string_view(*command), &Command::name) != all.end())
    std::rotate(begin, command, command + 1);
  return words;
}

int parse_and_run(int argc, const char* const* argv, const Program& program) {
  const Command window = window_command(program);
  const std::vector<Command> all = commands(program);
  // A line that is not finished: nothing in it is wrong yet.
  if (argc > 1 && argv[1] == offers_word) {
    print(offers_text(offered(window, all, {argv + 2, argv + argc})));
    return done;
  }
  const std::vector<const char*> words = with_language_behind_command(all, argc, argv);
  const Asked asked = parse(window, all, argc, words.data());
  // A window stays: only its figure does not come.
  std::optional<exporter::FontStallWatch> watch;
  if (!asked.command->name.empty()) watch.emplace(std::chrono::seconds(60), [] { give_up_on_fonts(); });
  if (asked.help.empty()) return asked.command->run();
  print(asked.help);
  return done;
}

}  // namespace

Command window_command(const Program& program) {
  const auto w = std::make_shared<WindowWords>();
  using enum Offers::Kind;
  return {
      "",
      "Orrery: an explorer of the numerics inside a Transformer. Without a command: the window.",
      {{"--version", &w->version, "", "of the program and of its libraries"},
       {"--verbose", &w->verbose, "", "with --version: what a report of a fault should hold"},
       {"--json", &w->json, "", "with --version: as JSON"},
       {"FILE",
        &w->file,
        "",
        "to open in the window: a recipe, a figure with a recipe inside, a model's config.json, "
        "frequencies as .npy, .safetensors, .csv or .json",
        {files, {".toml", ".pdf", ".svg", ".png", ".tex", ".webp", ".json", ".npy", ".safetensors", ".csv"}}},
       {"--study", &w->study, "ID", "the study to open first", study},
       {"--theme", &w->theme, "NAME", "of the window: dark or light", {words, {"dark", "light"}}},
       {"--scale", &w->scale, "NUMBER", "of the window's text and controls, 0.5 to 4"},
       language_argument(w->language, "of the window, and of what is said here"),
       {"--high-contrast", &w->high_contrast, "", "words and lines that stand out more"},
       {"--reduced-motion", &w->reduced_motion, "", "nothing runs unasked, and what runs goes in steps"},
       {"--no-config", &w->no_config, "", "neither read nor write the session"}},
      [w, program] {
        for (const auto& [option, given] : {std::pair("--verbose", w->verbose), std::pair("--json", w->json)})
          if (given && !w->version)
            throw InvalidArgument(
                about(Subject::Kind::option, option).fault("goes with {}", in_apostrophes("--version")));
        if (!w->version) return open_window(*w, program);
        print_version(program, w->verbose, w->json);
        return done;
      },
      {{"orrery", "the window, as it was left"},
       {"orrery norm.pdf", "the study of a figure, with its settings"},
       {"orrery --version --verbose", "what to put into a report of a fault"}}};
}

int run(int argc, const char* const* argv, const Program& program) {
  // Mesa writes its own complaints to stderr, where one line is promised; ours says what was tried. A person who wants to
  // see them sets the variable.
  ::setenv("EGL_LOG_LEVEL", "fatal", 0);
  hold_standard_streams();
  file::remove_temporaries_on_signals();
  speak(language_asked_for(argc, argv));
  try {
    check_surroundings();
    return parse_and_run(argc, argv, program);
  } catch (const InvalidArgument& error) {
    return complain(wrong_arguments, error.complaint(), json_asked(argc, argv));
  } catch (const std::exception& error) {
    return complain(could_not, complaint_of(error), json_asked(argc, argv));
  }
}

}  // namespace orrery::cli
