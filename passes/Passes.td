//===- Passes.td - the passes of every folder --------------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_TD
#define ATTNRES_PASSES_TD

include "mlir/Pass/PassBase.td"

include "passes/import/Passes.td"
include "passes/schedule/Passes.td"
include "passes/training/Passes.td"
include "passes/kernels/Passes.td"
include "passes/memory/Passes.td"
include "passes/cpu/Passes.td"
include "passes/nvptx/Passes.td"

def VerifyStage : Pass<"attnres-verify-stage", "::mlir::ModuleOp"> {
  let summary = "prove that a stage was reached";
  let description = [{
    Every stage of the pipelines ends with this pass. It changes nothing and is
    an error, at the operation's place, unless what is alive is what the stage
    allows (docs/stages.md). Looks at `@main` and at kernels; other functions
    are no part of a program.

    * model: `@main` has one block, its arguments and results are tensors of
      static shape without encoding, of an element type that programs can hold,
      and no two arguments and no two results share an `attnres.name`;
    * naive, scheduled, training: no `attnres.stack`, and of the dialects
      attnres, arith, math, linalg and tensor alone;
    * kernels, planned: `@main` holds launches, constants, views and
      concatenations of leading rows; kernels hold the dialects of the stages
      before; planned tensors have a place;
    * cpu: kernels take memory and know their number of work items;
    * nvptx: kernels take addresses and know how their blocks are launched.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "\"model\"", "the stage that should have been reached">
  ];
}

def Interpret : Pass<"attnres-interpret", "::mlir::ModuleOp"> {
  let summary = "run functions in the float64 reference interpreter";
  let description = [{
    Runs the function `function`, or every function without arguments, and
    fails when an `attnres.expect_close` does not hold. Does not change the
    module.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"",
           "the function to run; every function without arguments by default">,
    Option<"roundToStorage", "round-to-storage", "bool", "false",
           "round every result to its element type instead of computing in float64">,
    Option<"printResults", "print-results", "bool", "false",
           "print the results of the functions to standard output">
  ];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "functions run">
  ];
}

#endif
