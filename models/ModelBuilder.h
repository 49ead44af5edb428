//===- ModelBuilder.h - configuration to model-stage IR ---------*- C++ -*-===//
#ifndef ATTNRES_MODELS_MODELBUILDER_H
#define ATTNRES_MODELS_MODELBUILDER_H

#include "models/ModelConfig.h"
#include "support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

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
  /// Rows hold several texts, one behind the other: attention and rotation
  /// begin anew with each. The input `documents`, i64 [B, T], says where the
  /// text of each token begins. Not with layers that carry a state.
  bool documents = false;
  /// The share of the elements of the embedding and of every sublayer's output
  /// that are 0, in [0, 1); above 0 by the input `random`, i64 [2], of
  /// attnres.dropout.
  double dropout = 0;
  /// The share of each target that the loss spreads over all tokens, in [0, 1).
  double labelSmoothing = 0;
  /// Also return the magnitudes activation.NAME, f32 [B, T]: of the embedding,
  /// of what every sublayer reads (blocks.0.attn.input) and writes
  /// (blocks.0.attn.output), and of what the final norm reads (final).
  bool activations = false;
  /// Say which part of the stack each parameter belongs to, for
  /// attnres-cut-pipeline: the depth blocks, in mode Full the sublayers, and
  /// the decoder blocks in other modes.
  bool parts = false;
  /// With `parts`: those that the stages of a pipeline begin with, 0 the first.
  /// Then what parameters are said to belong to is these stages.
  std::vector<int64_t> pipelineStarts;
};

/// The model as one function, in the model stage:
///
///   func.func @main(parameters..., %tokens, %targets) -> (loss, logits)
///
/// Parameters are f32, in the order of parameterShapes(); tokens and targets
/// are i64 [B, T], targets only when the loss is returned. Behind them come the
/// inputs that options ask for. Arguments carry
/// attnres.name and attnres.role ("parameter" or "input"), results
/// attnres.name. Loss is f32, logits have the storage type. With bf16, matrices
/// are truncated where they are read; norm gains, biases and depth queries stay
/// f32.
///
/// An error says which size is too large or which options exclude each other.
/// `config` has to be valid.
Result<mlir::OwningOpRef<mlir::ModuleOp>>
buildModel(mlir::MLIRContext &context, const ModelConfig &config,
           const ModelOptions &options);

/// The static sizes of a function that continues texts.
struct CachedModelOptions {
  int64_t batch = 1;    ///< B, texts side by side
  int64_t tokens = 1;   ///< C, new tokens of each text in one call, at least 1
  int64_t capacity = 1; ///< positions of a text, at least C
  StorageType dtype = StorageType::F32;
};

/// The model as a function that reads C more tokens of each of B texts and
/// returns the logits of what follows, in the model stage:
///
///   func.func @main(parameters..., %tokens, %start, %length, %last, state...)
///       -> (logits, state...)
///
/// The tokens i64 [B, C] of text b stand at the positions start[b] and on, and
/// see what is kept of all positions before: the state of listState(), updated
/// in place. The first length[b] of them, 0 to C, are real; the others are
/// padding, which changes no state. `last`, i64 [B], says of each text which
/// token is the one whose logits [B, V] are returned; a function of one token
/// has no such argument. start[b] + C may not pass the capacity.
///
/// C = 1 is decoding; a larger C reads a prompt in chunks. Matrices have the
/// storage type, so that a call reads each once and nothing else. Arguments and
/// results carry the attributes of buildModel(), what is kept the role cache or
/// state; results that update an argument also attnres.updates.
Result<mlir::OwningOpRef<mlir::ModuleOp>>
buildCachedModel(mlir::MLIRContext &context, const ModelConfig &config,
                 const CachedModelOptions &options);

/// Loads the dialects that model-stage IR is written in.
void loadModelDialects(mlir::MLIRContext &context);

} // namespace attnres

#endif
