//===- BuiltinDerivativeTest.cpp - derivatives of other dialects ----------===//
//
// G-10: operations of arith, math, linalg, tensor, scf and func against
// differences.
// Values are moved to where a function is smooth: away from 0 where it has a
// kink or a pole.
//
//===----------------------------------------------------------------------===//
#include "test/unit/dialect/DerivativeCheck.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

/// One function of tensor<3x5xf32>; %x is any number, %p positive, %u in (0,
/// 1).
class UnaryDerivative : public ::testing::TestWithParam<const char *> {};

TEST_P(UnaryDerivative, MatchesDifferences) {
  std::string text = R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %tenth = arith.constant dense<0.25> : tensor<3x5xf32>
      %one = arith.constant dense<1.0> : tensor<3x5xf32>
      %square = arith.mulf %x, %x : tensor<3x5xf32>
      %p = arith.addf %square, %tenth : tensor<3x5xf32>
      %above = arith.addf %p, %one : tensor<3x5xf32>
      %u = arith.divf %p, %above : tensor<3x5xf32>
      %y = )" + std::string(GetParam()) +
                     R"( : tensor<3x5xf32>
      return %y : tensor<3x5xf32>
    })";
  checkDerivative(text);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, UnaryDerivative,
    ::testing::Values("math.exp %x", "math.exp2 %x", "math.expm1 %x",
                      "math.log %p", "math.log2 %p", "math.log10 %p",
                      "math.log1p %p", "math.sqrt %p", "math.rsqrt %p",
                      "math.cbrt %p", "math.sin %x", "math.cos %x",
                      "math.tan %u", "math.sinh %x", "math.cosh %x",
                      "math.tanh %x", "math.atan %x", "math.asin %u",
                      "math.acos %u", "math.asinh %x", "math.acosh %above",
                      "math.atanh %u", "math.erf %x", "math.erfc %x",
                      "math.absf %x", "arith.negf %x"));

class BinaryDerivative : public ::testing::TestWithParam<const char *> {};

TEST_P(BinaryDerivative, MatchesDifferences) {
  std::string text = R"(
    func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %tenth = arith.constant dense<0.25> : tensor<3x5xf32>
      %low = arith.constant dense<-0.5> : tensor<3x5xf32>
      %square = arith.mulf %y, %y : tensor<3x5xf32>
      %p = arith.addf %square, %tenth : tensor<3x5xf32>
      %z = )" + std::string(GetParam()) +
                     R"( : tensor<3x5xf32>
      return %z : tensor<3x5xf32>
    })";
  checkDerivative(text);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, BinaryDerivative,
    ::testing::Values("arith.addf %x, %y", "arith.subf %x, %y",
                      "arith.mulf %x, %y", "arith.divf %x, %p",
                      "arith.remf %x, %p", "arith.maximumf %x, %y",
                      "arith.minimumf %x, %y", "arith.maxnumf %x, %y",
                      "arith.minnumf %x, %y", "math.powf %p, %x",
                      "math.atan2 %x, %p", "math.copysign %x, %y",
                      "math.fma %x, %y, %p", "math.clampf %x to [%low, %p]"));

TEST(BuiltinDerivative, SelectByComparison) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %c = arith.cmpf olt, %x, %y : tensor<3x5xf32>
      %s = arith.mulf %x, %x : tensor<3x5xf32>
      %r = arith.select %c, %s, %y : tensor<3x5xi1>, tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    })");
}

/// What is rounded to an integer is constant: the gradient is that of the rest.
TEST(BuiltinDerivative, RoundingIsConstant) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %floor = math.floor %x : tensor<3x5xf32>
      %i = arith.fptosi %x : tensor<3x5xf32> to tensor<3x5xi32>
      %f = arith.sitofp %i : tensor<3x5xi32> to tensor<3x5xf32>
      %a = arith.mulf %x, %floor : tensor<3x5xf32>
      %b = arith.mulf %a, %f : tensor<3x5xf32>
      %c = arith.addf %b, %floor : tensor<3x5xf32>
      return %c : tensor<3x5xf32>
    })");
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

TEST(BuiltinDerivative, Slices) {
  checkDerivative(R"(
    func.func @main(%x: tensor<5x7xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) {
      %c1 = arith.constant 1 : index
      %a = tensor.extract_slice %x[%c1, 0] [2, 3] [2, 3] : tensor<5x7xf32> to tensor<2x3xf32>
      %b = tensor.extract_slice %x[3, 0] [1, 7] [1, 1] : tensor<5x7xf32> to tensor<7xf32>
      %c = tensor.insert_slice %y into %x[1, %c1] [2, 3] [1, 2] : tensor<2x3xf32> into tensor<5x7xf32>
      %d = tensor.insert_slice %b into %x[2, 0] [1, 7] [1, 1] : tensor<7xf32> into tensor<5x7xf32>
      return %a, %b, %c, %d : tensor<2x3xf32>, tensor<7xf32>, tensor<5x7xf32>, tensor<5x7xf32>
    })");
}

TEST(BuiltinDerivative, ConcatenationAndShapes) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> (tensor<2x10xf32>, tensor<6x1xf32>) {
      %a = tensor.concat dim(1) %x, %y, %x : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x10xf32>
      %b = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
      %c = tensor.expand_shape %b [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
      return %a, %c : tensor<2x10xf32>, tensor<6x1xf32>
    })");
}

TEST(BuiltinDerivative, Padding) {
  checkDerivative(R"(
    func.func @main(%x: tensor<2x3xf32>) -> tensor<5x4xf32> {
      %one = arith.constant 1.0 : f32
      %a = tensor.pad %x low[1, 0] high[2, 1] {
      ^bb0(%i: index, %j: index):
        tensor.yield %one : f32
      } : tensor<2x3xf32> to tensor<5x4xf32>
      return %a : tensor<5x4xf32>
    })");
}

TEST(BuiltinDerivative, Elements) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<2x2xf32>, tensor<2x3xf32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %x[%c1, %c2] : tensor<3x4xf32>
      %b = tensor.extract %x[%c2, %c1] : tensor<3x4xf32>
      %p = arith.mulf %a, %b : f32
      %i = tensor.insert %p into %x[%c1, %c1] : tensor<3x4xf32>
      %e = tensor.from_elements %a, %p, %b, %p : tensor<2x2xf32>
      %s = tensor.splat %p : tensor<2x3xf32>
      return %i, %e, %s : tensor<3x4xf32>, tensor<2x2xf32>, tensor<2x3xf32>
    })");
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

TEST(BuiltinDerivative, Products) {
  checkDerivative(R"(
    func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>, %u: tensor<2x3x5xf32>, %v: tensor<2x5x4xf32>,
                    %z: tensor<2x3x4xf32>, %x: tensor<5xf32>) -> (tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<3xf32>) {
      %m = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      %n = linalg.batch_matmul ins(%u, %v : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%z : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<3xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
      %w = linalg.matvec ins(%a, %x : tensor<3x5xf32>, tensor<5xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
      return %m, %n, %w : tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<3xf32>
    })");
}

TEST(BuiltinDerivative, ProductOfBf16InF32) {
  checkDerivative(R"(
    func.func @main(%a: tensor<3x5xbf16>, %b: tensor<5x4xbf16>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %m = linalg.matmul ins(%a, %b : tensor<3x5xbf16>, tensor<5x4xbf16>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %m : tensor<3x4xf32>
    })");
}

TEST(BuiltinDerivative, NamedOperations) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>, %y: tensor<3xf32>, %e: tensor<5x3xf32>, %f: tensor<3x5xf32>) -> (tensor<5x3xf32>, tensor<3x5xf32>, tensor<3xf32>, tensor<3x5xf32>) {
      %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
      %b = linalg.broadcast ins(%y : tensor<3xf32>) outs(%f : tensor<3x5xf32>) dimensions = [1]
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%y : tensor<3xf32>) dimensions = [1]
      %m = linalg.map { math.sin } ins(%x : tensor<3x5xf32>) outs(%f : tensor<3x5xf32>)
      return %t, %b, %r, %m : tensor<5x3xf32>, tensor<3x5xf32>, tensor<3xf32>, tensor<3x5xf32>
    })");
}

TEST(BuiltinDerivative, Softmax) {
  for (const char *dimension : {"0", "1", "2"})
    checkDerivative(
        std::string(R"(
      func.func @main(%x: tensor<2x3x5xf32>, %e: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
        %s = linalg.softmax dimension()") +
        dimension +
        R"() ins(%x : tensor<2x3x5xf32>) outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
        return %s : tensor<2x3x5xf32>
      })");
}

/// A scalar that fills a tensor, and one that a body captures.
TEST(BuiltinDerivative, Scalars) {
  checkDerivative(R"(
    func.func @main(%x: tensor<4xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
      %c1 = arith.constant 1 : index
      %s = tensor.extract %x[%c1] : tensor<4xf32>
      %f = linalg.fill ins(%s : f32) outs(%y : tensor<2x3xf32>) -> tensor<2x3xf32>
      %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%y : tensor<2x3xf32>) outs(%f : tensor<2x3xf32>) {
      ^bb0(%a: f32, %o: f32):
        %p = arith.mulf %a, %s : f32
        %q = arith.mulf %p, %a : f32
        linalg.yield %q : f32
      } -> tensor<2x3xf32>
      return %f, %g : tensor<2x3xf32>, tensor<2x3xf32>
    })");
}

/// Broadcast inputs, an initial value that is read, two results.
TEST(BuiltinDerivative, ElementwiseBodies) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>, %y: tensor<5xf32>, %k: tensor<3x1xf32>, %z: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
      %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, 0)>,
                                              affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%x, %y, %k : tensor<3x5xf32>, tensor<5xf32>, tensor<3x1xf32>) outs(%z, %z : tensor<3x5xf32>, tensor<3x5xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32, %o: f32, %p: f32):
        %t = math.tanh %a : f32
        %u = arith.mulf %t, %b : f32
        %v = arith.mulf %u, %o : f32
        %w = arith.addf %u, %c : f32
        linalg.yield %v, %w : f32, f32
      } -> (tensor<3x5xf32>, tensor<3x5xf32>)
      return %r#0, %r#1 : tensor<3x5xf32>, tensor<3x5xf32>
    })");
}

TEST(BuiltinDerivative, SumsWithBodies) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x5xf32>, %y: tensor<5xf32>, %z: tensor<3xf32>, %d: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
          ins(%x, %y : tensor<3x5xf32>, tensor<5xf32>) outs(%z : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %p = arith.mulf %a, %a : f32
        %q = arith.mulf %p, %b : f32
        %t = arith.addf %q, %o : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x5xf32>) outs(%d : tensor<3xf32>) {
      ^bb0(%a: f32, %o: f32):
        %e = math.exp %a : f32
        %t = arith.subf %o, %e : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      return %s, %n : tensor<3xf32>, tensor<3xf32>
    })");
}

/// Of elements and of computed values, over one loop and over two.
TEST(BuiltinDerivative, Extrema) {
  for (const char *operation :
       {"arith.maximumf", "arith.minimumf", "arith.maxnumf"})
    checkDerivative(std::string(R"(
      func.func @main(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> (tensor<3xf32>, tensor<f32>) {
        %lowest = arith.constant )") +
                    (std::string(operation) == "arith.minimumf"
                         ? "0x7F800000"
                         : "0xFF800000") +
                    R"( : f32
        %e = tensor.empty() : tensor<3xf32>
        %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
        %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
            ins(%x : tensor<3x5xf32>) outs(%f : tensor<3xf32>) {
        ^bb0(%a: f32, %o: f32):
          %t = )" + operation +
                    R"( %o, %a : f32
          linalg.yield %t : f32
        } -> tensor<3xf32>
        %e0 = tensor.empty() : tensor<f32>
        %f0 = linalg.fill ins(%lowest : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
        %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
            ins(%x, %y : tensor<3x5xf32>, tensor<5xf32>) outs(%f0 : tensor<f32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %p = arith.mulf %a, %b : f32
          %t = )" + operation +
                    R"( %p, %o : f32
          linalg.yield %t : f32
        } -> tensor<f32>
        return %m, %n : tensor<3xf32>, tensor<f32>
      })");
}

/// Equal elements share the gradient.
TEST(BuiltinDerivative, EqualMaxima) {
  OwningOpRef<ModuleOp> module = parseModule(R"(
    func.func @main(%x: tensor<4xf32> {attnres.role = #attnres.role<parameter>, attnres.name = "x"}) -> (tensor<f32> {attnres.name = "loss"}) {
      %lowest = arith.constant dense<0xFF800000> : tensor<f32>
      %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4xf32>) outs(%lowest : tensor<f32>) dimensions = [0]
      return %m : tensor<f32>
    })");
  ASSERT_TRUE(module);
  ASSERT_TRUE(runPipeline(*module, "attnres-differentiate"));
  SmallVector<Tensor> values =
      evaluate(*module, Tensor::ofReals({4}, {2, 1, 2, -1}));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[1].reals, (std::vector<double>{0.5, 0, 0.5, 0}));
}

//===----------------------------------------------------------------------===//
// Elements of captured tensors
//===----------------------------------------------------------------------===//

/// Whole rows, some more than once.
TEST(BuiltinDerivative, GatherOfRows) {
  for (const char *type : {"f32", "bf16"}) {
    std::string element = type, table = "tensor<4x5x" + element + ">",
                rows = "tensor<2x3x5x" + element + ">";
    checkDerivative("func.func @main(%w: " + table + ", %e: " + rows + ") -> " +
                    rows + R"( {
      %t = arith.constant dense<[[0, 3, 0], [2, 2, 0]]> : tensor<2x3xi32>
      %x = linalg.generic {indexing_maps = [affine_map<(b, t, d) -> (b, t)>, affine_map<(b, t, d) -> (b, t, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%t : tensor<2x3xi32>) outs(%e : )" +
                    rows + R"() {
      ^bb0(%i: i32, %o: )" +
                    element + R"():
        %row = arith.index_cast %i : i32 to index
        %column = linalg.index 2 : index
        %v = tensor.extract %w[%row, %column] : )" +
                    table + R"(
        %s = arith.mulf %v, %v : )" +
                    element + R"(
        linalg.yield %s : )" +
                    element + R"(
      } -> )" + rows +
                    R"(
      return %x : )" +
                    rows + "\n}");
  }
}

TEST(BuiltinDerivative, GatheredAndGenerated) {
  checkDerivative(R"(
    func.func @main(%w: tensor<4x3xf32>) -> (tensor<2x2x1x3xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>) {
      %rows = arith.constant dense<[[[0], [2]], [[2], [3]]]> : tensor<2x2x1xindex>
      %columns = arith.constant dense<[[[1], [1]], [[0], [1]]]> : tensor<2x2x1xindex>
      %g = tensor.gather %w[%rows] gather_dims([0]) : (tensor<4x3xf32>, tensor<2x2x1xindex>) -> tensor<2x2x1x3xf32>
      %h = tensor.gather %w[%columns] gather_dims([1]) : (tensor<4x3xf32>, tensor<2x2x1xindex>) -> tensor<2x2x4xf32>
      %n = tensor.generate {
      ^bb0(%i: index, %j: index):
        %x = tensor.extract %w[%j, %i] : tensor<4x3xf32>
        %s = math.sin %x : f32
        tensor.yield %s : f32
      } : tensor<3x4xf32>
      return %g, %h, %n : tensor<2x2x1x3xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>
    })");
}

/// Single elements: summed, permuted, and one for each row.
TEST(BuiltinDerivative, GatherOfElements) {
  checkDerivative(R"(
    func.func @main(%w: tensor<3x4xf32>, %v: tensor<3x4xf32>, %s: tensor<7xi64>, %t: tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>, tensor<4x3xf32>) {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
          ins(%s : tensor<7xi64>) outs(%zero : tensor<f32>) {
      ^bb0(%i: i64, %o: f32):
        %j = arith.index_cast %i : i64 to index
        %e = tensor.extract %w[%j, %j] : tensor<3x4xf32>
        %p = arith.mulf %e, %e : f32
        %n = arith.addf %p, %o : f32
        linalg.yield %n : f32
      } -> tensor<f32>
      %e3 = tensor.empty() : tensor<3xf32>
      %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%t : tensor<3xi64>) outs(%e3 : tensor<3xf32>) {
      ^bb0(%i: i64, %o: f32):
        %r = linalg.index 0 : index
        %j = arith.index_cast %i : i64 to index
        %e = tensor.extract %w[%r, %j] : tensor<3x4xf32>
        %f = tensor.extract %v[%r, %j] : tensor<3x4xf32>
        %n = arith.mulf %e, %f : f32
        linalg.yield %n : f32
      } -> tensor<3xf32>
      %e43 = tensor.empty() : tensor<4x3xf32>
      %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e43 : tensor<4x3xf32>) {
      ^bb0(%o: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %e = tensor.extract %w[%j, %i] : tensor<3x4xf32>
        %n = math.sin %e : f32
        linalg.yield %n : f32
      } -> tensor<4x3xf32>
      return %a, %b, %c : tensor<f32>, tensor<3xf32>, tensor<4x3xf32>
    })");
}

/// Which row is read is decided in a region, by the loop over columns.
TEST(BuiltinDerivative, GatherByConditionals) {
  checkDerivative(R"(
    func.func @main(%w: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %g = tensor.generate {
      ^bb0(%i: index, %j: index):
        %c = arith.cmpi slt, %i, %c2 : index
        %k = scf.if %c -> index {
          %m = arith.remui %j, %c2 : index
          scf.yield %m : index
        } else {
          scf.yield %c0 : index
        }
        %x = tensor.extract %w[%k, %j] : tensor<4x3xf32>
        %s = math.sin %x : f32
        tensor.yield %s : f32
      } : tensor<4x3xf32>
      return %g : tensor<4x3xf32>
    })");
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The loop carries one value and captures another; its branch is known.
TEST(BuiltinDerivative, LoopsOfConstantTripCount) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      %yes = arith.constant true
      %y:2 = scf.for %i = %c1 to %c6 step %c2 iter_args(%a = %x, %b = %x) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
        %l = attnres.linear %a, %w : tensor<3x4xf32>, tensor<4x4xf32>
        %k = arith.index_cast %i : index to i32
        %f = arith.sitofp %k : i32 to f32
        %s = tensor.splat %f : tensor<3x4xf32>
        %m = scf.if %yes -> tensor<3x4xf32> {
          %p = arith.mulf %l, %s : tensor<3x4xf32>
          scf.yield %p : tensor<3x4xf32>
        } else {
          scf.yield %x : tensor<3x4xf32>
        }
        %t = math.tanh %m : tensor<3x4xf32>
        scf.yield %t, %a : tensor<3x4xf32>, tensor<3x4xf32>
      }
      %none = scf.for %i = %c6 to %c1 step %c1 iter_args(%a = %x) -> tensor<3x4xf32> {
        %s = arith.addf %a, %a : tensor<3x4xf32>
        scf.yield %s : tensor<3x4xf32>
      }
      %z = arith.addf %y#1, %none : tensor<3x4xf32>
      return %y#0, %z : tensor<3x4xf32>, tensor<3x4xf32>
    })");
}

TEST(BuiltinDerivative, Calls) {
  checkDerivative(R"(
    func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<3x4xf32> {
      %a = call @layer(%x, %w) : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
      %b = call @layer(%a, %w) : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
      return %b : tensor<3x4xf32>
    }
    func.func private @layer(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>) -> tensor<3x4xf32> {
      %l = attnres.linear %x, %w : tensor<3x4xf32>, tensor<4x4xf32>
      %r = call @activation(%l) : (tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
    func.func private @activation(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = math.tanh %x : tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    })");
}

TEST(BuiltinDerivative, NoElements) {
  checkDerivative(R"(
    func.func @main(%x: tensor<0x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %s = linalg.reduce { arith.addf } ins(%x : tensor<0x4xf32>) outs(%y : tensor<4xf32>) dimensions = [0]
      return %s : tensor<4xf32>
    })");
}

//===----------------------------------------------------------------------===//
// Random bodies
//===----------------------------------------------------------------------===//

/// Sums, maxima and elementwise operations of random loops, maps and bodies,
/// which read a captured table and a captured scalar as well.
class RandomBody {
public:
  explicit RandomBody(uint64_t seed) : random(seed) {}

  std::string text() {
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i)
      extents.push_back(1 + pick(4));
    std::vector<unsigned> all, kept;
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      all.push_back(loop);
    // One input gives every loop its extent.
    addInput(shuffled(all));
    for (unsigned i = 0, count = pick(3); i < count; ++i)
      addInput(some(all));
    std::vector<unsigned> output = some(all);
    std::string result = type(output);
    table = {2 + pick(3), 2 + pick(3)};
    std::string tableType = "tensor<" + std::to_string(table[0]) + "x" +
                            std::to_string(table[1]) + "xf32>";
    std::string value = expression(3);
    std::string last = "%out", kind = output.size() == extents.size()
                                          ? pick(2) ? "mulf" : "addf"
                                      : pick(3) ? "addf"
                                                : "maximumf";
    std::string init = "%init";
    std::string lowest;
    if (kind == "maximumf") { // begins with a constant
      lowest = "  %low = arith.constant dense<-100.0> : " + result + "\n";
      init = "%low";
    }
    body += "    %next = arith." + kind + " " + last + ", " + value +
            " : f32\n    linalg.yield %next : f32\n";
    std::string iterators;
    for (unsigned loop : all) {
      bool parallel = llvm::is_contained(output, loop);
      iterators += std::string(loop ? ", " : "") +
                   (parallel ? "\"parallel\"" : "\"reduction\"");
    }
    return "func.func @main(%table: " + tableType + ", %init: " + result +
           arguments + ") -> " + result + " {\n" + lowest +
           "  %at = arith.constant 1 : index\n"
           "  %scalar = tensor.extract %table[%at, %at] : " +
           tableType + "\n  %result = linalg.generic {indexing_maps = [" +
           maps + map(output) + "], iterator_types = [" + iterators +
           "]} ins(" + names + " : " + types + ") outs(" + init + " : " +
           result + ") {\n  ^bb0(" + blockArguments + "%out: f32):\n" + body +
           "  } -> " + result + "\n  return %result : " + result + "\n}\n";
  }

private:
  unsigned pick(unsigned count) { return random() % count; }

  std::vector<unsigned> shuffled(std::vector<unsigned> loops) {
    std::shuffle(loops.begin(), loops.end(), random);
    return loops;
  }
  std::vector<unsigned> some(const std::vector<unsigned> &loops) {
    std::vector<unsigned> result = shuffled(loops);
    result.resize(pick(loops.size() + 1));
    return result;
  }

  std::string type(const std::vector<unsigned> &loops) {
    std::string text = "tensor<";
    for (unsigned loop : loops)
      text += std::to_string(extents[loop]) + "x";
    return text + "f32>";
  }
  std::string map(const std::vector<unsigned> &loops) {
    std::string text = "affine_map<(";
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      text += std::string(loop ? ", " : "") + "d" + std::to_string(loop);
    text += ") -> (";
    for (size_t i = 0; i < loops.size(); ++i)
      text += std::string(i ? ", " : "") + "d" + std::to_string(loops[i]);
    return text + ")>";
  }

  void addInput(const std::vector<unsigned> &loops) {
    std::string name = "%x" + std::to_string(numInputs);
    std::string separator = numInputs++ ? ", " : "";
    arguments += ", " + name + ": " + type(loops);
    names += separator + name;
    types += separator + type(loops);
    maps += map(loops) + ", ";
    blockArguments += "%a" + std::to_string(numInputs - 1) + ": f32, ";
  }

  std::string emit(const std::string &operation) {
    std::string name = "%v" + std::to_string(numValues++);
    body += "    " + name + " = " + operation + "\n";
    return name;
  }

  /// An index of the table: a loop, or a loop within the extent.
  std::string index(unsigned extent) {
    unsigned loop = pick(extents.size());
    std::string name =
        emit("linalg.index " + std::to_string(loop) + " : index");
    if (extents[loop] == extent || extents[loop] < extent)
      return name;
    std::string size =
        emit("arith.constant " + std::to_string(extent) + " : index");
    return emit("arith.remui " + name + ", " + size + " : index");
  }

  std::string expression(int depth) {
    if (depth == 0 || pick(5) == 0)
      switch (pick(4)) {
      case 0:
        return "%scalar";
      case 1: {
        std::string row = index(table[0]), column = index(table[1]);
        return emit("tensor.extract %table[" + row + ", " + column +
                    "] : tensor<" + std::to_string(table[0]) + "x" +
                    std::to_string(table[1]) + "xf32>");
      }
      default:
        return "%a" + std::to_string(pick(numInputs));
      }
    if (pick(3) == 0)
      return emit(std::string(pick(2) ? "math.sin " : "math.tanh ") +
                  expression(depth - 1) + " : f32");
    std::string x = expression(depth - 1), y = expression(depth - 1);
    const char *operations[] = {"arith.addf", "arith.mulf", "arith.subf",
                                "arith.maximumf"};
    return emit(std::string(operations[pick(4)]) + " " + x + ", " + y +
                " : f32");
  }

  std::mt19937_64 random;
  std::vector<int64_t> extents, table;
  unsigned numInputs = 0, numValues = 0;
  std::string arguments, names, types, maps, blockArguments, body;
};

TEST(BuiltinDerivative, RandomBodies) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    checkDerivative(RandomBody(seed).text(), seed);
    if (HasFailure())
      return;
  }
}

//===----------------------------------------------------------------------===//
// A whole model
//===----------------------------------------------------------------------===//

/// Every gradient of a model of other operations than the dialect's, as it is
/// and after its attention was raised.
TEST(BuiltinDerivative, LanguageModelFromJax) {
  auto buffer = llvm::MemoryBuffer::getFile(
      ATTNRES_TEST_DIR "/unit/dialect/Inputs/jax_language_model.mlir");
  ASSERT_TRUE(bool(buffer));
  for (bool raised : {false, true}) {
    OwningOpRef<ModuleOp> module = parseModule((*buffer)->getBuffer());
    ASSERT_TRUE(module);
    if (raised) {
      ASSERT_TRUE(runPipeline(*module, "attnres-raise-attention"));
      size_t found = 0;
      module->walk([&](AttentionOp) { ++found; });
      EXPECT_EQ(found, 1u);
    }
    std::mt19937_64 random(3);
    SmallVector<Tensor> values = checkGradients(*module, random);
    ASSERT_EQ(values.size(), 9u);
    for (const Tensor &grad : ArrayRef(values).drop_front())
      EXPECT_TRUE(llvm::any_of(grad.reals, [](double x) { return x != 0; }));
  }
}

} // namespace
