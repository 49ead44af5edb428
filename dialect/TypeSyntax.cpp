//===- TypeSyntax.cpp - abbreviated operand types -------------------------===//
#include "dialect/TypeSyntax.h"
#include "dialect/Attnres.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

namespace {

/// What the operand types of a depth operation are when only the type of a
/// source is written.
struct DerivedTypes {
  Type source, vector, stat, logits;
};

std::optional<DerivedTypes> derive(Type type, size_t sources) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0)
    return std::nullopt;
  auto f32 = Float32Type::get(type.getContext());
  return DerivedTypes{
      type, RankedTensorType::get({tensor.getShape().back()}, f32),
      rowStatType(tensor),
      RankedTensorType::get({static_cast<int64_t>(sources)}, f32)};
}

/// Parses either `source-type` or `(all operand types)`. In the first case
/// `derived` is set, in the second `all` holds exactly `count` types.
ParseResult parseEither(OpAsmParser &parser, size_t sources, size_t count,
                        std::optional<DerivedTypes> &derived,
                        SmallVector<Type> &all) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseTypeList(all) || parser.parseRParen())
      return failure();
    if (all.size() != count)
      return parser.emitError(loc, "expected ")
             << count << " operand types, got " << all.size();
    return success();
  }
  Type type;
  if (parser.parseType(type))
    return failure();
  derived = derive(type, sources);
  if (!derived)
    return parser.emitError(loc, "expected the ranked tensor type of a source, "
                                 "of rank at least 1, got ")
           << type;
  return success();
}

void printEither(
    OpAsmPrinter &printer, Type source, size_t sources, ArrayRef<Type> all,
    function_ref<SmallVector<Type>(const DerivedTypes &)> expected) {
  std::optional<DerivedTypes> derived = derive(source, sources);
  if (derived && llvm::equal(expected(*derived), all)) {
    printer << source;
    return;
  }
  printer << "(";
  llvm::interleaveComma(all, printer);
  printer << ")";
}

SmallVector<Type> concat(std::initializer_list<TypeRange> groups) {
  SmallVector<Type> all;
  for (TypeRange group : groups)
    llvm::append_range(all, group);
  return all;
}

} // namespace

ParseResult attnres::parseDepthTypes(OpAsmParser &parser,
                                     UnresolvedOperands queries,
                                     UnresolvedOperands sources,
                                     Types &queryTypes, Types &gainTypes,
                                     Types &sourceTypes) {
  std::optional<DerivedTypes> derived;
  SmallVector<Type> all;
  size_t q = queries.size(), n = sources.size();
  if (parseEither(parser, n, 2 * q + n, derived, all))
    return failure();
  if (derived) {
    queryTypes.assign(q, derived->vector);
    gainTypes.assign(q, derived->vector);
    sourceTypes.assign(n, derived->source);
    return success();
  }
  ArrayRef<Type> types(all);
  llvm::append_range(queryTypes, types.take_front(q));
  llvm::append_range(gainTypes, types.slice(q, q));
  llvm::append_range(sourceTypes, types.drop_front(2 * q));
  return success();
}

void attnres::printDepthTypes(OpAsmPrinter &printer, Operation *,
                              OperandRange queries, OperandRange sources,
                              TypeRange queryTypes, TypeRange gainTypes,
                              TypeRange sourceTypes) {
  printEither(printer, sourceTypes.empty() ? Type() : sourceTypes.front(),
              sources.size(), concat({queryTypes, gainTypes, sourceTypes}),
              [&](const DerivedTypes &d) {
                SmallVector<Type> types(2 * queries.size(), d.vector);
                types.append(sources.size(), d.source);
                return types;
              });
}

ParseResult attnres::parseDepthMergeTypes(OpAsmParser &parser,
                                          UnresolvedOperands sources,
                                          Type &stateType, Type &stateLseType,
                                          Type &queryType, Type &gainType,
                                          Types &sourceTypes) {
  std::optional<DerivedTypes> derived;
  SmallVector<Type> all;
  if (parseEither(parser, sources.size(), 4 + sources.size(), derived, all))
    return failure();
  if (derived) {
    stateType = derived->source;
    stateLseType = derived->stat;
    queryType = gainType = derived->vector;
    sourceTypes.assign(sources.size(), derived->source);
    return success();
  }
  stateType = all[0];
  stateLseType = all[1];
  queryType = all[2];
  gainType = all[3];
  llvm::append_range(sourceTypes, ArrayRef<Type>(all).drop_front(4));
  return success();
}

void attnres::printDepthMergeTypes(OpAsmPrinter &printer, Operation *,
                                   OperandRange sources, Type stateType,
                                   Type stateLseType, Type queryType,
                                   Type gainType, TypeRange sourceTypes) {
  printEither(
      printer, stateType, sources.size(),
      concat({stateType, stateLseType, queryType, gainType, sourceTypes}),
      [&](const DerivedTypes &d) {
        SmallVector<Type> types{d.source, d.stat, d.vector, d.vector};
        types.append(sources.size(), d.source);
        return types;
      });
}

ParseResult attnres::parseDepthWeightsTypes(OpAsmParser &parser,
                                            UnresolvedOperands sources,
                                            Type &queryType, Type &gainType,
                                            Types &sourceTypes) {
  std::optional<DerivedTypes> derived;
  SmallVector<Type> all;
  if (parseEither(parser, sources.size(), 2 + sources.size(), derived, all))
    return failure();
  if (derived) {
    queryType = gainType = derived->vector;
    sourceTypes.assign(sources.size(), derived->source);
    return success();
  }
  queryType = all[0];
  gainType = all[1];
  llvm::append_range(sourceTypes, ArrayRef<Type>(all).drop_front(2));
  return success();
}

void attnres::printDepthWeightsTypes(OpAsmPrinter &printer, Operation *,
                                     OperandRange sources, Type queryType,
                                     Type gainType, TypeRange sourceTypes) {
  printEither(printer, sourceTypes.empty() ? Type() : sourceTypes.front(),
              sources.size(), concat({queryType, gainType, sourceTypes}),
              [&](const DerivedTypes &d) {
                SmallVector<Type> types{d.vector, d.vector};
                types.append(sources.size(), d.source);
                return types;
              });
}

ParseResult attnres::parseStaticMixTypes(OpAsmParser &parser,
                                         UnresolvedOperands sources,
                                         Type &weightsType,
                                         Types &sourceTypes) {
  std::optional<DerivedTypes> derived;
  SmallVector<Type> all;
  if (parseEither(parser, sources.size(), 1 + sources.size(), derived, all))
    return failure();
  if (derived) {
    weightsType = derived->logits;
    sourceTypes.assign(sources.size(), derived->source);
    return success();
  }
  weightsType = all[0];
  llvm::append_range(sourceTypes, ArrayRef<Type>(all).drop_front(1));
  return success();
}

void attnres::printStaticMixTypes(OpAsmPrinter &printer, Operation *,
                                  OperandRange sources, Type weightsType,
                                  TypeRange sourceTypes) {
  printEither(printer, sourceTypes.empty() ? Type() : sourceTypes.front(),
              sources.size(), concat({weightsType, sourceTypes}),
              [&](const DerivedTypes &d) {
                SmallVector<Type> types{d.logits};
                types.append(sources.size(), d.source);
                return types;
              });
}
