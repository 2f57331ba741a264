#include "app/experiment/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/file/bytes.h"
#include "core/file/json.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::experiment {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view heading = "step,loss,rate\n";

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// What a text is known by: how long it is, and the hash of its bytes.
nlohmann::ordered_json known_by(const training::Text& text) {
  const std::uint64_t sum = tensor::Hash().add(text.bytes).value();
  return {{"origin", text.origin}, {"bytes", text.bytes.size()}, {"sum", std::to_string(sum)}};
}

template <class T>
bool read_number(std::string_view& rest, char behind, T& number) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != behind) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  return true;
}

/// What is no number has no sign.
std::string in_csv(double x) {
  return std::isnan(x) ? "nan" : parameter::shortest(x);
}

/// A text is found from wherever somebody asks later.
Settings with_whole_path(Settings settings) {
  parameter::Settings& task = settings.of("task");
  if (task.choice("kind") == "text")
    task.set("file", fs::absolute(task.file("file")).lexically_normal().string());
  return settings;
}

}  // namespace

void make_folder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed || !fs::is_directory(path, failed))
    throw Failure(about(Subject::Kind::file, path.string())
                      .fault("no folder can be made here: {}",
                             foreign(failed ? failed.message() : std::strerror(ENOTDIR))));
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  const std::string reason = std::strerror(errno);
  if (descriptor_.get() < 0)
    throw Failure(about(Subject::Kind::file, (folder / "lock").string()).fault(foreign(reason)));
  if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  if (error == EWOULDBLOCK)
    throw Busy(about(Subject::Kind::file, folder.string()).fault("another program is training here"));
  // Of a cluster's file systems some have no locks unless they are mounted with them.
  throw Failure(about(Subject::Kind::file, (folder / "lock").string())
                    .fault("cannot be locked: {}", foreign(std::strerror(error)))
                    .allowed("a folder on a file system with locks"));
}

bool RunFolder::has_checkpoint() const {
  return is_there(checkpoint());
}

Settings RunFolder::read() const {
  if (!is_there(settings()))
    throw Failure(about(Subject::Kind::file, path_.string())
                      .fault("no training is here: there is no settings.toml")
                      .allowed("a folder that orrery train made"));
  return read_settings(settings(), file::Accept::files);
}

void RunFolder::check_settings(const Plan& plan) const {
  Settings then = with_whole_path(read()), now = with_whole_path(plan.settings);
  // A table of learned positions that is as long as what is asked: asked otherwise, it is another model.
  if (plan.trainer.model.positions == transformer::Positions::learned)
    for (Settings* each : {&then, &now})
      each->of("model").set("length", parameter::Value(std::int64_t{learned_rows(*each, *plan.task)}));
  const std::string key = then.first_difference(now);
  if (key.empty()) return;
  Complaint wrong = about(Subject::Kind::file, path_.string());
  if (key == "model.length")
    throw Failure(std::move(wrong)
                      .fault("a training with {} learned positions is here, not with {}",
                             then.of("model").integer("length"), now.of("model").integer("length"))
                      .allowed("another folder, or {}",
                               name_phrase("model.length = " + then.of("model").text("length"))));
  throw Failure(std::move(wrong)
                    .fault("a training of other settings is here: {} is another one", key)
                    .allowed("another folder, or these settings"));
}

void RunFolder::check_free() const {
  if (is_there(settings())) {
    // Who trains locks the folder before anything is written there.
    if (has_checkpoint() || is_there(path_ / "lock")) return;
    throw Failure(about(Subject::Kind::file, settings().string())
                      .fault("is of no training that is known: the training's own settings would replace it")
                      .allowed("another folder, or this file under another name"));
  }
  for (const fs::path& path : {checkpoint(), losses()})
    if (is_there(path))
      throw Failure(about(Subject::Kind::file, path.string())
                        .fault("is of no training that is known: there is no settings.toml")
                        .allowed("another folder"));
}

void RunFolder::begin(const Plan& plan) const {
  make_folder(path_);
  if (is_there(settings())) {
    check_settings(plan);
    check_text(*plan.task);
    // What is asked of it may change.
    if (const Settings now = with_whole_path(plan.settings); with_whole_path(read()) != now)
      file::write_file(settings(), to_toml(now));
    return;
  }
  if (const training::Text* of = plan.task->text()) file::write_file(text(), known_by(*of).dump(2) + "\n");
  file::write_file(settings(), to_toml(with_whole_path(plan.settings)));
}

void RunFolder::check_text(const Task& task) const {
  const training::Text* of = task.text();
  if (!of || !is_there(text())) return;
  constexpr std::uint64_t longest = 1 << 16;
  bool same = false;
  try {
    const nlohmann::json then = file::read_json(file::read_bytes(text(), longest), {});
    same = then.at("sum") == known_by(*of)["sum"];
  } catch (const nlohmann::json::exception&) {
  } catch (const file::TooDeep& error) {
    throw Failure(error.complaint().within(in_file(text().string())));
  }
  if (!same)
    throw Failure(about(Subject::Kind::file, of->origin)
                      .fault("the text is not what it was when the training in {} began", path_.string()));
}

std::vector<LossLine> RunFolder::read_losses(std::int64_t up_to) const {
  std::vector<LossLine> lines;
  if (!is_there(losses())) return lines;
  constexpr std::uint64_t longest = 1 << 24;
  const std::string text = file::read_bytes(losses(), longest);
  std::string_view rest = text;
  if (rest.starts_with(heading)) rest.remove_prefix(heading.size());
  for (LossLine line; read_number(rest, ',', line.step) && read_number(rest, ',', line.loss) &&
                      read_number(rest, '\n', line.rate) && line.step <= up_to;)
    lines.push_back(line);
  return lines;
}

void RunFolder::write_losses(const std::vector<LossLine>& lines) const {
  std::string text(heading);
  for (const LossLine& line : lines)
    text += std::to_string(line.step) + "," + in_csv(line.loss) + "," + in_csv(line.rate) + "\n";
  file::write_file(losses(), text);
}

}  // namespace orrery::experiment
