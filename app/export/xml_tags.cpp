#include "app/export/xml_tags.h"

namespace orrery::exporter {
namespace {

constexpr auto npos = std::string_view::npos;

}  // namespace

/// Over what begins here with `begin`, to behind the next `end`; false where it does not.
bool XmlTags::pass(std::string_view begin, std::string_view end) {
  if (!text_.substr(at_).starts_with(begin)) return false;
  const std::size_t found = text_.find(end, at_ + begin.size());
  if (found == npos) fault_ = at_;
  at_ = found == npos ? text_.size() : found + end.size();
  return true;
}

/// It may declare entities, each a tag of its own, between brackets.
bool XmlTags::pass_document_type() {
  if (!text_.substr(at_).starts_with("<!")) return false;
  const std::size_t bracket = text_.find_first_of("[>", at_);
  return bracket != npos && text_[bracket] == '[' ? pass("<!", "]>") : pass("<!", ">");
}

/// Behind its >, which may also stand within a value; npos: it has none.
std::size_t XmlTags::end_of_tag(std::size_t from) const {
  char quote = 0;
  for (std::size_t i = from; i < text_.size(); ++i) {
    const char c = text_[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return npos;
}

std::optional<XmlTag> XmlTags::next() {
  while ((at_ = text_.find('<', at_)) != npos) {
    if (pass("<!--", "-->") || pass("<![CDATA[", "]]>") || pass("<?", "?>") || pass_document_type()) continue;
    const bool end_tag = text_.substr(at_).starts_with("</");
    const std::size_t name = at_ + (end_tag ? 2 : 1), end = end_of_tag(name);
    if (end == npos) {
      fault_ = at_;
      break;
    }
    const std::string_view inside = text_.substr(name, end - 1 - name);
    XmlTag tag{.name = inside.substr(0, inside.find_first_of(" \t\r\n/")), .begin = at_, .end = end};
    tag.opens = !end_tag;
    tag.closes = end_tag || inside.ends_with('/');
    at_ = end;
    return tag;
  }
  at_ = text_.size();
  return std::nullopt;
}

}  // namespace orrery::exporter
