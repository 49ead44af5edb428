// A parameter that is updated before the loss is known.
attnres.kernel @copy : (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%w: tensor<4xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<4xf32> {attnres.name = "w", attnres.updates = 0 : i64},
        tensor<4xf32> {attnres.name = "loss"}) {
  %new = attnres.launch @copy(%w) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %loss = attnres.launch @copy(%w) operand_groups [-1] result_groups [-1] : (tensor<4xf32>) -> tensor<4xf32>
  return %new, %loss : tensor<4xf32>, tensor<4xf32>
}
