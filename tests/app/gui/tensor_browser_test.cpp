// Files of tensors in the window: browsed, searched, looked into, given to a study; by mouse and by keys.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/gui/tensor_lookup.h"
#include "app/gui/tensor_rows.h"
#include "core/file/npy.h"
#include "tests/app/gui/harness.h"
#include "tests/app/gui/screen.h"
#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::tensor_browser_test {
namespace {

namespace fs = std::filesystem;
using support::float_bytes;

std::vector<study::TensorEntry> entries(const std::vector<std::string>& names) {
  std::vector<study::TensorEntry> all;
  for (const std::string& name : names)
    all.push_back({.name = name, .dtype = "F32", .shape = "2", .bytes = 8});
  return all;
}

std::string rows_text(const std::vector<TensorRow>& rows, const std::vector<study::TensorEntry>& tensors) {
  std::string text;
  for (const TensorRow& row : rows)
    text += row.head ? "[" + row.layer + (row.folded ? " +" : "") + "]" : tensors[row.tensor].name + " ";
  return text;
}

TEST(TensorRowsTest, LayersAreCountedAsAPersonCounts) {
  EXPECT_EQ(layer_of("model.layers.12.mlp.up_proj.weight"), "model.layers.12");
  EXPECT_EQ(layer_of("h.0.ln_1.weight"), "h.0");
  EXPECT_EQ(layer_of("model.norm.weight"), "");
  EXPECT_EQ(layer_of("layers.3"), "") << "nothing follows the number";
  const auto tensors = entries({"m.layers.10.a", "embed", "m.layers.2.a", "m.layers.2.b", "norm"});
  EXPECT_EQ(rows_text(tensor_rows(tensors, "", {}), tensors), "embed norm [m.layers.2 +][m.layers.10 +]");
  EXPECT_EQ(rows_text(tensor_rows(tensors, "", {"m.layers.2"}), tensors),
            "embed norm [m.layers.2]m.layers.2.a m.layers.2.b [m.layers.10 +]");
  EXPECT_EQ(rows_text(tensor_rows(tensors, ".A", {}), tensors),
            "[m.layers.2]m.layers.2.a [m.layers.10]m.layers.10.a ");
  EXPECT_EQ(tensor_rows(tensors, "", {})[2].bytes, 16u);
  EXPECT_TRUE(tensor_rows(tensors, "nothing", {}).empty());
}

/// A model of 60 tensors in two files, as it is downloaded.
class TensorBrowserTest : public testing::Test {
 protected:
  TensorBrowserTest() {
    fs::create_directories(model);
    std::vector<support::RawTensor> first{{"model.norm.weight", "F32", "[4]", float_bytes({1, 1.5, -2, 0})}},
        second;
    std::string map = R"("model.norm.weight":"model-00001-of-00002.safetensors")";
    for (int layer = 0; layer < 30; ++layer)
      for (const char* name : {"ln.weight", "wq.weight"}) {
        const std::string whole = "model.layers." + std::to_string(layer) + "." + name;
        (layer < 15 ? first : second).push_back({whole, "F32", "[2,2]", float_bytes({1, 2, 3, 4})});
        map += ",\"" + whole + "\":\"model-0000" + (layer < 15 ? "1" : "2") + "-of-00002.safetensors\"";
      }
    support::put(model / "model-00001-of-00002.safetensors", support::safetensors_bytes(first));
    support::put(model / "model-00002-of-00002.safetensors", support::safetensors_bytes(second));
    support::put(index, "{\"weight_map\":{" + map + "}}");
    tensor::Array states = tensor::Array::zeros(tensor::Format::f32, {3, 4});
    file::write_npy(npy, states);
  }

  const support::TemporaryFolder folder;
  const fs::path model = folder / "llama", index = model / "model.safetensors.index.json",
                 npy = folder / "states.npy";
};

TEST_F(TensorBrowserTest, AFolderIsBrowsedAndATensorGivenToAStudy) {
  Harness h;
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  h.take(model);
  h.frames(3);
  h.item("tensor:model.norm.weight");
  EXPECT_FALSE(h.ui.items.find("tensor:model.layers.2.wq.weight")) << "of 61 tensors layers are folded";
  h.click("layer:model.layers.2");
  h.click("tensor:model.layers.2.wq.weight");
  h.frames(2);
  h.item("tensor-figure");
  h.click("use:norm/compare.states");
  h.settle();
  EXPECT_EQ(h.app.study().id, "norm/compare");
  EXPECT_EQ(h.app.settings().file("states"), model.string() + "/#model.layers.2.wq.weight");
  EXPECT_EQ(english(h.app.error()), "");
  EXPECT_FALSE(h.ui.items.find("tensor-search")) << "the dialog is closed";
}

TEST_F(TensorBrowserTest, ATensorIsFoundByKeysAlone) {
  Harness h({1280, 800});
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.take(index);
  h.frames(3);
  h.type("S.17.LN");
  h.frames(2);
  h.item("tensor:model.layers.17.ln.weight");
  EXPECT_FALSE(h.ui.items.find("tensor:model.norm.weight"));
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.settings().file("states"), index.string() + "#model.layers.17.ln.weight");

  h.take(index);
  h.frames(3);
  h.key(Key::down);  // from the norm to the head of layer 0
  h.key(Key::right);
  h.frames(2);
  h.item("tensor:model.layers.0.ln.weight");
  h.key(Key::left);
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("tensor:model.layers.0.ln.weight"));
  h.key(Key::enter);  // a head is unfolded, not taken
  h.frames(2);
  h.key(Key::down);
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.settings().file("states"), index.string() + "#model.layers.0.ln.weight");
}

TEST_F(TensorBrowserTest, EnterThatIsHeldUnfoldsALayerOnce) {
  Harness h({1280, 800});
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.take(index);
  h.frames(3);
  h.key(Key::down);
  h.hold({Key::enter});
  h.item("tensor:model.layers.0.ln.weight");
  h.key(Key::down);
  h.hold({Key::enter});
  h.settle();
  EXPECT_EQ(h.app.settings().file("states"), index.string() + "#model.layers.0.ln.weight");
}

TEST_F(TensorBrowserTest, ANumPyFileAsksWhatItIsFor) {
  Harness h;
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  h.take(npy);
  h.frames(3);
  EXPECT_EQ(h.app.study().id, "activation/functions");
  h.item("tensor-figure");
  h.click("use:norm/compare.states");
  h.settle();
  EXPECT_EQ(h.app.settings().file("states"), npy.string());
  // Open is for the study that is open, where that takes it; it asks no second time.
  h.take(npy);
  h.frames(3);
  h.click("picker-open");
  h.settle();
  EXPECT_FALSE(h.ui.items.find("tensor-search"));
  EXPECT_EQ(h.app.study().id, "norm/compare");
}

TEST_F(TensorBrowserTest, TheProgramIsQuitFromTheDialogsToo) {
  Harness h({1280, 800});
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  bool closed = false;
  h.after_frame = [&] { closed = closed || h.wishes.close; };
  const auto quits = [&] {
    closed = false;
    h.key(Key::q, true);
    return closed;
  };
  h.key(Key{'O'}, true);
  h.frames(3);
  h.item("picker-path");
  EXPECT_TRUE(quits());
  h.key(Key::escape);
  h.take(npy);
  h.frames(3);
  h.item("tensor-search");
  EXPECT_TRUE(quits());
  // What else has keys waits for the dialog's end.
  h.key(Key{'B'}, true);
  EXPECT_TRUE(h.app.document().panes.list_shown);
}

TEST_F(TensorBrowserTest, OneClickShowsScoresOfHiddenStates) {
  Harness h;
  h.app.start_with(study::find("attention/scores"));
  h.settle();
  const fs::path states = folder / "hidden.npy";
  file::write_npy(states, tensor::Array::zeros(tensor::Format::f32, {5, 128}));
  h.take(states);
  h.frames(3);
  h.click("use:attention/scores.hidden");
  h.settle();
  EXPECT_EQ(h.app.settings().file("hidden"), states.string());
  EXPECT_EQ(h.app.settings().choice("content"), "projections") << "else the file would not be read";
  EXPECT_EQ(english(h.app.error()), "");
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.settings().choice("content"), "words") << "one step back";
}

TEST_F(TensorBrowserTest, AParametersOwnDialogHasNoOtherUses) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.click("browse:states");
  h.frames(3);
  h.type((model / "model-00001-of-00002.safetensors").c_str());
  h.key(Key::enter);
  h.frames(3);
  h.item("tensor:model.norm.weight");
  EXPECT_FALSE(h.ui.items.find("use:norm/compare.states"));
  h.click("picker-cancel");  // back to the folder
  h.frames(3);
  h.item("entry:model-00001-of-00002.safetensors");
}

TEST_F(TensorBrowserTest, WhatCannotBeReadIsSaidBesideTheList) {
  Harness h;
  h.settle();
  h.take(index);
  h.frames(3);
  fs::resize_file(model / "model-00001-of-00002.safetensors", 100);
  h.click("layer:model.layers.1");
  h.click("tensor:model.layers.1.ln.weight");
  h.frames(2);
  h.item("tensor-error");
  EXPECT_FALSE(h.ui.items.find("tensor-figure"));
  // A shard that is gone is said where it was opened.
  h.key(Key::escape);
  h.frames(2);
  fs::remove(model / "model-00002-of-00002.safetensors");
  h.take(index);
  h.frames(3);
  h.item("picker-error");
}

TEST_F(TensorBrowserTest, WhatAnIndexLeavesOutIsSaid) {
  support::put(index, R"({"weight_map":{"model.norm.weight":"model-00001-of-00002.safetensors"}})");
  Harness h;
  h.settle();
  h.take(index);
  h.frames(3);
  h.item("tensor-remark");
  EXPECT_FALSE(h.ui.items.find("layer:model.layers.1"));
  h.key(Key::escape);
  h.frames(2);
  h.take(npy);
  h.frames(3);
  EXPECT_FALSE(h.ui.items.find("tensor-remark")) << "that of another file";
}

/// 20 GB would take a minute: another choice, and the end of the dialog, leave it at once.
TEST_F(TensorBrowserTest, ALargeTensorIsLeftForAnother) {
  const fs::path path = folder / "big.safetensors";
  const std::string header =
      R"({"big":{"dtype":"F32","shape":[5000000000],"data_offsets":[0,20000000000]},)"
      R"("small":{"dtype":"F32","shape":[0],"data_offsets":[20000000000,20000000000]}})";
  support::put(path, support::safetensors_packed(header, ""));
  std::error_code error;
  fs::resize_file(path, 8 + header.size() + 20'000'000'000, error);
  if (error) GTEST_SKIP() << "no sparse file of 20 GB here: " << error.message();
  TensorLookup lookup;
  lookup.want(path.string() + "#big");
  const auto progress = lookup.progress();
  const auto eventually = [](auto done) {
    for (int i = 0; i < 5000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return done();
  };
  EXPECT_TRUE(eventually([&] { return progress->read > 0; }));
  lookup.want(path.string() + "#small");
  EXPECT_TRUE(progress->stop);
  EXPECT_TRUE(eventually([&] {
    lookup.want(path.string() + "#small");
    return lookup.look() != nullptr;
  }));
  EXPECT_TRUE(lookup.look()->figure.panels.empty()) << "it has no numbers";
  // Nobody holds what was left but this test: its thread has ended.
  EXPECT_TRUE(eventually([&] { return progress.use_count() == 1; }));
  EXPECT_LT(progress->read, 5'000'000'000u);
}

/// The least and the largest scale, and a window that is smaller than the dialog would be.
TEST_F(TensorBrowserTest, IsDrawnAtEveryScaleAndSize) {
  struct Case {
    ImVec2 size;
    float scale;
  };
  for (const auto& [size, scale] : {Case{{1280, 800}, 0.5f}, Case{{1280, 800}, 3}, Case{{420, 320}, 2}}) {
    Harness h(size);
    h.app.start_with(study::find("activation/functions"));
    h.settle();
    h.ui.set_scale(scale, 1);
    h.app.preferences.language = scale == 2 ? "zh" : "en";
    h.take(index);
    h.frames(4);
    const ItemBox field = h.item("tensor-search"), open = h.item("picker-open");
    EXPECT_GE(field.low.x, 0) << scale;
    EXPECT_LE(open.high.x, size.x) << scale;
    EXPECT_LE(open.high.y, size.y) << scale;
    const std::string& doubled = h.ui.items.doubled();
    EXPECT_TRUE(doubled.empty() || doubled.starts_with("handle:")) << doubled;
  }
}

TEST_F(TensorBrowserTest, IsPaintedInBothThemesGlTest) {
  Target target(1280, 800);
  if (!target.context.ready) GTEST_SKIP() << "no OpenGL 3.3 through EGL on this machine";
  Screen screen(target);
  Harness& h = screen.window;
  for (const char* theme : {"dark", "light"}) {
    h.app.preferences.theme = theme;
    h.settle();
    h.take(index);
    h.frames(4);
    EXPECT_GT(screen.colours(h.item("tensor-figure")), 20u) << theme;
    EXPECT_GT(screen.colours(h.item("tensor:model.norm.weight")), 8u) << theme;
    const auto pictures = fs::read_symlink("/proc/self/exe").parent_path() / "gui-pictures";
    fs::create_directories(pictures);
    screen.save(pictures / ("tensors-" + std::string(theme) + ".png"));
    h.key(Key::escape);
    h.frames(2);
  }
}

}  // namespace
}  // namespace orrery::gui::tensor_browser_test
