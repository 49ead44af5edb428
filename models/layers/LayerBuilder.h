//===- LayerBuilder.h - what layer rules are written with -------*- C++ -*-===//
//
// Gives layer rules the model's configuration, its parameters by name, and the
// operations that most layers are made of.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_MODELS_LAYERS_LAYERBUILDER_H
#define ATTNRES_MODELS_LAYERS_LAYERBUILDER_H

#include "dialect/Attnres.h"
#include "models/ModelConfig.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace attnres {

/// What a function that continues texts has besides a plain one: tokens whose
/// positions are known at run time, and the keys and values of those before.
struct Caches {
  mlir::Value start; ///< i64 [B]: the position of each row's first token
  int64_t capacity;  ///< positions
  /// The caches with the new rows, in the order that rules wrote them.
  llvm::SmallVector<mlir::Value> written;
};

class LayerBuilder {
public:
  LayerBuilder(mlir::ImplicitLocOpBuilder &builder, const ModelConfig &config,
               mlir::Type storage)
      : builder(builder), config(config), storage(storage) {}

  mlir::ImplicitLocOpBuilder &builder;
  const ModelConfig &config;
  /// Null in functions that see whole texts.
  Caches *caches = nullptr;

  /// Makes `value` known as the parameter or cache `name`.
  void define(llvm::StringRef name, mlir::Value value) {
    parameters[name] = value;
  }
  /// The parameter `name` in f32, or null when the model has none.
  mlir::Value find(const llvm::Twine &name) const;
  /// The parameter `name` in f32; it exists.
  mlir::Value parameter(const llvm::Twine &name) const;
  /// The matrix `name`, f32 or in the storage type, in the storage type.
  mlir::Value matrix(const llvm::Twine &name) const;

  /// x [..., K] times the matrix NAME.weight [N, K], plus NAME.bias if the
  /// model has it.
  mlir::Value linear(const llvm::Twine &name, mlir::Value x) const;
  /// The configuration's norm of x [..., D] with NAME.weight (and NAME.bias).
  mlir::Value norm(const llvm::Twine &name, mlir::Value x) const;
  /// [B, T, heads * width] as [B, T, heads, width], and back.
  mlir::Value splitHeads(mlir::Value x, int64_t heads) const;
  mlir::Value joinHeads(mlir::Value x) const;

  /// x [B, T, H, Dh] rotated as the configuration says.
  mlir::Value rotate(mlir::Value x) const;
  /// All positions that the cache `name` holds once x [B, T, ...] is written
  /// to it; x itself without caches.
  mlir::Value cached(const llvm::Twine &name, mlir::Value x) const;
  /// Causal attention of q over k and v, which cached() returned; [B, T, H,
  /// Dh].
  mlir::Value attend(mlir::Value q, mlir::Value k, mlir::Value v) const;

private:
  mlir::Type storage;
  llvm::StringMap<mlir::Value> parameters;
};

} // namespace attnres

#endif
