; A kernel as the NVPTX back end of LLVM writes it: llc -mcpu=sm_90 -mattr=+ptx83 llvm.ll
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x i8] undef, align 16
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32,i32,i32,i32)
declare float @llvm.nvvm.ex2.approx.f(float)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat>,<2 x bfloat>,<2 x bfloat>)
declare float @llvm.maximum.f32(float,float)
declare float @llvm.maxnum.f32(float,float)
define ptx_kernel void @llvmKernel(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n, <2 x bfloat> %v) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = mul i32 %t, 16
  %s = getelementptr i8, ptr addrspace(3) @tile, i32 %o
  %g = getelementptr i8, ptr addrspace(1) %x, i32 %o
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %s, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = load <4 x float>, ptr addrspace(3) %s, align 16
  %a0 = extractelement <4 x float> %a, i32 0
  %e = call float @llvm.nvvm.ex2.approx.f(float %a0)
  %m = call float @llvm.maximum.f32(float %e, float %a0)
  %m2 = call float @llvm.maxnum.f32(float %m, float 1.0)
  %i = bitcast float %m2 to i32
  %j = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %f = bitcast i32 %j to float
  %h = fptrunc float %f to bfloat
  %vv = insertelement <2 x bfloat> %v, bfloat %h, i32 0
  %w = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %vv, <2 x bfloat> %v, <2 x bfloat> %vv)
  %p = getelementptr <2 x bfloat>, ptr addrspace(1) %y, i32 %t
  %q = srem i64 %n, 7
  %qt = trunc i64 %q to i8
  %qf = sitofp i8 %qt to float
  %t64 = zext i32 %t to i64
  %at = add i64 %n, %t64
  %p2 = getelementptr float, ptr addrspace(1) %y, i64 %at
  store float %qf, ptr addrspace(1) %p2
  store <2 x bfloat> %w, ptr addrspace(1) %p
  ret void
}
