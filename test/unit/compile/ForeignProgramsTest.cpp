// Programs as other people and other tools write them: constants of every
// element type, slices, gathers, softmax, loops, calls and scalars between
// tensors. Compiled code computes what the float64 interpreter says of the
// program before any pass.
#include "test/unit/compile/CompiledCode.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

struct Program {
  const char *name;
  const char *text;
};

void PrintTo(const Program &program, std::ostream *stream) {
  *stream << program.name;
}

void expectMeaning(const std::string &text, const std::string &isa) {
  SCOPED_TRACE(text);
  OwningOpRef<ModuleOp> module = parseModule(text);
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<func::FuncOp>("main");
  nameBindings(function);
  SmallVector<Tensor> inputs =
      storableInputs(function, 1, /*scaleWeights=*/false);
  // Small types round where the program says so.
  InterpreterOptions rounding;
  rounding.roundToStorage = true;
  SmallVector<Tensor> expected = evaluate(*module, inputs, rounding);
  ASSERT_EQ(expected.size(), function.getNumResults());
  StageOptions options;
  options.target = "cpu:" + isa;
  expectCompiled(*module, options, inputs, expected, expected.size());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

struct Constant {
  const char *name;
  const char *type;
  const char *value;
  const char *conversion; ///< of an element %x to the exchanged %y
  const char *exchanged;
};

void PrintTo(const Constant &constant, std::ostream *stream) {
  *stream << constant.name;
}

class ForeignConstant : public ::testing::TestWithParam<Constant> {};

TEST_P(ForeignConstant, MM3MeansWhatItSays) {
  const Constant &c = GetParam();
  std::string from = c.type, to = c.exchanged;
  std::string shape = "tensor<3x4x";
  if (StringRef(c.name).ends_with("empty"))
    shape = "tensor<3x0x";
  std::string text =
      "func.func @main() -> " + shape + to + "> {\n  %c = arith.constant " +
      c.value + " : " + shape + from + ">\n  %e = tensor.empty() : " + shape +
      to + ">\n" + R"(  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : )" +
      shape + from + ">) outs(%e : " + shape + to + ">) {\n  ^bb0(%x: " + from +
      ", %o: " + to + "):\n    " + c.conversion +
      "\n    linalg.yield %y : " + to + "\n  } -> " + shape + to +
      ">\n  return %r : " + shape + to + ">\n}\n";
  for (const char *isa : {"generic", "avx2"})
    expectMeaning(text, isa);
}

const Constant kConstants[] = {
    {"i1", "i1", "dense<[[1, 0, 0, 1], [0, 1, 1, 1], [0, 0, 1, 0]]>",
     "%y = arith.uitofp %x : i1 to f32", "f32"},
    {"i1_true", "i1", "dense<true>", "%y = arith.uitofp %x : i1 to f32", "f32"},
    {"i1_signed", "i1", "dense<true>", "%y = arith.sitofp %x : i1 to f32",
     "f32"},
    {"i1_false", "i1", "dense<false>", "%y = arith.extui %x : i1 to i64",
     "i64"},
    {"i1_empty", "i1", "dense<>", "%y = arith.extui %x : i1 to i64", "i64"},
    {"i8", "i8", "dense<[[-128, 127, 0, -1], [1, 2, 3, 4], [5, 6, 7, 8]]>",
     "%y = arith.extsi %x : i8 to i64", "i64"},
    {"i8_splat", "i8", "dense<-3>", "%y = arith.extsi %x : i8 to i32", "i32"},
    {"i8_unsigned", "i8", "dense<-3>", "%y = arith.extui %x : i8 to i32",
     "i32"},
    {"i16", "i16",
     "dense<[[-32768, 32767, 0, -1], [1, 2, 3, 4], [5, 6, 7, 8]]>",
     "%y = arith.sitofp %x : i16 to f32", "f32"},
    {"i32", "i32",
     "dense<[[-2147483648, 2147483647, 0, -1], [1, 2, 3, 4], [5, 6, 7, 8]]>",
     "%y = arith.extsi %x : i32 to i64", "i64"},
    {"i32_hex", "i32",
     "dense<\"0x010000000200000003000000040000000500000006000000070000000800000"
     "0090000000A0000000B0000000C000000\">",
     "%y = arith.extsi %x : i32 to i64", "i64"},
    {"i64", "i64",
     "dense<[[-4611686018427387904, 0, 0, -1], [1, 2, 3, 4], [5, 6, 7, 8]]>",
     "%k = arith.constant 3 : i64\n    %y = arith.divsi %x, %k : i64", "i64"},
    {"index", "index", "dense<[[9, 8, 7, 6], [1, 2, 3, 4], [5, 6, 7, 8]]>",
     "%y = arith.index_cast %x : index to i64", "i64"},
    {"index_splat", "index", "dense<41>",
     "%y = arith.index_cast %x : index to i64", "i64"},
    {"bf16", "bf16",
     "dense<[[1.5, -2.0, 0.25, 3.0e38], [1.0, 2.0, 3.0, 4.0], [-0.0, 6.0, 7.0, "
     "0xFF80]]>",
     "%y = arith.extf %x : bf16 to f32", "f32"},
    {"bf16_splat", "bf16", "dense<-1.25>", "%y = arith.extf %x : bf16 to f64",
     "f64"},
    {"f16", "f16",
     "dense<[[1.5, -2.0, 0.25, 65504.0], [6.0e-8, 6.1e-5, 3.0, 4.0], [-0.0, "
     "6.0, 0x7E00, 0xFC00]]>",
     "%y = arith.extf %x : f16 to f32", "f32"},
    {"f16_splat", "f16", "dense<-1.25>", "%y = arith.extf %x : f16 to f64",
     "f64"},
    {"f32", "f32",
     "dense<[[1.5, -2.0, 0.25, 1.0e38], [1.0, 2.0, 3.0, 4.0], [-0.0, 1.0e-45, "
     "0x7FC00000, 0xFF800000]]>",
     "%y = arith.addf %x, %x : f32", "f32"},
    {"f64", "f64",
     "dense<[[1.5, -2.0, 0.25, 1.0e300], [1.0, 2.0, 3.0, 4.0], [-0.1, 6.0, "
     "7.0, "
     "0xFFF0000000000000]]>",
     "%k = arith.constant 0.1 : f64\n    %y = arith.mulf %x, %k : f64", "f64"},
    {"f64_splat", "f64", "dense<0.1>",
     "%k = arith.constant 0.1 : f64\n    %y = arith.divf %x, %k : f64", "f64"},
    {"f64_to_bf16", "f64",
     "dense<[[1.0039062500001, 1.00390625, 1.01171875, -1.0117187500001], "
     "[1.0117187499999, 3.0e-40, 3.0, 1.0e300], [-0.1, 6.0, 7.0, "
     "0xFFF0000000000000]]>",
     "%z = arith.truncf %x : f64 to bf16\n    %y = arith.extf %z : bf16 to f64",
     "f64"},
    {"f64_to_f16", "f64",
     "dense<[[1.00048828125001, 1.00048828125, 1.00146484375, 65519.999], "
     "[65520.0, 2.98023224e-8, 2.9802323e-8, 1.0e300], [-0.1, 6.0e-8, 6.1e-5, "
     "0xFFF0000000000000]]>",
     "%z = arith.truncf %x : f64 to f16\n    %y = arith.extf %z : f16 to f64",
     "f64"},
    {"f32_to_f16", "f32",
     "dense<[[1.00048828125, 1.00146484375, 65519.0, 65520.0], [-1.0e-7, "
     "2.98023224e-8, 8.94069672e-8, 6.0975552e-5], [6.1e-5, 0x7FC00000, "
     "0xFF800000, -0.0]]>",
     "%z = arith.truncf %x : f32 to f16\n    %y = arith.extf %z : f16 to f32",
     "f32"},
    {"sparse", "f32", "sparse<[[0, 1], [2, 3]], [1.5, -2.5]>",
     "%y = arith.addf %x, %x : f32", "f32"},
};

INSTANTIATE_TEST_SUITE_P(Types, ForeignConstant,
                         ::testing::ValuesIn(kConstants),
                         [](const ::testing::TestParamInfo<Constant> &info) {
                           return std::string(info.param.name);
                         });

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class ForeignProgram : public ::testing::TestWithParam<Program> {};

/// MM-4 for calls, loops and branches, MM-5 for small types, MM-7 for softmax.
TEST_P(ForeignProgram, MatchesInterpreter) {
  for (const char *isa : {"generic", "host"})
    expectMeaning(GetParam().text, isa);
}

const Program kPrograms[] = {
    {"resource", R"(
func.func @main() -> (tensor<3xf32>, tensor<2x2xi64>, tensor<3xi64>) {
  %a = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
  %b = arith.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi64>
  %c = arith.constant dense<7> : tensor<3xi64>
  return %a, %b, %c : tensor<3xf32>, tensor<2x2xi64>, tensor<3xi64>
})"},
    {"gather", R"(
func.func @main(%t: tensor<16x7xf32>, %i: tensor<4xi64>) -> tensor<4x7xf32> {
  %e = tensor.empty() : tensor<4x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4x7xf32>) {
  ^bb0(%j: i64, %o: f32):
    %k = arith.index_cast %j : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %t[%k, %c] : tensor<16x7xf32>
    linalg.yield %v : f32
  } -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
})"},
    {"take_along_axis", R"(
func.func @main(%t: tensor<5x7xbf16>, %i: tensor<5x2xi32>) -> tensor<5x2xbf16> {
  %e = tensor.empty() : tensor<5x2xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5x2xi32>) outs(%e : tensor<5x2xbf16>) {
  ^bb0(%j: i32, %o: bf16):
    %k = arith.index_cast %j : i32 to index
    %c = linalg.index 0 : index
    %v = tensor.extract %t[%c, %k] : tensor<5x7xbf16>
    linalg.yield %v : bf16
  } -> tensor<5x2xbf16>
  return %r : tensor<5x2xbf16>
})"},
    {"gather_of_computed_table", R"(
func.func @main(%t: tensor<4x3xf32>, %i: tensor<5xi64>) -> tensor<5x3xf32> {
  %u = math.exp %t : tensor<4x3xf32>
  %n = arith.constant dense<[[0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]]> : tensor<4x3xi32>
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5xi64>) outs(%e : tensor<5x3xf32>) {
  ^bb0(%j: i64, %o: f32):
    %k = arith.index_cast %j : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %u[%k, %c] : tensor<4x3xf32>
    %m = tensor.extract %n[%k, %c] : tensor<4x3xi32>
    %f = arith.sitofp %m : i32 to f32
    %p = arith.mulf %f, %v : f32
    linalg.yield %p : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
})"},
    {"tensor_gather", R"(
func.func @main(%t: tensor<4x3x5xf32>, %i: tensor<6x1xi64>, %j: tensor<2x2xi64>) -> (tensor<6x3x5xf32>, tensor<2x1x3x1xf32>) {
  %a = tensor.gather %t[%i] gather_dims([0]) : (tensor<4x3x5xf32>, tensor<6x1xi64>) -> tensor<6x3x5xf32>
  %b = tensor.gather %t[%j] gather_dims([0, 2]) : (tensor<4x3x5xf32>, tensor<2x2xi64>) -> tensor<2x1x3x1xf32>
  return %a, %b : tensor<6x3x5xf32>, tensor<2x1x3x1xf32>
})"},
    {"operand_of_shape_alone", R"(
func.func @main(%x: tensor<15xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %w = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<15xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
})"},
    {"argmax", R"(
func.func @main(%x: tensor<4x9xf32>) -> tensor<4xi64> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4xi64>
  %z = linalg.fill ins(%low : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %i = linalg.fill ins(%zero : i64) outs(%f : tensor<4xi64>) -> tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x9xf32>) outs(%z, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i64
    %g = arith.cmpf ogt, %a, %b : f32
    %s = arith.select %g, %a, %b : f32
    %m = arith.select %g, %n, %c : i64
    linalg.yield %s, %m : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#1 : tensor<4xi64>
})"},
    {"f64", R"(
func.func @main(%x: tensor<2x8xf64>) -> (tensor<2x8xf64>, tensor<2xf64>, tensor<2x8xf32>) {
  %y = arith.addf %x, %x : tensor<2x8xf64>
  %z = arith.mulf %y, %x : tensor<2x8xf64>
  %n = arith.negf %z : tensor<2x8xf64>
  %t = arith.truncf %n : tensor<2x8xf64> to tensor<2x8xf32>
  %c = arith.constant dense<1.0> : tensor<2xf64>
  %s = linalg.reduce {arith.addf} ins(%z : tensor<2x8xf64>) outs(%c : tensor<2xf64>) dimensions = [1]
  return %n, %s, %t : tensor<2x8xf64>, tensor<2xf64>, tensor<2x8xf32>
})"},
    {"small_floats", R"(
func.func @main(%x: tensor<3x5xbf16>, %y: tensor<3x5xf32>) -> (tensor<3x5xbf16>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<3x5xbf16>
  %m = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x5xbf16>) outs(%e : tensor<3x5xbf16>) {
  ^bb0(%p: bf16, %q: bf16):
    %one = arith.constant 1.0 : bf16
    %r = arith.addf %p, %one : bf16
    %g = arith.cmpf olt, %p, %one : bf16
    %s = arith.select %g, %r, %p : bf16
    %u = arith.negf %s : bf16
    linalg.yield %u : bf16
  } -> tensor<3x5xbf16>
  %h = arith.truncf %y : tensor<3x5xf32> to tensor<3x5xf16>
  %k = math.absf %h : tensor<3x5xf16>
  %w = arith.extf %k : tensor<3x5xf16> to tensor<3x5xf32>
  return %m, %w : tensor<3x5xbf16>, tensor<3x5xf32>
})"},
    {"softmax", R"(
func.func @main(%x: tensor<3x4x5xf32>, %b: tensor<7x3xbf16>, %d: tensor<2x3xf64>) -> (tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<7x3xbf16>, tensor<2x3xf32>) {
  %e = tensor.empty() : tensor<3x4x5xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x4x5xf32>) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %q = linalg.softmax dimension(1) ins(%x : tensor<3x4x5xf32>) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %f = tensor.empty() : tensor<7x3xbf16>
  %r = linalg.softmax dimension(1) ins(%b : tensor<7x3xbf16>) outs(%f : tensor<7x3xbf16>) -> tensor<7x3xbf16>
  %c = arith.constant dense<[[0xFF800000, 1.0, 2.0], [0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<2x3xf32>
  %g = tensor.empty() : tensor<2x3xf32>
  %s = linalg.softmax dimension(1) ins(%c : tensor<2x3xf32>) outs(%g : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %p, %q, %r, %s : tensor<3x4x5xf32>, tensor<3x4x5xf32>, tensor<7x3xbf16>, tensor<2x3xf32>
})"},
    {"slices", R"(
func.func @main(%x: tensor<4x9xf32>, %y: tensor<2x3xf32>, %v: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4xf32>, tensor<4x9xf32>) {
  %a = tensor.extract_slice %x[1, 2] [2, 3] [2, 3] : tensor<4x9xf32> to tensor<2x3xf32>
  %b = tensor.insert_slice %y into %x[1, 0] [2, 3] [2, 4] : tensor<2x3xf32> into tensor<4x9xf32>
  %c = tensor.insert_slice %v into %b[3, 5] [1, 3] [1, 1] : tensor<3xf32> into tensor<4x9xf32>
  %d = tensor.extract_slice %c[0, 7] [4, 1] [1, 1] : tensor<4x9xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4x9xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x9xf32>) -> tensor<4x9xf32>
  %f = tensor.insert_slice %y into %z[0, 6] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x9xf32>
  return %a, %b, %c, %d, %f : tensor<2x3xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4xf32>, tensor<4x9xf32>
})"},
    {"pad", R"(
func.func @main(%x: tensor<2x3xf32>, %i: tensor<2xi64>) -> (tensor<5x4xf32>, tensor<4xi64>) {
  %a = tensor.pad %x low[1, 0] high[2, 1] {
  ^bb0(%r: index, %c: index):
    %s = arith.addi %r, %c : index
    %n = arith.index_cast %s : index to i64
    %f = arith.sitofp %n : i64 to f32
    tensor.yield %f : f32
  } : tensor<2x3xf32> to tensor<5x4xf32>
  %zero = arith.constant -9 : i64
  %b = tensor.pad %i low[2] high[0] {
  ^bb0(%r: index):
    tensor.yield %zero : i64
  } : tensor<2xi64> to tensor<4xi64>
  return %a, %b : tensor<5x4xf32>, tensor<4xi64>
})"},
    {"concat", R"(
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>, %z: tensor<1x3xf32>) -> (tensor<2x7xf32>, tensor<6x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<6x1x1xf32>) {
  %a = tensor.concat dim(1) %x, %y, %x : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  %e = math.exp %x : tensor<2x3xf32>
  %b = tensor.concat dim(0) %x, %z, %z, %e : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %c = tensor.concat dim(0) %e, %e : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %k = tensor.expand_shape %y [[0], [1, 2]] output_shape [2, 1, 1] : tensor<2x1xf32> into tensor<2x1x1xf32>
  %d = tensor.concat dim(0) %k, %k, %k : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<6x1x1xf32>
  return %a, %b, %c, %e, %d : tensor<2x7xf32>, tensor<6x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<6x1x1xf32>
})"},
    {"made_of_scalars", R"(
func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<4x2xi64>, tensor<3xf32>) {
  %shape = arith.constant dense<[3, 2]> : tensor<2xi64>
  %a = tensor.reshape %x(%shape) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = tensor.extract %x[%c0, %c2] : tensor<2x3xf32>
  %q = tensor.extract %x[%c1, %c1] : tensor<2x3xf32>
  %s = arith.mulf %p, %q : f32
  %b = tensor.from_elements %p, %q, %s, %p : tensor<2x2xf32>
  %c = tensor.insert %s into %x[%c1, %c0] : tensor<2x3xf32>
  %d = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %j : index
    %n = arith.index_cast %k : index to i64
    tensor.yield %n : i64
  } : tensor<4x2xi64>
  %e = tensor.splat %s : tensor<3xf32>
  return %a, %b, %c, %d, %e : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<4x2xi64>, tensor<3xf32>
})"},
    {"scalars_between_kernels", R"(
func.func @main(%x: tensor<4x5xf32>, %at: tensor<2xi64>, %w: tensor<5x5xf32>) -> (tensor<4x5xf32>, tensor<2x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = attnres.linear %x, %w : tensor<4x5xf32>, tensor<5x5xf32>
  %p = tensor.extract %y[%c1, %c0] : tensor<4x5xf32>
  %half = arith.constant 0.5 : f32
  %s = arith.mulf %p, %half : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %i = tensor.extract %at[%c1] : tensor<2xi64>
  %o = arith.index_cast %i : i64 to index
  %g = tensor.extract_slice %y[%o, 0] [2, 5] [1, 1] : tensor<4x5xf32> to tensor<2x5xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x5xf32>, f32) outs(%e : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %q: f32):
    %t = arith.addf %a, %b : f32
    %u = arith.mulf %t, %s : f32
    linalg.yield %u : f32
  } -> tensor<4x5xf32>
  %z = arith.constant 0.0 : f32
  %big = arith.cmpf ogt, %s, %z : f32
  %h = arith.select %big, %x, %y : tensor<4x5xf32>
  return %f, %g, %m, %h : tensor<4x5xf32>, tensor<2x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
})"},
    {"calls_and_loops", R"(
func.func private @half(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c = arith.constant dense<0.5> : tensor<2x8xf32>
  %y = arith.mulf %x, %c : tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
func.func private @step(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<2x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = call @half(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h) -> tensor<2x8xf32> {
    %l = attnres.linear %a, %w : tensor<2x8xf32>, tensor<8x8xf32>
    %m = func.call @half(%l) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    scf.yield %m : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}
func.func @main(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %true = arith.constant true
  %y:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %w) -> (tensor<2x8xf32>, tensor<8x8xf32>) : i32 {
    %n = arith.index_cast %i : i32 to index
    %l = func.call @step(%a, %w, %n) : (tensor<2x8xf32>, tensor<8x8xf32>, index) -> tensor<2x8xf32>
    scf.yield %l, %b : tensor<2x8xf32>, tensor<8x8xf32>
  }
  %z = scf.if %true -> tensor<2x8xf32> {
    %g = attnres.gelu %y#0 : tensor<2x8xf32>
    scf.yield %g : tensor<2x8xf32>
  } else {
    scf.yield %x : tensor<2x8xf32>
  }
  return %y#0, %z : tensor<2x8xf32>, tensor<2x8xf32>
})"},
    {"branch", R"(
func.func @main(%x: tensor<2x8xf32>, %t: tensor<i64>) -> tensor<2x8xf32> {
  %k = tensor.extract %t[] : tensor<i64>
  %one = arith.constant 1 : i64
  %c = arith.cmpi slt, %k, %one : i64
  %z = scf.if %c -> tensor<2x8xf32> {
    %g = attnres.gelu %x : tensor<2x8xf32>
    scf.yield %g : tensor<2x8xf32>
  } else {
    %h = arith.negf %x : tensor<2x8xf32>
    scf.yield %h : tensor<2x8xf32>
  }
  return %z : tensor<2x8xf32>
})"},
    {"loops_in_bodies", R"(
func.func @main(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %a = linalg.index 0 : index
    %p = tensor.extract %x[%a, %c0] : tensor<4x3xf32>
    %q = tensor.extract %x[%a, %c1] : tensor<4x3xf32>
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})"},
    {"returns_what_it_has", R"(
func.func @main(%x: tensor<3xf32>, %n: tensor<i64>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<i64>, tensor<3xf32>, tensor<1x3xf32>, tensor<f32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = math.exp %x : tensor<3xf32>
  %v = tensor.expand_shape %y [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
  %s = arith.constant dense<4.0> : tensor<f32>
  %q = arith.mulf %s, %s : tensor<f32>
  return %x, %x, %c, %n, %y, %v, %q : tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<i64>, tensor<3xf32>, tensor<1x3xf32>, tensor<f32>
})"},
    {"named_operations", R"(
func.func @main(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>, %b: tensor<2x4x3xbf16>, %v: tensor<3xf32>) -> (tensor<4x5xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<2x3x4xbf16>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %m = linalg.matmul ins(%x, %y : tensor<4x3xf32>, tensor<3x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %f = tensor.empty() : tensor<3x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x3xf32>) outs(%f : tensor<3x4xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<4x3xf32>
  %w = linalg.broadcast ins(%v : tensor<3xf32>) outs(%g : tensor<4x3xf32>) dimensions = [0]
  %h = tensor.empty() : tensor<4xf32>
  %c = linalg.fill ins(%zero : f32) outs(%h : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.maximumf} ins(%x : tensor<4x3xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  %k = tensor.empty() : tensor<2x3x4xbf16>
  %u = linalg.transpose ins(%b : tensor<2x4x3xbf16>) outs(%k : tensor<2x3x4xbf16>) permutation = [0, 2, 1]
  return %m, %t, %w, %s, %u : tensor<4x5xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<2x3x4xbf16>
})"},
    // Several work items of one loop, and what is left of vectors.
    {"lanes", R"(
func.func @main(%x: tensor<8213xbf16>, %y: tensor<8213xf32>, %u: tensor<3x37xbf16>, %v: tensor<37xbf16>) -> (tensor<8213xbf16>, tensor<3x37xf32>) {
  %w = arith.extf %x : tensor<8213xbf16> to tensor<8213xf32>
  %s = arith.addf %w, %y : tensor<8213xf32>
  %t = arith.truncf %s : tensor<8213xf32> to tensor<8213xbf16>
  %p = arith.mulf %t, %x : tensor<8213xbf16>
  %m = arith.maximumf %p, %t : tensor<8213xbf16>
  %e = tensor.empty() : tensor<3x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%u, %v : tensor<3x37xbf16>, tensor<37xbf16>) outs(%e : tensor<3x37xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %c = arith.constant 0.5 : bf16
    %d = arith.addf %a, %b : bf16
    %less = arith.cmpf olt, %d, %c : bf16
    %k = arith.select %less, %d, %c : bf16
    %f = arith.extf %k : bf16 to f32
    linalg.yield %f : f32
  } -> tensor<3x37xf32>
  return %m, %r : tensor<8213xbf16>, tensor<3x37xf32>
})"},
    {"no_elements", R"(
func.func @main(%x: tensor<0x3xf32>, %y: tensor<2x0xf32>, %z: tensor<2x3xf32>) -> (tensor<0x3xf32>, tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>) {
  %a = arith.addf %x, %x : tensor<0x3xf32>
  %b = tensor.concat dim(1) %y, %z : (tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = arith.constant dense<1.0> : tensor<2xf32>
  %s = linalg.reduce {arith.addf} ins(%y : tensor<2x0xf32>) outs(%c : tensor<2xf32>) dimensions = [1]
  %d = tensor.insert_slice %y into %z[0, 1] [2, 0] [1, 1] : tensor<2x0xf32> into tensor<2x3xf32>
  return %a, %b, %s, %d : tensor<0x3xf32>, tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>
})"},
};

INSTANTIATE_TEST_SUITE_P(Texts, ForeignProgram, ::testing::ValuesIn(kPrograms),
                         [](const ::testing::TestParamInfo<Program> &info) {
                           return std::string(info.param.name);
                         });

//===----------------------------------------------------------------------===//
// Functions of numbers
//===----------------------------------------------------------------------===//

class ForeignFunction : public ::testing::TestWithParam<const char *> {};

/// MM-5.
TEST_P(ForeignFunction, MatchesInterpreter) {
  StringRef name = GetParam();
  bool isBinary = name.consume_front("2 ");
  std::string type = "tensor<7x5xf32>";
  std::string text = "func.func @main(%x: " + type + ", %y: " + type + ") -> " +
                     type + " {\n  %z = " + name.str() + " %x" +
                     (isBinary ? ", %y" : "") + " : " + type +
                     "\n  return %z : " + type + "\n}\n";
  for (const char *isa : {"generic", "avx2"})
    expectMeaning(text, isa);
}

INSTANTIATE_TEST_SUITE_P(
    Names, ForeignFunction,
    ::testing::Values("math.absf", "math.acos", "math.acosh", "math.asin",
                      "math.asinh", "math.atan", "math.atanh", "math.cbrt",
                      "math.ceil", "math.cos", "math.cosh", "math.erf",
                      "math.erfc", "math.exp", "math.exp2", "math.expm1",
                      "math.floor", "math.log", "math.log10", "math.log1p",
                      "math.log2", "math.round", "math.roundeven", "math.rsqrt",
                      "math.sin", "math.sinh", "math.sqrt", "math.tan",
                      "math.tanh", "math.trunc", "arith.negf", "2 math.atan2",
                      "2 math.copysign", "2 math.powf", "2 arith.divf",
                      "2 arith.maximumf", "2 arith.minnumf"));

//===----------------------------------------------------------------------===//
// Indices outside a tensor
//===----------------------------------------------------------------------===//

/// Programs refuse inputs that choose them. Without what says so, compiled
/// code still reads the nearest element and no other memory.
TEST(ForeignIndex, MM6OutsideReadsTheNearest) {
  OwningOpRef<ModuleOp> module = parseModule(R"(
func.func @main(%t: tensor<5xf32>, %i: tensor<6xi64>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<6xi64>) outs(%e : tensor<6xf32>) {
  ^bb0(%j: i64, %o: f32):
    %k = arith.index_cast %j : i64 to index
    %v = tensor.extract %t[%k] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
})");
  ASSERT_TRUE(module);
  nameBindings(module->lookupSymbol<func::FuncOp>("main"));
  SmallVector<Tensor> inputs = {
      Tensor::ofReals({5}, std::vector<double>{1, 2, 3, 4, 5}),
      Tensor::ofIntegers(
          {6}, std::vector<int64_t>{-1, 0, 4, 5, int64_t(1) << 62,
                                    std::numeric_limits<int64_t>::min()})};
  // The stage of training derives the limits.
  const Stage stages[] = {Stage::Naive, Stage::Scheduled, Stage::Kernels,
                          Stage::Planned, Stage::Cpu};
  std::vector<std::string> outputs =
      runCompiled(*module, stages, StageOptions(), inputs);
  ASSERT_EQ(outputs.size(), 1u);
  std::vector<float> values(6);
  ASSERT_EQ(outputs[0].size(), values.size() * sizeof(float));
  std::memcpy(values.data(), outputs[0].data(), outputs[0].size());
  EXPECT_EQ(values, (std::vector<float>{1, 1, 5, 5, 5, 1}));
}

} // namespace
