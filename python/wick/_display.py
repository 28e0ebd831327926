"""Pictures for notebooks: a method's graph and a profile, as SVG and HTML that stand alone and follow dark mode."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wick._api import Graph, Profile
    from wick._wick import GraphNode

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


def _flat(nodes: list[GraphNode], depth: int = 0) -> list[tuple[GraphNode, int]]:
    out = []
    for node in nodes:
        if node.name != "prim::Constant":
            out.append((node, depth))
        for block in node.blocks:
            out += _flat(block, depth + 1)
    return out


def graph_svg(graph: Graph) -> str:
    """Nodes from top to bottom, each in the row after its last input; what stands in a block is indented."""
    nodes = _flat(graph.nodes)
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

    for name, kind in zip(graph.inputs, graph.input_types):
        x, y = box(0, 0, name, kind, f"{name}: {kind}")
        place[name] = (x, y + height)
    last = 0
    for node, indent in shown:
        used = [name for name in node.inputs if name in place]
        # Nodes without a visible input, and those of blocks, keep the order of the code.
        row = max([row_of[name] + 1 for name in used], default=last + 1)
        if indent or node.blocks:
            row = max(row, last + 1)
        last = max(last, row)
        note = node.detail or ", ".join(node.types)
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
