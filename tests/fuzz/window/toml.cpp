// What Orrery writes as TOML, and people change by hand: recipes, the window's session, keys.
#include <sys/mman.h>
#include <unistd.h>

#include "app/gui/actions.h"
#include "app/gui/session.h"
#include "app/recipe/recipe.h"
#include "core/file/descriptor.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::toml_files {
namespace {

/// What was read can be written, and then reads the same.
void read_recipe(std::string_view bytes) {
  std::vector<recipe::NamedRecipe> figures;
  or_refuse([&] { figures = recipe::recipes_from_toml(bytes, "fuzz.toml"); });
  if (figures.empty()) return;
  std::string text;
  try {
    text = recipe::to_toml(figures);
  } catch (const InvalidArgument&) {  // two figures of one name
    return;
  }
  promise(recipe::to_toml(recipe::recipes_from_toml(text, "fuzz.toml")) == text,
          "a recipe that is another when it was written");
}

void read_session(std::string_view bytes) {
  const gui::ReadSession first = gui::session_from_toml(bytes);
  const std::string text = gui::to_toml(first.session);
  const gui::ReadSession again = gui::session_from_toml(text);
  promise(again.fault.empty(), "a session that is refused when it was written");
  promise(gui::to_toml(again.session) == text, "a session that is another when it was written");
}

/// A file without a place on a disk.
class FileInMemory {
 public:
  explicit FileInMemory(std::string_view bytes) : file_(::memfd_create("keys.toml", MFD_CLOEXEC)) {
    promise(file_.get() >= 0 && ::write(file_.get(), bytes.data(), bytes.size()) == std::ssize(bytes),
            "there is no memory for a file");
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

 private:
  file::Descriptor file_;
};

void read_keys(std::string_view bytes) {
  const FileInMemory file(bytes);
  gui::KeyMap keys;
  for (const Complaint& each : keys.read(file.path())) note_refusal(english(each));
  for (const gui::Action& action : gui::actions()) keys.text(action);
}

const std::vector<Growth> deep = {{"", "a.", "b = 1"}, {"", "[[a", ""},      {"a = ", "[", ""},
                                  {"a = ", "{a=", ""}, {"", "a# = 1\n", ""}, {"a = \"", "x", "\""},
                                  {"", "#", ""}};

/// Those of its own and the deep ones, all behind a first line without which the reader would not go on.
std::vector<Growth> with_deep(std::vector<Growth> own, const std::string& first = "") {
  own.insert(own.end(), deep.begin(), deep.end());
  for (Growth& each : own) each.before = first + each.before;
  return own;
}

const Registered recipe(
    {"recipe", read_recipe,
     with_deep({{"orrery = 1\nstudy = \"rope/rotation\"\n", "[[figure]]\n", ""},
                {"orrery = 1\nstudy = \"rope/rotation\"\n", "[[figure]]\nname = \"a#\"\n", ""},
                {"orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nvector = \"", "1,", "1\"\n"},
                {"orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = \"", "(", "\"\n"}})});
const Registered session({"session", read_session,
                          with_deep({{"recent = [", "\"a#\",", "]\n"},
                                     {"[document]\nlocked = [", "\"a#\",", "]\n"}},
                                    "session = 1\n")});
const Registered keys({"keys", read_keys,
                       with_deep({{"undo = \"", "Ctrl+", "Z\"\n"}, {"undo = \"", "Ctrl+Z ", "\"\n"}})});

}  // namespace
}  // namespace orrery::fuzz::toml_files
