#include "core/file/npy_header.h"

#include <cctype>
#include <set>

#include "core/tensor/error.h"

namespace orrery::file {
namespace {

constexpr std::size_t max_npy_axes = 8;
constexpr std::uint64_t max_axis = std::uint64_t{1} << 62;  // fits the signed index of every array

class Reader {
 public:
  Reader(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  [[noreturn]] void fail(const Complaint& what) const {
    const Subject place{Subject::Kind::thing, words("npy header, byte {}", at_)};
    throw Failure(what.within(place).within(in_file(origin_)));
  }
  /// What stands here is not what should.
  [[noreturn]] void expected(const Phrase& what) { fail(wrong("expected {}, found {}", what, found())); }

  /// The next character that is no space, without taking it; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) expected(name_phrase(in_apostrophes(std::string(1, c))));
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') expected(words("a quoted text"));
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(wrong("a quoted text has no end"));
    std::string body(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return body;
  }

  std::string word() {
    peek();
    std::string letters;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])))
      letters += text_[at_++];
    return letters;
  }

  std::uint64_t axis() {
    if (!std::isdigit(static_cast<unsigned char>(peek()))) expected(words("a whole number ≥ 0"));
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > max_axis) fail(wrong("an axis is longer than any array can be"));
    }
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return value;
  }

  Phrase found() {
    const char c = peek();
    if (c == '\0' && at_ >= text_.size()) return words("the end");
    if (!std::isprint(static_cast<unsigned char>(c)))
      return words("byte {}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return name_phrase(in_apostrophes(std::string(1, c)));
  }

 private:
  std::string_view text_, origin_;
  std::size_t at_ = 0;
};

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return out;
}

NumberType parse_type(Reader& in) {
  if (in.peek() == '[') in.fail(wrong("structured records").allowed("one number per element"));
  const std::string descr = in.string();
  const std::string shown = in_apostrophes(printable(descr));
  const auto refuse = [&](const Phrase& what) {
    in.fail(Complaint()
                .found(printable(descr))
                .fault(what)
                .allowed("f2 f4 f8, i1 to i8, u1 to u8, b1, with < > = or |, or V2 for bf16"));
  };
  const auto unread = [&] { refuse(words("descr {} is no number type that is read here", shown)); };
  std::string_view rest = descr;
  NumberType type;
  if (!rest.empty() && std::string_view("<>=|").find(rest[0]) != std::string_view::npos) {
    type.big_endian = rest[0] == '>';
    rest.remove_prefix(1);
  }
  if (!rest.empty() && rest[0] == 'O')
    refuse(words("descr {} means Python objects, which only Python can read", shown));
  if (!rest.empty() && rest[0] == 'c') refuse(words("descr {} means complex numbers", shown));
  if (rest.size() != 2) unread();
  if (rest == "V2" && !type.big_endian) return {.kind = NumberKind::brain_real, .bytes = 2};
  constexpr std::string_view kinds = "fiub";
  constexpr NumberKind meant[] = {NumberKind::real, NumberKind::whole, NumberKind::natural,
                                  NumberKind::truth};
  const std::size_t kind = kinds.find(rest[0]);
  type.bytes = rest[1] - '0';
  const bool power = type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8;
  if (kind == std::string_view::npos || !power) unread();
  type.kind = meant[kind];
  if (type.kind == NumberKind::real ? type.bytes == 1 : type.kind == NumberKind::truth && type.bytes > 1)
    unread();
  return type;
}

bool parse_bool(Reader& in) {
  const std::string word = in.word();
  if (word != "True" && word != "False") in.fail(wrong("fortran_order is neither True nor False"));
  return word == "True";
}

std::vector<std::uint64_t> parse_shape(Reader& in) {
  std::vector<std::uint64_t> shape;
  in.expect('(');
  while (!in.take(')')) {
    if (shape.size() == max_npy_axes) in.fail(wrong("more than {} axes", max_npy_axes));
    shape.push_back(in.axis());
    // One axis needs its comma, as every tuple of one does in Python: (3,) is a shape, (3) a number.
    if (in.take(',')) continue;
    if (shape.size() == 1) in.fail(wrong("shape is no tuple: expected {}, found {}", "','", in.found()));
    in.expect(')');
    break;
  }
  return shape;
}

}  // namespace

std::string numpy_name(const NumberType& t) {
  if (t.kind == NumberKind::truth) return "bool";
  if (t.kind == NumberKind::brain_real) return "bfloat16";
  const char* kind = t.kind == NumberKind::real ? "float" : t.kind == NumberKind::whole ? "int" : "uint";
  return kind + std::to_string(8 * t.bytes);
}

NpyHeader parse_npy_header(std::string_view text, std::string_view origin) {
  Reader in(text, origin);
  NpyHeader header;
  std::set<std::string> seen;
  in.expect('{');
  while (!in.take('}')) {
    const std::string key = in.string();
    if (key != "descr" && key != "fortran_order" && key != "shape") {
      in.fail(Complaint()
                  .found(printable(key))
                  .fault("unknown key {}", in_apostrophes(printable(key)))
                  .allowed(name_phrase("descr, fortran_order, shape")));
    }
    if (!seen.insert(key).second) in.fail(wrong("key {} stands there twice", in_apostrophes(key)));
    in.expect(':');
    if (key == "descr") header.type = parse_type(in);
    if (key == "fortran_order") header.fortran_order = parse_bool(in);
    if (key == "shape") header.shape = parse_shape(in);
    if (in.take(',')) continue;
    in.expect('}');
    break;
  }
  for (const char* key : {"descr", "fortran_order", "shape"}) {
    if (!seen.contains(key)) in.fail(wrong("key {} is missing", in_apostrophes(key)));
  }
  if (in.peek() != '\0') in.fail(wrong("something stands behind the dictionary: {}", in.found()));
  return header;
}

}  // namespace orrery::file
