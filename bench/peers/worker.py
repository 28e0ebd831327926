"""A process that holds one engine with one model.

  worker.py convert ENGINE FOLDER MODEL
  worker.py serve ENGINE FOLDER MODEL THREADS OUTPUT     answers as bench/worker.cpp does
"""
import importlib.util
import json
import os
import pathlib
import sys
import time
import warnings

BENCH = pathlib.Path(__file__).resolve().parent.parent


def status_kb(key):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    return 0


def engine_code(name):
    """The engine's file; loaded by path, as some have the name of the package they use."""
    spec = importlib.util.spec_from_file_location("engine_" + name, BENCH / "peers" / (name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def last_line(error):
    text = str(error).strip() or type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}"[:200]


def serve(code, folder, model, threads, form, output):
    import numpy

    # The answers go to what was standard output; what libraries print does not get between them.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    inputs = [numpy.load(folder / f"input_{i}.npy") for i in range(len(model.inputs))]
    code.prepare(threads)
    run = None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "load":
            idle = status_kb("VmRSS")
            start = time.perf_counter()
            run = code.load(folder, model, inputs, threads, form)
            loaded = time.perf_counter()
            result = run()
            first = time.perf_counter()
            numpy.ascontiguousarray(result, dtype=numpy.float32).tofile(output)
            answer = {"load_ms": (loaded - start) * 1000, "first_ms": (first - loaded) * 1000, "idle_rss_kb": idle}
        elif word == "run":
            count, seconds, each = int(rest[0]), float(rest[1]), int(rest[2])
            times, processor, start = [], [], time.perf_counter()
            while len(times) < count and (not times or time.perf_counter() - start < seconds):
                begin, spent = time.perf_counter(), time.process_time()
                for _ in range(each):
                    run()
                times.append((time.perf_counter() - begin) * 1000 / each)
                processor.append((time.process_time() - spent) * 1000 / each)
            answer = {"times": times, "cpu": processor}
        else:
            answer = {"peak_rss_kb": status_kb("VmHWM")}
        print(json.dumps(answer), file=answers, flush=True)


def main():
    # Not this folder, where files have the names of packages, but the one above.
    sys.path[0] = str(BENCH)
    import models
    import peers

    warnings.filterwarnings("ignore")
    task, name, folder, model_name = sys.argv[1:5]
    engine = next(e for e in peers.ENGINES if e.name == name)
    folder, model = pathlib.Path(folder), models.model_named(model_name)
    try:
        code = engine_code(engine.file)
        if task == "serve":
            serve(code, folder, model, int(sys.argv[5]), engine.form, sys.argv[6])
        elif hasattr(code, "convert"):
            code.convert(folder, model)
    except Exception as error:  # the reason goes into the table
        print("reason: " + last_line(error), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
