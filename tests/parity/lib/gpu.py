"""The case tables on a GPU: what ran there, whether it is right, and what fell back to the processor."""
import collections
import dataclasses
import time

import torch

from . import batch, compare

# Of float32 storage, against PyTorch. What float16 storage gives is compared with the processor's result for the rounded
# arguments (gpu_runs.cpp), which the same cases compare with PyTorch.
RTOL, ATOL = 1e-4, 2e-5


@dataclasses.dataclass
class Tally:
    """Cases of one operator: passed and failed ran on the GPU alone, fallback on the processor or partly."""
    passed: int = 0
    failed: int = 0
    fallback: int = 0


def _values_differ(got, want, where="result"):
    """None, or how the values differ from PyTorch's; strides and storage are the processor's affair."""
    if isinstance(want, torch.Tensor):
        if not isinstance(got, torch.Tensor) or got.dtype != want.dtype or got.shape != want.shape:
            return f"{where}: another dtype or shape than PyTorch's"
        if got.is_quantized or want.numel() == 0:
            return None
        at = compare._close(got, want, *((RTOL, ATOL) if want.is_floating_point() else (0, 0)))
        if at is None:
            return None
        g, w = got.reshape(-1)[at].item(), want.reshape(-1)[at].item()
        return f"{where}: element {at} is {g!r}, PyTorch {w!r}"
    if isinstance(want, (list, tuple)) and isinstance(got, (list, tuple)) and len(got) == len(want):
        for i, (g, w) in enumerate(zip(got, want)):
            problem = _values_differ(g, w, f"{where}[{i}]")
            if problem:
                return problem
    return None


def judge(case, want, got, half):
    """"passed", "fallback", "never" or what is wrong."""
    if got[0] == "crash":
        return got[1]
    if got[0] == "never":
        return "never"
    if got[0] == "error":
        if want["status"] == "ok" and got[1] not in ("missing_operator", "unsupported"):
            return f"error {got[1]}: {compare.first_line(got[2])}; PyTorch gives a result"
        return "never" if want["status"] == "error" else "fallback"
    _, value, on_gpu, on_processor, difference = got
    if difference and case.compare == "values":
        return difference
    if on_gpu == 0 or (on_processor > 0 and case.kind == "op"):
        return "fallback"
    if want["status"] == "ok" and case.compare == "values" and not half and case.kind == "op":
        return _values_differ(value, want["value"]) or "passed"
    return "passed"


def run_family(family, options, runner, wanted, tally, failures, witnesses=None):
    half = options.precision == "fp16"
    flags = ["--backend", "gpu16" if half else "gpu"]
    for folder in batch.load_or_make(family, options.cache):
        chunk = batch.Chunk(folder)
        chosen = [i for i, c in enumerate(chunk.cases) if wanted(c)]
        if not chosen:
            continue
        wants = chunk.wants()
        results = chunk.run_some(runner, flags, chosen)
        for i in chosen:
            case = chunk.cases[i]
            said = judge(case, wants[i], results[i], half)
            if said == "never":
                continue
            counts = tally[case.op if case.kind == "op" else "models"]
            if said in ("passed", "fallback"):
                setattr(counts, said, getattr(counts, said) + 1)
                if said == "passed" and witnesses is not None and case.kind == "op":
                    witnesses.setdefault(case.op, (family, case.name))
            else:
                counts.failed += 1
                failures.append((case.name, said))


def main(options, runner, tables, wanted):
    tally, failures = collections.defaultdict(Tally), []
    for family in tables:
        start, before = time.time(), [sum(getattr(t, f) for t in tally.values()) for f in ("passed", "failed", "fallback")]
        try:
            run_family(family, options, runner, wanted, tally, failures)
        except batch.BrokenTable as e:
            failures.append((family, str(e)))
        now = [sum(getattr(t, f) for t in tally.values()) for f in ("passed", "failed", "fallback")]
        passed, failed, fallback = (n - b for n, b in zip(now, before))
        print(f"{family:24} {passed:6} passed {failed:6} failed {fallback:6} fallback {time.time() - start:6.1f} s",
              flush=True)
    if options.table:
        for op in sorted(tally):
            t = tally[op]
            print(f"  {op:48} {t.passed:5} passed {t.failed:5} failed {t.fallback:5} fallback")
    shown = collections.Counter()
    for name, problem in failures:
        op = name.split("(")[0]
        shown[op] += 1
        if (shown[op] <= 3 or options.filter) and sum(min(n, 3) for n in shown.values()) <= options.failures:
            print(f"FAIL {name}\n     {problem}")
    operators = sum(1 for op, t in tally.items() if t.passed and op != "models")
    print(f"{operators} operators on the GPU, {sum(t.fallback for t in tally.values())} cases fell back to the processor")
    print(f"{sum(t.passed for t in tally.values())} passed, {sum(t.failed for t in tally.values())} failed")
    return 1 if failures and not options.keep_going else 0
