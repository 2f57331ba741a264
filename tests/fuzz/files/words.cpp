// What people type or write themselves: mathematics in TeX's notation, numbers as expressions, tables of translations.
#include "app/language/dictionary.h"
#include "app/language/read_table.h"
#include "core/parameter/expression.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/tex.h"

namespace orrery::fuzz::typed {
namespace {

void read_expression(std::string_view bytes) {
  parameter::evaluate(bytes);
}

void read_translations(std::string_view bytes) {
  or_refuse([&] {
    std::vector<language::Entry> entries = language::read_table(bytes, "zh/fuzz.toml");
    promise(entries.size() <= bytes.size(), "more lines than bytes");
    const language::Dictionary dictionary(std::move(entries));
    dictionary.translate("Attention scores of 3 heads");
  });
}

const Registered mathematics(
    {"mathematics",
     read_tex,
     {{"", "{", ""}, {"", "\\frac", ""}, {"", "x_", ""}, {"", "\\left(", ""}, {"", "a", ""}}});
const Registered expression({"expression",
                             read_expression,
                             {{"", "(", ""},
                              {"", "-", "1"},
                              {"", "2^", "2"},
                              {"", "1+", "1"},
                              {"", "sqrt(", ""},
                              {"", "9", ""},
                              {"1", " 000", ""},
                              {"0.", "0", "1"}}});
const Registered translations({"translations",
                               read_translations,
                               {{"", "\"a#\" = \"b\"\n", ""},
                                {"", "a.", "b = 1"},
                                {"", "[[a", ""},
                                {"a = ", "[", ""},
                                {"a = ", "{a=", ""},
                                {"a = \"", "x", "\""},
                                {"", "#", ""},
                                {"", "\"{}{}{}#\" = \"{}{}\"\n", ""}}});

}  // namespace
}  // namespace orrery::fuzz::typed
