#include "app/study/translate.h"

#include <algorithm>

#include "app/figure/texts.h"

namespace orrery::study {

using language::Language;

std::string table_words(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

figure::Figure translated(const figure::Figure& figure, Language language) {
  figure::Figure said = figure;
  if (language != Language::en)
    figure::each_text(said, [&](std::string& text) { text = language::translate(language, text); });
  return said;
}

figure::Table translated(const figure::Table& table, Language language) {
  figure::Table said = table;
  said.name = language::translate(language, table_words(table.name));
  for (figure::Column& column : said.columns) {
    column.name = language::translate(language, column.name);
    column.unit = language::translate(language, column.unit);
    if (column.typed) continue;
    for (std::string& word : column.words) word = language::translate(language, word);
  }
  return said;
}

StudyResult translated(const StudyResult& result, Language language) {
  StudyResult said{translated(result.figure, language), {}, result.checks, result.worked};
  for (const figure::Table& table : result.tables) said.tables.push_back(translated(table, language));
  for (Check& check : said.checks) check.statement = language::translate(language, check.statement);
  return said;
}

void each_declared_text(const Study& study, const std::function<void(std::string_view)>& use) {
  const auto say = [&](std::string_view text) {
    if (!text.empty()) use(text);
  };
  for (const std::string_view text :
       {study.title, study.topic, study.summary, study.derivation, study.about, study.source})
    say(text);
  for (const Try& suggestion : study.tries) say(suggestion.text);
  for (const parameter::Parameter& p : study.parameters)
    for (const std::string_view text : {p.label, p.help, p.unit}) say(text);
}

void each_text(const StudyResult& result, const std::function<void(std::string_view)>& use) {
  figure::each_text(result.figure, [&](const std::string& text) { use(text); });
  for (const figure::Table& table : result.tables) {
    use(table_words(table.name));
    for (const figure::Column& column : table.columns) {
      if (!column.name.empty()) use(column.name);
      if (!column.unit.empty()) use(column.unit);
      if (column.typed) continue;
      for (const std::string& word : column.words) use(word);
    }
  }
  for (const Check& check : result.checks) use(check.statement);
}

}  // namespace orrery::study
