// Nothing: a library of precompiled headers has a source.
