"""Scenes of a few shapes on a plain ground: what the models of ObjectDetection and ImageSegmentation learn from."""
import numpy as np

import common  # where shapes.py is found
from shapes import CLASSES, _distance as distance_to

KINDS = CLASSES[1:]  # circle, square, triangle, star


def scene(rng, size, count, noise=0.02):
    """(picture [size, size, 3] in [0, 1], kinds of the pixels, -1: none, boxes): `count` shapes apart from each other.
    A box is (kind, center x, center y, width, height)."""
    y, x = np.mgrid[0:size, 0:size] + 0.5
    back, slope = rng.random(3), rng.uniform(-0.3, 0.3, (2, 3))
    picture = back + (x / size - 0.5)[..., None] * slope[0] + (y / size - 0.5)[..., None] * slope[1]
    found, places, labels = [], [], np.full((size, size), -1)
    while len(found) < count:
        radius = size * rng.uniform(0.09, 0.19)
        cx, cy = rng.uniform(radius, size - radius, 2)
        if any(np.hypot(cx - px, cy - py) < radius + r + 3 for px, py, r in places):
            continue
        places.append((cx, cy, radius))
        kind, turn = int(rng.integers(0, len(KINDS))), rng.random() * 2 * np.pi
        u = (x - cx) * np.cos(turn) - (y - cy) * np.sin(turn)
        v = (x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
        distance = distance_to(KINDS[kind], u, v, radius)
        color = rng.random(3)
        while abs(color - back).max() < 0.4:
            color = rng.random(3)
        cover = np.clip(0.5 - distance, 0, 1)[..., None]
        picture = picture * (1 - cover) + color * cover
        labels[distance < 0] = kind
        rows, columns = np.nonzero(distance < 0)
        left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        found.append((kind, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top))
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 1), labels, found
