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

class LayerBuilder {
public:
  LayerBuilder(mlir::ImplicitLocOpBuilder &builder, const ModelConfig &config,
               mlir::Type storage)
      : builder(builder), config(config), storage(storage) {}

  mlir::ImplicitLocOpBuilder &builder;
  const ModelConfig &config;

  /// Makes `value` known as the parameter `name`.
  void define(llvm::StringRef name, mlir::Value value) {
    parameters[name] = value;
  }
  /// The parameter `name` in f32, or null when the model has none.
  mlir::Value find(const llvm::Twine &name) const;
  /// The parameter `name` in f32; it exists.
  mlir::Value parameter(const llvm::Twine &name) const;
  /// The matrix `name` in the storage type.
  mlir::Value matrix(const llvm::Twine &name) const;

  /// x [..., K] times the matrix NAME.weight [N, K], plus NAME.bias if the
  /// model has it.
  mlir::Value linear(const llvm::Twine &name, mlir::Value x) const;
  /// The configuration's norm of x [..., D] with NAME.weight (and NAME.bias).
  mlir::Value norm(const llvm::Twine &name, mlir::Value x) const;
  /// [B, T, heads * width] as [B, T, heads, width], and back.
  mlir::Value splitHeads(mlir::Value x, int64_t heads) const;
  mlir::Value joinHeads(mlir::Value x) const;

private:
  mlir::Type storage;
  llvm::StringMap<mlir::Value> parameters;
};

} // namespace attnres

#endif
