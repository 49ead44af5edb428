//===- KernelOps.td - programs cut into kernels -------------*- tablegen -*-===//
#ifndef ATTNRES_KERNEL_OPS_TD
#define ATTNRES_KERNEL_OPS_TD

include "dialect/StackOps.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def PackOp : Attnres_Op<"pack", [Pure, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "lays a matrix out in panels for the matmul micro-kernel";
  let description = [{
    The matrix B [K, N] (or its transpose, stored [N, K]) becomes panels
    [ceil(N / tile), K, tile] in f32, the last panel padded with zeros:
    `result[p, k, j] = B[k, p tile + j]`.

    Example:

    ```mlir
    %p = attnres.pack %w {tile = 32 : i64, transpose} : tensor<64x48xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[K, N], or [N, K] when transposed; leading dimensions are flattened">:$source,
                       I64Attr:$tile, UnitAttr:$transpose);
  let results = (outs Stat:$panels);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def MatmulPackedOp : Attnres_Op<"matmul_packed", [Pure, AttrSizedOperandSegments, Decomposable, Matrix, TakesNoLists,
     Accumulates<"(*this)->getResults()", "getInitMutable()">]> {
  let summary = "matrix product with a packed right-hand side";
  let description = [{
    `result = init + op(lhs) B + bias` with B given as the panels of
    `attnres.pack`; otherwise as `attnres.matmul`.

    Example:

    ```mlir
    %y = attnres.matmul_packed %x, %p : tensor<2x11x48xf32>, tensor<2x48x32xf32> -> tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[M, K], or [K, M] when transposed">:$lhs,
                       Arg<Stat, "panels [ceil(N / tile), K, tile]">:$panels,
                       Arg<Optional<Stat>, "bias [N]">:$bias,
                       Arg<Optional<Storage>, "added to the product, type of the result">:$init,
                       UnitAttr:$transpose_lhs);
  let results = (outs Storage:$result);
  let assemblyFormat = [{
    $lhs `,` $panels (`bias` `(` $bias^ `)`)? (`init` `(` $init^ `)`)? attr-dict
    `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def TensorOrList : AnyTypeOf<[AnyRankedTensor, Attnres_ListType], "a tensor or a list of tensors">;
def Count : ConfinedAttr<I64Attr, [IntNonNegative]>;

def Attnres_BlocksAttr : AttrDef<Attnres_Dialect, "Blocks"> {
  let mnemonic = "blocks";
  let summary = "how code of a GPU is launched";
  let description = [{
    `[X, Y, Z] of [X, Y, Z]`: so many blocks of so many threads. `cluster` has
    the blocks of a cluster (1 when absent), `shared` the bytes of a block's
    dynamic shared memory (0 when absent), and `lists`, for each list that the
    kernel takes or returns, in that order, the most tensors that it has in any
    launch.

    Example: `#attnres.blocks<[16, 1, 1] of [128, 1, 1] shared 4096 lists [9]>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$grid, ArrayRefParameter<"int64_t">:$block,
                        ArrayRefParameter<"int64_t">:$cluster, "int64_t":$sharedBytes,
                        ArrayRefParameter<"int64_t">:$capacities);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def KernelOp : Attnres_Op<"kernel", [AffineScope, AutomaticAllocationScope, IsolatedFromAbove, SingleBlock,
                                     FunctionOpInterface]> {
  let summary = "what one launch runs";
  let description = [{
    A function on tensors of static shape and lists of them, reached by
    `attnres.launch` alone. `inplace` has an entry for each result: the
    argument whose memory the result may be written to when the argument's
    value is not needed afterwards, or -1; both have the same type, and a list
    takes over a list element by element. `flops` counts the multiplications
    and additions of matrix products in one launch.

    A target's passes replace the body by code: its signature, which launches
    and memory plans rely on, stays, and the block takes memory instead, first
    one value for each argument (a list is a single value), then one for each
    result, then what the target passes besides. Of processors, `grid` is the
    number of work items, which may run in any order and at once; `scratch` the
    bytes of private memory for whoever runs items, and `per_item` further bytes
    for each tensor of all lists of a launch. Of GPUs, `blocks` says how the code
    is launched, and `scratch` is the memory of a whole launch. Without a body, a
    kernel is a declaration.

    Examples:

    ```mlir
    attnres.kernel @scale(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> inplace [0] {
      %z = arith.mulf %x, %y : tensor<4x8xf32>
      attnres.return %z : tensor<4x8xf32>
    }
    attnres.kernel @copy : (tensor<8xf32>) -> tensor<8xf32> grid 1 scratch 0
        code(%x: memref<8xf32>, %y: memref<8xf32>, %scratch: memref<?xi8>, %begin: index, %end: index) {
      memref.copy %x, %y : memref<8xf32> to memref<8xf32>
      attnres.return
    }
    attnres.kernel @fill : () -> tensor<64xf32> blocks<[2, 1, 1] of [32, 1, 1]> scratch 0
        code(%y: !llvm.ptr<1>, %scratch: !llvm.ptr<1>) {
      attnres.return
    }
    attnres.kernel @elsewhere : (!attnres.list<tensor<8xf32>>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<DenseI64ArrayAttr>:$inplace, OptionalAttr<Count>:$flops,
                       OptionalAttr<Count>:$grid, OptionalAttr<Attnres_BlocksAttr>:$blocks,
                       OptionalAttr<Count>:$scratch_bytes,
                       OptionalAttr<Count>:$scratch_bytes_per_item);
  let regions = (region AnyRegion:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    // A kernel without a body.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the body is a target's code, on memory.
    bool isLowered() { return getGridAttr() || getBlocksAttr(); }
    /// The argument that `inplace` lets result `result` take over, or -1.
    int64_t getReusedArgument(unsigned result);
    /// Of a kernel on tensors: what it returns.
    ::mlir::OperandRange getReturned() { return front().getTerminator()->getOperands(); }

    ::mlir::Block &front() { return getBody().front(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    /// Nothing outside the module knows kernels.
    Visibility getVisibility() { return Visibility::Private; }
    /// The types of the signature, and those of the block.
    ::llvm::LogicalResult verifyType();
    ::llvm::LogicalResult verifyBody();
  }];
}

def ReturnOp : Attnres_Op<"return", [Pure, ReturnLike, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel";
  let description = [{
    Its operands are the results of a kernel on tensors; code has written them.
  }];
  let arguments = (ins Arg<Variadic<TensorOrList>, "the results">:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* Of code. */ }]>];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Launches and where their tensors are
//===----------------------------------------------------------------------===//

def BufferKind : I32EnumAttr<"BufferKind", "what a buffer is a part of", [
    I32EnumAttrCase<"Argument", 0, "argument">, I32EnumAttrCase<"Result", 1, "result">,
    I32EnumAttrCase<"Workspace", 2, "workspace">, I32EnumAttrCase<"Constant", 3, "constant">]> {
  let cppNamespace = "::attnres";
  let genSpecializedAttr = 0;
}

def Attnres_BufferAttr : AttrDef<Attnres_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "where a tensor of a planned program starts";
  let description = [{
    `argument N` and `result N` are the memory that the caller provides for
    argument or result N of the program, `workspace` and `constant` the
    program's arena and its read-only data. `+ BYTES` is the distance from the
    start of that memory, 0 when absent.

    Examples: `#attnres.buffer<argument 3>`, `#attnres.buffer<workspace + 4096>`.
  }];
  let parameters = (ins EnumParameter<BufferKind>:$kind, "int64_t":$index, "int64_t":$offset);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def BufferArray : TypedArrayAttrBase<Attnres_BufferAttr, "array of buffers">;

def LaunchOp : Attnres_Op<"launch", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Runs `kernel`, an `attnres.kernel`. Where it takes or returns a list, the
    launch has a group of operands or results: `operand_groups` and
    `result_groups` give the size of each group, -1 standing for a single
    tensor that is not a list.

    In a planned program `operand_buffers` and `result_buffers` say where each
    operand and result starts.

    Example:

    ```mlir
    %h = attnres.launch @mix (%q, %v0, %v1) operand_groups [-1, 2] result_groups [-1]
        : (tensor<32xf32>, tensor<2x11x32xf32>, tensor<2x11x32xf32>) -> tensor<2x11x32xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Arg<Variadic<AnyRankedTensor>, "the kernel's arguments">:$inputs,
                       DenseI64ArrayAttr:$operand_groups, DenseI64ArrayAttr:$result_groups,
                       OptionalAttr<BufferArray>:$operand_buffers, OptionalAttr<BufferArray>:$result_buffers);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `operand_groups` $operand_groups `result_groups` $result_groups attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [
    // A launch whose tensors have no place yet.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$kernel, "::mlir::ValueRange":$inputs,
                   "::llvm::ArrayRef<int64_t>":$operandGroups, "::llvm::ArrayRef<int64_t>":$resultGroups), [{
      build($_builder, $_state, results, kernel, inputs, operandGroups, resultGroups,
            /*operand_buffers=*/nullptr, /*result_buffers=*/nullptr);
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kernel that is run; null where there is none of that name.
    KernelOp lookupKernel();
  }];
}

def ExpectCloseOp : Attnres_Op<"expect_close", [AllTypesMatch<["actual", "expected"]>]> {
  let summary = "states that two tensors agree";
  let description = [{
    Checked by the reference interpreter:
    |actual - expected| <= atol + rtol |expected| element by element, and NaN
    or infinity only where expected. A failure is an error at the operation.

    Example:

    ```mlir
    attnres.expect_close %y, %want {atol = 1.0e-12 : f64, rtol = 1.0e-9 : f64} : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$actual, AnyRankedTensor:$expected, F64Attr:$atol, F64Attr:$rtol);
  let assemblyFormat = "$actual `,` $expected attr-dict `:` type($actual)";
}

#endif
