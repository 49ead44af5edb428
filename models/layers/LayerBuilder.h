//===- LayerBuilder.h - what layers are built with -------*- C++ -*-===//
//
// Gives a layer its parameters and state by name, and the operations that most
// layers are made of.
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
/// positions are known at run time, and what was kept of those before.
struct Continuation {
  mlir::Value start;  ///< i64 [B]: the position of each text's first token
  mlir::Value length; ///< i64 [B]: how many tokens of each text are real
  int64_t capacity;   ///< positions
  /// New values of the state, by name.
  llvm::StringMap<mlir::Value> written;
};

/// The values of a function that is being built.
struct FunctionValues {
  mlir::Type storage; ///< of activations
  llvm::StringMap<mlir::Value> arguments;
  /// Of functions that continue texts.
  std::optional<Continuation> continuation;
  /// i64 [B, T]: where the text of each token begins, if rows hold several.
  mlir::Value documents = {};
};

class LayerBuilder {
public:
  /// Names are those of the layer `path`, "" for the whole model's.
  LayerBuilder(mlir::ImplicitLocOpBuilder &builder, const ModelConfig &config,
               FunctionValues &values, llvm::StringRef path = "")
      : builder(builder), config(config), values(values),
        prefix(path.empty() ? "" : path.str() + ".") {}

  mlir::ImplicitLocOpBuilder &builder;
  const ModelConfig &config;

  LayerBuilder within(const llvm::Twine &part) const {
    return {builder, config, values, prefix + part.str()};
  }

  /// The parameter `name` in f32, or null when the model has none.
  mlir::Value find(const llvm::Twine &name) const;
  /// The parameter or input `name`; it exists.
  mlir::Value argument(const llvm::Twine &name) const;
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
  /// All positions of the positional state `name` once x [B, T, ...] is written
  /// to it; x itself in functions that see whole texts.
  mlir::Value cached(const llvm::Twine &name, mlir::Value x) const;
  /// The recurrent state `name` before the first token of the call, and how
  /// many tokens of each text may change it; null in functions that see whole
  /// texts.
  mlir::Value recurrent(const llvm::Twine &name) const;
  mlir::Value length() const;
  /// Makes `value` the recurrent state `name` behind the last token; without
  /// effect in functions that see whole texts.
  void replace(const llvm::Twine &name, mlir::Value value) const;
  /// Causal attention of q over k and v, which cached() returned; [B, T, H,
  /// Dh]. Without `scale`, that of the keys' width.
  mlir::Value attend(mlir::Value q, mlir::Value k, mlir::Value v,
                     mlir::FloatAttr scale = {}) const;

private:
  FunctionValues &values;
  std::string prefix;
};

} // namespace attnres

#endif
