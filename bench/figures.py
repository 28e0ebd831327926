"""The targets that are not a comparison: overhead of a run, memory, planning, denormals."""
import json
import pathlib
import subprocess
import sys

import peers
import roofline
import interleave

BENCH = pathlib.Path(__file__).resolve().parent


class Plain:
    """As models.Model for a worker."""

    def __init__(self, name):
        self.name = self.title = name


def write_models(folder):
    """A linear layer of 8 x 8; a stack of convolutions with ordinary numbers and with numbers that are denormal."""
    import torch

    class Stack(torch.nn.Module):
        def __init__(self, scale):
            super().__init__()
            torch.manual_seed(0)
            self.first = torch.nn.Conv2d(32, 64, 1)
            self.second = torch.nn.Conv2d(64, 64, 3, padding=1)
            self.third = torch.nn.Conv2d(64, 64, 3, padding=1, groups=64)
            for layer in (self.first, self.second, self.third):
                layer.weight.data *= scale
                layer.bias.data *= 0

        def forward(self, x):
            return torch.relu(self.third(torch.relu(self.second(torch.relu(self.first(x))))))

    torch.manual_seed(0)
    image = torch.rand(1, 32, 56, 56)
    made = {"tiny": (torch.nn.Linear(8, 8), torch.randn(1, 8)), "normal": (Stack(1.0), image),
            "denormal": (Stack(1e-15), image * 1e-24)}
    for name, (net, value) in made.items():
        where = folder / name
        where.mkdir(parents=True, exist_ok=True)
        torch.jit.script(net.eval())._save_for_lite_interpreter(str(where / "model.ptl"))
        torch.save((value,), where / "inputs.pt")


def run(name, folder, wick, each=1, options=(), rounds=5):
    worker = interleave.Worker(peers.ENGINES[0], Plain(name), folder / name, 1, wick, options)
    worker.load(folder / name)
    for _ in range(rounds):
        worker.turn(50, 0.1, each)
    result = {**worker.loaded, **worker.ask("memory"), "best_ms": min(worker.times), "median_ms": interleave.median(worker.times)}
    worker.close()
    return result


def measure(picked, folder, wick, progress):
    """{figure: {"value", "target", "unit"}}, an upper limit each; "rates" of a core, and "bounds" by model."""
    if not (folder / "denormal/model.ptl").exists():
        subprocess.run([sys.executable, __file__, str(folder)], check=True)
    progress("overhead, memory, planning and denormals")
    out = {}

    def add(title, value, target, unit):
        out[title] = {"value": value, "target": target, "unit": unit}

    add("run of a linear layer 8x8", run("tiny", folder, wick, 1000)["best_ms"] * 1000, 2, "microseconds")
    add("denormal numbers, times slower", run("denormal", folder, wick)["best_ms"] / run("normal", folder, wick)["best_ms"],
        1.2, "x")
    for model in picked:
        if not (folder / model.name / "model.ptl").exists():
            continue
        # The first run is one only: the best of some processes.
        planned = [run(model.name, folder, wick, rounds=1) for _ in range(2 if model.is_large else 4)]
        plain = run(model.name, folder, wick, options=["--no-plan"], rounds=2 if model.is_large else 5)
        add(f"{model.title}, first run as times of a plain run", min(r["first_ms"] for r in planned) / plain["best_ms"], 3, "x")
        if model.name == "mobilenet_v2":
            weights = (folder / model.name / "model.ptl").stat().st_size / 1e6
            add(f"{model.title}, peak memory above its file", min(r["peak_rss_kb"] for r in planned) * 1.024e-3 - weights, 10, "MB")
    worker = interleave.Worker(peers.ENGINES[0], Plain("tiny"), folder / "tiny", 1, wick)
    out["rates"] = worker.ask("peak")
    worker.close()
    out["bounds"] = {m.name: roofline.lower_bound(work_of(m, folder), out["rates"], *roofline.cache_bytes()) for m in picked}
    return out


def work_of(model, folder):
    kept = folder / model.name / "work.json"
    if not kept.exists() or kept.stat().st_mtime < pathlib.Path(roofline.__file__).stat().st_mtime:
        done = subprocess.run([sys.executable, roofline.__file__, model.name], check=True, capture_output=True, text=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(done.stdout)
    return json.loads(kept.read_text())


def lines(figures):
    return [f"{title}: {f['value']:.2f} {f['unit']}, target at most {f['target']}: " +
            ("met" if f["value"] <= f["target"] else "not met") for title, f in figures.items() if "value" in f]


if __name__ == "__main__":
    write_models(pathlib.Path(sys.argv[1]))
