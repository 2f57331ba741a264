#include <thread>

#include "core/activation/activation.h"
#include "core/gpu/egl_context.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/core/gpu/shader_folder.h"

namespace orrery::gpu::device_gl_test {
namespace {

using DeviceGlTest = GlTest;

TEST_F(DeviceGlTest, SaysWhatItIs) {
  const DeviceInfo& info = device->info();
  std::printf("    %s, %s, %s%s\n", info.vendor.c_str(), info.renderer.c_str(), info.version.c_str(),
              info.software ? " (software)" : "");
  EXPECT_FALSE(info.renderer.empty());
  EXPECT_GE(std::stod(info.version), 4.3);
  EXPECT_EQ(info.software, is_software_renderer(info.renderer));
}

TEST(SoftwareRenderer, IsKnownByItsName) {
  EXPECT_TRUE(is_software_renderer("llvmpipe (LLVM 15.0.6, 256 bits)"));
  EXPECT_TRUE(is_software_renderer("softpipe"));
  EXPECT_FALSE(is_software_renderer("NVIDIA GeForce RTX 3060/PCIe/SSE2"));
  EXPECT_FALSE(is_software_renderer("Mesa Intel(R) UHD Graphics 620 (KBL GT2)"));
}

TEST(NoDevice, IsAFailureThatNamesTheReason) {
  const Environment off("ORRERY_NO_GPU", "1");
  try {
    const Device device;
    FAIL() << "a device was made";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "no graphics device: switched off by ORRERY_NO_GPU=1");
  }
}

// A thread's own device, too: the failed attempt must not be remembered.
TEST_F(DeviceGlTest, IsTriedAgainAfterAFailure) {
  std::jthread([] {
    {
      const Environment off("ORRERY_NO_GPU", "1");
      EXPECT_THROW(Device::of_this_thread(), Failure);
    }
    EXPECT_NO_THROW(Device::of_this_thread());
  });
}

TEST_F(DeviceGlTest, IsOneToAThread) {
  EXPECT_EQ(device, &Device::of_this_thread());
  std::jthread([this] { EXPECT_NE(device, &Device::of_this_thread()); });
}

/// relu of 1000 values on the calling thread's device, `repeats` times.
void expect_relu_works(int repeats) {
  tensor::Matrix<float> x(10, 100), y(10, 100);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (tensor::Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i - 500 + repeat);
    y.setConstant(-1);
    activation::activation_gpu(Device::of_this_thread(), x, activation::Kind::relu, y);
    ASSERT_TRUE(y == x.cwiseMax(0.0F)) << "repeat " << repeat;
  }
}

TEST_F(DeviceGlTest, WorksBesideOthersOnOtherThreads) {
  std::jthread first([] { expect_relu_works(50); });
  std::jthread second([] { expect_relu_works(50); });
  expect_relu_works(50);
}

// A context that ends takes nothing with it that another one needs.
TEST_F(DeviceGlTest, OutlivesOthers) {
  for (int i = 0; i < 3; ++i) std::jthread([] { expect_relu_works(1); });
  expect_relu_works(1);
}

TEST_F(DeviceGlTest, FoldsMoreGroupsThanADimensionHolds) {
  const ShaderFolder folder;
  folder.write("number.comp",
               "#version 430\n"
               "#include \"lib/group.glsl\"\n"
               "layout(std430, binding = 0) writeonly buffer Y { float y[]; };\n"
               "uniform uint count;\n"
               "void main() {\n"
               "  if (gl_LocalInvocationIndex == 0u && group_index() < count) y[group_index()] = "
               "float(group_index());\n"
               "}\n");
  constexpr tensor::Index count = 65535 + 4465;
  Device& own = *device;
  const Program& program = own.program("number");
  program.set("count", static_cast<unsigned>(count));
  tensor::Matrix<float> y = tensor::Matrix<float>::Constant(1, count, -1);
  const Buffer y_buffer{tensor::View<const float>(y)};
  const Buffer* const buffers[] = {&y_buffer};
  own.dispatch_groups(program, buffers, count, {});
  y_buffer.read(y);
  for (tensor::Index i = 0; i < count; ++i) ASSERT_EQ(y(0, i), static_cast<float>(i));
}

TEST_F(DeviceGlTest, RefusesMoreGroupsThanThereCanBe) {
  const std::string define = "ACTIVATION relu";
  const Program& program = device->program("activation", {&define, 1});
  EXPECT_THROW(device->dispatch(program, {}, 1U << 31), Failure);
  expect_relu_works(1);
}

}  // namespace
}  // namespace orrery::gpu::device_gl_test
