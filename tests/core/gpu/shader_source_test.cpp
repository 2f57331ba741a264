// How a shader's text is put together. Needs no device.
#include "tests/core/gpu/shader_folder.h"
#include "tests/support/source.h"

namespace orrery::gpu::shader_source_test {
namespace {

TEST(ShaderText, IsTheFileInTheRepository) {
  for (const char* name : {"rms_norm.comp", "lib/reduce.glsl"}) {
    std::ifstream file(orrery::support::source("shaders/") + name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(shader_text(name), text);
  }
}

TEST(ShaderText, KnowsNoOtherName) {
  try {
    shader_text("rms_morn.comp");
    FAIL() << "it was found";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "no shader named 'rms_morn.comp' in this program");
  }
  EXPECT_THROW(shader_source("rms_morn", {}), InvalidArgument);
}

TEST(ShaderText, ComesFromTheFolderOfTheEnvironment) {
  const ShaderFolder folder;
  folder.write("own.comp", "#version 430\nvoid main() {}\n");
  EXPECT_EQ(shader_text("own.comp"), "#version 430\nvoid main() {}\n");
  EXPECT_THROW(shader_text("absent.comp"), InvalidArgument);
}

TEST(ShaderSource, IncludesEachFileOnceAndKeepsItsPlace) {
  const ShaderFolder folder;
  folder.write("lib/leaf.glsl", "float leaf;\n");
  folder.write("lib/branch.glsl", "#include \"lib/leaf.glsl\"\nfloat branch;\n");
  folder.write("tree.comp",
               "#version 430\n"
               "// the tree\n"
               "#include \"lib/branch.glsl\"\n"
               "#include \"lib/leaf.glsl\"\n"
               "void main() {}\n");
  const std::string defines[] = {"LAYOUT 1", "HALF"};
  EXPECT_EQ(shader_source("tree", defines),
            "#version 430\n"
            "#define LAYOUT 1\n"
            "#define HALF\n"
            "//> tree.comp:2\n"
            "// the tree\n"
            "//> lib/branch.glsl:1\n"
            "//> lib/leaf.glsl:1\n"
            "float leaf;\n"
            "//> lib/branch.glsl:2\n"
            "float branch;\n"
            "//> tree.comp:4\n"
            "//> tree.comp:5\n"
            "void main() {}\n");
}

TEST(ShaderSource, RefusesAnIncludeWithoutAName) {
  const ShaderFolder folder;
  folder.write("bad.comp", "#version 430\n#include <lib/reduce.glsl>\n");
  EXPECT_THROW(shader_source("bad", {}), InvalidArgument);
}

// The same error as three families of drivers word it.
TEST(ShaderError, IsLocatedInItsFile) {
  const ShaderFolder folder;
  folder.write("lib/leaf.glsl", "// leaf\nfloat leaf;\n");
  folder.write("tree.comp", "#version 430\n#include \"lib/leaf.glsl\"\nvoid main() {}\n");
  const std::string source = shader_source("tree", {});
  // 1 #version, 2 mark, 3 mark, 4 and 5 the leaf, 6 mark, 7 main
  EXPECT_EQ(located_error(source, "0:5(7): error: bad leaf\n0:7(1): error: more\n"),
            "lib/leaf.glsl:2: error: bad leaf");
  EXPECT_EQ(located_error(source, "0(7) : error C1503: undefined variable\n"),
            "tree.comp:3: error C1503: undefined variable");
  EXPECT_EQ(located_error(source, "ERROR: 0:7: undeclared identifier x\n"),
            "tree.comp:3: undeclared identifier x");
  EXPECT_EQ(located_error(source, "out of registers\n"), "out of registers");
}

}  // namespace
}  // namespace orrery::gpu::shader_source_test
