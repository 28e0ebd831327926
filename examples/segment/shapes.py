"""Draws pictures of colored shapes on textured grounds, with the class of every pixel."""
import math

import numpy as np

CLASSES = ["background", "circle", "square", "triangle", "star"]


def _noise(rng, height, width, cells):
    """Smooth noise in [0, 1]: a coarse random grid, interpolated."""
    grid = rng.random((cells + 2, cells + 2))
    y, x = np.linspace(0, cells, height, endpoint=False), np.linspace(0, cells, width, endpoint=False)
    iy, ix = y.astype(int), x.astype(int)
    fy, fx = y - iy, x - ix
    fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None, :]
    top = grid[iy][:, ix] * (1 - fx) + grid[iy][:, ix + 1] * fx
    low = grid[iy + 1][:, ix] * (1 - fx) + grid[iy + 1][:, ix + 1] * fx
    return top * (1 - fy) + low * fy


def ground(rng, height, width):
    """A textured background: a color gradient, clouds, stripes and grain."""
    a, b = rng.random((2, 3)) * 0.7 + 0.15
    angle = rng.random() * 2 * math.pi
    y, x = np.mgrid[0:height, 0:width]
    ramp = (x * math.cos(angle) / width + y * math.sin(angle) / height) * 0.5 + 0.5
    picture = a + (b - a) * ramp[..., None]
    clouds = 0.5 * _noise(rng, height, width, 4) + 0.3 * _noise(rng, height, width, 9) + 0.2 * _noise(rng, height, width, 21)
    picture = picture + (clouds - 0.5)[..., None] * rng.uniform(0.2, 0.6) * rng.uniform(0.5, 1, 3)
    stripes = np.sin((x * math.sin(angle) + y * math.cos(angle)) * rng.uniform(0.15, 0.7))
    picture = picture + stripes[..., None] * rng.uniform(0, 0.07)
    return picture + rng.normal(0, rng.uniform(0.005, 0.04), picture.shape)


def _distance(kind, x, y, radius):
    """Signed distance to the outline of a shape of the given radius, negative inside."""
    if kind == "circle":
        return np.hypot(x, y) - radius
    if kind == "square":
        return np.maximum(abs(x), abs(y)) - radius * 0.82
    if kind == "triangle":
        edges = [x * math.sin(t) - y * math.cos(t) for t in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
        return np.maximum.reduce(edges) - radius * 0.55
    angle = np.arctan2(x, y)
    wedge = abs((angle / (2 * math.pi / 5)) % 1 - 0.5) * 2  # 1 at the tips, 0 between them
    return (np.hypot(x, y) - radius * (0.42 + 0.68 * wedge**1.6)) * 0.7


def draw(rng, height, width, count, smallest=0.09, largest=0.2):
    """(picture in [0, 1] of height x width x 3, labels): `count` shapes, later ones over earlier ones."""
    picture, labels = ground(rng, height, width), np.zeros((height, width), np.int64)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    size = min(height, width)
    for _ in range(count):
        kind = int(rng.integers(1, len(CLASSES)))
        radius = size * rng.uniform(smallest, largest)
        cx, cy = rng.uniform(radius * 0.6, width - radius * 0.6), rng.uniform(radius * 0.6, height - radius * 0.6)
        turn = rng.random() * 2 * math.pi
        dx, dy = (x - cx), (y - cy)
        rx, ry = dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn)
        inside = _distance(CLASSES[kind], rx, ry, radius)
        shade = _distance(CLASSES[kind], rx + radius * 0.1, ry + radius * 0.1, radius)
        picture = picture * (1 - 0.35 / (1 + np.exp(shade / (radius * 0.08))))[..., None]
        color = rng.random(3) * 0.8 + 0.15
        tint = color + ((ry / radius)[..., None] * rng.uniform(-0.15, 0.15)
                         + (_noise(rng, height, width, 12) - 0.5)[..., None] * rng.uniform(0, 0.25))
        cover = np.clip(0.5 - inside, 0, 1)[..., None]
        picture = picture * (1 - cover) + tint * cover
        labels[inside < 0] = kind
    return np.clip(picture, 0, 1), labels
