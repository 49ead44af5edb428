// Tensors whose elements do not fit 64 bits, and such of unknown size.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-hoist-selections,attnres-two-phase,attnres-lower-loss,attnres-split-reductions,attnres-annotate-costs
func.func @main(%x: tensor<1099511627776x1099511627776xf32>, %q: tensor<1099511627776xf32>, %y: tensor<?x?xf32>, %w: tensor<?xf32>, %c: tensor<5x?xf32>, %t: tensor<?xi64>) -> (tensor<1099511627776xf32>, tensor<?xf32>, tensor<f32>) {
  %h, %l = attnres.depth_attention queries(%q) gains(%q) sources(%x, %x) {eps = 1.0e-3 : f64} : tensor<1099511627776x1099511627776xf32>
  %h2, %l2 = attnres.depth_attention queries(%q) gains(%q) sources(%x, %x, %h) {eps = 1.0e-3 : f64} : tensor<1099511627776x1099511627776xf32>
  %s = attnres.sum_rows %h2 : tensor<1099511627776x1099511627776xf32>
  %a, %b = attnres.rms_norm_backward %y, %w, %y {eps = 1.0e-3 : f64} : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
  %loss, %lse = attnres.linear_cross_entropy %y, %c, %t : tensor<?x?xf32>, tensor<5x?xf32>, tensor<?xi64>
  return %s, %b, %loss : tensor<1099511627776xf32>, tensor<?xf32>, tensor<f32>
}
