//===- AttnresOps.td - every operation of the dialect -------*- tablegen -*-===//
include "dialect/KernelOps.td"
include "dialect/ExpertOps.td"
include "dialect/Roles.td"
