//===- TypeSyntax.h - abbreviated operand types -----------------*- C++ -*-===//
//
// Depth operations have many operands whose types all follow from the type of
// one source: queries and gains are vectors [D], statistics are [...]. When
// that is so the assembly shows the source type alone; otherwise it shows the
// types of all operands in parentheses.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_TYPESYNTAX_H
#define ATTNRES_DIALECT_TYPESYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace attnres {
using UnresolvedOperands =
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

mlir::ParseResult parseDepthTypes(mlir::OpAsmParser &parser,
                                  UnresolvedOperands queries,
                                  UnresolvedOperands sources, Types &queryTypes,
                                  Types &gainTypes, Types &sourceTypes);
void printDepthTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::OperandRange queries, mlir::OperandRange sources,
                     mlir::TypeRange queryTypes, mlir::TypeRange gainTypes,
                     mlir::TypeRange sourceTypes);

mlir::ParseResult
parseDepthMergeTypes(mlir::OpAsmParser &parser, UnresolvedOperands sources,
                     mlir::Type &stateType, mlir::Type &stateLseType,
                     mlir::Type &queryType, mlir::Type &gainType,
                     Types &sourceTypes);
void printDepthMergeTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::OperandRange sources, mlir::Type stateType,
                          mlir::Type stateLseType, mlir::Type queryType,
                          mlir::Type gainType, mlir::TypeRange sourceTypes);

mlir::ParseResult parseDepthWeightsTypes(mlir::OpAsmParser &parser,
                                         UnresolvedOperands sources,
                                         mlir::Type &queryType,
                                         mlir::Type &gainType,
                                         Types &sourceTypes);
void printDepthWeightsTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                            mlir::OperandRange sources, mlir::Type queryType,
                            mlir::Type gainType, mlir::TypeRange sourceTypes);

mlir::ParseResult parseStaticMixTypes(mlir::OpAsmParser &parser,
                                      UnresolvedOperands sources,
                                      mlir::Type &weightsType,
                                      Types &sourceTypes);
void printStaticMixTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::OperandRange sources, mlir::Type weightsType,
                         mlir::TypeRange sourceTypes);
} // namespace attnres

#endif
