#include "app/cli/batch_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/export/text_runs.h"
#include "app/render/left_out.h"
#include "core/tensor/error.h"

namespace orrery::cli {

Argument output_folder(std::string& folder) {
  return {"-o,--output", &folder, "DIR", "the directory; made when it is not there", Offers::Kind::folder};
}

Argument jobs_argument(std::string& jobs) {
  return {"--jobs", &jobs, "NUMBER", "how many at a time (as many as there are cores)"};
}

Offers formats_offered(std::span<const std::string_view> endings) {
  std::vector<std::string> names;
  for (const std::string_view ending : endings) names.emplace_back(ending.substr(1));
  return {Offers::Kind::list, names};
}

std::vector<std::string> parse_formats(const std::string& text, std::span<const std::string_view> of) {
  std::vector<std::string_view> allowed;
  for (const std::string_view ending : of) allowed.push_back(ending.substr(1));
  std::vector<std::string> endings;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string name = text.substr(from, comma - from);
    if (std::ranges::find(allowed, name) == allowed.end())
      throw InvalidArgument(about(Subject::Kind::option, "--format").found_text(name).allowed(allowed));
    const std::string ending = "." + name;
    if (std::ranges::find(endings, ending) == endings.end()) endings.push_back(ending);
    from = comma + 1;
  }
  return endings;
}

int parse_jobs(const std::string& text) {
  if (text.empty()) return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
  return static_cast<int>(parse_whole("--jobs", text, 1, 256));
}

void warn_of_numbers(const std::filesystem::path& file, const std::vector<std::string>& columns) {
  if (columns.empty()) return;
  const std::vector<std::string_view> names(columns.begin(), columns.end());
  warn(say("{}: numbers stand for the words of {}", file.string(), joined(names)));
}

void Warnings::say_of(const Job& job, const Done& done) {
  const auto once = [&](const std::string& line) {
    if (said_.insert(line).second) warn(line);
  };
  const auto of_it = [&](const std::string& remark) { once(say("{}: {}", job.name, remark)); };
  if (!done.fonts.empty()) once(say(done.fonts));
  for (const Phrase& remark : done.remarks) of_it(exporter::plain_text(say(remark)));
  if (!done.characters.empty()) of_it(say(done.characters));
  if (!done.left_out.empty()) of_it(say(render::left_out_note(done.left_out, job.recipe)));
  warn_of_numbers(job.target, done.words_as_numbers);
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(std::size_t done, std::size_t all, const std::string& what) {
  if (!terminal_ || all == 0) return;
  constexpr std::size_t cells = 24;
  const std::size_t full = cells * done / all;
  std::string bar;
  for (std::size_t i = 0; i < cells; ++i) bar += i < full ? "━" : "┄";
  std::fprintf(stderr, "\r%s %zu/%zu  %s\033[K", bar.c_str(), done, all, what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace orrery::cli
