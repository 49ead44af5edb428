// More blocks than a GPU launches: an error of the kernel, for products and for elements.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-to-nvptx{residual-bytes=-1 target=sm_100a}
func.func @main(%q: tensor<1x1x1099511627776x3xf32> {attnres.name = "w0", attnres.role = #attnres.role<parameter>}, %kv: tensor<1x3x1x3xf32> {attnres.name = "x1", attnres.role = #attnres.role<input>}, %loss: tensor<f32> {attnres.name = "x2", attnres.role = #attnres.role<input>}) -> (tensor<f32> {attnres.name = "loss"}, tensor<1x1x1099511627776x3xf32> {attnres.name = "y1"}) {
  %start = arith.constant dense<0> : tensor<1xi64>
  %o, %lse = attnres.attention %q, %kv, %kv start(%start) {causal, scale = -2.0 : f64} : tensor<1x1x1099511627776x3xf32>, tensor<1x3x1x3xf32>, tensor<1x3x1x3xf32>, tensor<1xi64>
  return %loss, %o : tensor<f32>, tensor<1x1x1099511627776x3xf32>
}
