// RUN: attnres-opt %s --attnres-two-phase --split-input-file | FileCheck %s
// RUN: attnres-opt %s --attnres-two-phase=group-size=2 --split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: attnres-opt %s --attnres-two-phase --split-input-file --remarks-filter=attnres-two-phase \
// RUN:   --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// Numbers: unit/passes/ScheduleTest.cpp

// One source row has 8 * 4 bytes. Naive: (3 + 4 + 4) * 32 + 3 * 36 = 460.
// Two-phase: 3 * 32 + 3 * 36 for the batch, 2 * (2 * 36 + 32) for the merges.
// The source that all three read first stays first; what the last two read
// besides is merged in their own order.

// CHECK-LABEL: func.func @hand_written
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[C:.*]]: tensor<2x8xf32>, %[[Q0:.*]]: tensor<8xf32>, %[[Q1:.*]]: tensor<8xf32>, %[[Q2:.*]]: tensor<8xf32>, %[[G:.*]]: tensor<8xf32>)
// CHECK: %[[O:.*]]:3, %[[S:.*]]:3 = attnres.depth_attention queries(%[[Q0]], %[[Q1]], %[[Q2]]) gains(%[[G]], %[[G]], %[[G]]) sources(%[[A]], %[[B]], %[[C]]) {eps = 1.000000e-08 : f64} : tensor<2x8xf32>
// CHECK: %[[V0:.*]] = arith.negf %[[O]]#0
// CHECK: %[[H1:.*]], %[[L1:.*]] = attnres.depth_merge %[[O]]#1, %[[S]]#1 query(%[[Q1]]) gain(%[[G]]) sources(%[[V0]]) {eps = 1.000000e-08 : f64} : tensor<2x8xf32>
// CHECK: %[[V1:.*]] = arith.addf %[[V0]], %[[H1]]
// CHECK: %[[H2:.*]], %[[L2:.*]] = attnres.depth_merge %[[O]]#2, %[[S]]#2 query(%[[Q2]]) gain(%[[G]]) sources(%[[V1]]) {eps = 1.000000e-08 : f64} : tensor<2x8xf32>
// CHECK: return %[[H2]], %[[S]]#0, %[[L1]], %[[L2]]
// PAIRS-LABEL: func.func @hand_written
// PAIRS: attnres.depth_attention queries(%{{.*}}, %{{.*}}) gains(%{{.*}}, %{{.*}}) sources(%arg0, %arg1, %arg2)
// PAIRS: attnres.depth_merge
// PAIRS: attnres.depth_attention queries(%{{[^,]*}}) gains(%{{[^,]*}}) sources(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// PAIRS-NOT: attnres.depth_merge
// PAIRS: return
// REMARK: hand_written{{.*}}[Passed] Group | Category:attnres-two-phase | BytesPerTokenAfter=412, BytesPerTokenBefore=460, Queries=3, SharedSources=3
// REMARK: hand_written{{.*}}[Analysis] Total | Category:attnres-two-phase | BytesPerTokenAfter=412, BytesPerTokenBefore=460
func.func @hand_written(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>,
                        %q0: tensor<8xf32>, %q1: tensor<8xf32>, %q2: tensor<8xf32>, %g: tensor<8xf32>)
    -> (tensor<2x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %h0, %l0 = attnres.depth_attention queries(%q0) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32> loc("hand_written")
  %v0 = arith.negf %h0 : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q1) gains(%g) sources(%a, %b, %c, %v0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v1 = arith.addf %v0, %h1 : tensor<2x8xf32>
  %h2, %l2 = attnres.depth_attention queries(%q2) gains(%g) sources(%c, %v1, %b, %a) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h2, %l0, %l1, %l2 : tensor<2x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Two sources read by two queries move as much either way, and the state's
// log-sum-exp comes on top. Two pairs of one source lose more.

// CHECK-LABEL: func.func @not_worthwhile
// CHECK-COUNT-2: attnres.depth_attention queries(%{{[^,]*}}) gains
// CHECK-NOT: attnres.depth_merge
// CHECK: return
// PAIRS-LABEL: func.func @not_worthwhile
// PAIRS: attnres.depth_attention queries(%{{.*}}, %{{.*}}) gains(%{{.*}}, %{{.*}}) sources(%arg0, %arg1)
// PAIRS: attnres.depth_merge
// REMARK-NOT: not_worthwhile{{.*}}Group
// REMARK: not_worthwhile{{.*}}Total{{.*}}BytesPerTokenAfter=232, BytesPerTokenBefore=232
func.func @not_worthwhile(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x8xf32> {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32> loc("not_worthwhile")
  %v0 = arith.negf %h0 : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %v0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h1 : tensor<2x8xf32>
}

// -----

// No source in common: neither the cost model nor a forced size groups them.

// CHECK-LABEL: func.func @nothing_shared
// CHECK-NOT: attnres.depth_merge
// CHECK: return
// PAIRS-LABEL: func.func @nothing_shared
// PAIRS-NOT: attnres.depth_merge
// PAIRS: return
func.func @nothing_shared(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x8xf32> {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %a, %a) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%b, %h0, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h1 : tensor<2x8xf32>
}

// -----

// Two depth attentions over the same sources need no merge, with one query
// used by both.

// CHECK-LABEL: func.func @same_sources
// CHECK: %[[O:.*]]:2, %{{.*}}:2 = attnres.depth_attention queries(%[[Q:.*]], %[[Q]]) gains(%arg3, %arg4) sources(%arg0, %arg1)
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[O]]#0, %[[O]]#1
// CHECK-NEXT: return %[[SUM]]
func.func @same_sources(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %q: tensor<8xf32>, %g0: tensor<8xf32>, %g1: tensor<8xf32>) -> tensor<2x8xf32> {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g0) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g1) sources(%b, %a) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %sum = arith.addf %h0, %h1 : tensor<2x8xf32>
  return %sum : tensor<2x8xf32>
}

// -----

// A source that is listed twice counts twice; a list that has it once more
// merges the difference.

// CHECK-LABEL: func.func @repeated_source
// CHECK: %[[O:.*]]:2, %[[S:.*]]:2 = attnres.depth_attention {{.*}} sources(%[[A:.*]], %[[A]], %[[B:.*]], %[[C:.*]]) {
// CHECK: attnres.depth_merge %[[O]]#1, %[[S]]#1 query(%{{.*}}) gain(%{{.*}}) sources(%[[A]], %[[C]]) {
func.func @repeated_source(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %a, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %a, %b, %c, %a, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h0, %h1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// %d is defined after the first member, so it is merged by both later members
// although both read it. A member may read another member's result.

// CHECK-LABEL: func.func @defined_too_late
// CHECK: %[[O:.*]]:3, %[[S:.*]]:3 = attnres.depth_attention queries(%{{.*}}, %{{.*}}, %{{.*}}) gains({{.*}}) sources(%arg0, %arg1, %arg2, %arg3)
// CHECK-NEXT: %[[D:.*]] = arith.negf %arg0
// CHECK-NEXT: attnres.depth_merge %[[O]]#1, %[[S]]#1 query(%{{.*}}) gain(%{{.*}}) sources(%[[D]])
// CHECK-NEXT: attnres.depth_merge %[[O]]#2, %[[S]]#2 query(%{{.*}}) gain(%{{.*}}) sources(%[[D]], %[[O]]#0)
func.func @defined_too_late(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>, %e: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c, %e) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %d = arith.negf %a : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c, %e, %d) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c, %e, %d, %h0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h1, %h2 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// The second query is computed between the members: no group.

// CHECK-LABEL: func.func @query_defined_too_late
// CHECK-NOT: attnres.depth_merge
// CHECK: return
// PAIRS-LABEL: func.func @query_defined_too_late
// PAIRS-NOT: attnres.depth_merge
// PAIRS: return
func.func @query_defined_too_late(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %p = arith.negf %q : tensor<8xf32>
  %h1, %l1 = attnres.depth_attention queries(%p) gains(%g) sources(%a, %b, %c, %h0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h0, %h1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// Another eps and another type make sequences of their own.

// CHECK-LABEL: func.func @separate_sequences
// CHECK: attnres.depth_attention queries(%[[Q:.*]], %[[Q]]) {{.*}} {eps = 1.000000e-08 : f64} : tensor<2x8xf32>
// CHECK: attnres.depth_attention queries(%[[Q]]) {{.*}} {eps = 9.9999999999999995E-7 : f64} : tensor<2x8xf32>
// CHECK: attnres.depth_attention queries(%[[Q]]) {{.*}} : tensor<5x8xbf16>
// CHECK: return
func.func @separate_sequences(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<5x8xbf16>, %q: tensor<8xf32>, %g: tensor<8xf32>)
    -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<5x8xbf16>) {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b) {eps = 1.0e-6 : f64} : tensor<2x8xf32>
  %h2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%c, %c) {eps = 1.0e-8 : f64} : tensor<5x8xbf16>
  %h3, %l3 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h0, %h1, %h3, %h2 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<5x8xbf16>
}

// -----

// Blocks are looked at one by one: a member in a region of its own stays.

// CHECK-LABEL: func.func @other_block
// CHECK: attnres.depth_attention queries(%{{[^,]*}}) gains
// CHECK: scf.if
// CHECK: attnres.depth_attention queries(%[[Q:.*]], %[[Q]]) gains
// CHECK-NEXT: attnres.depth_merge
// CHECK-NEXT: scf.yield
func.func @other_block(%p: i1, %a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x8xf32> {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %r = scf.if %p -> tensor<2x8xf32> {
    %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c, %h0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    %h2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c, %h0, %h1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    scf.yield %h2 : tensor<2x8xf32>
  } else {
    scf.yield %h0 : tensor<2x8xf32>
  }
  return %r : tensor<2x8xf32>
}

// -----

// A result of a member of the first group is a shared source of the second.

// CHECK-LABEL: func.func @group_reads_group
// CHECK: %[[O:.*]]:2, %{{.*}}:2 = attnres.depth_attention {{.*}} sources(%arg0, %arg1, %arg2)
// CHECK-NEXT: %[[P:.*]]:2, %{{.*}}:2 = attnres.depth_attention {{.*}} sources(%[[O]]#0, %[[O]]#1)
// CHECK-NEXT: return %[[P]]#0, %[[P]]#1
func.func @group_reads_group(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x8xf32>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %h0, %l0 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h1, %l1 = attnres.depth_attention queries(%q) gains(%g) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%h0, %h1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h3, %l3 = attnres.depth_attention queries(%q) gains(%g) sources(%h0, %h1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %h2, %h3 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// An operation that is batched already, and lists, are no candidates.

// CHECK-LABEL: func.func @no_candidates
// CHECK-COUNT-3: attnres.depth_attention
// CHECK-NOT: attnres.depth_merge
// CHECK: return
func.func @no_candidates(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %list: !attnres.list<tensor<2x8xf32>>, %q: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<2x8xf32> {
  %h:2, %l:2 = attnres.depth_attention queries(%q, %q) gains(%g, %g) sources(%a, %b) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %h2, %l2 = attnres.depth_attention queries(%q) gains(%g) sources(%list) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<2x8xf32>>)
  %h3, %l3 = attnres.depth_attention queries(%q) gains(%g) sources(%list) {eps = 1.0e-8 : f64} : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<2x8xf32>>)
  return %h2 : tensor<2x8xf32>
}
