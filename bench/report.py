"""What a run of the benchmark writes: results.json, table.md and the plots."""
import json

import figures as figures_of_run
import peers


def engine_title(results, name):
    title = next(e.title for e in peers.ENGINES if e.name == name)
    version = results["versions"].get(name)
    return f"{title} {version}" if version else title


def figures(results, model, threads):
    return results["models"][model.name]["threads"].get(str(threads), {})


def best_pytorch(rows, key):
    known = [(rows[name][key], name) for name in peers.PYTORCH if key in rows.get(name, {})]
    return min(known) if known else (None, None)


def ratio(rows, name, key):
    if name not in rows or key not in rows[name] or key not in rows.get("wick", {}):
        return None
    return rows[name][key] / rows["wick"][key]


def verdict(value, target):
    return "" if value is None else f"**{value:.2f}** of {target:g} " + ("met" if value >= target else "not met")


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def target_table(results, models):
    lines = ["| model | Wick ms | ONNX Runtime ms | times faster, target | than 1.23 | PyTorch 1.13 best form ms | times faster, target |"
             " of bests | of processor time | 2 threads |", "|" + " --- |" * 10]
    for model in models:
        rows = figures(results, model, 1)
        if "median_ms" not in rows.get("wick", {}):
            continue
        theirs, form = best_pytorch(rows, "median_ms")
        two = figures(results, model, 2).get("wick", {})
        scaling = rows["wick"]["best_ms"] / two["best_ms"] if "best_ms" in two else None
        bests = " / ".join(number(ratio(rows, name, "best_ms")) for name in ("onnxruntime", best_pytorch(rows, "best_ms")[1]))
        spent = " / ".join(number(ratio(rows, name, "cpu_ms")) for name in ("onnxruntime", best_pytorch(rows, "cpu_ms")[1]))
        wanted = (" of 1.7 " + ("met" if scaling >= 1.7 else "not met")) if scaling and model.is_large else ""
        lines.append(f"| {model.title} | {rows['wick']['median_ms']:.2f} | {number(rows.get('onnxruntime', {}).get('median_ms'))} | "
                     f"{verdict(ratio(rows, 'onnxruntime', 'median_ms'), model.targets[0])} | "
                     f"{verdict(ratio(rows, 'onnxruntime-1.23', 'median_ms'), model.targets[0])} | {number(theirs)} | "
                     f"{verdict(ratio(rows, form, 'median_ms') if form else None, model.targets[1])} | {bests} | {spent} | "
                     f"{number(scaling)}{wanted} |")
    return lines


def roofline_table(results, models):
    """The lower bound of a run of each model on this core, and what the targets would take."""
    rates, bounds = results["figures"]["rates"], results["figures"]["bounds"]
    lines = [f"A core does {rates['peak_gflops']:.0f} GF/s at most, reads {rates['cache_gbs']:.0f} GB/s from its last-level cache and "
             f"{rates['memory_gbs']:.0f} from memory, and computes {rates['silu_g']:.1f} billion SiLU a second (measured in this run). "
             "A layer's lower bound is its arithmetic at that rate or reading its weights, whichever is longer; for a 3x3 layer of stride 1 that "
             "of the cheapest algorithm, with Winograd's transforms and transformed weights. Functions with an exponential and the instructions "
             "of other activations are added; reading and writing images is taken to cost nothing. A partly filled last vector "
             "takes as long as a full one, which has its own column. A target is the other engine's time divided by the factor.", "",
             "| model | GF | GF with Winograd | arithmetic ms | weights beyond that ms | functions ms | activations ms | bound ms | partly filled vectors ms | Wick ms | bound / Wick |"
             " target from ONNX Runtime, ms | target from PyTorch, ms | missed targets, as fractions of the bound's rate (and with full vectors) |", "|" + " --- |" * 14]
    for model in models:
        rows, least = figures(results, model, 1), bounds.get(model.name)
        if "median_ms" not in rows.get("wick", {}) or least is None:
            continue
        bound, wick = least["ms"], rows["wick"]["median_ms"]
        asked = [rows["onnxruntime"]["median_ms"] / model.targets[0] if "median_ms" in rows.get("onnxruntime", {}) else None,
                 best_pytorch(rows, "median_ms")[0] / model.targets[1] if best_pytorch(rows, "median_ms")[0] else None]
        missed = [f"{name} {bound / value * 100:.0f} % ({(bound + least['vectors']) / value * 100:.0f} %)"
                  for name, value in zip(("ONNX Runtime's", "PyTorch's"), asked) if value is not None and value < wick]
        lines.append(f"| {model.title} | {model.gflops[0]:g} | {model.gflops[1]:g} | {least['arithmetic']:.2f} | {least['weights']:.2f} | {least['functions']:.2f} | {least['activations']:.2f} | "
                     f"{bound:.2f} | {least['vectors']:.2f} | {wick:.2f} | {bound / wick * 100:.0f} % | {number(asked[0])} | {number(asked[1])} | "
                     f"{'; '.join(missed)} |")
    return lines


def whole_table(results, models, threads):
    lines = ["| model | engine | median ms | best ms | Wick is faster (median, best) | load ms | first run ms |"
             " peak memory MB | of it the model's | difference |", "|" + " --- |" * 10]
    for model in models:
        rows = figures(results, model, threads)
        for name in (e.name for e in peers.ENGINES):
            if name not in rows:
                continue
            r, title = rows[name], engine_title(results, name)
            if "reason" in r:
                lines.append(f"| {model.title} | {title} | - | - | {r['reason'].replace('|', '/')} | | | | | |")
                continue
            faster = f"{number(ratio(rows, name, 'median_ms'))}, {number(ratio(rows, name, 'best_ms'))}" if name != "wick" else ""
            lines.append(f"| {model.title} | {title} | {r['median_ms']:.2f} | {r['best_ms']:.2f} | {faster} | {r['load_ms']:.1f} | "
                         f"{r['first_ms']:.1f} | {r['peak_rss_kb'] * 1.024e-3:.0f} | {(r['peak_rss_kb'] - r['idle_rss_kb']) * 1.024e-3:.0f} | "
                         f"{'' if r['difference'] is None else format(r['difference'], '.1e')} |")
    return lines


def table(results, models):
    lines = ["# Wick beside other engines", "",
             f"{results['machine']}; {results['date']}; load of the machine {results['load'][0]:.1f} before and "
             f"{results['load'][1]:.1f} after. Batch 1, float32, {results['rounds']} rounds of {results['seconds']:g} s for each engine, "
             "interleaved. Wick runs the plain `.ptl` as PyTorch wrote it.", ""]
    if results["load"][0] > 0.5:
        lines += ["The machine was not idle: compare the ratios, and those of the bests and of processor time before those of the medians.", ""]
    lines += ["## Against the targets, one thread", "", *target_table(results, models), "",
              "Times are medians; \"than 1.23\" is against the version of ONNX Runtime that the targets were set with; \"of bests\" is the ratio of the best times to ONNX Runtime and to PyTorch's best form, \"of "
              "processor time\" that of the medians of the time the processor spent, which a busy machine lengthens least.", ""]
    if results.get("figures"):
        lines += ["## Other targets", "", *("- " + line for line in figures_of_run.lines(results["figures"])), ""]
        if "bounds" in results["figures"]:
            lines += ["## Roofline", "", *roofline_table(results, models), ""]
    for threads in results["threads"]:
        lines += [f"## All engines, {threads} thread{'s' * (threads > 1)}", "", *whole_table(results, models, threads), ""]
    lines += ["Peak memory is the process's, Python and the engine's libraries included; beside it what was added after the "
              "engine was imported and before a model was loaded. The difference is the largest one to PyTorch's output, relative to "
              "its largest value.", ""]
    return "\n".join(lines)


def plot(results, models, folder):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = [m for m in models if "median_ms" in figures(results, m, results["threads"][0]).get("wick", {})]
    if not shown:
        return []
    colors = pyplot.get_cmap("tab20").colors
    written = []

    def bars(axes, value, title, logarithmic=False):
        names = [e.name for e in peers.ENGINES if any(value(m, e.name) is not None for m in shown)]
        width = 0.85 / max(1, len(names))
        for k, name in enumerate(names):
            at = [i + (k - (len(names) - 1) / 2) * width for i in range(len(shown))]
            color = colors[[e.name for e in peers.ENGINES].index(name) * 2 % 19]
            axes.bar(at, [value(m, name) or 0 for m in shown], width, label=engine_title(results, name), color=color)
        axes.set_xticks(range(len(shown)), [m.title.replace(", ", "\n").replace(" ", "\n", 1) for m in shown], fontsize=7)
        axes.set_title(title)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
        if logarithmic:
            axes.set_yscale("log")

    def save(figure, name):
        figure.tight_layout()
        figure.savefig(folder / name, dpi=110)
        pyplot.close(figure)
        written.append(name)

    def of(threads, key, scale=1.0, relative=False):
        def value(model, name):
            rows = figures(results, model, threads)
            if key not in rows.get(name, {}):
                return None
            return rows[name][key] / (rows["wick"][key] if relative else 1) * scale

        return value

    for threads in results["threads"]:
        figure, axes = pyplot.subplots(figsize=(14, 5))
        bars(axes, of(threads, "median_ms", relative=True), f"Time of a run, Wick = 1, {threads} thread{'s' * (threads > 1)} (median, lower is better)")
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_ylim(0, 6)
        if threads == 1:
            for i, m in enumerate(shown):
                axes.plot([i - 0.45, i + 0.45], [m.targets[0]] * 2, color="black", linestyle=":", linewidth=1.2,
                          label="target for ONNX Runtime" if i == 0 else None)
        axes.legend(fontsize=7, ncol=4)
        save(figure, f"speed_{threads}.png")
    figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(14, 9))
    first = results["threads"][0]
    bars(upper, of(first, "peak_rss_kb", 1.024e-3), "Peak memory of the process, MB", True)
    upper.legend(fontsize=7, ncol=4)
    bars(lower, of(first, "load_ms"), "Time to load, ms", True)
    save(figure, "memory_load.png")
    return written


def write(results, models, folder, say):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / "table.md").write_text(table(results, models))
    written = ["table.md", "results.json"]
    try:
        written += plot(results, models, folder)
    except ImportError:
        say("no plots: python3-matplotlib is not installed")
    say("written: " + ", ".join(f"bench/results/{name}" for name in written))
