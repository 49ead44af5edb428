// A limit of infinity would be no limit; the operation does not take it.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-optimizer{clip-norm=inf}
func.func @main(%w: tensor<8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}) -> (tensor<8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
  return %w : tensor<8xf32>
}
