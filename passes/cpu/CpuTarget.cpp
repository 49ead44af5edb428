//===- CpuTarget.cpp - Instruction sets the CPU back end knows ------------===//

#include "passes/cpu/CpuTarget.h"

using namespace attnres;
using namespace attnres::cpu;

// Register tiles leave room for one row of B and the broadcast elements of A:
// 12x32 uses 24 of 32 zmm, 6x16 uses 12 of 16 ymm, 4x8 uses 8 of 16 xmm.
static const CpuTarget targets[] = {
    {CpuLevel::Generic, "generic", "x86-64", "", 128, 4, 4, 8, false, false,
     false, false},
    {CpuLevel::Avx2, "avx2", "haswell", "", 256, 8, 6, 16, true, false, false,
     false},
    {CpuLevel::Avx512, "avx512", "skylake-avx512", "-prefer-256-bit", 512, 16,
     12, 32, true, false, false, false},
    {CpuLevel::Avx512Bf16, "avx512-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16", 512, 16, 12, 32, true, true, false, false},
    {CpuLevel::Avx512Bf16, "avx512-bf16+dot-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16", 512, 16, 12, 32, true, true, false, true},
    {CpuLevel::Avx512Bf16, "avx512-bf16+amx-bf16", "skylake-avx512",
     "-prefer-256-bit,+avx512bf16,+amx-tile,+amx-bf16", 512, 16, 12, 32, true,
     true, true, false},
};

CpuTarget CpuTarget::forLevel(CpuLevel level) {
  return targets[static_cast<unsigned>(level)];
}

std::optional<CpuTarget> CpuTarget::forLevel(llvm::StringRef name) {
  if (name == "host")
    return host();
  for (const CpuTarget &target : targets)
    if (target.name == name)
      return target;
  return std::nullopt;
}

CpuTarget CpuTarget::host() {
  return *forLevel(machine::hostIsa().isa.toString());
}

mlir::FailureOr<CpuTarget> CpuTarget::get(mlir::Operation *op,
                                          llvm::StringRef name) {
  if (std::optional<CpuTarget> target = forLevel(name))
    return *target;
  op->emitError("unknown isa '") << name << "'";
  return mlir::failure();
}

std::vector<TargetFact> CpuTarget::describe() const {
  auto number = [](int64_t value) { return static_cast<double>(value); };
  const ProductTiles &products = tiles.products;
  const PairTiles &pairs = tiles.pairs;
  const AttentionTiles &forward = tiles.attention;
  const AttentionBackwardTiles &backward = tiles.attentionBackward;
  return {
      {"registers", "vector", number(vectorBits), "bits", "width"},
      {"registers", "lanes", number(lanes), "", "f32 in a vector"},
      {"registers", "tile_rows", number(tileRows), "rows",
       "of C in registers in a product of f32"},
      {"registers", "tile_columns", number(tileColumns), "columns",
       "of C in registers, and of a packed panel"},
      {"rows", "range_rows", number(rowRanges.rows), "rows",
       "of a work item of row operations, at least"},
      {"rows", "most_ranges", number(rowRanges.most), "items",
       "of row operations, at most"},
      {"rows", "sum_columns", number(tiles.sumColumns), "columns",
       "of a work item that sums over rows"},
      {"products", "block_rows", number(products.blockRows), "rows",
       "of an item, panels packed before"},
      {"products", "many_block_rows", number(products.manyBlockRows), "rows",
       "of an item whose panels do not fit the second-level cache"},
      {"products", "cached_panels", number(products.cachedPanelBytes), "bytes",
       "of panels that fit the second-level cache"},
      {"products", "most_block_k", number(products.maxBlockK), "steps",
       "of k between two times that C is touched"},
      {"products", "wanted_items", number(products.wantedItems), "items",
       "of a product, for many threads"},
      {"products", "packed_depth", number(products.packedDepth), "steps",
       "of k that an item packs at a time"},
      {"products", "item", number(products.itemBytes), "bytes",
       "of A, B and C that an item packs"},
      {"products", "time_of_copying_a", products.timeOfCopyingA, "",
       "of a step that also copies rows, beyond multiplying"},
      {"products", "time_of_copying_b", products.timeOfCopyingB, "",
       "of a step that also copies columns, beyond multiplying"},
      {"pairs", "slice", number(pairs.sliceSteps), "steps",
       "of 32 k whose part of A stays in the first-level cache"},
      {"pairs", "slice_of_pieces", number(pairs.sliceStepsOfPieces), "steps",
       "the same, of f32 in three pieces"},
      {"pairs", "dot_item", number(pairs.dotItemBytes), "bytes",
       "of scratch of an item, with dot products"},
      {"pairs", "amx_item", number(pairs.amxItemBytes), "bytes",
       "of scratch of an item, with AMX tiles"},
      {"pairs", "read_cost", number(pairs.readCost), "",
       "of a tile that is read where it lies"},
      {"pairs", "copy_cost", number(pairs.copyCost), "",
       "of a tile that is copied"},
      {"pairs", "transpose_cost", number(pairs.transposeCost), "",
       "of a tile that is transposed"},
      {"pairs", "dot_cost", number(pairs.dotCost), "",
       "of a block's step of k with dot products"},
      {"pairs", "fewest_amx_rows_of_f32", number(pairs.fewestAmxRowsOfF32),
       "rows", "of a product of f32 on AMX tiles"},
      {"attention", "panel", number(forward.panelBytes), "bytes",
       "of packed keys and values"},
      {"attention", "block_keys", number(forward.blockKeys), "keys",
       "whose scores share the first-level cache"},
      {"attention", "group_strips", number(forward.groupStrips), "strips",
       "of queries that share a block of keys"},
      {"attention", "item_queries", number(forward.itemQueries), "queries",
       "of a work item"},
      {"attention", "fewest_item_queries", number(forward.fewestItemQueries),
       "queries", "of a work item where heads are few"},
      {"attention", "enough_items", number(forward.enoughItems), "items",
       "with which items need not be smaller"},
      {"attention_backward", "block_queries", number(backward.blockQueries),
       "queries", "of a block"},
      {"attention_backward", "group_keys", number(backward.groupKeys), "keys",
       "that share the first-level cache with a block of queries"},
      {"attention_backward", "panel_keys", number(backward.panelKeys), "keys",
       "that pass a block of queries"},
  };
}
