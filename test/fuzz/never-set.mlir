// What depends on elements that were never set may become anything: that a
// maximum passes over NaN does not make it defined.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-differentiate,attnres-decompose
func.func @main(%q: tensor<1x2x1x2xf32>, %w: tensor<f32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}, tensor<1x2x1x2xf32>) {
  %lse = tensor.empty() : tensor<1x2x1xf32>
  %dq, %dk, %dv = attnres.attention_backward %q, %q, %q, %q, %lse, %q
      : tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>, tensor<1x2x1xf32>, tensor<1x2x1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2x1x2xf32>
  %y = arith.minnumf %dq, %one : tensor<1x2x1x2xf32>
  %e = tensor.empty() : tensor<f32>
  %loss = arith.maxnumf %w, %e : tensor<f32>
  return %loss, %y : tensor<f32>, tensor<1x2x1x2xf32>
}
