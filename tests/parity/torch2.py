#!/usr/bin/python3
"""Operators that only PyTorch 2 has, against answers that PyTorch 2 gave when they were recorded.

  torch2.py              runs the recorded cases (any PyTorch reads them)
  torch2.py --record     makes them anew from torch2_cases.py; needs PyTorch 2

The records are in tests/data/torch2.
"""
import argparse
import pathlib
import shutil
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
RECORDS = HERE.parent / "data" / "torch2"

import torch  # noqa: E402

from lib import batch, compare, wire  # noqa: E402


def record(folder):
    import torch2_cases
    torch.set_num_threads(1)
    for name, code in (("float8_e5m2", 23), ("float8_e4m3fn", 24)):
        wire.DTYPE_CODES[getattr(torch, name)] = code
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    writer = batch.ChunkWriter(folder)
    for case in torch2_cases.cases():
        writer.add(case)
    bad = [f"{case.name}: {want['message']}" for case, want in zip(writer.cases, writer.wants) if want["status"] == "bad case"]
    writer.finish()
    (folder / "operators.pkl").unlink()
    print("\n".join(bad) or "recorded")
    return 1 if bad else 0


def operators(folder=RECORDS):
    """The operators that have recorded cases."""
    return {case.op for chunk in sorted(folder.glob("chunk-*")) for case in batch.Chunk(chunk).cases}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--record", nargs="?", const=str(RECORDS), metavar="FOLDER", help="make the records with this PyTorch")
    p.add_argument("--runner", default=None)
    options = p.parse_args()
    warnings.simplefilter("ignore")
    if options.record:
        return record(pathlib.Path(options.record))
    from run import find_runner
    runner = options.runner or find_runner()
    passed, failed = 0, 0
    for folder in sorted(RECORDS.glob("chunk-*")):
        chunk = batch.Chunk(folder)
        for case, want, got in zip(chunk.cases, chunk.wants(), chunk.run(runner)):
            problem = got[1] if got[0] == "crash" else compare.outcome(got, want, case)
            if problem:
                failed += 1
                print(f"FAIL {case.name}\n     {problem}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
