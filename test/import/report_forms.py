"""Says which of exported forms are raised: those of write_forms.py, or of any
files of modules between lines `// -----`. A form is a function that is not
private, named by its module where it is @main; the part of the name before the
first `_` says what it should become.

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
    """For each function its operations; or the first line of an error."""
    result = subprocess.run([opt, '-'] + PASSES, input=text,
                            capture_output=True, text=True)
    if result.returncode:
        return None, result.stderr.strip().splitlines()[:1]
    found = re.split(r'^  func\.func (?:public )?@(\w+)', result.stdout,
                     flags=re.M)
    return {name: collections.Counter(re.findall(r'= attnres\.(\w+)', body))
            for name, body in zip(found[1::2], found[2::2])}, None


def main():
    opt, files = sys.argv[1], sys.argv[2:]
    right = collections.Counter()
    total = collections.Counter()

    def count(name, ok, what):
        kind = name.split('_')[0]
        right[kind] += ok
        total[kind] += 1
        print('ok  ' if ok else 'MISS', name, '->', what)

    for path in files:
        with open(path) as file:
            modules = file.read().split('// -----\n')
        for text in modules:
            module = re.search(r'module @(?:jit_)?(\w+)', text)
            module = module[1] if module else os.path.basename(path)
            forms, error = raised(opt, text)
            if forms is None:
                count(module, False, 'error: ' + ' '.join(error))
                continue
            for name, ops in forms.items():
                name = module if name == 'main' else name
                kind = name.split('_')[0]
                if kind == 'wrong':
                    ok = not any(ops[op] for op in EXPECTED.values())
                else:
                    ok = bool(ops[EXPECTED[kind]] if kind in EXPECTED else ops)
                count(name, ok, ' '.join(f'{n} {o}' for o, n in ops.items())
                      or 'nothing')
    for kind in total:
        print(f'{kind}: {right[kind]} of {total[kind]}')


if __name__ == '__main__':
    main()
