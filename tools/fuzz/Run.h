//===- Run.h - one module through one pipeline ------------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_FUZZ_RUN_H
#define ATTNRES_TOOLS_FUZZ_RUN_H

#include "tools/fuzz/RandomPipeline.h"
#include "tools/fuzz/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace attnres::fuzz {

/// A module in text and what it goes through.
struct Case {
  std::string text;
  Pipeline pipeline;
  /// Fixes the inputs on which results are compared.
  uint64_t seed = 0;
};

/// What all runs share. Made once, before processes are forked.
class Runner {
public:
  /// `corpus`: modules in text that are mutated, besides those that are
  /// generated.
  explicit Runner(std::vector<std::string> corpus);

  /// The case of a seed.
  Case generate(uint64_t seed, Report &report);

  /// Runs the pipeline and checks after every pass what holds after every pass;
  /// ends the process with the first finding.
  void run(const Case &theCase, Report &report);

  /// A context that knows every dialect and has loaded all of them, as
  /// generating needs it. Passes run in contexts that load what they see.
  mlir::MLIRContext &context() { return *loaded; }

private:
  struct Outcome {
    bool succeeded = false;
    std::string printed;
  };
  llvm::StringRef fromCorpus(uint64_t seed) const;
  Outcome runOnce(const Case &theCase, Report &report, bool check);

  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> loaded;
  std::vector<std::string> corpus;
  std::vector<uint64_t> corpusHashes;
};

} // namespace attnres::fuzz

#endif
