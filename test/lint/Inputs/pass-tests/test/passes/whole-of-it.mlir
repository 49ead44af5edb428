// RUN: attnres-opt %s --attnres-whole | FileCheck %s
// RUN: attnres-opt %s --attnres-whole --attnres-interpret
