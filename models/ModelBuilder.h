//===- ModelBuilder.h - configuration to model-stage IR ---------*- C++ -*-===//
#ifndef ATTNRES_MODELS_MODELBUILDER_H
#define ATTNRES_MODELS_MODELBUILDER_H

#include "models/ModelConfig.h"
#include "runtime/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace attnres {

/// What activations are kept in, and what matrix products read.
enum class StorageType { F32, BF16 };

/// The static sizes of a model's function and what it returns.
struct ModelOptions {
  int64_t batch = 1;  ///< B, may be 0
  int64_t seqLen = 1; ///< T, may be 0
  StorageType dtype = StorageType::F32;
  bool loss = true;   ///< return the mean cross entropy
  bool logits = true; ///< return the logits [B, T, V]
  /// Compute the loss without ever materializing the logits, which can then not
  /// be returned.
  bool fuseLoss = false;
};

/// The model as one function, in the model stage:
///
///   func.func @main(parameters..., %tokens, %targets) -> (loss, logits)
///
/// Parameters are f32, in the order of parameterShapes(); tokens and targets
/// are i64 [B, T], targets only when the loss is returned. Arguments carry
/// attnres.name and attnres.role ("parameter" or "input"), results
/// attnres.name. Loss is f32, logits have the storage type. With bf16, matrices
/// are truncated where they are read; norm gains, biases and depth queries stay
/// f32.
///
/// An error says what the compiler cannot build, e.g. a layer type without a
/// rule. `config` has to be valid.
runtime::Result<mlir::OwningOpRef<mlir::ModuleOp>>
buildModel(mlir::MLIRContext &context, const ModelConfig &config,
           const ModelOptions &options);

/// Loads the dialects that model-stage IR is written in.
void loadModelDialects(mlir::MLIRContext &context);

} // namespace attnres

#endif
