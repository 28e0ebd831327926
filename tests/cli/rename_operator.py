#!/usr/bin/env python3
"""rename_operator.py IN OUT FROM TO: a copy of a lite model whose bytecode calls an operator by another name of the same
length."""
import sys
import zipfile

source, target, old, new = sys.argv[1:]
assert len(old) == len(new)
with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
    for record in given.infolist():
        data = given.read(record)
        if record.filename.endswith("/bytecode.pkl"):
            assert old.encode() in data, f"{old} is not in {source}"
            data = data.replace(old.encode(), new.encode())
        made.writestr(record.filename, data)
