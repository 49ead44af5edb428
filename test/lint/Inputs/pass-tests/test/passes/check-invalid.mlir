// RUN: attnres-opt %s --attnres-check --verify-diagnostics
