//===- kernels/Passes.td - training to kernels -------------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_KERNELS_TD
#define ATTNRES_PASSES_KERNELS_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"attnres-decompose"> {
  let summary = "rewrite attnres operations as plain linalg";
  let description = [{
    Replaces attnres operations by linalg, arith, math and tensor operations
    that compute the same in f32, result for result: the naive form, and an
    oracle for compiled kernels. Operations on lists, on dynamic shapes and on
    tensors with an encoding have no such form and stay, as do stacks and
    launches. Sums may be rounded in another order than in the fused operation.

    ```mlir
    %y = attnres.gelu %x : tensor<2x3xbf16>
    ```
    becomes one `linalg.generic` that extends, computes in f32 and truncates.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "names of the operations to decompose; all by default">,
    Option<"documents", "documents", "bool", "false",
           "besides those of `ops`, attention in rows of several texts">
  ];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "operations rewritten">
  ];
}

def RopeTables : Pass<"attnres-rope-tables"> {
  let summary = "give rotations a table of their cosines and sines";
  let description = [{
    Every `attnres.rope` without a table gets one [T, Dh] (or [B, T, Dh] with
    start) of cosines and sines, computed in double precision and rounded to
    f32. Rotations of equal shape share it. It is computed, not a constant: a
    program does not grow with the positions that there may be.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numTables", "num-tables", "tables computed">,
    Statistic<"numRotations", "num-rotations", "rotations that read one">
  ];
}

def LowerLoss : Pass<"attnres-lower-loss"> {
  let summary = "write losses as row operations, in chunks that bound the logits";
  let description = [{
    `attnres.cross_entropy` becomes the cross entropy of each row and their
    mean. `attnres.linear_cross_entropy` and its backward operation become, for
    each chunk of rows, a projection, the cross entropy of its rows, and for the
    backward operation the two products with the gradient of the logits, so
    that only the logits of one chunk exist at a time. The backward operation
    takes the place of the loss where the gradient of the loss can be had there,
    and then the logits are computed once; elsewhere they are computed again
    and carry `attnres.recomputed`. A chunk has `chunk-bytes` of logits, or as
    many as `max-chunks` chunks need. The weight gradient is accumulated over
    the chunks in order: its rounding depends on their number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"chunkBytes", "chunk-bytes", "int64_t", "33554432", "bytes of logits that exist at a time">,
    Option<"maxChunks", "max-chunks", "unsigned", "128", "most chunks of a loss; they grow instead">
  ];
  let statistics = [
    Statistic<"numLosses", "num-losses", "losses lowered">,
    Statistic<"numChunks", "num-chunks", "chunks of logits that they are made of">
  ];
}

def PackMatmul : Pass<"attnres-pack-matmul"> {
  let summary = "give matrix products a packed right-hand side";
  let description = [{
    `attnres.linear` and `attnres.matmul` become `attnres.pack` of the right
    operand and `attnres.matmul_packed`. Equal packings are shared. Products of
    few rows stay: reading the right operand where it lies once costs less than
    packing it. So do those whose operands are both stored as rows of what is
    summed over, which is how weight gradients are (`transpose_lhs`, a result in
    f32): their kernels pack both operands piece by piece.
    With `bf16-in-kernels`, products of two operands in bf16 stay too, and with
    `f32-in-kernels` those of two in f32 of at least so many rows: the target's
    kernels bring both into a form of their own.
  }];
  let options = [
    Option<"bf16InKernels", "bf16-in-kernels", "bool", "false", "kernels pack bf16 by themselves">,
    Option<"f32InKernels", "f32-in-kernels", "int64_t", "0",
           "rows from which on kernels pack f32 by themselves; 0: never">,
    Option<"tile", "tile", "int64_t", "32", "columns of a panel; the target's register tile">,
    Option<"unpackedRows", "unpacked-rows", "int64_t", "4", "most rows of a product that is not packed">
  ];
  let statistics = [
    Statistic<"numPackings", "num-packings", "right operands packed">,
    Statistic<"numProducts", "num-products", "products of packed operands">
  ];
}

def SplitReductions : Pass<"attnres-split-reductions"> {
  let summary = "cut sums over all rows into partial sums and their sum";
  let description = [{
    Gradients of vectors are sums over all rows. Every operation that has such
    a result gets `partials`, one sum for each range of rows that is a work
    item, followed by `attnres.sum_rows` over the ranges. The ranges depend on
    the number of rows alone, so results do not depend on the number of threads.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "16", "rows of a range, at least">,
    Option<"most", "most", "int64_t", "64", "ranges, at most">
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "operations with partial sums">
  ];
}

def LowerTensors : Pass<"attnres-lower-tensors", "::mlir::ModuleOp"> {
  let summary = "write operations on tensors without a kernel of their own as linalg";
  let description = [{
    In the function `function`, `linalg.softmax` becomes four operations (the
    largest score, which starts at -inf, exponentials, their sum, the quotient;
    sums in f32 or wider), and slices that are not contiguous, paddings,
    insertions, concatenations of other dimensions than the first, gathers,
    `tensor.generate` and the like become a `linalg.generic` whose body computes
    the index that it reads. Scalars that are computed between tensor operations
    move into the bodies that use them. Does not change rounding, except of
    softmax in bf16 and f16.

    ```mlir
    %p = tensor.pad %x low[1] high[0] {...} : tensor<3xf32> to tensor<4xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %p = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.subi %i, %c1 : index
      ...
      %v = tensor.extract %x[%k] : tensor<3xf32>
      %r = arith.select %inside, %v, %zero : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to lower">
  ];
  let statistics = [
    Statistic<"numRewritten", "num-rewritten", "operations written as linalg">,
    Statistic<"numCaptures", "num-captures", "scalars that bodies compute by themselves">
  ];
}

def FormKernels : Pass<"attnres-form-kernels", "::mlir::ModuleOp"> {
  let summary = "cut a function into kernels";
  let description = [{
    Chains of operations that work row by row are fused into one kernel, as
    long as nothing outside the chain comes between; every other operation is a
    kernel of its own. The function is left with launches, constants and views.
    A recomputed operation also shares the kernel of an operation that reads the
    same rows, so that they are read once. Operands that come in any number
    (depth sources, queries) are passed as lists, so that the same kernel serves
    any number of them. Every result of the function is written by a launch, and
    no two results share memory.
    Does not change rounding, except that bf16 values inside a kernel stay f32.
  }];
  let dependentDialects = ["::attnres::AttnresDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to cut">,
    Option<"maxOps", "max-ops", "unsigned", "12", "most operations in a fused kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "kernels formed">,
    Statistic<"numFused", "num-fused", "operations that share a kernel with another">
  ];
}

def ShareKernels : Pass<"attnres-share-kernels", "::mlir::ModuleOp"> {
  let summary = "keep one of equal kernels";
  let description = [{
    Kernels with equal bodies and attributes are merged and their launches
    redirected, so that compile time follows the number of distinct kernels,
    not of layers.
  }];
  let statistics = [
    Statistic<"numBefore", "num-before", "kernels before">,
    Statistic<"numDistinct", "num-distinct", "kernels that remain">
  ];
}

def AnnotateCosts : Pass<"attnres-annotate-costs", "::mlir::ModuleOp"> {
  let summary = "count the floating-point operations of kernels";
  let description = [{
    Sets `flops` of every kernel: two for each multiplication and
    addition of its matrix products and attentions, half of all pairs counting
    for a causal mask. Other operations count nothing: they are bound by memory.
  }];
  let statistics = [
    Statistic<"numProducts", "num-products", "kernels of products">,
    Statistic<"numOthers", "num-others", "kernels that count nothing">
  ];
}

def AnnotatePhases : Pass<"attnres-annotate-phases", "::mlir::ModuleOp"> {
  let summary = "say which part of a training step every launch belongs to";
  let description = [{
    Sets `attnres.phase` of the launches in @main by the roles of the results
    that need them: `backward` for gradients and their norms, `update` for new
    parameters and moments; what an output or a new state needs belongs to the
    forward pass and has no attribute. The phases follow each other, so that a
    launch that stands before one of an earlier phase belongs to that phase.

    A parameter or moment that is updated before all outputs and gradients are
    known is an error: a step could not stop when they are not finite.

    ```mlir
    %loss = attnres.launch @loss(...) ...
    %grad = attnres.launch @product(...) ...
    %new:3 = attnres.launch @adamw(%w, %grad, ...) ...
    ```
    becomes
    ```mlir
    %loss = attnres.launch @loss(...) ...
    %grad = attnres.launch @product(...) ... {attnres.phase = #attnres.phase<backward>} ...
    %new:3 = attnres.launch @adamw(%w, %grad, ...) ... {attnres.phase = #attnres.phase<update>} ...
    ```
  }];
  let statistics = [
    Statistic<"numBackward", "num-backward", "launches of the backward pass">,
    Statistic<"numUpdate", "num-update", "launches of the update">
  ];
}

def PlaceCommunication : Pass<"attnres-place-communication", "::mlir::ModuleOp"> {
  let summary = "say what processes that train together send, and what each may leave out";
  let description = [{
    For a program with gradient sums, in which every process sums the gradients
    of its part of a batch and updates its part of the parameters:

    * `attnres.completes` of a launch names the parameters whose gradient sums
      are complete behind it. What processes send of them can leave from there
      on, while the launches that follow run;
    * `attnres.owner` of a launch of an update names the parameter that it works
      for alone: all that it makes is read for that parameter, or is the squares
      of its gradient, which every process learns from the owner. It is left out
      where the parameter is another process's.

    Changes no values: one process does all launches in order, whatever these
    attributes say.

    ```mlir
    %sum = attnres.launch @product(%sofar, ...) ...
    %new:3 = attnres.launch @adamw(%w, ...) ...
    ```
    becomes
    ```mlir
    %sum = attnres.launch @product(%sofar, ...) ... {attnres.completes = ["w"]} ...
    %new:3 = attnres.launch @adamw(%w, ...) ... {attnres.owner = "w"} ...
    ```
  }];
  let statistics = [
    Statistic<"numReductions", "num-reductions", "gradient sums that a launch completes">,
    Statistic<"numOwned", "num-owned", "launches of the update that work for one parameter">
  ];
}

def CutPipeline : Pass<"attnres-cut-pipeline", "::mlir::ModuleOp"> {
  let summary = "keep one stage of a model that several processes compute in a row";
  let description = [{
    Cuts @main, which has launches, into `stages` stages and keeps number
    `stage`. Each launch is in one of them, as it is, so that all stages
    together compute every bit that the whole function computes. Parameters
    carry `attnres.part`, the number of the part of the stack that reads them
    first (a depth block, or where there are none a decoder block):

    * a launch of the forward pass belongs to the last part that it reads
      anything of, one of the backward pass to the last part whose forward
      values it reads, or an earlier one if it adds up gradients of that;
    * what only prepares parameters or inputs (packed weights, tables), and what
      the backward pass computes again, is done in every stage that reads it;
    * a cut lies between two parts that no launch reads parameters of both of,
      such as a batched mixture over depth. Among these cuts, those are taken
      whose most expensive stage has the fewest operations.

    A stage has all arguments of the whole function, and the results that it
    computes. In addition it takes `from_previous.N`, what stages before it have
    computed and it or a stage behind it reads, and returns as `to_next.N` what
    it adds to that. In the backward pass it takes `from_next.N` and returns
    `to_previous.N`, gradients with respect to those. Every value crosses each
    cut once: a source over depth stays where it arrived for the backward pass.

    ```mlir
    func.func @main(%w0 {attnres.part = 0}, %w1 {attnres.part = 1}, %x) {
      %h = attnres.launch @product(%x, %w0) ...
      %y = attnres.launch @product(%h, %w1) ...
      return %y
    ```
    becomes with `stages=2 stage=1`
    ```mlir
    func.func @main(%w0, %w1, %x, %h {attnres.name = "from_previous.0"}) {
      %y = attnres.launch @product(%h, %w1) ...
      return %y
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"stages", "stages", "int64_t", "1", "how many stages there are">,
    Option<"stage", "stage", "int64_t", "0", "which one is kept, from 0">
  ];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "launches of the stage">,
    Statistic<"numRepeated", "num-repeated", "of these, those that other stages may do too">,
    Statistic<"bytesFromPrevious", "bytes-from-previous", "bytes that come from the stage before">,
    Statistic<"bytesFromNext", "bytes-from-next", "bytes that come from the stage behind">
  ];
}

#endif
