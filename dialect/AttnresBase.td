//===- AttnresBase.td - dialect, types and constraints ------*- tablegen -*-===//
//
// The attnres dialect, its list type, and the type constraints shared by its
// operations.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_BASE_TD
#define ATTNRES_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "dialect/AttnresInterfaces.td"

def Attnres_Dialect : Dialect {
  let name = "attnres";
  let cppNamespace = "::attnres";
  let summary = "attention-residual language models on tensors";
  let description = [{
    Attention residuals replace `x + f(x)` by a softmax over depth: every
    sublayer reads a learned mixture of earlier outputs. The dialect holds the
    parts of such models as fused tensor operations (depth attention, sequence
    attention, norms, projections, losses, the optimizer), their hand-written
    backward operations, and the few operations that describe a program cut
    into kernels.

    Conventions that hold everywhere:

    * activations have shape `[..., D]`; the leading dimensions are rows
      (usually batch and tokens) and never mix unless an operation says so;
    * storage is f32 or bf16; statistics (log-sum-exp, gradients of
      parameters, losses) are f32 whatever the storage type;
    * logarithms are natural; a log-sum-exp over nothing is -inf and the
      corresponding mixture is 0.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect",
    "mlir::linalg::LinalgDialect", "mlir::math::MathDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Attnres_ListType : TypeDef<Attnres_Dialect, "List"> {
  let mnemonic = "list";
  let summary = "any number of tensors of one type";
  let description = [{
    The type of a kernel argument that stands for a run-time number of tensors
    of one type, so that one kernel serves any number of depth sources.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$element);
  let assemblyFormat = "`<` $element `>`";
}

// Storage: what activations, weights and their gradients may be kept in.
def Storage : RankedTensorOf<[F32, BF16]>;
def Stat : RankedTensorOf<[F32]>;
def Scalar : 0DTensorOf<[F32]>;
def Indices : RankedTensorOf<[I64]>;
def StorageOrList : AnyTypeOf<[Storage, Attnres_ListType]>;
def StatOrList : AnyTypeOf<[Stat, Attnres_ListType]>;

// Chooses by an index that comes with the program. One outside is an error, so
// the operation must not run where the program would not have run it.
def ChoosesByIndex : TraitList<[NoMemoryEffect, DeclareOpInterfaceMethods<ChoosingOpInterface>]>;
// The same where the index is optional.
def MayChooseByIndex : TraitList<[NoMemoryEffect, DeclareOpInterfaceMethods<ChoosingOpInterface>,
                                  DeclareOpInterfaceMethods<ConditionallySpeculatable>]>;
// The same, but code takes the nearest element instead of one outside, so that
// it may run anywhere.
def ChoosesNearest : TraitList<[Pure, DeclareOpInterfaceMethods<ChoosingOpInterface>]>;

class Attnres_Op<string mnemonic, list<Trait> traits = []>
    : Op<Attnres_Dialect, mnemonic, traits>;

#endif
