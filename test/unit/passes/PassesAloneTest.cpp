// Every pass alone, on every small module of a list, in a context that has
// loaded nothing but what the module is written with: the pass declares all
// dialects that it creates operations of. It may refuse a module by an error,
// but it neither crashes nor leaves invalid IR.
#include "tools/RegisterAll.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace attnres;

namespace {

const char *const kPasses[] = {
    "attnres-flatten",
    "func.func(attnres-expand-stack)",
    "attnres-record-layers",
    "func.func(attnres-raise-attention)",
    "func.func(attnres-hoist-selections)",
    "func.func(attnres-two-phase)",
    "attnres-differentiate",
    "attnres-index-limits",
    "attnres-sum-gradients",
    "func.func(attnres-recompute)",
    "func.func(attnres-recompute{budget-bytes=0 allow-matmul=true})",
    "func.func(attnres-fold-accumulation)",
    "attnres-optimizer",
    "func.func(attnres-rope-tables)",
    "func.func(attnres-lower-loss)",
    "func.func(attnres-lower-loss{chunk-bytes=1})",
    "func.func(attnres-pack-matmul)",
    "func.func(attnres-pack-matmul{unpacked-rows=0 tile=16})",
    "func.func(attnres-split-reductions)",
    "func.func(attnres-split-reductions{rows=1 most=3})",
    "attnres-lower-tensors",
    "attnres-form-kernels",
    "attnres-form-kernels{max-ops=1}",
    "attnres-share-kernels",
    "attnres-annotate-costs",
    "attnres-annotate-phases",
    "attnres-place-communication",
    "attnres-cut-pipeline",
    "attnres-cut-pipeline{stages=2 stage=1}",
    "attnres-plan-memory",
    "attnres-check-memory-plan",
    "attnres-flash-attention{isa=avx2}",
    "attnres-vectorize-rows{isa=avx2}",
    "attnres-vectorize-columns{isa=avx2}",
    "attnres-tile-matmul{isa=avx2}",
    "attnres-lower-linalg-kernels",
    "attnres-warp-rows",
    "attnres-matrix-code",
    "attnres-thread-operations",
    "attnres-thread-elements",
    "attnres-chunk-kda{isa=avx2}",
    "attnres-grouped-matmul{isa=avx2}",
    "attnres-vectorize-convolution{isa=avx2}",
    "attnres-warp-rows",
    "attnres-thread-operations",
    "attnres-thread-elements",
    "func.func(attnres-decompose)",
    "attnres-interpret",
    "attnres-verify-stage{stage=model}",
    "attnres-verify-stage{stage=naive}",
    "attnres-verify-stage{stage=kernels}",
    "attnres-verify-stage{stage=cpu}",
    "attnres-to-kernels",
    "attnres-to-training{gradients=true optimizer=true}",
    "attnres-to-cpu{target=cpu:avx2}",
    "attnres-to-nvptx{target=sm_80}",
};

const char *const kModules[] = {
    "module {}",
    // Signatures.
    "func.func @main() { return }",
    "func.func private @main(tensor<3xf32>) -> tensor<3xf32>",
    "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : "
    "tensor<3xf32> }",
    "func.func @main(%x: f32) -> f32 { return %x : f32 }",
    "func.func @main(%x: memref<3xf32>, %n: index) { return }",
    "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> { return %x : "
    "tensor<?x4xf32> }",
    "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : "
    "tensor<*xf32> }",
    "func.func @main() -> tensor<3xf32> { %c = arith.constant dense<1.0> : "
    "tensor<3xf32> return %c : tensor<3xf32> }",
    "func.func @main() -> index { %c = arith.constant 1 : index return %c : "
    "index }",
    "func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> { %y = math.exp %x : "
    "tensor<3xf32> return %y : tensor<3xf32> }",
    R"(func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> {
         return %x : tensor<3xf32>
       }
       func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
         %y = call @f(%x) : (tensor<3xf32>) -> tensor<3xf32>
         return %y : tensor<3xf32>
       })",
    R"(func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
         %y = call @main(%x) : (tensor<3xf32>) -> tensor<3xf32>
         return %y : tensor<3xf32>
       })",
    R"(func.func @main(%c: i1, %x: tensor<3xf32>) -> tensor<3xf32> {
         cf.cond_br %c, ^a, ^b(%x : tensor<3xf32>)
       ^a:
         %y = math.exp %x : tensor<3xf32>
         cf.br ^b(%y : tensor<3xf32>)
       ^b(%z: tensor<3xf32>):
         return %z : tensor<3xf32>
       })",
    "func.func @main() { llvm.unreachable }",
    // Operations.
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %e = math.exp %x : "
    "tensor<4xf32> return %e : tensor<4xf32> }",
    "func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> { %e = arith.addf %x, "
    "%x : tensor<4xf64> return %e : tensor<4xf64> }",
    "func.func @main(%x: tensor<4xi4>) -> tensor<4xi4> { %e = arith.addi %x, "
    "%x : tensor<4xi4> return %e : tensor<4xi4> }",
    "func.func @main(%x: tensor<f32>, %y: tensor<0x3xf32>) -> (tensor<f32>, "
    "tensor<0x3xf32>) { %e = arith.addf %x, %x : tensor<f32> %f = arith.negf "
    "%y : tensor<0x3xf32> return %e, %f : tensor<f32>, tensor<0x3xf32> }",
    R"(func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x6xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, %t: tensor<4xi64>) -> (tensor<f32> {attnres.name = "loss"}) {
         %y = attnres.linear %x, %w : tensor<4x6xf32>, tensor<6x6xf32>
         %z = attnres.gelu %y : tensor<4x6xf32>
         %l, %s = attnres.cross_entropy %z, %t : tensor<4x6xf32>, tensor<4xi64>
         return %l : tensor<f32>
       })",
    R"(func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<3x4xf32> {
         %y = attnres.stack %x off : tensor<3x4xf32> {
         ^bb0(%h: tensor<3x4xf32>):
           %v = attnres.linear %h, %w : tensor<3x4xf32>, tensor<4x4xf32>
           attnres.yield %v : tensor<3x4xf32>
         }
         return %y : tensor<3x4xf32>
       })",
    R"(func.func @main(%q: tensor<1x3x2x4xf32>, %k: tensor<1x3x1x4xf32>) -> tensor<1x3x2x4xf32> {
         %r = attnres.rope %q {theta = 1.0e4 : f64} : tensor<1x3x2x4xf32>
         %o, %l = attnres.attention %r, %k, %k {causal} : tensor<1x3x2x4xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>
         return %o : tensor<1x3x2x4xf32>
       })",
    R"(func.func @main(%q: tensor<8xf32>, %g: tensor<8xf32>, %x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
         %h, %l = attnres.depth_attention queries(%q) gains(%g) sources(%x, %x) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
         %i, %m = attnres.depth_attention queries(%q) gains(%g) sources(%x, %x, %h) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
         return %h, %i : tensor<2x8xf32>, tensor<2x8xf32>
       })",
    R"(func.func @main(%x: tensor<2x8xf32>) -> tensor<2x16xf32> {
         %e = tensor.empty() : tensor<2x8xf32>
         %s = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
         %c = tensor.concat dim(1) %s, %x : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
         return %c : tensor<2x16xf32>
       })",
    R"(func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
         %c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> tensor<2x8xf32> {
           %b = math.exp %a : tensor<2x8xf32>
           scf.yield %b : tensor<2x8xf32>
         }
         %s = tensor.extract %y[%c0, %c1] : tensor<2x8xf32>
         %e = tensor.empty() : tensor<2x8xf32>
         %f = linalg.fill ins(%s : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
         return %f : tensor<2x8xf32>
       })",
    R"(func.func @main() -> tensor<4xf32> {
         %e = tensor.empty() : tensor<4xf32>
         return %e : tensor<4xf32>
       })",
    // Kernels that no pass makes.
    R"(attnres.kernel @k(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
         attnres.return %x : tensor<3x4xf32>
       }
       func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
         %y = attnres.launch @k(%x) operand_groups [-1] result_groups [-1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
         return %y : tensor<3x4xf32>
       })",
    R"(attnres.kernel @k(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
         %y = arith.negf %x : tensor<3x4xf32>
         attnres.return %y, %y : tensor<3x4xf32>, tensor<3x4xf32>
       }
       func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
         %y:2 = attnres.launch @k(%x) operand_groups [-1] result_groups [-1, -1] : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
         return %y#0 : tensor<3x4xf32>
       })",
    R"(attnres.kernel @k(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<5x4xf32>) {
         %a = arith.negf %x : tensor<3x4xf32>
         %b = arith.negf %y : tensor<5x4xf32>
         attnres.return %a, %b : tensor<3x4xf32>, tensor<5x4xf32>
       })",
    R"(attnres.kernel @k(%a: tensor<4xf32>, %x: tensor<5x4xf32>) -> tensor<4xf32> {
         %b = attnres.sum_rows %x : tensor<5x4xf32>
         attnres.return %b : tensor<4xf32>
       })",
    "attnres.kernel @k : (tensor<3xf32>) -> tensor<3xf32>",
    R"(attnres.kernel @k(%x: tensor<3xf32>) -> tensor<3xf32> {
         %c = arith.constant dense<2.0> : tensor<3xf32>
         %e = tensor.empty() : tensor<3xf32>
         %r = linalg.add ins(%x, %c : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
         attnres.return %r : tensor<3xf32>
       })",
    R"(attnres.kernel @k(%x: tensor<3xi4>) -> tensor<3xi4> {
         %r = linalg.copy ins(%x : tensor<3xi4>) outs(%x : tensor<3xi4>) -> tensor<3xi4>
         attnres.return %r : tensor<3xi4>
       })",
};

class PassesAlone : public ::testing::TestWithParam<const char *> {};

TEST_P(PassesAlone, RefuseOrKeepValid) {
  static const DialectRegistry &registry = *[] {
    attnres::registerAllPasses();
    auto *registry = new DialectRegistry();
    attnres::registerAllDialects(*registry);
    return registry;
  }();
  for (const char *text : kModules) {
    SCOPED_TRACE(text);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    unsigned errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    });
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << "does not parse";
    PassManager passes(&context);
    ASSERT_TRUE(succeeded(parsePassPipeline(GetParam(), passes)));
    passes.enableVerifier(false);
    bool ran = succeeded(passes.run(*module));
    if (ran)
      EXPECT_TRUE(succeeded(verify(*module))) << "left invalid IR";
    else
      EXPECT_EQ(errors, 1u) << "refused without a reason, or with several";
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, PassesAlone, ::testing::ValuesIn(kPasses));

} // namespace
