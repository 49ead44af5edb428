// RUN: attnres-opt %s --attnres-bare
