"""Says which of exported forms are raised: those of write_forms.py, or of any
files of modules between lines `// -----`. A form is named by its module; the
part of the name before the first `_` says what it should become.

usage: python3 report_forms.py ATTNRES_OPT FILE...
"""
import collections
import os
import re
import subprocess
import sys

# What a form has to have, and what none of these may have.
EXPECTED = {'attention': 'attention', 'depth': 'depth_attention'}
PASSES = ['--attnres-flatten', '--canonicalize', '--cse',
          '--attnres-raise-attention', '--canonicalize', '--cse']


def raised(opt, text):
    result = subprocess.run([opt, '-'] + PASSES, input=text,
                            capture_output=True, text=True)
    if result.returncode:
        return None, result.stderr.strip().splitlines()[:1]
    ops = collections.Counter(re.findall(r'= attnres\.(\w+)', result.stdout))
    left = collections.Counter(
        re.findall(r'(?:linalg|math|arith|tensor)\.\w+', result.stdout))
    return ops, left


def main():
    opt, files = sys.argv[1], sys.argv[2:]
    right = collections.Counter()
    total = collections.Counter()
    for path in files:
        with open(path) as file:
            modules = file.read().split('// -----\n')
        for text in modules:
            name = re.search(r'module @(?:jit_)?(\w+)', text)
            name = name[1] if name else os.path.basename(path)
            kind = name.split('_')[0]
            ops, left = raised(opt, text)
            if ops is None:
                ok, what = False, 'error: ' + ' '.join(left)
            else:
                what = ' '.join(f'{n} {o}' for o, n in ops.items()) or 'nothing'
                if kind == 'wrong':
                    ok = not any(ops[op] for op in EXPECTED.values())
                else:
                    ok = bool(ops[EXPECTED[kind]] if kind in EXPECTED else ops)
            right[kind] += ok
            total[kind] += 1
            print('ok  ' if ok else 'MISS', name, '->', what)
    for kind in total:
        print(f'{kind}: {right[kind]} of {total[kind]}')


if __name__ == '__main__':
    main()
