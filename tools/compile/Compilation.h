//===- Compilation.h - a model on its way through the stages ----*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_COMPILATION_H
#define ATTNRES_TOOLS_COMPILE_COMPILATION_H

#include "runtime/MemoryLimit.h"
#include "tools/compile/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/ThreadPool.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace attnres {

class Compilation {
public:
  /// Builds the model; errors show in advance(). Keeps a reference to the
  /// options.
  Compilation(const ModelConfig &config, const CompileOptions &options);

  /// Parses a module of the stage `from` of a file `name` and checks what is
  /// said about its arguments and results (CheckProgram.h); errors show in
  /// advance().
  Compilation(llvm::StringRef text, llvm::StringRef name,
              const CompileOptions &options, Stage from = Stage::Model);

  /// Runs the passes of all stages up to and including `last` that have not
  /// been run yet, and shows those stages.
  Status advance(Stage last, const StageObserver &observer = {});

  /// Called with the passes of each stage before they are run: adds what looks
  /// at them. May be empty.
  void setPreparation(std::function<void(mlir::PassManager &)> preparation) {
    prepare = std::move(preparation);
  }

  mlir::ModuleOp module() { return *module_; }
  /// Once planned: the memory of the program.
  runtime::MemoryNeed plannedMemory();
  /// The module as text.
  std::string print();
  /// The function that updates parameters by summed gradients as a module of
  /// its own; empty when there is none.
  std::string printUpdate();

private:
  explicit Compilation(const CompileOptions &options);
  Status checkSizes();
  Status runStage(Stage stage);
  /// Whether the module is at `stage`, as if it had been led there.
  Status verifyStage(Stage stage);

  const CompileOptions &options;
  llvm::DefaultThreadPool threads; // outlives the context
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  Status status;
  size_t passed = 0; // stages on the way
  std::function<void(mlir::PassManager &)> prepare;
};

} // namespace attnres

#endif
