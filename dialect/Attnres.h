//===- Attnres.h - the attnres dialect --------------------------*- C++ -*-===//
//
// Everything a user of the dialect includes: operations, types, interfaces,
// and a few helpers on their types.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_ATTNRES_H
#define ATTNRES_DIALECT_ATTNRES_H

#include "dialect/IndexChoices.h"
#include "dialect/RowForm.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace attnres {
// The declarations generated for AggregatedOpInterface name these unqualified.
using mlir::FailureOr;
using mlir::OpBuilder;
using mlir::SmallVector;
using mlir::Value;
} // namespace attnres

namespace attnres {
/// The tensor type itself, or the element of a list type.
mlir::RankedTensorType tensorOf(mlir::Type type);

/// Number of elements of a tensor or of one element of a list.
int64_t elementCount(mlir::Value tensor);
/// The last dimension of a tensor of rank 1 at least.
int64_t lastDim(mlir::Value tensor);

/// Whether `backward` reads first operands of `op` and then, last, a gradient.
bool readsOperandsAndGradient(mlir::Operation *backward, mlir::Operation *op);
} // namespace attnres

#include "dialect/AttnresDialect.h.inc"
#include "dialect/AttnresEnums.h.inc"
#include "dialect/AttnresInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/AttnresAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/AttnresTypes.h.inc"
#define GET_OP_CLASSES
#include "dialect/AttnresOps.h.inc"

namespace attnres {

/// Names of the attributes that tie a program's function arguments and results
/// to the model: a string, the parameter or output it is.
inline constexpr llvm::StringLiteral kNameAttr = "attnres.name";
/// On function arguments and results: their #attnres.role.
inline constexpr llvm::StringLiteral kRoleAttr = "attnres.role";
/// Whether a role says which parameter it belongs to.
bool belongsToParameter(Role role);
/// Whether it is a role of arguments; the others are roles of results.
bool isArgumentRole(Role role);
/// On launches: their #attnres.phase, forward when absent.
inline constexpr llvm::StringLiteral kPhaseAttr = "attnres.phase";
/// On function results: index of the argument that the result replaces.
inline constexpr llvm::StringLiteral kUpdatesAttr = "attnres.updates";
/// On parameters: of how many matrices of one size, one above the other, their
/// rows are, for updates that depend on whole matrices. Absent from what is no
/// matrix of a layer: vectors, tables, output projections, choices.
inline constexpr llvm::StringLiteral kMatricesAttr = "attnres.matrices";
/// On constants and concatenations of planned programs: their #attnres.buffer.
inline constexpr llvm::StringLiteral kBufferAttr = "attnres.buffer";
/// On modules of planned programs: bytes of the arena, bytes of the read-only
/// data, and the most bytes of the arena that are needed at the same time.
inline constexpr llvm::StringLiteral kWorkspaceBytesAttr =
    "attnres.workspace_bytes";
inline constexpr llvm::StringLiteral kConstantBytesAttr =
    "attnres.constant_bytes";
inline constexpr llvm::StringLiteral kLiveBytesAttr = "attnres.live_bytes";

/// Number of rows of a tensor [..., D]: the product of all but the last
/// dimension. ShapedType::kDynamic where it is unknown or no int64_t holds it.
int64_t rowCount(mlir::RankedTensorType type);

/// Whether the elements of a tensor can be counted: its shape is static, and
/// its bytes fit 62 bits, so that sums of a few such sizes do not overflow.
bool isCountable(mlir::RankedTensorType type);

/// Whether that holds for every tensor, and every tensor of a list, that `op`
/// reads or makes.
bool hasCountableTensors(mlir::Operation *op);

/// [..., D] to [...] in f32: the type of one statistic for each row.
mlir::RankedTensorType rowStatType(mlir::RankedTensorType type);

/// Lets operations of arith and tensor answer the interfaces of rows, tokens
/// and recomputation. Done when the dialect is loaded.
void attachBuiltinModels(mlir::MLIRContext &context);

/// Makes arith and tensor operations differentiable.
void registerDifferentiableModels(mlir::DialectRegistry &registry);

} // namespace attnres

#endif
