#!/usr/bin/python3
"""Which operators run on a GPU: the table of docs/gpu.md.

  gpu_doc.py --record    runs every table on the GPU in both precisions, writes gpu_operators.txt and the page
  gpu_doc.py --check     runs one case of every operator that gpu_operators.txt has there, and checks that the page is the
                         file's

An operator has `all` in a precision when every case of dtypes that a GPU holds ran there alone, `some` when others were
the processor's; operators that are not in the table always are.
"""
import argparse
import collections
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE))

import run  # noqa: E402
from lib import batch, gpu  # noqa: E402

FILE, PAGE = HERE / "gpu_operators.txt", TOP / "docs" / "gpu.md"
BEGIN, END = "<!-- operators: tests/parity/gpu_doc.py -->", "<!-- end of operators -->"


def read_file():
    rows = [line.rstrip("\n").split("\t") for line in FILE.read_text().splitlines() if line and not line.startswith("#")]
    return {op: (fp32, fp16, family, case) for op, fp32, fp16, family, case in rows}


def table_of(rows):
    """By name, its overloads in one row where they agree."""
    names = collections.defaultdict(lambda: collections.defaultdict(list))
    for op, (fp32, fp16, _, _) in rows.items():
        name, _, overload = op.partition(".")
        names[name][fp32, fp16].append(overload or "(none)")
    lines = ["| operator | overloads | fp32 | fp16 |", "| --- | --- | --- | --- |"]
    for name in sorted(names):
        for (fp32, fp16), overloads in sorted(names[name].items()):
            shown = "" if overloads == ["(none)"] else ", ".join(sorted(overloads))
            lines.append(f"| `{name}` | {shown} | {fp32} | {fp16} |")
    return "\n".join(lines)


def page_with(rows):
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:begin] + "\n" + table_of(rows) + "\n" + text[end:]


def record(options, runner):
    witnesses, columns = {}, {}
    for precision in ("fp32", "fp16"):
        tally, failures = collections.defaultdict(gpu.Tally), []
        options.precision = precision
        for family in options.cases or batch.families():
            try:
                gpu.run_family(family, options, runner, lambda case: case.kind == "op", tally, failures,
                               witnesses if precision == "fp32" else None)
            except batch.BrokenTable as e:
                failures.append((family, str(e)))
            print(f"{precision} {family}", flush=True)
        columns[precision] = tally
        for name, problem in failures[:60]:
            print(f"FAIL {precision} {name}\n     {problem}")
        print(f"{precision}: {len(failures)} failed")
    lines = []
    for op in sorted(witnesses):
        cells = []
        for precision in ("fp32", "fp16"):
            t = columns[precision][op]
            cells.append("no" if not t.passed or t.failed else "some" if t.fallback else "all")
        if cells[0] != "no":
            lines.append("\t".join([op, *cells, *witnesses[op]]))
    FILE.write_text("# Made by gpu_doc.py --record: operator, fp32, fp16, and a case that shows it on the GPU.\n" +
                    "\n".join(lines) + "\n")
    PAGE.write_text(page_with(read_file()))
    return 0


def check(options, runner):
    rows = read_file()
    passed = failed = 0
    if PAGE.read_text() != page_with(rows):
        print("docs/gpu.md is not current: tests/parity/gpu_doc.py --record")
        failed += 1
    else:
        passed += 1
    chosen = collections.defaultdict(set)
    for _, _, family, case in rows.values():
        chosen[family].add(case)
    for family in sorted(chosen):
        for precision in ("fp32", "fp16"):
            tally, failures = collections.defaultdict(gpu.Tally), []
            options.precision = precision
            gpu.run_family(family, options, runner, lambda case: case.name in chosen[family], tally, failures)
            for name, problem in failures:
                print(f"FAIL {precision} {name}\n     {problem}")
            for op, t in tally.items():
                if op in rows and t.fallback and precision == "fp32":
                    print(f"FAIL {op} fell back to the processor")
                    failures.append((op, "fallback"))
            passed += sum(t.passed for t in tally.values())
            failed += len(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--record", action="store_true", help="run everything and write the file and the page")
    p.add_argument("--check", action="store_true", help="run one case of each operator and compare the page")
    p.add_argument("--cases", nargs="*", default=None, metavar="TABLE", help="with --record: only these tables")
    p.add_argument("--runner", default=None, help="wick_parity_runner to use (default: the newest build's)")
    p.add_argument("--cache", default=str(TOP / "build" / "parity"), help="where PyTorch's answers are kept")
    options = p.parse_args()
    if options.record == options.check:
        p.error("give --record or --check")
    warnings.simplefilter("ignore")
    runner = options.runner or run.find_runner()
    return record(options, runner) if options.record else check(options, runner)


if __name__ == "__main__":
    sys.exit(main())
