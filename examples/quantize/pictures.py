"""Small pictures of ten kinds of figures, drawn at random: what the classifier of this example is trained and tested on."""
import numpy as np

KINDS = ["disc", "ring", "square", "frame", "triangle", "plus", "saltire", "rows", "columns", "checks"]


def draw(rng, count, size=32):
    """Pictures [count, 3, size, size] from about -1 to 1, and the numbers of their kinds."""
    y, x = np.mgrid[0:size, 0:size] / (size - 1) * 2 - 1
    kinds = rng.integers(0, len(KINDS), count)
    pictures = np.empty((count, 3, size, size), np.float32)
    for i, kind in enumerate(kinds):
        radius, angle = rng.uniform(0.4, 0.8), rng.uniform(-0.35, 0.35)
        cx, cy = rng.uniform(-0.25, 0.25, 2)
        u = ((x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)) / radius
        v = ((y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)) / radius
        box, disc = np.maximum(abs(u), abs(v)) < 1, u * u + v * v < 1
        wave = rng.uniform(5, 8)
        mask = [
            disc, disc & (u * u + v * v > 0.4), box, box & (np.maximum(abs(u), abs(v)) > 0.6), (v < 1) & (v > 2 * abs(u) - 1),
            box & (np.minimum(abs(u), abs(v)) < 0.3), box & (abs(abs(u) - abs(v)) < 0.35), box & (np.sin(wave * v) > 0),
            box & (np.sin(wave * u) > 0), box & (np.sin(wave * u) * np.sin(wave * v) > 0),
        ][kind]
        back, front = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
        while abs(back - front).max() < 0.6:
            front = rng.uniform(-1, 1, 3)
        shade = np.where(mask, front[:, None, None], back[:, None, None])
        pictures[i] = shade + rng.normal(0, 0.25, (3, size, size))
    return pictures, kinds
