// A model of two parameters; one has a name that a test chooses.
//
func.func @main(
    %w: tensor<256x8xf32> {attnres.name = "%N%", attnres.role = #attnres.role<parameter>},
    %v: tensor<256x8xf32> {attnres.name = "other", attnres.role = #attnres.role<parameter>},
    %tokens: tensor<2x8xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>},
    %targets: tensor<2x8xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %x = attnres.embedding %tokens, %w : tensor<2x8xi64>, tensor<256x8xf32>
  %y = attnres.linear %x, %v : tensor<2x8x8xf32>, tensor<256x8xf32>
  %l, %e = attnres.cross_entropy %y, %targets : tensor<2x8x256xf32>, tensor<2x8xi64>
  return %l : tensor<f32>
}
