// RUN: attnres-opt %s --attnres-matrix-code -split-input-file -verify-diagnostics

// expected-error @+1 {{'attnres.kernel' op expected 'attnres.tiles' as array<i64> of 6 (rows, columns, warps along rows, warps along columns, stages, splits), got array<i64: 16, 96>}}
attnres.kernel @few(%x: tensor<70x64xbf16>, %w: tensor<96x64xbf16>) -> tensor<70x96xbf16>
    attributes {attnres.tiles = array<i64: 16, 96>} {
  %y = attnres.linear %x, %w : tensor<70x64xbf16>, tensor<96x64xbf16>
  attnres.return %y : tensor<70x96xbf16>
}

// -----

// Warps have whole groups of 16 rows.
// expected-error @+1 {{'attnres.kernel' op cannot be cut by 'attnres.tiles' = array<i64: 24, 96, 1, 2, 2, 1>}}
attnres.kernel @uneven(%x: tensor<70x64xbf16>, %w: tensor<96x64xbf16>) -> tensor<70x96xbf16>
    attributes {attnres.tiles = array<i64: 24, 96, 1, 2, 2, 1>} {
  %y = attnres.linear %x, %w : tensor<70x64xbf16>, tensor<96x64xbf16>
  attnres.return %y : tensor<70x96xbf16>
}

// -----

// expected-error @+1 {{'attnres.kernel' op expected 'attnres.tiles' as array<i64> of 5 (warps, groups of queries, keys, stages, splits), got "large"}}
attnres.kernel @text(%q: tensor<1x5x2x8xf32>, %k: tensor<1x5x2x8xf32>, %v: tensor<1x5x2x8xf32>) -> tensor<1x5x2x8xf32>
    attributes {attnres.tiles = "large"} {
  %o, %l = attnres.attention %q, %k, %v : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  attnres.return %o : tensor<1x5x2x8xf32>
}

// -----

// expected-error @+1 {{'attnres.kernel' op cannot be cut by 'attnres.tiles' = array<i64: 3>}}
attnres.kernel @warps(%q: tensor<1x5x2x8xf32>, %b: tensor<1x5x2xf32>) -> tensor<1x5x2x8xf32>
    attributes {attnres.tiles = array<i64: 3>} {
  %o, %s = attnres.kda %q, %q, %q, %q, %b : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2xf32>
  attnres.return %o : tensor<1x5x2x8xf32>
}

// -----

// expected-error @+1 {{'attnres.kernel' op takes no 'attnres.tiles', got array<i64: 8>}}
attnres.kernel @experts(%x: tensor<2x11x8xf32>, %w: tensor<6x16x8xf32>, %e: tensor<2x11x2xi64>) -> tensor<2x11x2x16xf32>
    attributes {attnres.tiles = array<i64: 8>} {
  %y = attnres.grouped_linear %x, %w, %e : tensor<2x11x8xf32>, tensor<6x16x8xf32>, tensor<2x11x2xi64>
  attnres.return %y : tensor<2x11x2x16xf32>
}
