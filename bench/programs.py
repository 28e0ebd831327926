#!/usr/bin/python3
"""Models that are programs (bench/programs_list.py): Wick and PyTorch 1.13 interleaved, with the same number of threads.

  programs.py [NAME ...] [--rounds N] [--threads N] [--worker build/bin/wick_bench_worker] [--output TABLE.md] [--list]

Both run the same scripted file; PyTorch with its optimizing executor, after runs that let it optimize. Times are of
processors, which others on the machine do not lengthen; the results of both are compared first.
"""
import argparse
import hashlib
import pathlib
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import torch  # noqa: E402

import programs_list  # noqa: E402
from operators import Wick, median  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parent.parent


def prepared(name, folder):
    """The file of the model and that of its arguments; written once."""
    model, inputs, mark = folder / f"{name}.pt", folder / f"{name}.inputs.pt", folder / f"{name}.done"
    digest = hashlib.sha1(pathlib.Path(programs_list.__file__).read_bytes()).hexdigest()
    if not mark.exists() or mark.read_text() != digest:
        module, arguments = programs_list.build(name)
        module.save(str(model))
        torch.save(arguments, inputs)
        mark.write_text(digest)
    return model, inputs


def torch_time(module, arguments):
    start = time.process_time()
    module(*arguments)
    return (time.process_time() - start) * 1000


def measure(name, options):
    model, inputs = prepared(name, options.folder)
    module, arguments = torch.jit.load(str(model)), torch.load(inputs)
    wick = Wick(options.worker, str(model), str(inputs), [], options.threads)
    try:
        wick.ask("load")
        for _ in range(3):
            torch_time(module, arguments)
            wick.ask("run 1 1 1")
        result = module(*arguments)
        found = len(result[0]) if isinstance(result, tuple) else None
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours += wick.ask("run 2 5 1")["cpu"]
            theirs += [torch_time(module, arguments) for _ in range(2)]
        return ours, theirs, found
    finally:
        wick.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--worker", default=str(TOP / "build/bin/wick_bench_worker"))
    parser.add_argument("--folder", type=pathlib.Path, default=TOP / "build/bench/programs")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print the names")
    options = parser.parse_args()
    if options.list:
        return print("\n".join(programs_list.NAMES))
    unknown = [name for name in options.names if name not in programs_list.NAMES]
    if unknown:
        sys.exit(f"programs.py: no model '{unknown[0]}'; there are {', '.join(programs_list.NAMES)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.set_grad_enabled(False)
    lines = ["| model | PyTorch / Wick, best | median | Wick ms | PyTorch ms | boxes |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    print("\n".join(lines))
    for name in options.names or programs_list.NAMES:
        ours, theirs, found = measure(name, options)
        lines.append(f"| {name} | {min(theirs) / min(ours):.2f} | {median(theirs) / median(ours):.2f} | {min(ours):.1f} |"
                     f" {min(theirs):.1f} | {'' if found is None else found} |")
        print(lines[-1], flush=True)
    if options.output:
        title = f"# Models that are programs, beside PyTorch {torch.__version__.split('+')[0]}, threads: {options.threads}\n\n"
        options.output.write_text(title + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
