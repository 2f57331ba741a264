// The TeXbook, chapter 18: the table of spaces between atoms.
#include <array>
#include <optional>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {
namespace {

constexpr int thin = 3, medium = 4, thick = 5;
/// Entries that vanish in scripts are negative. Impossible pairs are 0.
constexpr std::array<std::array<int, 8>, 8> table{{
    // ordinary, op, binary, relation, open, close, punctuation, inner
    {0, thin, -medium, -thick, 0, 0, 0, -thin},              // ordinary
    {thin, thin, 0, -thick, 0, 0, 0, -thin},                 // op
    {-medium, -medium, 0, 0, -medium, 0, 0, -medium},        // binary
    {-thick, -thick, 0, 0, -thick, 0, 0, -thick},            // relation
    {0, 0, 0, 0, 0, 0, 0, 0},                                // open
    {0, thin, -medium, -thick, 0, 0, 0, -thin},              // close
    {-thin, -thin, 0, -thin, -thin, -thin, -thin, -thin},    // punctuation
    {-thin, thin, -medium, -thick, -thin, 0, -thin, -thin},  // inner
}};

bool opens(Atom atom) {
  return atom == Atom::op || atom == Atom::binary || atom == Atom::relation || atom == Atom::open ||
         atom == Atom::punctuation;
}

bool closes(Atom atom) {
  return atom == Atom::relation || atom == Atom::close || atom == Atom::punctuation;
}

}  // namespace

bool is_atom(const Node& node) {
  return node.kind != Node::Kind::space && node.kind != Node::Kind::style;
}

int space_between(Atom left, Atom right, bool small) {
  const int mu = table[static_cast<std::size_t>(left)][static_cast<std::size_t>(right)];
  if (mu >= 0) return mu;
  return small ? 0 : -mu;
}

std::vector<Atom> resolve_binaries(const std::vector<Node>& nodes) {
  std::vector<Atom> atoms;
  std::optional<std::size_t> before;  // the last one that is an atom
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Atom atom = nodes[i].atom;
    if (is_atom(nodes[i])) {
      if (atom == Atom::binary && (!before || opens(atoms[*before]))) atom = Atom::ordinary;
      if (before && closes(atom) && atoms[*before] == Atom::binary) atoms[*before] = Atom::ordinary;
      before = i;
    }
    atoms.push_back(atom);
  }
  if (before && atoms[*before] == Atom::binary) atoms[*before] = Atom::ordinary;
  return atoms;
}

}  // namespace orrery::exporter::math
