//===- RowFormula.cpp - how an operation computes a row -------------------===//
#include "passes/rows/RowFormula.h"

#include "passes/rows/RowFormulaInterface.cpp.inc"

using namespace mlir;
using namespace attnres;

int64_t attnres::rows::rowWidth(Value value) {
  RankedTensorType type = tensorOf(value.getType());
  return type.getRank() == 0 ? 1 : type.getShape().back();
}

void attnres::rows::registerRowFormulas(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AttnresDialect *) {
    attachDeltaGateFormulas(*context);
    attachDepthAttentionFormulas(*context);
    attachDepthGradientFormulas(*context);
    attachDropoutFormulas(*context);
    attachElementwiseFormulas(*context);
    attachGateFormulas(*context);
    attachLookupFormulas(*context);
    attachLossFormulas(*context);
    attachNormFormulas(*context);
    attachOptimizerFormulas(*context);
    attachRotationFormulas(*context);
    attachStateFormulas(*context);
    attachStaticMixFormulas(*context);
  });
}
