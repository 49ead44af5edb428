// Plans for random programs: the checker accepts them, and so does a machine
// that runs the launches on real bytes.
#include "passes/memory/MemoryPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cstring>
#include <map>
#include <random>

using namespace mlir;
using namespace attnres;

namespace {

/// A random program of the kernels stage over tensors tensor<Nxf32>.
class RandomProgram {
public:
  RandomProgram(MLIRContext &context, unsigned seed, int numLaunches)
      : context(context), random(seed),
        builder(UnknownLoc::get(&context), &context) {
    module = ModuleOp::create(builder.getLoc());
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> arguments;
    for (int i = 0, n = 1 + pick(3); i < n; ++i)
      arguments.push_back(randomType());
    main = func::FuncOp::create(builder, "main",
                                builder.getFunctionType(arguments, {}));
    builder.setInsertionPointToStart(main.addEntryBlock());
    for (BlockArgument argument : main.getArguments())
      values.push_back(argument);
    if (pick(2))
      addConstant();
    for (int i = 0; i < numLaunches; ++i) {
      addLaunch();
      if (pick(4) == 0)
        addView();
      if (pick(6) == 0)
        addConcat();
    }
    addReturn();
  }

  OwningOpRef<ModuleOp> module;

private:
  /// A number in [0, limit).
  int pick(int limit) {
    return std::uniform_int_distribution<>(0, limit - 1)(random);
  }

  RankedTensorType typeOf(int64_t size) {
    return RankedTensorType::get({size}, builder.getF32Type());
  }
  RankedTensorType randomType() {
    static constexpr int64_t sizes[] = {0, 1, 9, 16, 17, 64, 100, 100, 100};
    return typeOf(sizes[pick(9)]);
  }

  /// Recent values are read more often.
  Value randomValue() {
    int count = static_cast<int>(values.size());
    return pick(3) ? values[count - 1 - pick(std::min(count, 4))]
                   : values[pick(count)];
  }

  void addConstant() {
    values.push_back(arith::ConstantOp::create(
        builder, DenseElementsAttr::get(typeOf(9), 1.0f)));
  }

  /// Operands and results are single tensors or lists; results often have the
  /// type of an operand, which the kernel may then overwrite.
  void addLaunch() {
    SmallVector<Value> operands;
    SmallVector<int64_t> operandGroups, resultGroups, inplace;
    SmallVector<Type> kernelInputs, kernelResults, results;
    for (int i = 0, n = 1 + pick(3); i < n; ++i) {
      Value first = randomValue();
      operands.push_back(first);
      if (pick(4)) {
        operandGroups.push_back(-1);
        kernelInputs.push_back(first.getType());
        continue;
      }
      int64_t size = 1;
      for (Value value : values)
        if (value.getType() == first.getType() && size < 3 && pick(2)) {
          operands.push_back(value);
          ++size;
        }
      operandGroups.push_back(size);
      kernelInputs.push_back(
          ListType::get(&context, cast<RankedTensorType>(first.getType())));
    }
    for (int i = 0, n = 1 + pick(2); i < n; ++i) {
      int like = pick(static_cast<int>(kernelInputs.size()) + 1);
      if (like == static_cast<int>(kernelInputs.size())) {
        RankedTensorType type = randomType();
        resultGroups.push_back(-1);
        kernelResults.push_back(type);
        results.push_back(type);
        inplace.push_back(-1);
        continue;
      }
      resultGroups.push_back(operandGroups[like]);
      kernelResults.push_back(kernelInputs[like]);
      results.append(std::max<int64_t>(1, operandGroups[like]),
                     tensorOf(kernelInputs[like]));
      bool isTaken = llvm::is_contained(inplace, like);
      inplace.push_back(pick(3) && !isTaken ? like : -1);
    }
    StringRef kernel = addKernel(kernelInputs, kernelResults, inplace);
    auto launch = LaunchOp::create(builder, results, kernel, operands,
                                   operandGroups, resultGroups);
    for (Value result : launch.getResults()) {
      values.push_back(result);
      launchResults.push_back(result);
    }
  }

  StringRef addKernel(TypeRange inputs, TypeRange results,
                      ArrayRef<int64_t> inplace) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module->getBody());
    auto kernel = KernelOp::create(builder, "k" + std::to_string(numKernels++),
                                   builder.getFunctionType(inputs, results));
    if (pick(4))
      kernel.setInplace(inplace);
    return kernel.getName();
  }

  void addView() {
    Value source = randomValue();
    int64_t size = cast<RankedTensorType>(source.getType()).getDimSize(0);
    if (size < 2)
      return;
    int64_t start = pick(static_cast<int>(size));
    int64_t length = 1 + pick(static_cast<int>(size - start));
    values.push_back(tensor::ExtractSliceOp::create(
        builder, source, ArrayRef<OpFoldResult>{builder.getIndexAttr(start)},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(length)},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(1)}));
  }

  /// Of results that are in no other concatenation.
  void addConcat() {
    SmallVector<Value> parts;
    for (int i = 0; i < 3 && !launchResults.empty(); ++i) {
      auto part = launchResults.begin() + pick(launchResults.size());
      parts.push_back(*part);
      launchResults.erase(part);
    }
    if (!parts.empty())
      values.push_back(tensor::ConcatOp::create(builder, 0, parts));
  }

  void addReturn() {
    SmallVector<Value> returned;
    for (int i = 0; i < 2 && !launchResults.empty(); ++i) {
      auto result = launchResults.begin() + pick(launchResults.size());
      returned.push_back(*result);
      launchResults.erase(result);
    }
    func::ReturnOp::create(builder, returned);
    main.setType(builder.getFunctionType(main.getArgumentTypes(),
                                         ValueRange(returned).getTypes()));
  }

  MLIRContext &context;
  std::mt19937 random;
  ImplicitLocOpBuilder builder;
  func::FuncOp main;
  std::vector<Value> values;
  /// Results of launches that may still be concatenated or returned.
  std::vector<Value> launchResults;
  int numKernels = 0;
};

/// Runs a planned program on real memory: every launch fills its results with
/// bytes of their own, and every operand has to hold the bytes it was given.
class ByteMachine {
public:
  explicit ByteMachine(ModuleOp module)
      : main(module.lookupSymbol<func::FuncOp>("main")) {
    auto bytes = [&](StringRef name) {
      return module->getAttrOfType<IntegerAttr>(name).getInt();
    };
    resize(BufferKind::Workspace, 0, bytes(kWorkspaceBytesAttr));
    resize(BufferKind::Constant, 0, bytes(kConstantBytesAttr));
    for (BlockArgument argument : main.getArguments()) {
      resize(BufferKind::Argument, argument.getArgNumber(),
             tensorBytes(argument));
      fill(argument, BufferAttr::get(main.getContext(), BufferKind::Argument,
                                     argument.getArgNumber(), 0));
    }
    Operation *exit = main.front().getTerminator();
    for (auto [index, value] : llvm::enumerate(exit->getOperands()))
      resize(BufferKind::Result, index, tensorBytes(value));
  }

  void run() {
    for (auto constant : main.getOps<arith::ConstantOp>())
      fill(constant, constant->getAttrOfType<BufferAttr>(kBufferAttr));
    for (Operation &op : main.front().without_terminator()) {
      Value source;
      int64_t offset;
      if (isView(&op, source, offset)) {
        contents[op.getResult(0)] =
            contents[source].substr(offset, tensorBytes(op.getResult(0)));
      } else if (isa<tensor::ConcatOp>(op)) {
        std::string joined; // a new entry moves the others
        for (Value operand : op.getOperands())
          joined += contents[operand];
        contents[op.getResult(0)] = joined;
      } else if (auto launch = dyn_cast<LaunchOp>(op)) {
        for (auto [operand, buffer] : llvm::zip_equal(
                 launch.getInputs(),
                 launch.getOperandBuffersAttr().getAsRange<BufferAttr>()))
          expect(operand, buffer);
        for (auto [result, buffer] : llvm::zip_equal(
                 launch.getResults(),
                 launch.getResultBuffersAttr().getAsRange<BufferAttr>()))
          fill(result, buffer);
      }
    }
    Operation *exit = main.front().getTerminator();
    for (auto [index, value] : llvm::enumerate(exit->getOperands()))
      expect(value,
             BufferAttr::get(main.getContext(), BufferKind::Result, index, 0));
  }

private:
  using Key = std::pair<int, int64_t>;
  static Key key(BufferAttr buffer) {
    return {static_cast<int>(buffer.getKind()), buffer.getIndex()};
  }
  void resize(BufferKind kind, int64_t index, int64_t bytes) {
    memories[{static_cast<int>(kind), index}].assign(bytes, '\0');
  }

  void fill(Value value, BufferAttr buffer) {
    std::string &content = contents[value];
    content.resize(tensorBytes(value));
    for (char &byte : content)
      byte = static_cast<char>(random());
    std::string &memory = memories.at(key(buffer));
    ASSERT_LE(buffer.getOffset() + content.size(),
              content.empty() ? SIZE_MAX : memory.size());
    if (!content.empty())
      std::memcpy(&memory[buffer.getOffset()], content.data(), content.size());
  }

  void expect(Value value, BufferAttr buffer) {
    const std::string &content = contents[value];
    if (content.empty())
      return;
    EXPECT_EQ(
        memories.at(key(buffer)).substr(buffer.getOffset(), content.size()),
        content);
  }

  func::FuncOp main;
  std::mt19937 random{1};
  DenseMap<Value, std::string> contents;
  std::map<Key, std::string> memories;
};

class PlanMemoryTest : public ::testing::Test {
protected:
  PlanMemoryTest() {
    context.loadDialect<AttnresDialect, arith::ArithDialect, func::FuncDialect,
                        tensor::TensorDialect>();
  }

  bool run(ModuleOp module, std::unique_ptr<Pass> pass) {
    PassManager passes(&context);
    passes.addPass(std::move(pass));
    return succeeded(passes.run(module));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};

TEST_F(PlanMemoryTest, RandomPrograms) {
  int64_t inplaceSeen = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomProgram program(context, seed, 1 + seed % 40);
    ModuleOp module = *program.module;
    ASSERT_TRUE(run(module, createPlanMemory()));
    ASSERT_TRUE(run(module, createCheckMemoryPlan()));
    ByteMachine(module).run();
    auto bytes = [&](StringRef name) {
      return module->getAttrOfType<IntegerAttr>(name).getInt();
    };
    EXPECT_GE(bytes(kWorkspaceBytesAttr), bytes(kLiveBytesAttr));
    module.walk([&](LaunchOp launch) {
      for (Attribute result : launch.getResultBuffersAttr())
        for (Attribute operand : launch.getOperandBuffersAttr())
          inplaceSeen += result == operand;
    });
    if (HasFailure())
      return module.dump();
  }
  EXPECT_GT(inplaceSeen, 100) << "the programs hardly work in place";
}

/// Moving one result to where another one lies is noticed, or harmless to
/// every byte that is read later.
TEST_F(PlanMemoryTest, BrokenPlansAreFound) {
  int found = 0;
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomProgram program(context, seed, 20);
    ModuleOp module = *program.module;
    ASSERT_TRUE(run(module, createPlanMemory()));
    std::mt19937 random(seed);
    SmallVector<LaunchOp> launches;
    module.walk([&](LaunchOp launch) { launches.push_back(launch); });
    auto pick = [&] { return launches[random() % launches.size()]; };
    LaunchOp launch = pick();
    auto from = cast<BufferAttr>(launch.getResultBuffersAttr()[0]);
    auto to = cast<BufferAttr>(pick().getResultBuffersAttr()[0]);
    if (from == to || tensorBytes(launch.getResult(0)) == 0)
      continue;
    // Move the value at its definition alone: every use has to object.
    SmallVector<Attribute> moved(launch.getResultBuffersAttr().getValue());
    moved[0] = to;
    launch.setResultBuffersAttr(ArrayAttr::get(&context, moved));
    bool used =
        llvm::any_of(launch.getResult(0).getUsers(),
                     [](Operation *user) { return isa<LaunchOp>(user); });
    bool accepted = run(module, createCheckMemoryPlan());
    EXPECT_FALSE(used && accepted) << "seed " << seed;
    found += !accepted;
  }
  EXPECT_GT(found, 50);
}

} // namespace
