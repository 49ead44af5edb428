//===- memory/Passes.td - kernels to planned ---------------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_MEMORY_TD
#define ATTNRES_PASSES_MEMORY_TD

include "mlir/Pass/PassBase.td"

def PlanMemory : Pass<"attnres-plan-memory", "::mlir::ModuleOp"> {
  let summary = "decide where every tensor of a list of launches is";
  let description = [{
    The function `@main` has to hold only launches, dense constants, views
    (`tensor.expand_shape`, `tensor.collapse_shape`, contiguous
    `tensor.extract_slice`), `tensor.concat` along dimension 0 and its return.
    The pass gives every launch `operand_buffers` and `result_buffers`, one
    `#attnres.buffer` for each operand and result, gives constants and
    concatenations the attribute `attnres.buffer`, and sets on the module
    `attnres.workspace_bytes` (size of the arena), `attnres.constant_bytes` and
    `attnres.live_bytes` (the most bytes of the arena in use during one launch,
    which no plan can go below).

    * A returned tensor lives in its result; with `attnres.updates = k` it lives
      in argument k, which no launch may read after it was written.
    * A view lives inside its source, the operands of a concatenation inside
      the concatenation; so each must be the whole result of a launch, and of
      one concatenation only.
    * A result takes the memory of an operand that is needed for the last time
      when the kernel allows it (`inplace`).
    * Everything else gets a place of its own in the arena for as long as it is
      needed: largest first, each into the smallest gap that fits between the
      tensors that are alive at the same time. Places start at multiples of 64
      bytes.

    ```mlir
    %0 = attnres.launch @k(%a) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
    %1 = attnres.launch @k(%0) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
    ```
    becomes, when @k does not work in place,
    ```mlir
    %0 = attnres.launch @k(%a) operand_groups [-1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : ...
    %1 = attnres.launch @k(%0) operand_groups [-1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]} : ...
    return %1 : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let statistics = [
    Statistic<"workspaceBytes", "workspace-bytes", "bytes of the arena">,
    Statistic<"liveBytes", "live-bytes", "most bytes of the arena in use during one launch">,
    Statistic<"percentOfLive", "percent-of-live", "arena in percent of the bytes in use">,
    Statistic<"numInplace", "num-inplace", "results written over an operand">
  ];
}

def CheckMemoryPlan : Pass<"attnres-check-memory-plan", "::mlir::ModuleOp"> {
  let summary = "prove that a memory plan loses no value";
  let description = [{
    Replays the launches of a planned `@main` over its buffers and tracks which
    value owns which bytes. An error unless

    * every operand is read where its value was placed, and nothing has been
      written there since;
    * every result starts at a multiple of 64 bytes (unless it is a part of a
      concatenation) and lies inside its arena, argument or result;
    * results of one launch do not overlap each other, nor an operand of
      the launch unless the kernel allows exactly that (`inplace`);
    * arguments are written only by the results that update them, constants
      never;
    * what is returned is where the caller looks for it.

    Shares no decision with `attnres-plan-memory`. Changes nothing.
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
}

#endif
