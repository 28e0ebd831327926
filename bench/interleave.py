"""Interleaved engines: each has its own process, which stays alive and is stopped while another runs."""
import ctypes
import hashlib
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
NOT_INSTALLED = "not installed (make bench-peers)"
LARGEST_DIFFERENCE = 1e-3  # from PyTorch's answer, as part of its largest value; one that is further off is not timed


class Refused(Exception):
    """An engine that cannot take part; the text says why."""


def python_of(engine):
    if not engine.is_peer:
        return sys.executable
    python = BENCH.parent / "build" / engine.environment / "bin/python"
    if not python.exists():
        raise Refused(NOT_INSTALLED)
    return str(python)


def reason_of(text):
    lines = [line for line in text.strip().splitlines() if line]
    for line in lines:
        if line.startswith("reason: "):
            reason = line[len("reason: "):]
            return NOT_INSTALLED if reason.startswith(("ModuleNotFoundError", "ImportError")) else reason
    return lines[-1][:200] if lines else "ended without a word"


def convert(engine, model, folder, limit):
    """What the engine reads, once: neither a conversion nor one that failed is done again while the converter stays as
    it is."""
    if not engine.file:
        return
    _, found, code = (BENCH / "peers" / (engine.file + ".py")).read_text().partition("\ndef convert(")
    if not found:
        return
    mark, digest = folder / f"{engine.name}.converted", hashlib.sha1(code.partition("\n\n\n")[0].encode()).hexdigest()
    known, _, reason = mark.read_text().partition("\n") if mark.exists() else ("", "", "")
    if known != digest:
        command = [python_of(engine), str(BENCH / "peers/worker.py"), "convert", engine.name, str(folder), model.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=folder,
                                  preexec_fn=end_with_parent)
            reason = reason_of(done.stderr) if done.returncode else ""
        except subprocess.TimeoutExpired:
            reason = f"conversion took more than {limit} s"
        if reason != NOT_INSTALLED:
            mark.write_text(f"{digest}\n{reason}")
    if reason:
        raise Refused(reason)


def end_with_parent():
    """A stopped process would outlive a benchmark that is interrupted."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Worker:
    """An engine's process."""

    def __init__(self, engine, model, folder, threads, wick, options=()):
        self.engine, self.times, self.processor, self.rounds = engine, [], [], []
        self.output = folder / f"{engine.name}.out"
        self.output.unlink(missing_ok=True)
        if engine.file:
            command = [python_of(engine), str(BENCH / "peers/worker.py"), "serve", engine.name, str(folder), model.name,
                       str(threads), str(self.output)]
        else:
            command = [str(wick), str(folder / "model.ptl"), str(folder / "inputs.pt"), str(threads), str(self.output)]
            command += options
        # OpenVINO sends telemetry from a separate process unless it believes that it is tested.
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), PYTHONDONTWRITEBYTECODE="1", CI="true")
        self.errors = open(folder / f"{engine.name}.log", "w+")
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                            text=True, env=environment, preexec_fn=end_with_parent, start_new_session=True)
        except OSError as error:
            raise Refused(f"cannot be started: {error.strerror}") from None

    def ask(self, line, limit=300):
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        answer = self.process.stdout.readline() if ready else ""
        if not answer:
            self.end()
            self.errors.seek(0)
            raise Refused(reason_of(self.errors.read()) if ready else f"no answer for {limit} s")
        # Threads that spin while they wait for work would slow the others down.
        self.process.send_signal(signal.SIGSTOP)
        try:
            return json.loads(answer)
        except ValueError:
            raise Refused(f"answers '{answer.strip()[:80]}'") from None

    def load(self, folder):
        """Loads the model and runs it once; the answer has to be PyTorch's."""
        self.loaded = self.ask("load")
        self.loaded["difference"] = off = difference(self, folder)
        if off is not None and not off <= LARGEST_DIFFERENCE:
            raise Refused(f"wrong answer: differs by {off:.1e} of the largest value")

    def turn(self, count, seconds, each=1):
        """A few runs; the first is not counted unless it is long: the caches hold the other engines' data."""
        if self.loaded["first_ms"] < 400:
            self.ask(f"run 1 1 {each}")
        answer = self.ask(f"run {count} {seconds} {each}")
        times = answer["times"]
        self.times += times
        self.processor += answer["cpu"]
        self.rounds.append(sorted(times)[len(times) // 2])

    def end(self):
        """With all processes that it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def close(self):
        self.end()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            try:
                file.close()
            except BrokenPipeError:
                pass


def difference(worker, folder):
    """Largest difference to PyTorch's result, as a part of its largest value; None when there is no result."""
    import numpy

    if not worker.output.exists() or not (folder / "expected.npy").exists():
        return None
    expected = numpy.load(folder / "expected.npy").ravel()
    result = numpy.fromfile(worker.output, dtype=numpy.float32)
    if result.size != expected.size:
        raise Refused(f"gives {result.size} values instead of {expected.size}")
    return float(numpy.abs(result - expected).max() / max(1e-30, float(numpy.abs(expected).max())))


def median(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def row(worker):
    return {"best_ms": min(worker.times), "median_ms": median(worker.times), "runs": len(worker.times),
            "cpu_ms": median(worker.processor), "rounds_ms": worker.rounds, **worker.loaded, **worker.ask("memory")}


def measure(model, engines, folder, threads, rounds, seconds, wick, say):
    """{engine: figures or {"reason": ...}} of one model with so many threads."""
    rows, workers = {}, []
    title = f"{model.title}, {threads} thread{'s' * (threads > 1)}"

    def each(what, act):
        """For every engine that is still there; one that fails gives its reason and leaves."""
        for worker in list(workers):
            say(f"{title}: {worker.engine.title} {what}")
            try:
                act(worker)
            except Refused as refused:
                rows[worker.engine.name] = {"reason": str(refused)}
                workers.remove(worker)
                worker.close()

    for engine in engines:
        try:
            if engine.images_only and not model.is_image:
                raise Refused("no image")
            say(f"{title}: {engine.title} converts")
            convert(engine, model, folder, 900)
            workers.append(Worker(engine, model, folder, threads, wick))
        except Refused as refused:
            rows[engine.name] = {"reason": str(refused)}
    each("starts", lambda worker: worker.ask("memory"))  # all at once: an answer means that its libraries are loaded
    each("loads", lambda worker: worker.load(folder))
    for turn in range(rounds):
        # Engines that take seconds for a run have fewer interleave.
        each(f"in round {turn + 1} of {rounds}", lambda worker: None if turn >= 2 and turn % 3 and worker.loaded["first_ms"] > 2000
             else worker.turn(50, seconds))
    each("ends", lambda worker: rows.update({worker.engine.name: row(worker)}))
    for worker in workers:
        worker.close()
    return rows


class Progress:
    """One line on a terminal, nothing elsewhere."""

    def __init__(self):
        self.start = time.monotonic()

    def __call__(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K[{time.monotonic() - self.start:5.0f} s] {text}", end="", file=sys.stderr, flush=True)

    def line(self, text):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(text, flush=True)
