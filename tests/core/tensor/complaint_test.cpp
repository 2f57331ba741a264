// An error as data: its parts, and the English line that is made of them.
#include "core/tensor/complaint.h"

#include <gtest/gtest.h>

#include <new>
#include <system_error>

#include "core/tensor/complaint_words.h"
#include "core/tensor/declined.h"
#include "core/tensor/error.h"

namespace orrery::complaint_test {
namespace {

TEST(Complaint, SaysWhatWasFoundAndWhatIsAllowed) {
  const Complaint c = about("max_distance").found(5).allowed("above {}, where the buckets begin to widen", 8);
  EXPECT_EQ(english(c), "max_distance: found 5; allowed: above 8, where the buckets begin to widen");
  EXPECT_EQ(c.found(), "5");
  EXPECT_EQ(c.fault(), words("found {}", 5));
  ASSERT_EQ(c.subject().size(), 1u);
  EXPECT_EQ(c.subject()[0].kind, Subject::Kind::parameter);
  EXPECT_EQ(c.subject()[0].name, name_phrase("max_distance"));
}

TEST(Complaint, KeepsWhatWasFoundApartFromHowItIsSaid) {
  const Complaint c = about("base").found("x").fault("{} is not a number", in_apostrophes("x"));
  EXPECT_EQ(c.found(), "x");
  EXPECT_EQ(english(c), "base: 'x' is not a number");
}

TEST(Complaint, NamesWhatWasProbablyMeant) {
  const Complaint one = about(Subject::Kind::option, "--device").found_text("cup").near({"cpu"});
  EXPECT_EQ(english(one), "--device: found 'cup' (did you mean 'cpu'?)");
  const Complaint several =
      about(Subject::Kind::key, "study").fault("{} is not known", "'x'").near({"a", "b"});
  EXPECT_EQ(english(several), "study: 'x' is not known; nearest: a, b");
}

TEST(Complaint, HasEveryPartOrNone) {
  EXPECT_TRUE(Complaint().empty());
  EXPECT_EQ(english(Complaint()), "");
  EXPECT_EQ(english(about("r1").allowed("a value for each head")), "r1: allowed: a value for each head");
  EXPECT_EQ(english(about("cap").found(0).led_by(", allowed: ").allowed("above {}", 0)),
            "cap: found 0, allowed: above 0");
  EXPECT_EQ(english(about("x").fault("no such parameter").led_by("; there are none")),
            "x: no such parameter; there are none");
  constexpr std::string_view names[] = {"a", "b"};
  EXPECT_EQ(english(about("x").fault("missing").allowed(names)), "x: missing; allowed: a, b");
}

TEST(Complaint, IsToldWhereItHappened) {
  const Complaint inner = about("base").found(0);
  const Complaint c = inner.within(in_file("r.toml", 3, 8));
  EXPECT_EQ(english(c), "r.toml:3:8: base: found 0");
  EXPECT_EQ(english(inner.within(in_file("t.toml", 3))), "t.toml:3: base: found 0");
  EXPECT_EQ(english(inner.within(in_file("t.toml"))), "t.toml: base: found 0");
  EXPECT_TRUE(c.begins_with(Subject::Kind::file, "r.toml"));
  EXPECT_FALSE(c.begins_with(Subject::Kind::parameter, "base")) << "that is the file's";
  EXPECT_EQ(c.inner(), inner);
  EXPECT_EQ(english(inner.inner()), "found 0");
  EXPECT_EQ(Complaint().inner(), Complaint());
}

TEST(Complaint, OfSetNamesTheParameterInOneBreath) {
  const Subject set{Subject::Kind::option, name_phrase("--set")};
  EXPECT_EQ(english(about("base").found(0).within(set)), "--set base: found 0");
  EXPECT_EQ(english(about(Subject::Kind::option, "--set").found_text("x")), "--set: found 'x'");
  const Subject compare{Subject::Kind::option, name_phrase("--compare")};
  EXPECT_EQ(english(about("base").found(0).within(compare)), "--compare: base: found 0");
}

TEST(Complaint, ArgumentsAreOptionsOrKeys) {
  EXPECT_EQ(about_argument("--loop").subject()[0].kind, Subject::Kind::option);
  EXPECT_EQ(about_argument("-o").subject()[0].kind, Subject::Kind::option);
  EXPECT_EQ(about_argument("loop").subject()[0].kind, Subject::Kind::key);
}

TEST(Complaint, PartsThatHoldAPlaceAreNotFilled) {
  EXPECT_EQ(english(words("{} and {}", "{}", "b")), "{} and b");
  EXPECT_EQ(english(words("a {}", words("b {}", 3))), "a b 3");
}

TEST(Complaint, IsSaidPartByPartInAnotherLanguage) {
  const Complaint c = about("base").found("a b").allowed("a number from {} to {}", 1, 2);
  std::vector<std::string> asked;
  const std::string said = in_words(c, [&](const Phrase& phrase, std::span<const std::string> parts) {
    asked.push_back(phrase.text);
    return filled(phrase.text, parts);
  });
  EXPECT_EQ(said, english(c));
  // Names are not asked for: "base", "a b", 1 and 2 are the same in every language.
  EXPECT_EQ(asked, (std::vector<std::string>{": ", "found {}", "; allowed: ", "a number from {} to {}",
                                             "{}{}{}{}{}"}));
}

TEST(Complaint, OfAThreadTooManySaysWhatWasWanted) {
  const std::system_error none(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_EQ(english(complaint_of(none)),
            "no further thread could be started; allowed: with a higher limit of processes (ulimit -u)");
  const std::system_error other(std::make_error_code(std::errc::permission_denied));
  EXPECT_EQ(english(complaint_of(other)), other.what());
}

TEST(Complaint, IsCarriedByEveryException) {
  const Complaint c = about("base").found(0);
  const auto carried = [](auto thrown) {
    try {
      throw thrown;
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), english(complaint_of(error)));
      return complaint_of(error);
    }
  };
  EXPECT_EQ(carried(InvalidArgument(c)), c);
  EXPECT_EQ(carried(Failure(c)), c);
  EXPECT_EQ(carried(Declined(c)), c);
  EXPECT_EQ(complaint_of(std::bad_alloc()).fault(), words("out of memory"));
  EXPECT_EQ(complaint_of(std::runtime_error("of a library")).fault(), foreign("of a library"));
}

}  // namespace
}  // namespace orrery::complaint_test
