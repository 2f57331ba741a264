// Every formula of a study is set whole: the program's own setter knows each sign of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/export/setters.h"
#include "app/study/study.h"
#include "app/study/translate.h"

namespace orrery::render::formulas_test {
namespace {

class EveryStudysFormulas : public testing::TestWithParam<const study::Study*> {};

TEST_P(EveryStudysFormulas, AreSetWhole) {
  const study::Study& study = *GetParam();
  const figure::Theme& theme = figure::print_theme();
  const auto setter = exporter::shared_setter(theme.fonts);
  const std::string worked = study.compute(parameter::Settings(study.parameters), study::Run{}).worked;
  EXPECT_FALSE(worked.empty());
  EXPECT_FALSE(setter->formula_warns(worked, 13)) << worked;
  EXPECT_FALSE(setter->formula_warns(study.formula, 16)) << study.formula;
  for (const language::Named& each : language::languages()) {
    const std::string why = language::translate(each.language, study.derivation);
    EXPECT_FALSE(setter->warns(why, {figure::Voice::words, 13, false})) << why;
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudysFormulas,
                         testing::ValuesIn(study::studies().begin(), study::studies().end()),
                         [](const auto& study) {
                           std::string name(study.param->id);
                           std::ranges::replace(name, '/', '_');
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace orrery::render::formulas_test
