#include "app/export/unopened_typefaces.h"

#include <glib.h>

#include <mutex>
#include <string>
#include <string_view>

#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

std::mutex mutex;
std::string first;  // "Latin Modern Roman, 8": as Pango names the face and its size

std::string_view message_in(const GLogField* fields, gsize count) {
  for (gsize i = 0; i < count; ++i)
    if (fields[i].key == std::string_view("MESSAGE")) {
      const char* text = static_cast<const char*>(fields[i].value);
      return fields[i].length < 0 ? std::string_view(text)
                                  : std::string_view(text, static_cast<std::size_t>(fields[i].length));
    }
  return {};
}

/// "failed to create cairo scaled font, expect ugly output. the offending font is 'Latin Modern Roman, 8'", and behind it,
/// line by line, which status what has.
GLogWriterOutput hear(GLogLevelFlags level, const GLogField* fields, gsize count, gpointer) {
  const std::string_view said = message_in(fields, count);
  if (said.starts_with("font_face status is") || said.starts_with("scaled_font status is"))
    return G_LOG_WRITER_HANDLED;
  if (!said.starts_with("failed to create cairo scaled font"))
    return g_log_writer_default(level, fields, count, nullptr);
  const std::size_t from = said.find('\''), to = said.rfind('\'');
  const std::lock_guard lock(mutex);
  if (first.empty()) first = from < to ? said.substr(from + 1, to - from - 1) : said;
  return G_LOG_WRITER_HANDLED;
}

}  // namespace

void watch_typefaces() {
  static std::once_flag once;  // GLib takes one for the whole program
  std::call_once(once, [] { g_log_set_writer_func(hear, nullptr, nullptr); });
}

void require_typefaces() {
  const std::lock_guard lock(mutex);
  if (first.empty()) return;
  throw Failure(about(words("fonts"))
                    .found(first)
                    .fault("the typeface {} is there and cannot be opened", in_apostrophes(first))
                    .allowed("one that this program may read"));
}

}  // namespace orrery::exporter
