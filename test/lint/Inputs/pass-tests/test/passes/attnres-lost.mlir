// RUN: attnres-opt %s --attnres-lost | FileCheck %s
// Numbers: unit/LostTest.cpp
