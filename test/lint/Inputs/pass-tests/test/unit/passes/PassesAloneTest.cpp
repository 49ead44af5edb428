"attnres-whole", "attnres-check{a=1}", "func.func(attnres-bare)", "func.func(attnres-guess{b})", "attnres-lost"
