// Hand-written kernels and launches, planned, compiled and run.
#include "tools/compile/EmitProgram.h"

#include "passes/cpu/LowerToLLVM.h"
#include "passes/memory/MemoryPlan.h"
#include "runtime/device/CpuDevice.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace attnres;

namespace {

// out = a + b element by element, and out = sum of a list; 35 elements are cut
// into 5 work items.
constexpr char kKernels[] = R"mlir(
attnres.kernel @add : (tensor<35xf32>, tensor<35xf32>) -> tensor<35xf32>
    inplace [0] flops 35 grid 5 scratch 64
    code(%a: memref<35xf32>, %b: memref<35xf32>, %out: memref<35xf32>,
         %scratch: memref<?xi8>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %from = arith.muli %begin, %c7 : index
  %to = arith.muli %end, %c7 : index
  scf.for %i = %from to %to step %c1 {
    %x = memref.load %a[%i] : memref<35xf32>
    %y = memref.load %b[%i] : memref<35xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %out[%i] : memref<35xf32>
  }
  attnres.return
}
attnres.kernel @sum : (!attnres.list<tensor<35xf32>>) -> tensor<35xf32>
    grid 5 scratch 0 per_item 128
    code(%list: !llvm.ptr, %out: memref<35xf32>, %scratch: memref<?xi8>,
         %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %count = llvm.load %list : !llvm.ptr -> i64
  %n = arith.index_cast %count : i64 to index
  %field = llvm.getelementptr %list[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %data = llvm.load %field : !llvm.ptr -> !llvm.ptr
  %from = arith.muli %begin, %c7 : index
  %to = arith.muli %end, %c7 : index
  scf.for %i = %from to %to step %c1 {
    %i64 = arith.index_cast %i : index to i64
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %j64 = arith.index_cast %j : index to i64
      %slot = llvm.getelementptr %data[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
      %tensor = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      %element = llvm.getelementptr %tensor[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %element : !llvm.ptr -> f32
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    memref.store %s, %out[%i] : memref<35xf32>
  }
  attnres.return
}
)mlir";

// p <- p + (x + 2); y = p + x + (x + 2), which are all alive at the same time.
constexpr char kMain[] = R"mlir(
func.func @main(%p: tensor<35xf32> {attnres.name = "p", attnres.role = #attnres.role<parameter>},
                %x: tensor<5x7xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<35xf32> {attnres.name = "p", attnres.updates = 0 : i64},
        tensor<7x5xf32> {attnres.name = "y"}) {
  %two = arith.constant dense<2.0> : tensor<35xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<5x7xf32> into tensor<35xf32>
  %s = attnres.launch @add (%flat, %two) operand_groups [-1, -1] result_groups [-1]
      : (tensor<35xf32>, tensor<35xf32>) -> tensor<35xf32>
  %y = attnres.launch @sum (%p, %flat, %s) operand_groups [3] result_groups [-1]
      : (tensor<35xf32>, tensor<35xf32>, tensor<35xf32>) -> tensor<35xf32>
  %new = attnres.launch @add (%p, %s) operand_groups [-1, -1] result_groups [-1]
      : (tensor<35xf32>, tensor<35xf32>) -> tensor<35xf32>
  %out = tensor.expand_shape %y [[0, 1]] output_shape [7, 5] : tensor<35xf32> into tensor<7x5xf32>
  return %new, %out : tensor<35xf32>, tensor<7x5xf32>
}
)mlir";

class EmitProgramTest : public ::testing::Test {
protected:
  EmitProgramTest() {
    context.loadDialect<AttnresDialect, arith::ArithDialect, func::FuncDialect,
                        tensor::TensorDialect>();
    cpu::loadCpuDialects(context);
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }

  OwningOpRef<ModuleOp> plan(const std::string &text) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return nullptr;
    PassManager passes(&context);
    passes.addPass(createPlanMemory());
    passes.addPass(createCheckMemoryPlan());
    return succeeded(passes.run(*module)) ? std::move(module) : nullptr;
  }

  MLIRContext context;
};

TEST_F(EmitProgramTest, RunsOnTheDevice) {
  OwningOpRef<ModuleOp> module = plan(std::string(kKernels) + kMain);
  ASSERT_TRUE(module);
  auto program = compileProgram(*module, *createTarget("cpu"));
  ASSERT_TRUE(program.ok()) << program.status().message();

  ASSERT_EQ(program->kernels.size(), 2u);
  const runtime::Kernel &add = program->kernels[0], &sum = program->kernels[1];
  EXPECT_EQ(add.name, "add");
  EXPECT_EQ(add.grid.x, 5);
  EXPECT_EQ(add.scratchBytes, 64);
  EXPECT_EQ(add.flops, 35);
  EXPECT_EQ(add.bytesRead, 2 * 35 * 4);
  EXPECT_EQ(add.bytesWritten, 35 * 4);
  EXPECT_EQ(sum.scratchBytes, 3 * 128);
  EXPECT_EQ(sum.bytesRead, 3 * 35 * 4);
  ASSERT_EQ(program->launches.size(), 3u);
  EXPECT_EQ(program->launches[1].args[0].kind, runtime::Arg::Kind::List);
  EXPECT_EQ(program->workspaceBytes, 192);
  EXPECT_EQ(program->constants.size(), 192u);

  for (int threads : {1, 2}) {
    runtime::CpuOptions options;
    options.threads = threads;
    runtime::CpuDevice device(options);
    auto executable =
        device.load(std::make_shared<const runtime::Program>(*program));
    ASSERT_TRUE(executable.ok()) << executable.status().message();
    alignas(64) float p[35], x[35], y[35];
    for (int i = 0; i < 35; ++i) {
      p[i] = 0.5f * i;
      x[i] = 100.0f - i;
    }
    auto bind = [&](const char *name, runtime::Direction direction,
                    float(&data)[35]) {
      return (*executable)
          ->bind(name, direction, runtime::CpuDevice::shared(data, sizeof data))
          .ok();
    };
    ASSERT_TRUE(bind("p", runtime::Direction::Input, p));
    ASSERT_TRUE(bind("x", runtime::Direction::Input, x));
    ASSERT_TRUE(bind("y", runtime::Direction::Output, y));
    runtime::Executable::RunOptions run;
    run.poison = true;
    ASSERT_TRUE((*executable)->run(run).ok());
    for (int i = 0; i < 35; ++i) {
      EXPECT_EQ(y[i], 0.5f * i + (100.0f - i) + (102.0f - i)) << i;
      EXPECT_EQ(p[i], 0.5f * i + (102.0f - i)) << i;
    }
  }
}

TEST_F(EmitProgramTest, SurvivesItsFile) {
  OwningOpRef<ModuleOp> module = plan(std::string(kKernels) + kMain);
  ASSERT_TRUE(module);
  auto program = compileProgram(*module, *createTarget("cpu"));
  ASSERT_TRUE(program.ok());
  std::string bytes = program->serialize();
  auto read = runtime::Program::parse(bytes, "memory");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->serialize(), bytes);
}

/// The bytes of a program follow from its source alone.
TEST_F(EmitProgramTest, FI7IsDeterministic) {
  std::string first;
  for (int i = 0; i < 2; ++i) {
    OwningOpRef<ModuleOp> module = plan(std::string(kKernels) + kMain);
    auto program = compileProgram(*module, *createTarget("cpu"));
    ASSERT_TRUE(program.ok());
    if (i == 0)
      first = program->serialize();
    else
      EXPECT_EQ(program->serialize(), first);
  }
}

TEST_F(EmitProgramTest, RejectsUnplannedModules) {
  OwningOpRef<ModuleOp> module = parse(std::string(kKernels) + kMain);
  ASSERT_TRUE(module);
  auto program = compileProgram(*module, *createTarget("cpu"));
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message(), "the module has no memory plan");
}

TEST_F(EmitProgramTest, ReportsKernelsThatCannotBeCompiled) {
  std::string text = std::string(kKernels) + kMain;
  // Scratch is bytes.
  size_t scratch = text.find("memref<?xi8>");
  text.replace(scratch, std::string("memref<?xi8>").size(), "memref<?xi16>");
  OwningOpRef<ModuleOp> module = plan(text);
  ASSERT_TRUE(module);
  auto program = compileProgram(*module, *createTarget("cpu"));
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.status().message().find("compiling the kernels failed"),
            std::string::npos)
      << program.status().message();
}

TEST_F(EmitProgramTest, BindingsNeedNames) {
  std::string text = std::string(kKernels) + kMain;
  size_t name = text.find("{attnres.name = \"y\"}");
  text.erase(name, std::string("{attnres.name = \"y\"}").size());
  OwningOpRef<ModuleOp> module = plan(text);
  ASSERT_TRUE(module);
  auto program = compileProgram(*module, *createTarget("cpu"));
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message(), "result 1 of main has no attnres.name");
}

} // namespace
