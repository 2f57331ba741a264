#include "tests/core/gpu/shader_folder.h"

namespace orrery::gpu::program_gl_test {
namespace {

using ProgramGlTest = GlTest;

std::string failure_of(Device& device, const char* name) {
  try {
    device.program(name);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "it compiled";
}

TEST_F(ProgramGlTest, IsCompiledOnceForEachSetOfDefines) {
  const Program& plain = device->program("rms_norm");
  const std::string define = "WEIGHT";
  const Program& weighted = device->program("rms_norm", {&define, 1});
  EXPECT_NE(plain.id(), weighted.id());
  EXPECT_EQ(plain.id(), device->program("rms_norm").id());
  EXPECT_EQ(&weighted, &device->program("rms_norm", {&define, 1}));
}

TEST_F(ProgramGlTest, IsUnknownByAnyOtherName) {
  EXPECT_THROW(device->program("rms_morn"), InvalidArgument);
}

TEST_F(ProgramGlTest, RefusesAUniformThatIsNotThere) {
  try {
    device->program("rms_norm").set("epsilon", 1.0F);
    FAIL() << "it was set";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "shader rms_norm.comp has no uniform in use named 'epsilon'");
  }
}

// One line, with the place in the file as it is on disk: behind defines, includes and in an include.
TEST_F(ProgramGlTest, NamesThePlaceOfAnError) {
  const ShaderFolder folder;
  folder.write("wrong.comp",
               "#version 430\n"
               "#include \"lib/group.glsl\"\n"
               "\n"
               "void main() { nonsense; }\n");
  const std::string first = failure_of(*device, "wrong");
  EXPECT_TRUE(first.starts_with("shader wrong.comp does not compile: wrong.comp:4: ")) << first;
  EXPECT_NE(first.find("nonsense"), std::string::npos) << first;
  EXPECT_EQ(first.find('\n'), std::string::npos) << first;

  folder.write("lib/wrong.glsl", "// two lines\nfloat twice() { return nonsense; }\n");
  folder.write("wrong.comp",
               "#version 430\n#include \"lib/group.glsl\"\n#include \"lib/wrong.glsl\"\nvoid main() {}\n");
  const std::string second = failure_of(*device, "wrong");
  EXPECT_TRUE(second.starts_with("shader wrong.comp does not compile: lib/wrong.glsl:2: ")) << second;
}

// Live editing: a file that changes is compiled again, one that does not is not, one that breaks leaves the
// old alone.
TEST_F(ProgramGlTest, FollowsTheFileThatIsEdited) {
  const ShaderFolder folder;
  const auto value = [&] {
    const Buffer y_buffer(sizeof(float));
    const Buffer* const buffers[] = {&y_buffer};
    device->dispatch(device->program("edited"), buffers, 1);
    float y = -1;
    y_buffer.read({&y, 1, 1});
    return y;
  };
  const auto write = [&](const std::string& expression) {
    folder.write("edited.comp",
                 "#version 430\n"
                 "layout(local_size_x = 1) in;\n"
                 "layout(std430, binding = 0) writeonly buffer Y { float y[]; };\n"
                 "void main() { y[0] = " +
                     expression + "; }\n");
  };
  write("1.0");
  EXPECT_EQ(value(), 1);
  const unsigned id = device->program("edited").id();
  EXPECT_EQ(value(), 1);
  EXPECT_EQ(device->program("edited").id(), id);
  write("2.0");
  EXPECT_EQ(value(), 2);
  write("nonsense");
  EXPECT_THROW(value(), Failure);
  write("2.0");
  EXPECT_EQ(value(), 2);
}

}  // namespace
}  // namespace orrery::gpu::program_gl_test
