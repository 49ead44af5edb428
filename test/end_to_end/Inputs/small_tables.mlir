// A table of 100 rows and 100 classes, for bytes.
func.func @main(%table: tensor<100x8xf32> {attnres.name = "embedding.weight", attnres.role = #attnres.role<parameter>},
                %head: tensor<101x8xf32> {attnres.name = "head.weight", attnres.role = #attnres.role<parameter>},
                %tokens: tensor<2x8xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>},
                %targets: tensor<2x8xi64> {attnres.name = "targets", attnres.role = #attnres.role<input>})
    -> (tensor<f32> {attnres.name = "loss"}) {
  %x = attnres.embedding %tokens, %table : tensor<2x8xi64>, tensor<100x8xf32>
  %y = attnres.linear %x, %head : tensor<2x8x8xf32>, tensor<101x8xf32>
  %loss, %lse = attnres.cross_entropy %y, %targets : tensor<2x8x101xf32>, tensor<2x8xi64>
  return %loss : tensor<f32>
}
