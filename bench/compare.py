#!/usr/bin/python3
"""Two builds of Wick beside each other: how much slower or faster one is, model by model.

  compare.py OLD/bin NEW/bin [--models A,B] [--rounds N] [--seconds S] [--threads 1,2]

Both are folders with a `wick_bench_worker`. The two run interleaved, so that whatever else the machine does hits
both alike; NEW/OLD is given for the best and for the median run, and for the processors' time, which other processes
lengthen least. Above 1: the new build is slower.
"""
import argparse
import dataclasses
import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
import bench
import models
import peers
import interleave


def ratio(pair, of):
    old, new = (of(worker) for worker in pair)
    return new / old


def compare(model, folder, threads, rounds, seconds, bins):
    """The two workers, after their runs."""
    pair = []
    try:
        for name, folder_of_programs in zip(("old", "new"), bins):
            engine = dataclasses.replace(peers.ENGINES[0], name=f"wick-{name}")
            pair.append(interleave.Worker(engine, model, folder, threads, folder_of_programs / "wick_bench_worker"))
            pair[-1].load(folder)
        for turn in range(rounds):
            for worker in pair if turn % 2 == 0 else reversed(pair):
                worker.turn(50, seconds)
        return pair
    finally:
        for worker in pair:
            worker.close()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("old", type=pathlib.Path)
    p.add_argument("new", type=pathlib.Path)
    p.add_argument("--models", help="names, separated by commas")
    p.add_argument("--rounds", type=int, default=12)
    p.add_argument("--seconds", type=float, default=0.3, help="of a turn")
    p.add_argument("--threads", default="1")
    options = p.parse_args()
    picked = bench.chosen(options.models, models.MODELS, "model")
    folder, progress = BENCH.parent / "build/bench", interleave.Progress()
    bench.prepare_models(picked, folder, progress)
    progress.line(f"{'new / old':42} {'best':>8} {'median':>8} {'cpu':>8}   old's best")
    for model in picked:
        for threads in (int(n) for n in options.threads.split(",")):
            progress(f"{model.title}, {threads} threads")
            pair = compare(model, folder / model.name, threads, options.rounds, options.seconds, (options.old, options.new))
            progress.line(f"{f'{model.title}, {threads} thread' + 's' * (threads > 1):42}"
                          f" {ratio(pair, lambda w: min(w.times)):8.3f} {ratio(pair, lambda w: interleave.median(w.times)):8.3f}"
                          f" {ratio(pair, lambda w: min(w.processor)):8.3f}   {min(pair[0].times):.2f} ms")


if __name__ == "__main__":
    main()
