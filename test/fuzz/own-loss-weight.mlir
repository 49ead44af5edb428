// A parameter may have the name of the weight that was not asked for.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-differentiate
func.func @main(%w: tensor<f32> {attnres.name = "loss_weight", attnres.role = #attnres.role<parameter>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %loss = math.exp %w : tensor<f32>
  return %loss : tensor<f32>
}
