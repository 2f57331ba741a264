// The tags of an XML text one after another, in no memory at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace orrery::exporter {

struct XmlTag {
  std::string_view name;
  std::size_t begin = 0, end = 0;      ///< from its < to behind its >
  bool opens = false, closes = false;  ///< <a>, </a>, or both: <a/>
};

class XmlTags {
 public:
  explicit XmlTags(std::string_view text) : text_(text) {}

  /// The next one; comments, CDATA, instructions and the document type are passed over. Nothing at the end of the text, and
  /// where one of them has no end. Whether tags fit each other is not looked at.
  std::optional<XmlTag> next();
  /// Where something begins that has no end.
  std::optional<std::size_t> fault() const { return fault_; }

 private:
  bool pass(std::string_view begin, std::string_view end);
  bool pass_document_type();
  std::size_t end_of_tag(std::size_t from) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::size_t> fault_;
};

}  // namespace orrery::exporter
