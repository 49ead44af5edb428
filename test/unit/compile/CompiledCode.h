// What tests of compiled code share: writing programs, running them, and
// comparing their results with those of the float64 interpreter.
#ifndef ATTNRES_TEST_UNIT_COMPILE_COMPILEDCODE_H
#define ATTNRES_TEST_UNIT_COMPILE_COMPILEDCODE_H

#include "passes/Pipelines.h"
#include "runtime/Program.h"
#include "test/unit/RandomProgram.h"

#include "llvm/ADT/StringExtras.h"

#include <memory>
#include <string>
#include <vector>

namespace attnres::testing {

//===----------------------------------------------------------------------===//
// Running compiled programs
//===----------------------------------------------------------------------===//

double largestMagnitude(const Tensor &tensor);

/// Runs the passes of some stages.
bool runStages(mlir::ModuleOp module, llvm::ArrayRef<Stage> stages,
               const StageOptions &options);

/// `module` compiled after the passes of `stages`, which end with the code of
/// the target in the options; null after a test failure.
std::shared_ptr<const runtime::Program>
compileStages(mlir::ModuleOp module, llvm::ArrayRef<Stage> stages,
              const StageOptions &options);

/// What the compiled @main makes of `inputs` after the passes of `stages`: the
/// bytes of every output, empty after a test failure.
std::vector<std::string> runCompiled(mlir::ModuleOp module,
                                     llvm::ArrayRef<Stage> stages,
                                     const StageOptions &options,
                                     llvm::ArrayRef<Tensor> inputs);

/// Compiles @main of `module` and compares its results on `inputs` with
/// `expected`, the first `numForward` of them more closely than the others,
/// which may be off by `slack` too. Memory is poisoned before each run, and the
/// bits may not depend on the number of threads. Programs for GPUs run on the
/// emulator, without a finding; their bits may not depend on the order of
/// blocks and warps. ATTNRES_TARGET, in the environment, stands in for "cpu".
void expectCompiled(mlir::ModuleOp module, const StageOptions &options,
                    llvm::ArrayRef<Tensor> inputs,
                    llvm::ArrayRef<Tensor> expected, size_t numForward,
                    double slack = 0);

/// What the storage types of `function` can hold of random numbers. With
/// `scaleWeights`, matrices are scaled as an initialization scales them: random
/// programs are deep, and the numbers in them would grow and their softmaxes
/// saturate until f32 has no correct digits of a gradient.
llvm::SmallVector<Tensor> storableInputs(mlir::func::FuncOp function,
                                         uint64_t seed, bool scaleWeights);

/// Gives a name to every argument and result that has none.
void nameBindings(mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// Programs in text
//===----------------------------------------------------------------------===//

/// A value of a program in text.
struct Ref {
  std::string name, type;
};
using Refs = std::vector<Ref>;

inline Refs operator+(Refs lhs, const Refs &rhs) {
  lhs.insert(lhs.end(), rhs.begin(), rhs.end());
  return lhs;
}

inline std::string names(const Refs &refs) {
  return llvm::join(llvm::map_range(refs, [](const Ref &r) { return r.name; }),
                    ", ");
}

inline std::string types(const Refs &refs) {
  return llvm::join(llvm::map_range(refs, [](const Ref &r) { return r.type; }),
                    ", ");
}

/// " name(%a, %b)", or nothing when there are none.
inline std::string clause(const std::string &name, const Refs &refs) {
  return refs.empty() ? "" : " " + name + "(" + names(refs) + ")";
}

/// Writes @main.
class Writer {
public:
  Refs arguments(int64_t count, const std::string &type) {
    Refs refs;
    for (int64_t i = 0; i < count; ++i)
      refs.push_back({"%a" + std::to_string(args.size() + i), type});
    args = args + refs;
    return refs;
  }
  Refs argument(const std::string &type) { return arguments(1, type); }

  Refs op(const std::string &text, const std::vector<std::string> &results) {
    Refs refs;
    for (const std::string &type : results)
      refs.push_back({"%v" + std::to_string(numValues++), type});
    body += "  " + names(refs) + " = " + text + "\n";
    return refs;
  }

  void returns(const Refs &refs) { results = results + refs; }

  std::string text() const {
    std::string signature;
    for (const Ref &ref : args)
      signature += (signature.empty() ? "" : ", ") + ref.name + ": " + ref.type;
    return "func.func @main(" + signature + ") -> (" + types(results) +
           ") {\n" + body + "  return " + names(results) + " : " +
           types(results) + "\n}\n";
  }

private:
  Refs args, results;
  std::string body;
  int numValues = 0;
};

} // namespace attnres::testing

#endif
