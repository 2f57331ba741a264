// What attention/memory says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/attention/measured_machine.h"
#include "app/study/kit/expects.h"
#include "app/study/model/cards.h"
#include "core/parameter/parameter.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// DeepSeek-AI 2025, arXiv 2505.09343, table 1; the others are 2 L H_kv 2 d of their files.
TEST(AttentionMemoryStudy, BytesATokenAreThePublishedOnes) {
  const auto result = compute("attention/memory", {});
  const auto bytes = [&](const char* model) { return at(result, "models", "cache a token", model); };
  EXPECT_EQ(bytes("DeepSeek V3"), 70272);
  EXPECT_EQ(bytes("Llama 3.1 405B"), 516096);
  EXPECT_EQ(bytes("Llama 2 70B"), 327680);
  EXPECT_EQ(bytes("Llama 2 7B"), 524288);
  EXPECT_EQ(bytes("Llama 3.1 8B"), 131072);
  EXPECT_EQ(bytes("BERT base"), 0);
  EXPECT_EQ(bytes("T5 small"), 2 * 2 * 6 * 2 * 512);  // its own and the source's
  EXPECT_TRUE(all_hold(result));
}

TEST(AttentionMemoryStudy, SmallFormatsHaveScales) {
  const auto kept = [](const char* format, const char* scales) {
    return at(compute("attention/memory", {{"cache", format}, {"scales", scales}}), "sharing",
              "cache a token",
              "GQA") /
           65536;  // 32 layers, 8 heads, 2 of 128 numbers
  };
  EXPECT_EQ(kept("bf16", "32"), 2);
  EXPECT_EQ(kept("f32", "32"), 4);
  EXPECT_EQ(kept("int8", "32"), 34.0 / 32);  // a block of 34 bytes, as llama.cpp's q8_0
  EXPECT_EQ(kept("int4", "32"), 18.0 / 32);  // of 18, as its q4_0
  EXPECT_EQ(kept("int4", "none"), 0.5);
}

/// Gemma 3 1B: 4 of 26 layers see all, the others 512 tokens; one key head of 256.
TEST(AttentionMemoryStudy, WindowsKeepWhatTheySee) {
  const auto kept = [](const char* windows) {
    return at(
        compute("attention/memory", {{"model", "gemma-3-1b"}, {"length", "10000"}, {"windows", windows}}),
        "sharing", "cache", "MQA");
  };
  EXPECT_EQ(kept("on"), 2 * 2 * 256 * (4 * 10000.0 + 22 * 512));
  EXPECT_EQ(kept("off"), 2 * 2 * 256 * 26 * 10000.0);
}

TEST(AttentionMemoryStudy, SpeedIsBandwidthOverBytes) {
  const auto result =
      compute("attention/memory", {{"model", "llama-2-7b"}, {"length", "4096"}, {"machine", "a100"}});
  const double matrices = 32 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 32000.0 * 4096;
  EXPECT_NEAR(at(result, "steps", "tokens a second", "writing"), 2039e9 / (2 * matrices + 0x1p31), 1e-9);
  EXPECT_EQ(at(result, "crossings", "value", "ridge, operations a byte"), 312e12 / 2039e9);
}

constexpr const char* kept_machine = "Some processor, 2 threads, 2026-11-25; 200 Gflop/s; 40 GB/s";

TEST(AttentionMemoryStudy, AMeasuredMachineIsReadAsItWasWritten) {
  using namespace attention_memory;
  const MeasuredMachine machine = measured_machine(kept_machine);
  EXPECT_EQ(text_of(machine), kept_machine);
  EXPECT_EQ(machine.limits.gigaflops, 200);
  EXPECT_EQ(machine.limits.gigabytes, 40);
  for (const char* text : {"x", ";;", "a; 1 Gflop/s", "a; 1 GB/s; 1 Gflop/s", "a; 0 Gflop/s; 1 GB/s",
                           "a; nan Gflop/s; 1 GB/s", "a; 1 Gflop/s; -1 GB/s", "a; 1 Gflop/s; 1 GB/s; 2 GB/s"})
    EXPECT_THROW(measured_machine(text), InvalidArgument) << text;
  EXPECT_GT(shipped_machine().limits.gigabytes, 1);
}

TEST(AttentionMemoryStudy, AMeasuredMachineIsALineLikeATypedOne) {
  const auto measured = compute("attention/memory", {{"machine", "measured"}, {"results", kept_machine}}),
             typed =
                 compute("attention/memory", {{"machine", "own"}, {"tflops", "0.2"}, {"bandwidth", "40"}});
  EXPECT_EQ(column(measured, "steps", "tokens a second"), column(typed, "steps", "tokens a second"));
  EXPECT_EQ(column(measured, "machine", "GB/s"), std::vector<double>{40});
  EXPECT_TRUE(measured.keeps.empty()) << "nothing was measured";
  EXPECT_EQ(measured.figure.panels[3].title, "On the roofline of “Some processor, 2 threads, 2026-11-25”");
}

TEST(AttentionMemoryStudy, WhatIsMeasuredHereIsKept) {
  const auto result = compute("attention/memory", {{"machine", "measured"}, {"measure", "on"}});
  EXPECT_TRUE(all_hold(result));
  ASSERT_TRUE(result.keeps.starts_with("measure=off results='")) << result.keeps;
  const std::string kept = result.keeps.substr(21, result.keeps.size() - 22);
  const auto again = compute("attention/memory", {{"machine", "measured"}, {"results", kept.c_str()}});
  EXPECT_EQ(column(again, "steps", "tokens a second"), column(result, "steps", "tokens a second"))
      << "what is drawn is what is kept";
}

figure::Panel sharing_panel_of(const char* texts, const char* length) {
  const auto result = compute("attention/memory", {{"texts", texts}, {"length", length}});
  for (const figure::Panel& panel : result.figure.panels)
    if (panel.title.starts_with("At this length")) return panel;
  ADD_FAILURE() << "no such panel";
  return {};
}

/// Llama 3.1 8B with a head for each query keeps 512 KiB a token: 4 GiB in 8192, and 2 PiB in 4096 texts of 2^20.
TEST(AttentionMemoryStudy, TheAxisCountsInTheUnitOfTheLongestBar) {
  const auto usual = sharing_panel_of("1", "8192"), most = sharing_panel_of("4096", "1048576");
  EXPECT_EQ(usual.x.label, "cache / GiB");
  EXPECT_DOUBLE_EQ(usual.x.range->hi, 1.02 * 4);
  EXPECT_EQ(most.x.label, "cache / PiB");
  EXPECT_DOUBLE_EQ(most.x.range->hi, 1.02 * 2);
}

/// Words above a bar have what is free between it and the one before, and the width of the axis.
TEST(AttentionMemoryStudy, WordsAboveBarsHaveARoom) {
  const auto panel = sharing_panel_of("1", "8192");
  int notes = 0;
  for (const figure::Mark& mark : panel.marks)
    if (const auto* note = std::get_if<figure::Note>(&mark)) {
      ++notes;
      EXPECT_EQ(note->room, panel.x.range->hi);
      EXPECT_GT(note->room_y, 0.5);
      EXPECT_LE(note->room_y, 1 - 0.36 + 0.08);  // from the bar before it
    }
  EXPECT_EQ(notes, 4);
}

/// Its choice of models are all that are carded, but those that keep nothing.
TEST(AttentionMemoryStudy, OffersEveryModelThatKeepsACache) {
  std::vector<std::string_view> all;
  for (const std::string_view name : card_names())
    if (published_card(name).stacks != model::Stacks::encoder) all.push_back(name);
  EXPECT_EQ(parameter::choices_of(find("attention/memory").parameters[0]), all);
}

namespace attention_memory_title {

double bytes_said(const std::string& text) {
  const std::size_t space = text.rfind(' ');
  const std::string unit = text.substr(space + 1);
  double factor = 1;
  for (const char* each : {"B", "KiB", "MiB", "GiB", "TiB", "PiB"}) {
    if (unit == each) return factor * titles::number_of(text.substr(0, space));
    factor *= 1024;
  }
  return std::nan("");
}

bool near(double said, double value) {
  return std::abs(said - value) <= 0.5e-3 * value;  // four digits
}

/// "Llama 3.1 8B: 128 KiB of cache a token, 1 GiB for 1 × 8192 tokens, at most 197 tokens a second"
bool says_the_cache(const titles::Said& said) {
  const auto part = said.as("{}: {} of cache a token, {} for {} × {} tokens, at most {} tokens a second");
  if (!part) return false;
  const auto writing = [&](const char* name) { return said.column("steps", name).front(); };
  const auto& a_token = said.column("sharing", "cache a token");
  const bool one_of_them =
      std::ranges::any_of(a_token, [&](double x) { return near(bytes_said((*part)[1]), x); });
  return one_of_them && near(bytes_said((*part)[2]), writing("cache")) &&
         titles::number_of((*part)[3]) == static_cast<double>(said.settings.integer("texts")) &&
         titles::number_of((*part)[4]) == static_cast<double>(said.settings.integer("length")) &&
         titles::says((*part)[5], writing("tokens a second"), 3);
}

/// “AMD EPYC, 2 threads, 2026-11-23”
bool names_the_machine(const titles::Said& said) {
  const auto part = said.as("On the roofline of “{}”");
  const std::string& kept = said.settings.text("results");
  return part && said.settings.choice("machine") == "measured" &&
         (kept.empty() || kept.starts_with(part->front()));
}

const titles::Entries entries{{"attention/memory", says_the_cache, names_the_machine}};

}  // namespace attention_memory_title

}  // namespace
}  // namespace orrery::study
