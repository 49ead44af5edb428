//===- MmaWarpGroup.cpp - matrix instructions of warp groups --------------===//
#include "passes/nvptx/MmaWarpGroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// PTX, "Matrix Descriptor Format": bits 0 to 13 the address, 16 to 29 the
// leading dimension's offset, 32 to 45 the stride dimension's, all in units of
// 16 bytes; 62 and 63 the swizzle, 1 for 128 bytes. Along the depth, the stride
// is that of eight rows, and there is no leading offset within a panel; the
// other way round the stride is that of eight elements of the depth, and the
// leading offset that of the next 64 rows, which are the next panel.
WarpGroupOperand::WarpGroupOperand(const MmaCode &code, const TileShape &tile,
                                   bool alongDepth, Value tileBegin, Int first)
    : code(code), tile(tile), alongDepth(alongDepth) {
  int64_t leading = alongDepth ? kPieceBytes : tile.panelBytes();
  int64_t stride = 8 * kPanelBytes;
  uint64_t constant = uint64_t(leading / kPieceBytes) << 16 |
                      uint64_t(stride / kPieceBytes) << 32 | uint64_t(1) << 62;
  Int firstByte = alongDepth ? first * kPanelBytes
                             : first / kWarpGroupRows * tile.panelBytes();
  OpBuilder &builder = code.builder;
  Value address = LLVM::PtrToIntOp::create(builder, code.loc, code.i32(),
                                           code.offset(tileBegin, firstByte));
  // Shared memory has fewer bytes than the address has bits.
  Value units = (code.asInt(address) / kPieceBytes).value;
  Value wide = arith::ExtUIOp::create(builder, code.loc, code.i64(), units);
  begin = arith::OrIOp::create(builder, code.loc, wide,
                               code.number64(static_cast<int64_t>(constant)));
}

Value WarpGroupOperand::at(int64_t step) const {
  int64_t panelSteps = kPanelBytes / kStepBytes;
  int64_t bytes = alongDepth ? step / panelSteps * tile.panelBytes() +
                                   step % panelSteps * kStepBytes
                             : step * kGroupSize * kPanelBytes;
  return code.addWide(begin, code.number64(bytes / kPieceBytes));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void attnres::nvptx::fenceForWarpGroups(const MmaCode &code) {
  NVVM::FenceProxyOp::create(
      code.builder, code.loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(code.builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

/// Inline PTX that reads `operands` and changes `sums`, or only sets them.
static void changeSums(const MmaCode &code, const std::string &text,
                       StringRef constraints, ValueRange operands,
                       MutableArrayRef<Value> sums, bool reads) {
  std::string all;
  for (size_t i = 0; i < sums.size(); ++i)
    all += "=f,";
  all += constraints;
  SmallVector<Value> inputs(operands);
  if (reads) {
    for (size_t i = 0; i < sums.size(); ++i)
      all += std::to_string(i) + ",";
    llvm::append_range(inputs, sums);
  }
  all += "~{memory}";
  auto type = LLVM::LLVMStructType::getLiteral(
      code.builder.getContext(), SmallVector<Type>(sums.size(), code.f32()));
  auto result = LLVM::InlineAsmOp::create(
      code.builder, code.loc, type, inputs, text, all,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(code.builder.getContext(),
                                LLVM::AsmDialect::AD_ATT),
      ArrayAttr());
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(code.builder, code.loc, result.getRes(),
                                       i);
}

/// "{$4, $5, ...}"
static std::string registerList(size_t first, size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

// Inline PTX: MLIR's operation takes no left operand in registers, and is
// lowered so that it waits for itself.
static void issue(const MmaCode &code, ValueRange left, bool isLeftTransposed,
                  const WarpGroupOperand &right, int64_t step, int64_t columns,
                  MutableArrayRef<Value> sums, bool fresh) {
  bool inRegisters = left.size() > 1;
  size_t n = sums.size(), next = n + left.size() + 1;
  std::string text = "{ .reg .pred p; setp.ne.b32 p, $" + std::to_string(next) +
                     ", 0; wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(columns) + "k16.f32.bf16.bf16 " +
                     registerList(0, n) + ", ";
  text += inRegisters ? registerList(n, left.size()) : "$" + std::to_string(n);
  text += ", $" + std::to_string(n + left.size()) + ", p, 1, 1";
  if (!inRegisters)
    text += ", " + std::to_string(isLeftTransposed);
  text += ", " + std::to_string(right.isTransposed()) + "; }";
  SmallVector<Value> operands(left);
  operands.append({right.at(step), code.number(!fresh).value});
  changeSums(code, text, inRegisters ? "r,r,r,r,l,r," : "l,l,r,", operands,
             sums, /*reads=*/!fresh);
}

// The fence orders the instructions behind what has written their registers.
void attnres::nvptx::multiplyAdd(const MmaCode &code,
                                 const WarpGroupOperand &left,
                                 const WarpGroupOperand &right, int64_t steps,
                                 int64_t columns, MutableArrayRef<Value> sums,
                                 bool fresh) {
  NVVM::WgmmaFenceAlignedOp::create(code.builder, code.loc);
  for (int64_t step = 0; step < steps; ++step)
    issue(code, left.at(step), left.isTransposed(), right, step, columns, sums,
          fresh && step == 0);
  NVVM::WgmmaGroupSyncAlignedOp::create(code.builder, code.loc);
}

void attnres::nvptx::multiplyAdd(const MmaCode &code, ArrayRef<MmaOperand> left,
                                 const WarpGroupOperand &right, int64_t columns,
                                 MutableArrayRef<Value> sums) {
  NVVM::WgmmaFenceAlignedOp::create(code.builder, code.loc);
  for (auto [step, operand] : llvm::enumerate(left))
    issue(code, operand.high, false, right, step, columns, sums,
          /*fresh=*/false);
  NVVM::WgmmaGroupSyncAlignedOp::create(code.builder, code.loc);
}

// Inline PTX: that sums are complete only behind the wait can be said by
// passing them through it.
void attnres::nvptx::waitForWarpGroup(const MmaCode &code, int64_t pending,
                                      MutableArrayRef<Value> sums) {
  changeSums(code,
             "wgmma.wait_group.sync.aligned " + std::to_string(pending) + ";",
             "", {}, sums, /*reads=*/true);
}
