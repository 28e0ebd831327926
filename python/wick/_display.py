"""Pictures and tables for notebooks, as SVG and HTML that stand alone; pictures follow dark mode."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from wick._api import Benchmark, Comparison, Graph, Optimized, Profile, Quantized
    from wick._wick import GraphNode, Module

_STYLE = (
    "<style>.wick{font:12px system-ui,sans-serif;--ink:#1f2328;--paper:#fff;--line:#8c959f;--box:#eef2f7}"
    "@media(prefers-color-scheme:dark){.wick{--ink:#e6edf3;--paper:#0d1117;--line:#6e7681;--box:#21262d}}"
    ".wick text{fill:var(--ink)}.wick .box{fill:var(--box);stroke:var(--line)}.wick .edge{fill:none;stroke:var(--line)}"
    ".wick .soft{fill:var(--line)}</style>"
)
_MAX_NODES = 1500


def _color(index: int) -> str:
    return f"hsl({index * 137 % 360},55%,55%)"


def _kind(name: str) -> str:
    if name.startswith("row tiles"):
        return "row tiles"
    words = name.split(" ")
    return " ".join(words[:2]) if words[0] == "conv" else words[0]


class _Shown:
    """The nodes that a picture shows: what is computed with tensors. What is looked up names the layers; numbers, and
    checks that only refuse inputs, are left out, but of code without tensors."""

    def __init__(self, graph: Graph) -> None:
        self.paths: dict[str, str] = {}  # of values that are attributes: "layer1.0.weight"
        self.same: dict[str, str] = {}  # values that are another by another type
        self.is_numeric = False
        self.nodes = self._visit(graph.nodes, 0)
        if not self.nodes:
            self.is_numeric = True
            self.nodes = self._visit(graph.nodes, 0)

    def resolved(self, name: str) -> str:
        while name in self.same:
            name = self.same[name]
        return name

    def _visit(self, nodes: list[GraphNode], depth: int) -> list[tuple[GraphNode, int]]:
        out: list[tuple[GraphNode, int]] = []
        for node in nodes:
            if node.name == "prim::GetAttr" and node.inputs and node.outputs:
                above = self.paths.get(node.inputs[0], "")
                self.paths[node.outputs[0]] = f"{above}.{node.detail}" if above else node.detail
                continue
            if node.name == "prim::unchecked_cast" and node.inputs and node.outputs:
                self.same[node.outputs[0]] = node.inputs[0]
            inner = [one for block in node.blocks for one in self._visit(block, depth + 1)]
            if inner or self._is_shown(node):
                out += [(node, depth), *inner]
        return out

    def _is_shown(self, node: GraphNode) -> bool:
        if node.name in ("prim::Constant", "prim::Uninitialized", "prim::unchecked_cast", "prim::RaiseException"):
            return False
        # Counters of training, which are attributes.
        if node.inputs and node.inputs[0] in self.paths and node.name.partition(".")[0].endswith("_"):
            return False
        return self.is_numeric or node.name == "prim::CallMethod" or any("Tensor" in kind for kind in node.types)

    def layer(self, node: GraphNode) -> str:
        """The part of the model whose attributes the node uses; "" where it uses none."""
        names = (self.paths.get(self.resolved(name), "") for name in node.inputs)
        return next((path.rpartition(".")[0] for path in names if path), "")


def graph_svg(graph: Graph) -> str:
    """Nodes from top to bottom, each in the row after its last input; what stands in a block is indented."""
    picture = _Shown(graph)
    nodes = picture.nodes
    shown = nodes[:_MAX_NODES]
    row_of: dict[str, int] = {name: 0 for name in graph.inputs}
    place: dict[str, tuple[float, float]] = {}
    columns: dict[int, int] = {}
    width, height, gap_x, gap_y = 190, 34, 24, 26
    boxes, edges = [], []

    def box(row: int, indent: int, title: str, note: str, tip: str) -> tuple[float, float]:
        column = columns.get(row, 0)
        columns[row] = column + 1
        x, y = 16 + column * (width + gap_x) + 18 * indent, 16 + row * (height + gap_y)
        boxes.append(
            f'<g><title>{escape(tip)}</title><rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>'
            f'<text x="{x + 8}" y="{y + 14}">{escape(title[:28])}</text>'
            f'<text class="soft" x="{x + 8}" y="{y + 28}">{escape(note[:30])}</text></g>'
        )
        return x + width / 2, y

    for name, kind in list(zip(graph.inputs, graph.input_types))[1:]:  # without self
        x, y = box(0, 0, name, kind, f"{name}: {kind}")
        place[name] = (x, y + height)
    last = 0
    for node, indent in shown:
        used = [name for name in map(picture.resolved, node.inputs) if name in place]
        # Nodes without a visible input, and those of blocks, keep the order of the code.
        row = max([row_of[name] + 1 for name in used], default=last + 1)
        if indent or node.blocks:
            row = max(row, last + 1)
        last = max(last, row)
        note = picture.layer(node) or node.detail or ", ".join(node.types)
        tip = f"{', '.join(node.outputs)} = {node.name}({', '.join(node.inputs)})\n{node.detail}\n{node.where}"
        x, y = box(row, indent, node.name, note, tip)
        for name in used:
            a, b = place[name]
            edges.append(f'<path class="edge" d="M{a} {b}C{a} {b + 20} {x} {y - 20} {x} {y}"/>')
        for name in node.outputs:
            row_of[name] = row
            place[name] = (x, y + height)
    for name in graph.outputs:
        x, y = box(last + 1, 0, "return", name, name)
        name = picture.resolved(name)
        if name in place:
            a, b = place[name]
            edges.append(f'<path class="edge" d="M{a} {b}C{a} {b + 20} {x} {y - 20} {x} {y}"/>')
    w = 32 + max(columns.values(), default=1) * (width + gap_x) + 40
    h = 32 + (max(columns, default=0) + 1) * (height + gap_y)
    more = ""
    if len(nodes) > len(shown):
        h += 24
        more = f'<text x="16" y="{h - 10}">... and {len(nodes) - len(shown)} more nodes</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wick" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">'
        f"<title>{escape(graph.name)}</title>{_STYLE}{''.join(edges)}{''.join(boxes)}{more}</svg>"
    )


def profile_svg(profile: Profile) -> str:
    """The steps side by side, to scale, with the kinds and their shares below."""
    width, height = 900.0, 56
    total = profile.seconds or 1.0
    kinds: dict[str, float] = {}
    for step in profile.steps:
        kinds[_kind(step.name)] = kinds.get(_kind(step.name), 0.0) + step.seconds
    order = sorted(kinds, key=lambda kind: -kinds[kind])
    colors = {kind: _color(i) for i, kind in enumerate(order)}
    parts = []
    for step in profile.steps:
        x = width * step.start / total
        w = width * step.seconds / total
        parts.append(
            f'<rect x="{x:.3f}" y="28" width="{w:.3f}" height="{height}" fill="{colors[_kind(step.name)]}">'
            f"<title>{escape(step.name)}\n{escape(step.output)}\n{1e3 * step.seconds:.3f} ms, "
            f"{100 * step.seconds / total:.1f} %</title></rect>"
        )
    keys = []
    for i, kind in enumerate(order[:12]):
        kx, ky = (i % 3) * 300, 28 + height + 24 + (i // 3) * 20
        keys.append(
            f'<rect x="{kx}" y="{ky - 10}" width="10" height="10" fill="{colors[kind]}"/>'
            f'<text x="{kx + 16}" y="{ky}">{escape(kind)} {100 * kinds[kind] / total:.1f} %</text>'
        )
    rows = (min(len(order), 12) + 2) // 3
    h = 28 + height + 20 + rows * 20
    title = f"{profile.name}: {1e3 * profile.seconds:.3f} ms in {len(profile.steps)} steps"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wick" width="{width:.0f}" height="{h}" '
        f'viewBox="0 0 {width:.0f} {h}" role="img">{_STYLE}<text x="0" y="16">{escape(title)}</text>'
        f"{''.join(parts)}{''.join(keys)}</svg>"
    )


def profile_html(profile: Profile) -> str:
    """The picture, and a table of the steps that take most."""
    total = profile.seconds or 1.0
    longest = sorted(profile.steps, key=lambda step: -step.seconds)[:20]
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(step.name)}</td><td style='text-align:left'>{escape(step.output)}</td>"
        f"<td>{1e3 * step.seconds:.3f}</td><td>{100 * step.seconds / total:.1f}</td></tr>"
        for step in longest
    )
    return (
        f"<div>{profile_svg(profile)}<table><thead><tr><th>step</th><th>result</th><th>ms</th><th>%</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


_SHOWN_ROWS = 100


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], shown: int = _SHOWN_ROWS) -> str:
    """Cells are texts; a column whose head begins with a space has numbers."""
    sides = ["right" if head.startswith(" ") else "left" for head in heads]
    head = "".join(f"<th style='text-align:{side}'>{escape(one.strip())}</th>" for one, side in zip(heads, sides))
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:{side}'>{escape(cell)}</td>" for cell, side in zip(row, sides)) + "</tr>"
        for row in rows[:shown]
    )
    more = f"<p>... and {len(rows) - shown} more</p>" if len(rows) > shown else ""
    return f"<div><p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def module_html(module: Module) -> str:
    """The methods, and the parameters with their shapes."""
    parameters = module.parameters
    rows = [
        (name, t.dtype, " x ".join(map(str, t.shape)) or "one number", f"{t.size:,}") for name, t in parameters.items()
    ]
    total = sum(t.size for t in parameters.values())
    methods = _table("wick.Module", ["method"], [(one,) for one in module._signatures()])
    return methods + _table(f"{total:,} numbers in {len(rows)} parameters", ["parameter", "dtype", "shape", " numbers"], rows)


def benchmark_html(result: Benchmark) -> str:
    """The figures, and the runs in their order as bars."""
    rows = [("median", result.median_ms), ("best", result.best_ms), ("mean", result.mean_ms), ("first", result.first_ms)]
    if result.load_ms is not None:
        rows.append(("load", result.load_ms))
    width, height, most = 600.0, 60.0, max(result.times_ms) or 1.0
    step = width / len(result.times_ms)
    bars = "".join(
        f'<rect x="{i * step:.2f}" y="{height * (1 - ms / most):.2f}" width="{step * 0.8:.2f}" '
        f'height="{height * ms / most:.2f}" fill="{_color(0)}"><title>run {i + 1}: {ms:.3f} ms</title></rect>'
        for i, ms in enumerate(result.times_ms)
    )
    title = f"{len(result.times_ms)} runs, {result.threads} threads"
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" class="wick" width="{width:.0f}" height="{height:.0f}">{bars}</svg>'
    return _table(title, ["time", " ms"], [(name, f"{ms:.3f}") for name, ms in rows]) + picture


def quantized_html(result: Quantized) -> str:
    """What became of each layer."""
    rows = [
        (
            layer.name, layer.op if layer.quantized else "float: " + layer.reason,
            f"{layer.snr:.1f}" if layer.measured else "", f"{100 * layer.harm:.2f}" if layer.measured else "",
        )
        for layer in result.layers
    ]
    title = f"{sum(layer.quantized for layer in result.layers)} of {len(rows)} layers quantized"
    if result.report.measured:
        title += f"; outputs {result.report.output_snr:.1f} dB, off by {100 * result.report.loss:.2f} %"
    return _table(title, ["layer", "became", " dB", " % of the outputs alone"], rows)


def optimized_html(result: Optimized) -> str:
    """The passes, and how far outputs are from the original's after each."""
    rows = []
    for one in result.passes:
        largest = max((d.difference for d in one.differences), default=None)
        rows.append((one.name, str(one.changes), "" if largest is None else f"{largest:.3g}"))
    report = result.report
    title = f"optimized; {'outputs compared on ' + report.compared_on if report.verified else 'outputs not compared'}"
    notes = "".join(f"<p>{escape(note)}</p>" for note in report.notes)
    return _table(title, ["pass", " places changed", " largest difference"], rows) + notes


def comparison_html(result: Comparison) -> str:
    """Each output that was compared, the farthest off first."""
    order = sorted(result.differences, key=lambda d: (not d.problem, -d.relative))
    rows = [
        (
            d.label, d.problem or d.what, "" if d.problem else f"{d.largest:.3g}", "" if d.problem else f"{d.relative:.3g}",
            "yes" if d.within(result.tolerance) else "NO",
        )
        for d in order
    ]
    title = f"{'equal' if result.equal else 'DIFFERENT'} within {result.tolerance:g}"
    return _table(title, ["output", "what", " largest", " relative", "within"], rows)
