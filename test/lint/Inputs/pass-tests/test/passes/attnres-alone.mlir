// RUN: attnres-opt %s --attnres-alone | FileCheck %s
