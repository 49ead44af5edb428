// RUN: attnres-opt %s --attnres-recompute=budget-bytes=0 --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?x8xf32>, %t: tensor<?xi64>, %rows: tensor<?xf32>) -> (tensor<f32> {attnres.name = "loss"}, tensor<?x8xf32>) {
  // expected-error @+1 {{expected a tensor of static shape, whose bytes can be counted, on the forward side, got 'tensor<?x8xf32>'}}
  %a = attnres.gelu %x : tensor<?x8xf32>
  %loss = attnres.live_mean %rows, %t : tensor<?xf32>, tensor<?xi64>
  %b = attnres.gelu_backward %a, %a : tensor<?x8xf32>
  return %loss, %b : tensor<f32>, tensor<?x8xf32>
}

// -----

// expected-error @+1 {{expected a function of one block, got 2}}
func.func @blocks(%loss: tensor<f32>) -> (tensor<f32> {attnres.name = "loss"}) {
  cf.br ^exit
^exit:
  return %loss : tensor<f32>
}
