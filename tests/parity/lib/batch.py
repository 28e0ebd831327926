"""Batches: cases with PyTorch's answers, kept in the build folder, and running the runner over them."""
import dataclasses
import hashlib
import importlib
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

import torch

from . import reference
from .case import forms_of

HERE = pathlib.Path(__file__).resolve().parent.parent
CHUNK = 400  # cases, or
MODEL_BYTES = 100 << 20
SECONDS_PER_CHUNK = 300


class BrokenTable(Exception):
    """A table of cases that cannot be made; says why."""


def families():
    return sorted(p.stem for p in (HERE / "cases").glob("*.py") if p.stem != "__init__")


def _sources_hash(family):
    digest = hashlib.sha256((torch.__version__ + os.environ.get("WICK_PARITY_FULL", "")).encode())
    own = [HERE / "cases" / f"{family}.py"] + sorted((HERE / f"cases_{family}").glob("*.py"))
    if "lib.destinations" in own[0].read_text():  # made from the cases of every table
        own = sorted((HERE / "cases").glob("*.py"))
    for path in sorted((HERE / "lib").glob("*.py")) + own:
        if path.name not in ("compare.py", "batch.py", "gpu.py"):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def load_or_make(family, cache_root):
    """The family's chunk folders; made with PyTorch when the sources changed since the last time."""
    root = pathlib.Path(cache_root) / f"{family}-{_sources_hash(family)}"
    if not (root / "done").exists():
        for old in pathlib.Path(cache_root).glob(f"{family}-????????????????"):
            shutil.rmtree(old, ignore_errors=True)
        _make(family, root)
        (root / "done").touch()
    return sorted(root.glob("chunk-*"))


def _make(family, root):
    """Asks PyTorch in a child process: a case that crashes PyTorch itself is left out, by name.

    A damaged heap may show only later, so what is left out is the last case that ran; a table that goes on crashing is
    broken.
    """
    crashing = []
    while len(crashing) < 20:
        root.mkdir(parents=True)
        child = os.fork()
        if child == 0:
            _make_in_child(family, root, crashing)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) not in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL):
            lines = (root / "log").read_text(errors="replace").splitlines()
            raise BrokenTable(f"table {family}:\n" + "\n".join(line for line in lines[-40:] if "Warning:" not in line))
        crashing.append((root / "now").read_text())
        print(f"PyTorch itself crashes on {crashing[-1]}: left out", flush=True)
        shutil.rmtree(root)
    raise BrokenTable(f"table {family}: PyTorch crashes again and again, lastly on {crashing[-1]}")


def _make_in_child(family, root, crashing):
    try:
        log = os.open(root / "log", os.O_WRONLY | os.O_CREAT)  # PyTorch's warnings
        os.dup2(log, 2)
        torch.set_num_threads(1)
        writer = ChunkWriter(root)
        for item in importlib.import_module(f"cases.{family}").cases():
            for form in forms_of(item):
                if form.name not in crashing:
                    (root / "now").write_text(form.name)
                    writer.add(form)
        writer.finish()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


class ChunkWriter:
    """Asks PyTorch for the answer to each case and writes them in chunks below a folder."""

    def __init__(self, root):
        self.root = root
        self.rows, self.wants, self.cases = [], [], []
        self.model_bytes = 0
        self.count = 0
        self.names, self.operators = {}, {}

    def add(self, item):
        self.names[item.name] = self.names.get(item.name, 0) + 1
        if self.names[item.name] > 1:
            item.name += f" #{self.names[item.name]}"
        if item.kind == "op":
            encoded, want = reference.answer_operator(item)
            if not reference.can_be_saved([encoded, want]):
                return
            self.rows.append((item.name, "op", item.op, encoded))
            used = [item.op]
        else:
            answer = reference.answer_script if item.form == "script" else reference.answer_model
            encoded, want, data, used = answer(item)
            if not reference.can_be_saved([encoded, want]):
                return
            self.model_bytes += len(data)
            model = torch.frombuffer(bytearray(data), dtype=torch.uint8)
            kind = "call" if item.form == "script" and item.method == "forward" else "model"
            self.rows.append((item.name, kind, item.method, [model] + encoded))
        for op in used:
            self.operators[op] = self.operators.get(op, 0) + 1
        self.wants.append(want)
        self.cases.append(dataclasses.replace(item, args=None, kwargs=None, model=None))
        if len(self.rows) == CHUNK or self.model_bytes > MODEL_BYTES:
            self._flush()

    def finish(self):
        self._flush()
        with open(self.root / "operators.pkl", "wb") as f:
            pickle.dump(self.operators, f)

    def _flush(self):
        if not self.rows:
            return
        folder = self.root / f"chunk-{self.count:04d}"
        folder.mkdir()
        torch.save(self.rows, folder / "batch.pt")
        torch.save(self.wants, folder / "want.pt")
        with open(folder / "cases.pkl", "wb") as f:
            pickle.dump(self.cases, f)
        self.count += 1
        self.rows, self.wants, self.cases, self.model_bytes = [], [], [], 0


def operators_of(chunk_folders):
    """operator -> number of cases, of a family that is made."""
    if not chunk_folders:
        return {}
    with open(chunk_folders[0].parent / "operators.pkl", "rb") as f:
        return pickle.load(f)


class Chunk:
    def __init__(self, folder):
        self.folder = folder
        with open(folder / "cases.pkl", "rb") as f:
            self.cases = pickle.load(f)

    def wants(self):
        return torch.load(self.folder / "want.pt")

    def run(self, runner):
        """One result a case. A case that kills or hangs the runner is told by name; the others still run."""
        return self._run_all(runner, (), 0, len(self.cases))

    def run_some(self, runner, options, chosen):
        """The results of the chosen cases, by number; `options` are the runner's."""
        with tempfile.TemporaryDirectory() as scratch:
            out, progress = os.path.join(scratch, "out.pt"), os.path.join(scratch, "progress")
            command = [runner, *options, str(self.folder / "batch.pt"), out, progress, ",".join(map(str, chosen))]
            try:
                if subprocess.run(command, capture_output=True, timeout=4 * SECONDS_PER_CHUNK).returncode == 0:
                    return dict(zip(chosen, torch.load(out)))
            except subprocess.TimeoutExpired:
                pass
        return {i: self._run_all(runner, options, i, i + 1)[0] for i in chosen}

    def _run_all(self, runner, options, first, last):
        results = []
        with tempfile.TemporaryDirectory() as scratch:
            while len(results) < last - first:
                results += self._run_range(runner, options, first + len(results), last, scratch)
        return results

    def _run_range(self, runner, options, first, last, scratch):
        out, progress = os.path.join(scratch, "out.pt"), os.path.join(scratch, "progress")
        for path in (out, progress):
            if os.path.exists(path):
                os.remove(path)
        command = [runner, *options, str(self.folder / "batch.pt"), out, progress, str(first), str(last)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  timeout=SECONDS_PER_CHUNK)
            why = done.stderr.strip()[-2000:]
            status = done.returncode
        except subprocess.TimeoutExpired:
            why, status = "", "hang"
        if status == 0:
            return torch.load(out)
        if status in (2, 3) or not os.path.exists(progress):
            raise SystemExit(f"{runner} could not run {self.folder}: {why or status}")
        with open(progress) as f:
            at = int(f.read())
        kind = "hangs" if status == "hang" else f"kills the runner ({status}): {_summary(why)}"
        before = self._run_range(runner, options, first, at, scratch) if at > first else []
        return before + [("crash", kind)]


def _summary(stderr):
    for line in stderr.splitlines():
        if "ERROR:" in line or "SUMMARY" in line or "terminate" in line or "what()" in line:
            return line.strip()[:200]
    return stderr.splitlines()[-1][:200] if stderr else ""
