"""The page of benchmarks: plots of what bench/results holds. No figure is measured or written here."""
import re
import statistics

COLORS = {"Wick": "#d9480f", "ONNX Runtime": "#1971c2", "PyTorch": "#868e96", "Wick fp32": "#d9480f",
          "Wick fp16": "#f08c00"}


def tables(text):
    """(heading above, column names, rows) of every table of a page."""
    found, heading, rows = [], "", []
    for line in text.splitlines() + [""]:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append((heading, rows[0], rows[2:]))
            rows = []
    return found


def number(text):
    match = re.match(r"-?\d+(\.\d+)?(e-?\d+)?", text)
    return float(match[0]) if match else None


def short(model):
    return model.split(",")[0].replace("-ResNet50 400x400", "").replace("BERT-like encoder", "encoder")


def bars(path, labels, series, title, unit, logarithmic=False):
    """A picture of groups of bars, readable on light and on dark paper; series: name -> values (None: not measured)."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "wick"  # the same picture each time
    from matplotlib import pyplot
    gray = "#868e96"
    figure, axes = pyplot.subplots(figsize=(9, 3.6))
    width = 0.8 / len(series)
    for i, (name, values) in enumerate(series.items()):
        at = [x + (i - (len(series) - 1) / 2) * width for x in range(len(labels))]
        axes.bar([x for x, v in zip(at, values) if v is not None], [v for v in values if v is not None], width,
                 label=name, color=COLORS.get(name))
    axes.set_xticks(range(len(labels)), labels, rotation=30, ha="right", color=gray)
    axes.set_ylabel(unit, color=gray)
    axes.set_title(title, color=gray, fontsize=11, loc="left")
    if logarithmic:
        axes.set_yscale("log")
    axes.tick_params(colors=gray, which="both")
    axes.grid(axis="y", color=gray, alpha=0.25)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(gray)
    axes.legend(frameon=False, labelcolor=gray, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(series), fontsize=9)
    figure.tight_layout()
    figure.savefig(path, transparent=True, metadata={"Date": None})
    pyplot.close(figure)


def models(results, folder):
    """Whole models beside other engines: time, memory and load, each engine in its best form."""
    text = (results / "table.md").read_text()
    machine = re.search(r"^(Intel|AMD|ARM|Apple|[A-Z]).*?\.(?= )", text.split("\n", 2)[2])[0]
    out = ["## Whole models", "", f"{machine} Batch 1, float32. Lower is better. [All figures](table.md).", ""]
    for heading, columns, rows in tables(text):
        if not heading.startswith("All engines"):
            continue
        threads = re.search(r"(\d+) thread", heading)[1]
        at = {name: columns.index(name) for name in ("model", "engine", "median ms", "load ms", "peak memory MB")}
        names = list(dict.fromkeys(row[0] for row in rows))

        def best(model, engine, column):
            found = [number(row[at[column]]) for row in rows
                     if row[0] == model and row[at["engine"]].startswith(engine) and "older" not in row[at["engine"]]]
            found = [v for v in found if v is not None]
            return min(found) if found else None
        for column, title, logarithmic in (("median ms", "time of a run, as times of Wick's", False),
                                           ("load ms", "load, ms", True), ("peak memory MB", "peak memory, MB", True)):
            if column != "median ms" and threads != "1":
                continue
            series = {e: [best(m, e, column) for m in names] for e in ("Wick", "ONNX Runtime", "PyTorch")}
            if column == "median ms":
                series = {e: [v / w if v and w else None for v, w in zip(values, series["Wick"])]
                          for e, values in series.items()}
            file = f"models_{column.split()[0]}_{threads}.svg"
            plural = "" if threads == "1" else "s"
            bars(folder / file, [short(m) for m in names], series, f"{title}; {threads} thread{plural}",
                 title.split(",")[-1].strip(), logarithmic or threads != "1")
            out += [f"![{title}, {threads} thread{plural}]({file})", ""]
    return out + ["PyTorch is 1.13 in the fastest of three forms: plain, `optimize_for_mobile`, and that with "
                  "channels-last input.", ""]


def gpu(results, folder):
    text = (results / "gpu.md").read_text()
    _, columns, rows = tables(text)[0]
    shown = [c for c in columns if c.startswith(("Wick", "TorchScript"))]
    bars(folder / "gpu.svg", [row[0] for row in rows],
         {("PyTorch" if c.startswith("TorchScript") else c): [number(row[columns.index(c)]) for row in rows]
          for c in shown},
         "one 224 x 224 input on a GPU, ms", "ms")
    device = text.split("\n")[2].split(", against")[0]
    return ["## On a GPU", "", f"{device}; PyTorch with CUDA, frozen TorchScript. [All figures](gpu.md).", "",
            "![times on a GPU](gpu.svg)", ""]


def arm64(results, folder):
    _, columns, rows = tables((results / "arm64.md").read_text())[0]
    what = next(c for c in columns if "instructions" in c)
    labels = [f"{row[0]} ({row[columns.index('build')]})" for row in rows]
    bars(folder / "arm64.svg", labels, {"Wick": [number(row[columns.index(what)]) for row in rows]},
         "instructions of a run on 64-bit ARM, millions", "millions")
    return ["## On 64-bit ARM", "", "Counted under emulation, not timed. [All figures](arm64.md).", "",
            "![instructions of a run](arm64.svg)", ""]


def operators(results, folder):
    _, columns, rows = tables((results / "operators.md").read_text())[0]
    ratios = [number(row[1]) for row in rows if number(row[1])]
    steps = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 1e9]
    counts = [sum(low <= r < high for r in ratios) for low, high in zip(steps, steps[1:])]
    labels = [f"{low:g} to {high:g}" for low, high in zip(steps, steps[1:-1])] + [f"{steps[-2]:g} and more"]
    bars(folder / "operators.svg", labels, {"Wick": counts}, "operators alone: time as a part of PyTorch's", "cases")
    return ["## Operators alone", "", f"{len(ratios)} cases without the planner, median "
            f"{statistics.median(ratios):.2f} of PyTorch 1.13's time. [All figures](operators.md).", "",
            "![operators alone](operators.svg)", ""]


def page(results, folder):
    """The Markdown; the pictures go to `folder`."""
    out = ["# Benchmarks", "", "Plots of the recorded figures in `bench/results`; how they are measured, and what "
           "bounds them, is in [Performance](../performance.md). `make bench` measures anew.", ""]
    for name, part in (("table", models), ("gpu", gpu), ("arm64", arm64), ("operators", operators)):
        if (results / f"{name}.md").exists():
            out += part(results, folder)
    if (results / "python.md").exists():
        out += ["## In Python", "", "[Beside onnxruntime, ExecuTorch and LiteRT in Python](python.md).", ""]
    return "\n".join(out)
