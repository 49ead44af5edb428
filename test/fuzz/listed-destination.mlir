// A tensor that is only a shape among those that a kernel sees as a list.
// PIPELINE: attnres-to-cpu
// RUN: attnres-fuzz %s
module {
  func.func @main(%q: tensor<11xf32>, %x: tensor<3x11xf32>, %lse: tensor<3xf32>) -> tensor<11xf32> {
    %e = tensor.empty() : tensor<3x11xf32>
    %g:6 = attnres.depth_attention_backward queries(%q, %q) gains(%q, %q) sources(%x, %e) lses(%lse, %lse) output_grads(%x, %e) {eps = 1.0 : f64} : tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<3x11xf32>, tensor<3x11xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x11xf32>, tensor<3x11xf32>
    return %g#4 : tensor<11xf32>
  }
}
