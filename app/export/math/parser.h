// The parser's insides: one pass over the source, one function for each kind of construct. Include only in
// parse*.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "app/export/math/alphabets.h"
#include "app/export/math/node.h"
#include "app/export/math/symbols.h"

namespace orrery::exporter::math {

struct TooDeep {};

Node unknown(std::string_view source);
Node symbol(const Symbol&, Alphabet);
Node words(std::string_view text, Atom = Atom::ordinary, Limits = Limits::beside);
Node with_parts(Node::Kind, std::vector<Node>);
Node space(double mu);
Node as_row(Node);

class Parser {
 public:
  explicit Parser(std::string_view tex) : text_(tex) {}

  Node formula();

 private:
  /// A command as written: the handlers are told which of their names it was.
  struct Call {
    std::string_view name;    ///< without the backslash
    std::string_view source;  ///< with it
  };
  using Handler = Node (Parser::*)(Call);
  static Handler handler_for(std::string_view name);

  // Reading.
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  void skip_blanks();
  bool take(char);
  char32_t take_character();
  /// After the backslash: letters, or one other character.
  std::string_view take_command();
  bool at_command(std::string_view name) const;
  bool take_command_if(std::string_view name);
  /// The characters of a group as they stand; braces must match.
  std::optional<std::string_view> raw_group();
  std::optional<std::string_view> raw_brackets();

  // What every formula has.
  enum class Stop { end, brace, bracket, right, cell, line };
  bool ends(Stop) const;
  Node row(Stop);
  Node scripted();
  Node atom();
  Node letters();
  Node group();
  Node command();
  Node argument(std::string_view command);
  /// Two or one of them, absent ones as the command itself.
  std::vector<Node> arguments(int count, std::string_view command);

  // Commands with arguments.
  Node fraction(Call);
  Node root(Call);
  Node fenced(Call);
  Node big_delimiter(Call);
  Node line(Call);
  Node stacked(Call);
  Node arrow(Call);
  Node negated(Call);
  Node phantom(Call);
  Node framed(Call);
  Node style(Call);
  Node of_class(Call);
  Node operator_name(Call);
  Node in_alphabet_of(Call);
  Node text(Call);
  Node prose(std::string_view inside, Alphabet);
  Node modulo(Call);
  Node dots(Call);
  Node skip(Call);
  char32_t delimiter();

  // Rows and columns.
  Node environment(Call);
  Node substack(Call);
  Node grid(Grid, Stop, std::string_view name);
  std::optional<double> end_of_row();
  void choose_dots(std::vector<Node>&) const;

  struct Deeper {
    explicit Deeper(Parser&);
    ~Deeper() { --parser.depth_; }
    Deeper(const Deeper&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Alphabet alphabet_ = Alphabet::italic;
};

}  // namespace orrery::exporter::math
