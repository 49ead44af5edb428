// RUN: attnres-opt %s --attnres-guess | FileCheck %s
