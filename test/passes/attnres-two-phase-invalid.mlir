// RUN: not attnres-opt %s --attnres-two-phase=group-size=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not attnres-opt %s --attnres-two-phase=size=4 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NEGATIVE: '-1' value invalid for uint argument
// UNKNOWN: no such option size
module {}
