#!/usr/bin/env python3
"""Runs the fuzz targets of tests/fuzz under the sanitizers.

  fuzz.py                   each target on its seeds and a fixed number of inputs derived from them: the same inputs on
                            every machine (tests/fuzz/mutate.h)
  fuzz.py --hours H         searches for new inputs with libFuzzer, H processor-hours in all, split evenly among the
                            targets, JOBS at a time; a finding is kept in build-fuzz/findings and the search goes on.
                            Each stretch is added to tests/fuzz/stretches.csv when it ends, be it by a signal, and
                            tests/fuzz/results.md is made of that list
  fuzz.py --seconds N       the same, N seconds a target
  fuzz.py --table           makes tests/fuzz/results.md; with --check says whether it is what the list gives
  fuzz.py --minimize        puts the shortest inputs that searches have found, and the seeds do not cover, into the seeds
  --targets a,b             only these; --jobs N; --seed S: the search of this seed, instead of another each time
"""

import argparse
import concurrent.futures
import csv
import datetime
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPLAYS = ROOT / "build-asan"  # preset asan
BUILD = ROOT / "build-fuzz"  # preset fuzz
SEEDS = ROOT / "tests" / "fuzz" / "seeds"
RESULTS = ROOT / "tests" / "fuzz" / "results.md"
# One line a stretch, only ever appended to: lists of several machines are joined by keeping the lines of both.
STRETCHES = ROOT / "tests" / "fuzz" / "stretches.csv"
FIELDS = ["date", "commit", "target", "processor_seconds", "executions", "edges", "features", "findings", "ended"]
FINDINGS = BUILD / "findings"
SEEDS_ADDED = 32 << 10  # bytes a target, by --minimize

# Inputs of a run without a search: about five seconds each.
DERIVED = {
    "archive": 100000,
    "c_api": 4000,
    "script": 100000,
    "verifier": 100000,
    "flatbuffer": 1500,
    "forks": 300,
    "image": 3000,
    "operators": 3000,
    "programs": 150,
    "run": 150,
    "tools": 150,
    "yaml": 30000,
}
LIMITS = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"]


def all_targets():
    return sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "tests" / "fuzz").glob("fuzz_*.cpp"))


def build(preset, what, jobs):
    subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", preset, "-j", str(jobs), "--target", *what], cwd=ROOT, check=True)


def say(text):
    print(text, flush=True)


# ---- a fixed number of inputs


def replay(target):
    command = [REPLAYS / "bin" / f"replay_{target}", "--inputs", str(DERIVED[target]), SEEDS / f"fuzz_{target}"]
    start = time.monotonic()
    done = subprocess.run(command, cwd=REPLAYS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    (REPLAYS / f"fuzz_{target}.log").write_text(done.stdout)
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines:
        return True, f"{target}: {lines[-1]} ({time.monotonic() - start:.0f} s)"
    return False, "\n".join(lines[-40:] + [f"{target}: failed, see build-asan/fuzz_{target}.log"])


def replay_all(targets, jobs):
    build("asan", [f"replay_{target}" for target in targets], jobs)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for passed, text in pool.map(replay, targets):
            failed += not passed
            say(text)
    say(f"{len(targets) - failed} passed, {failed} failed")
    return failed


# ---- the search


class Search:
    """libFuzzer over one target until it has used so many seconds of a processor."""

    def __init__(self, target, seconds, seed):
        self.target, self.seconds, self.seed = target, seconds, seed
        self.executions = self.edges = self.features = 0
        self.worked = 0.0
        self.findings = []
        self.new_findings = 0
        self.process = None

    def still_fails(self, path):
        command = [BUILD / "bin" / f"fuzz_{self.target}", *LIMITS, path]
        try:
            return subprocess.run(command, cwd=BUILD, capture_output=True, timeout=120).returncode != 0
        except subprocess.TimeoutExpired:
            return True

    def check_old_findings(self):
        for path in sorted(FINDINGS.glob(f"fuzz_{self.target}-*")):
            if path.suffix == ".log":
                continue
            if self.still_fails(path):
                self.findings.append(path.name)
            else:
                path.unlink()
                path.with_suffix(".log").unlink(missing_ok=True)

    def run(self):
        self.check_old_findings()
        corpus = BUILD / "corpus" / f"fuzz_{self.target}"
        corpus.mkdir(parents=True, exist_ok=True)
        while (left := self.seconds - self.worked) >= 1 and not stopping.is_set():
            before = set(FINDINGS.iterdir())
            command = [BUILD / "bin" / f"fuzz_{self.target}", f"-max_total_time={int(left)}", f"-seed={self.seed}", *LIMITS,
                       "-print_final_stats=1", f"-artifact_prefix={FINDINGS}/fuzz_{self.target}-", corpus,
                       SEEDS / f"fuzz_{self.target}"]
            executions = self.follow(command)
            self.executions += executions
            new = [path for path in FINDINGS.iterdir() if path not in before and path.suffix != ".log"]
            for path in new:
                if "-timeout-" in path.name and not self.still_fails(path):  # slow only since the machine was busy
                    path.unlink()
                    continue
                shutil.copy(BUILD / f"fuzz_{self.target}.log", path.with_name(path.name + ".log"))
                self.findings.append(path.name)
                self.new_findings += 1
                say(f"{self.target}: FOUND {path}")
            if not new and executions == 0 and not stopping.is_set():
                self.findings.append("does not start")
                break
        return self

    def follow(self, command):
        executions = 0
        with open(BUILD / f"fuzz_{self.target}.log", "w", errors="replace") as log:
            # In a group of its own: a signal of the terminal reaches it by stop() alone, once.
            process = subprocess.Popen(command, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       errors="replace", start_new_session=True)
            self.process = process
            if stopping.is_set():
                self.stop()
            for line in process.stdout:
                log.write(line)
                if match := re.match(r"#(\d+)\s.*?cov: (\d+) ft: (\d+)", line):
                    executions = int(match[1])
                    self.edges, self.features = max(self.edges, int(match[2])), max(self.features, int(match[3]))
                elif match := re.match(r"stat::number_of_executed_units:\s*(\d+)", line):
                    executions = int(match[1])
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.process = None
            self.worked += usage.ru_utime + usage.ru_stime
        return executions

    def stop(self):
        process = self.process
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGINT)  # libFuzzer prints what it has done

    def line(self):
        return (f"{self.target}: {self.worked / 3600:.2f} h, {self.executions:,} executions, {self.edges:,} edges, "
                f"{self.features:,} features, {len(self.findings)} findings")


# ---- the list of stretches, and the table made of it

stopping = threading.Event()
list_lock = threading.Lock()


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def add_stretch(search):
    if search.executions == 0:
        return
    row = [datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ"), commit(), search.target,
           f"{search.worked:.0f}", search.executions, search.edges, search.features, search.new_findings,
           "interrupted" if stopping.is_set() else "whole"]
    with list_lock:
        is_new = not STRETCHES.exists()
        with open(STRETCHES, "a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(FIELDS)
            writer.writerow(row)
        RESULTS.write_text(table())


def read_stretches():
    """A row that was joined from another machine's list may come with that list's first line."""
    if not STRETCHES.exists():
        return []
    with open(STRETCHES, newline="") as file:
        return [dict(zip(FIELDS, row)) for row in csv.reader(file) if len(row) == len(FIELDS) and row[0] != FIELDS[0]]


def table():
    rows = {target: [0.0, 0, 0, 0, 0] for target in all_targets()}
    for stretch in read_stretches():
        row = rows.setdefault(stretch["target"], [0.0, 0, 0, 0, 0])
        row[0] += float(stretch["processor_seconds"]) / 3600
        row[1] += int(stretch["executions"])
        row[2] = max(row[2], int(stretch["edges"]))
        row[3] = max(row[3], int(stretch["features"]))
        row[4] += int(stretch["findings"])
    text = ["<!-- Made by `scripts/fuzz.py --table` of stretches.csv. Hours, executions and findings add up, coverage is the",
            "     most reached. -->", "",
            "| target | processor-hours | executions | edges | features | findings |",
            "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for target, (hours, executions, edges, features, findings) in sorted(rows.items()):
        text.append(f"| {target} | {hours:.2f} | {executions:,} | {edges:,} | {features:,} | {findings} |")
    total = [sum(row[i] for row in rows.values()) for i in (0, 1, 4)]
    text.append(f"| all | {total[0]:.2f} | {total[1]:,} | | | {total[2]} |")
    return "\n".join(text) + "\n"


def make_table(check):
    if not check:
        RESULTS.write_text(table())
        return 0
    is_current = RESULTS.exists() and RESULTS.read_text() == table()
    say("1 passed, 0 failed" if is_current else f"{RESULTS}: not what stretches.csv gives; run scripts/fuzz.py --table")
    return 0 if is_current else 1


def show_progress(searches, running, end):
    while not end.wait(30):
        working = [s for s in searches if s.target in running]
        say("  " + "; ".join(f"{s.target} {s.edges:,} edges" for s in working))


def search_all(targets, jobs, seconds, seed):
    build("fuzz", [f"fuzz_{target}" for target in targets], jobs)
    FINDINGS.mkdir(parents=True, exist_ok=True)
    say(f"{len(targets)} targets, {seconds:.0f} s each, {jobs} at a time: about {seconds * len(targets) / jobs / 60:.0f} minutes")
    searches = [Search(target, seconds, seed) for target in targets]
    running, end = set(), threading.Event()
    threading.Thread(target=show_progress, args=(searches, running, end), daemon=True).start()

    def run(search):
        running.add(search.target)
        try:
            return search if stopping.is_set() else search.run()
        finally:
            running.discard(search.target)
            add_stretch(search)

    def stop(number, frame):
        stopping.set()
        for search in searches:
            search.stop()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, search) for search in searches]):
            say(done.result().line())
    end.set()
    failed = sum(bool(search.findings) for search in searches)
    say(f"{len(targets) - failed} passed, {failed} failed")
    return failed


# ---- seeds


def minimize(targets, jobs):
    build("fuzz", [f"fuzz_{target}" for target in targets], jobs)
    for target in targets:
        corpus, seeds = BUILD / "corpus" / f"fuzz_{target}", SEEDS / f"fuzz_{target}"
        if not corpus.is_dir():
            continue
        merged = BUILD / "merged" / f"fuzz_{target}"
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir(parents=True)
        shutil.copytree(seeds, merged, dirs_exist_ok=True)
        old = set(os.listdir(merged))
        subprocess.run([BUILD / "bin" / f"fuzz_{target}", "-merge=1", *LIMITS, merged, corpus], cwd=BUILD, check=True,
                       capture_output=True)
        new = sorted((path for path in merged.iterdir() if path.name not in old), key=lambda path: path.stat().st_size)
        size = count = 0
        for path in new:
            size += path.stat().st_size
            if size > SEEDS_ADDED:
                break
            shutil.copy(path, seeds / path.name[:12])
            count += 1
        say(f"{target}: {count} of {len(new)} new inputs added")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--minimize", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--targets", default="")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", os.cpu_count() or 1)))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    targets = options.targets.split(",") if options.targets else all_targets()
    if unknown := set(targets) - set(all_targets()):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(all_targets())}")
    if options.table:
        return make_table(options.check)
    if options.minimize:
        return minimize(targets, options.jobs)
    if options.hours or options.seconds:
        seconds = options.seconds or options.hours * 3600 / len(targets)
        return search_all(targets, options.jobs, seconds, options.seed)
    return replay_all(targets, options.jobs)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
