#!/usr/bin/env python3
"""StableHLO to linalg on tensors, which attnres reads.

usage: python3 tools/import_stablehlo.py IN.mlir OUT.mlir

IN is a module of StableHLO as text or bytecode, as jax.export writes it
(`exported.mlir_module()`, `exported.mlir_module_serialized`) or torch through
torch_xla. The conversion is that of jaxlib: `pip install jax`.
"""
import re
import sys

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

PASSES = ('builtin.module(inline,stablehlo-legalize-to-linalg,canonicalize,'
          'cse)')


def operations(op):
    for region in op.regions:
        for block in region:
            for inner in block:
                yield inner.operation
                yield from operations(inner.operation)


def extend_products(module):
    """Products of narrow numbers with a wide result have wide operands: the
    conversion knows no others."""
    for op in list(operations(module.operation)):
        if op.name != 'stablehlo.dot_general':
            continue
        element = ir.RankedTensorType(op.results[0].type).element_type
        for i in range(2):
            operand = op.operands[i]
            type = ir.RankedTensorType(operand.type)
            if type.element_type == element:
                continue
            wide = ir.RankedTensorType.get(type.shape, element)
            with ir.InsertionPoint(op), op.location:
                op.operands[i] = stablehlo.convert(wide, operand)
        if 'algorithm' in op.attributes:
            del op.attributes['algorithm']


def to_linalg(source):
    """The text of a module of StableHLO, or its bytecode, as text of linalg."""
    with jax_mlir.make_ir_context() as context:
        stablehlo.register_stablehlo_passes()
        module = ir.Module.parse(source)
        with ir.Location.unknown(context):
            extend_products(module)
        passmanager.PassManager.parse(PASSES).run(module.operation)
        text = str(module)
    left = sorted(set(re.findall(r'\b(?:stablehlo|chlo)\.\w+', text)))
    if left:
        raise ValueError('no conversion of ' + ', '.join(left))
    # What only other compilers read.
    text = re.sub(r'^(module @\w+) attributes \{[^\n]*\} \{$', r'\1 {', text,
                  count=1, flags=re.M)
    return re.sub(r' \{jax\.[^}]*\}', '', text)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], 'rb') as file:
        source = file.read()
    if not source.startswith(b'ML\xefR'):
        source = source.decode()
    try:
        text = to_linalg(source)
    except (ValueError, ir.MLIRError) as error:
        sys.exit(f'{sys.argv[1]}: {str(error).splitlines()[0]}')
    with open(sys.argv[2], 'w') as file:
        file.write(text)


if __name__ == '__main__':
    main()
