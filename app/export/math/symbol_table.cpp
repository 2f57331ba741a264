#include "app/export/math/symbol_table.h"

namespace orrery::exporter::math {
namespace {

struct Named {
  std::string_view name;
  char32_t code;
};

// clang-format off
constexpr Named ordinary_symbols[] = {
    {"alpha", U'α'}, {"beta", U'β'}, {"gamma", U'γ'}, {"delta", U'δ'}, {"epsilon", U'ϵ'}, {"varepsilon", U'ε'},
    {"zeta", U'ζ'}, {"eta", U'η'}, {"theta", U'θ'}, {"vartheta", U'ϑ'}, {"iota", U'ι'}, {"kappa", U'κ'},
    {"varkappa", U'ϰ'}, {"lambda", U'λ'}, {"mu", U'μ'}, {"nu", U'ν'}, {"xi", U'ξ'}, {"pi", U'π'}, {"varpi", U'ϖ'},
    {"rho", U'ρ'}, {"varrho", U'ϱ'}, {"sigma", U'σ'}, {"varsigma", U'ς'}, {"tau", U'τ'}, {"upsilon", U'υ'},
    {"phi", U'ϕ'}, {"varphi", U'φ'}, {"chi", U'χ'}, {"psi", U'ψ'}, {"omega", U'ω'}, 
    {"Gamma", U'Γ'}, {"Delta", U'Δ'}, {"Theta", U'Θ'}, {"Lambda", U'Λ'}, {"Xi", U'Ξ'}, {"Pi", U'Π'}, {"Sigma", U'Σ'},
    {"Upsilon", U'Υ'}, {"Phi", U'Φ'}, {"Psi", U'Ψ'}, {"Omega", U'Ω'},
    {"infty", U'∞'}, {"partial", U'∂'}, {"nabla", U'∇'}, {"top", U'⊤'}, {"bot", U'⊥'}, {"ell", U'ℓ'}, {"hbar", U'ℏ'},
    {"hslash", U'ℏ'}, {"Re", U'ℜ'}, {"Im", U'ℑ'}, {"wp", U'℘'}, {"aleph", U'ℵ'}, {"beth", U'ℶ'}, {"forall", U'∀'},
    {"exists", U'∃'}, {"nexists", U'∄'}, {"emptyset", U'∅'}, {"varnothing", U'∅'}, {"neg", U'¬'}, {"lnot", U'¬'},
    {"angle", U'∠'}, {"measuredangle", U'∡'}, {"triangle", U'△'}, {"square", U'□'}, {"Box", U'□'},
    {"blacksquare", U'■'}, {"lozenge", U'◊'}, {"prime", U'′'}, {"backprime", U'‵'},
    {"surd", U'√'}, {"sharp", U'♯'}, {"flat", U'♭'}, {"natural", U'♮'}, {"clubsuit", U'♣'}, {"diamondsuit", U'♢'},
    {"heartsuit", U'♡'}, {"spadesuit", U'♠'}, {"checkmark", U'✓'}, {"complement", U'∁'}, {"eth", U'ð'}, {"mho", U'℧'},
    {"imath", U'ı'}, {"jmath", U'ȷ'}, {"vdots", U'⋮'}, {"degree", U'°'}, {"pounds", U'£'}, {"S", U'§'}, {"P", U'¶'},
    {"|", U'‖'}, {"Vert", U'‖'}, {"vert", U'|'}, {"backslash", U'\\'}, {"%", U'%'}, {"#", U'#'}, {"&", U'&'}, {"_", U'_'},
    {"$", U'$'},
};

constexpr Named with_limits[] = {
    {"sum", U'∑'}, {"prod", U'∏'}, {"coprod", U'∐'}, {"bigcup", U'⋃'}, {"bigcap", U'⋂'}, {"bigsqcup", U'⨆'},
    {"biguplus", U'⨄'}, {"bigoplus", U'⨁'}, {"bigotimes", U'⨂'}, {"bigodot", U'⨀'}, {"bigvee", U'⋁'}, {"bigwedge", U'⋀'},
};

constexpr Named integrals[] = {
    {"int", U'∫'}, {"iint", U'∬'}, {"iiint", U'∭'}, {"oint", U'∮'},
};

constexpr Named binary_symbols[] = {
    {"cdot", U'⋅'}, {"times", U'×'}, {"pm", U'±'}, {"mp", U'∓'}, {"div", U'÷'}, {"ast", U'∗'}, {"star", U'⋆'},
    {"circ", U'∘'}, {"bullet", U'∙'}, {"oplus", U'⊕'}, {"ominus", U'⊖'}, {"otimes", U'⊗'}, {"oslash", U'⊘'},
    {"odot", U'⊙'}, {"cup", U'∪'}, {"cap", U'∩'}, {"uplus", U'⊎'}, {"sqcup", U'⊔'}, {"sqcap", U'⊓'}, {"setminus", U'∖'},
    {"smallsetminus", U'∖'}, {"wedge", U'∧'}, {"land", U'∧'}, {"vee", U'∨'}, {"lor", U'∨'}, {"wr", U'≀'}, {"amalg", U'⨿'},
    {"dagger", U'†'}, {"ddagger", U'‡'}, {"diamond", U'⋄'}, {"bigcirc", U'◯'}, {"bigtriangleup", U'△'},
    {"bigtriangledown", U'▽'}, {"triangleleft", U'◁'}, {"triangleright", U'▷'}, {"boxplus", U'⊞'}, {"boxminus", U'⊟'},
    {"boxtimes", U'⊠'}, {"boxdot", U'⊡'}, {"ltimes", U'⋉'}, {"rtimes", U'⋊'}, {"intercal", U'⊺'}, {"dotplus", U'∔'},
    {"divideontimes", U'⋇'}, {"Cap", U'⋒'}, {"Cup", U'⋓'}, {"barwedge", U'⊼'}, {"veebar", U'⊻'}, {"circledast", U'⊛'},
    {"circledcirc", U'⊚'}, {"centerdot", U'⋅'},
};

constexpr Named relation_symbols[] = {
    {"le", U'≤'}, {"leq", U'≤'}, {"ge", U'≥'}, {"geq", U'≥'}, {"ne", U'≠'}, {"neq", U'≠'}, {"leqslant", U'⩽'},
    {"geqslant", U'⩾'}, {"lt", U'<'}, {"gt", U'>'}, {"ll", U'≪'}, {"gg", U'≫'}, {"lll", U'⋘'}, {"ggg", U'⋙'},
    {"approx", U'≈'}, {"equiv", U'≡'}, {"sim", U'∼'}, {"simeq", U'≃'}, {"cong", U'≅'}, {"doteq", U'≐'}, {"propto", U'∝'},
    {"varpropto", U'∝'}, {"asymp", U'≍'}, {"approxeq", U'≊'}, {"backsim", U'∽'}, {"triangleq", U'≜'}, {"coloneqq", U'≔'},
    {"in", U'∈'}, {"notin", U'∉'}, {"ni", U'∋'}, {"owns", U'∋'}, {"subset", U'⊂'}, {"supset", U'⊃'}, {"subseteq", U'⊆'},
    {"supseteq", U'⊇'}, {"subsetneq", U'⊊'}, {"supsetneq", U'⊋'}, {"nsubseteq", U'⊈'}, {"nsupseteq", U'⊉'},
    {"sqsubseteq", U'⊑'}, {"sqsupseteq", U'⊒'}, {"sqsubset", U'⊏'}, {"sqsupset", U'⊐'}, {"prec", U'≺'}, {"succ", U'≻'},
    {"preceq", U'⪯'}, {"succeq", U'⪰'}, {"precsim", U'≾'}, {"succsim", U'≿'}, {"lesssim", U'≲'}, {"gtrsim", U'≳'},
    {"lessgtr", U'≶'}, {"gtrless", U'≷'}, {"nless", U'≮'}, {"ngtr", U'≯'}, {"nleq", U'≰'}, {"ngeq", U'≱'},
    {"lneq", U'⪇'}, {"gneq", U'⪈'}, {"perp", U'⟂'}, {"parallel", U'∥'}, {"nparallel", U'∦'}, {"mid", U'∣'},
    {"nmid", U'∤'}, {"vdash", U'⊢'}, {"dashv", U'⊣'}, {"models", U'⊧'}, {"vDash", U'⊨'}, {"Vdash", U'⊩'}, {"bowtie", U'⋈'},
    {"smile", U'⌣'}, {"frown", U'⌢'}, {"between", U'≬'}, {"therefore", U'∴'}, {"because", U'∵'}, {"ncong", U'≇'},
    {"to", U'→'}, {"rightarrow", U'→'}, {"leftarrow", U'←'}, {"gets", U'←'}, {"leftrightarrow", U'↔'},
    {"uparrow", U'↑'}, {"downarrow", U'↓'}, {"updownarrow", U'↕'}, {"Uparrow", U'⇑'}, {"Downarrow", U'⇓'},
    {"Updownarrow", U'⇕'}, {"Rightarrow", U'⇒'}, {"Leftarrow", U'⇐'}, {"Leftrightarrow", U'⇔'}, {"mapsto", U'↦'},
    {"longrightarrow", U'⟶'}, {"longleftarrow", U'⟵'}, {"longleftrightarrow", U'⟷'}, {"longmapsto", U'⟼'},
    {"Longrightarrow", U'⟹'}, {"Longleftarrow", U'⟸'}, {"Longleftrightarrow", U'⟺'}, {"implies", U'⟹'},
    {"impliedby", U'⟸'}, {"iff", U'⟺'}, {"nearrow", U'↗'}, {"searrow", U'↘'}, {"swarrow", U'↙'}, {"nwarrow", U'↖'},
    {"hookrightarrow", U'↪'}, {"hookleftarrow", U'↩'}, {"rightharpoonup", U'⇀'}, {"rightharpoondown", U'⇁'},
    {"leftharpoonup", U'↼'}, {"leftharpoondown", U'↽'}, {"rightleftharpoons", U'⇌'}, {"leftrightharpoons", U'⇋'},
    {"leadsto", U'⇝'}, {"rightsquigarrow", U'⇝'}, {"twoheadrightarrow", U'↠'}, {"twoheadleftarrow", U'↞'},
    {"rightarrowtail", U'↣'}, {"circlearrowleft", U'↺'}, {"circlearrowright", U'↻'}, {"curvearrowleft", U'↶'},
    {"curvearrowright", U'↷'}, {"rightleftarrows", U'⇄'}, {"leftrightarrows", U'⇆'}, {"rightrightarrows", U'⇉'},
    {"leftleftarrows", U'⇇'}, {"upuparrows", U'⇈'}, {"downdownarrows", U'⇊'}, {"multimap", U'⊸'}, {"nrightarrow", U'↛'},
    {"nleftarrow", U'↚'}, {"nRightarrow", U'⇏'}, {"nLeftarrow", U'⇍'}, {"nleftrightarrow", U'↮'},
    {"trianglelefteq", U'⊴'}, {"trianglerighteq", U'⊵'}, {"vartriangleleft", U'⊲'}, {"vartriangleright", U'⊳'},
};

constexpr Named opening[] = {
    {"{", U'{'}, {"lbrace", U'{'}, {"lbrack", U'['}, {"lfloor", U'⌊'}, {"lceil", U'⌈'}, {"langle", U'⟨'}, {"lVert", U'‖'},
    {"lvert", U'|'}, {"lgroup", U'⟮'}, {"ulcorner", U'⌜'}, {"llcorner", U'⌞'},
};

constexpr Named closing[] = {
    {"}", U'}'}, {"rbrace", U'}'}, {"rbrack", U']'}, {"rfloor", U'⌋'}, {"rceil", U'⌉'}, {"rangle", U'⟩'}, {"rVert", U'‖'},
    {"rvert", U'|'}, {"rgroup", U'⟯'}, {"urcorner", U'⌝'}, {"lrcorner", U'⌟'},
};

constexpr Named punctuation_symbols[] = {
    {"colon", U':'}, {"ldotp", U'.'}, {"cdotp", U'⋅'},
};
// clang-format on

}  // namespace

std::vector<Symbol> symbol_table() {
  std::vector<Symbol> all;
  const auto add = [&](std::span<const Named> group, Atom atom, bool big = false,
                       Limits limits = Limits::beside) {
    for (const auto& [name, code] : group) all.push_back({name, code, atom, big, limits});
  };
  add(ordinary_symbols, Atom::ordinary);
  add(with_limits, Atom::op, true, Limits::in_display);
  add(integrals, Atom::op, true);
  add(binary_symbols, Atom::binary);
  add(relation_symbols, Atom::relation);
  add(opening, Atom::open);
  add(closing, Atom::close);
  add(punctuation_symbols, Atom::punctuation);
  return all;
}

}  // namespace orrery::exporter::math
