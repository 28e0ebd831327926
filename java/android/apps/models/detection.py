"""The model of ObjectDetection: 640 x 640 pixels to rows of 85 numbers, as YOLOv5 gives them; it finds four shapes."""
from typing import List, Tuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.mobile_optimizer import optimize_for_mobile

import common
from scenes import KINDS, scene

SCALE = 4  # the model looks at every fourth pixel
STRIDES = (2, 4, 8)  # of those
ANCHORS = ((6, 9, 13), (18, 24, 30), (38, 48, 60))  # sides of boxes, in its pixels


class Detector(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        w = width
        self.stem = common.convolution(3, w, 2)
        self.down4 = nn.Sequential(common.convolution(w, 2 * w, 2), common.convolution(2 * w, 2 * w))
        self.down8 = nn.Sequential(common.convolution(2 * w, 4 * w, 2), common.convolution(4 * w, 4 * w))
        self.down16 = nn.Sequential(common.convolution(4 * w, 4 * w, 2), common.convolution(4 * w, 4 * w))
        self.back8 = common.convolution(8 * w, 4 * w)
        self.back4 = common.convolution(6 * w, 2 * w)
        # Scores of classes that it does not know are constants.
        self.head2, self.head4, self.head8 = (nn.Conv2d(c, 3 * (5 + len(KINDS)), 1) for c in (w, 2 * w, 4 * w))

    def heads(self, image):
        """For each stride: [N, 3, H, W, 9]."""
        a = self.stem(image)
        b = self.down4(a)
        c = self.down8(b)
        d = self.down16(c)
        c = self.back8(torch.cat([F.interpolate(d, [c.size(2), c.size(3)], mode="nearest"), c], 1))
        b = self.back4(torch.cat([F.interpolate(c, [b.size(2), b.size(3)], mode="nearest"), b], 1))
        found: List[torch.Tensor] = []
        for y in (self.head2(a), self.head4(b), self.head8(c)):
            found.append(y.view(y.size(0), 3, 5 + 4, y.size(2), y.size(3)).permute(0, 1, 3, 4, 2))
        return found

    def forward(self, image: torch.Tensor) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        found = self.heads(F.avg_pool2d(image, 4))
        rows: List[torch.Tensor] = []
        anchors = [[6, 9, 13], [18, 24, 30], [38, 48, 60]]
        strides = [2, 4, 8]
        for level in range(3):
            y = found[level].sigmoid()
            grid_y, grid_x = torch.meshgrid([torch.arange(y.size(2)), torch.arange(y.size(3))])
            x_center = (y[..., 0] * 2 - 0.5 + grid_x) * strides[level] * 4
            y_center = (y[..., 1] * 2 - 0.5 + grid_y) * strides[level] * 4
            side = torch.tensor(anchors[level]).view(1, 3, 1, 1) * 4
            sides = (y[..., 2:4] * 2).square() * side.unsqueeze(-1)
            others = torch.zeros([y.size(0), 3, y.size(2), y.size(3), 76])
            row = torch.cat([x_center.unsqueeze(-1), y_center.unsqueeze(-1), sides, y[..., 4:], others], -1)
            rows.append(row.flatten(1, 3))
        return torch.cat(rows, 1), found


def loss_of_scene(found, truth):
    """Of one batch: objectness everywhere; place, size and class where a shape's center is."""
    total = torch.zeros(())
    sides = np.array(ANCHORS).ravel()
    targets = [torch.zeros(f.shape[:4]) for f in found]
    for n, objects in enumerate(truth):
        for kind, x, y, width, height in objects:
            best = int(np.abs(np.log(sides / max(width, height))).argmin())
            level, anchor = divmod(best, 3)
            stride, f = STRIDES[level], found[level]
            for column, row in {(int(x / stride), int(y / stride)), (int(x / stride - 0.5), int(y / stride)),
                                (int(x / stride), int(y / stride - 0.5))}:
                p = f[n, anchor, row, column]
                targets[level][n, anchor, row, column] = 1
                place = p[:2].sigmoid() * 2 - 0.5 - torch.tensor([x / stride - column, y / stride - row])
                size = torch.log((p[2:4].sigmoid() * 2).square() * ANCHORS[level][anchor] + 1e-3) - torch.log(
                    torch.tensor([float(width), float(height)]))
                total = total + place.abs().mean() + 2 * size.abs().mean() + F.cross_entropy(
                    p[None, 5:] * 2, torch.tensor([kind])) + F.binary_cross_entropy_with_logits(
                        p[5:], F.one_hot(torch.tensor(kind), len(KINDS)).float())
    count = max(1, sum(map(len, truth)))
    for f, target in zip(found, targets):
        probability = f[..., 4].sigmoid()
        focal = torch.where(target > 0, 1 - probability, probability).square()
        total = total + 4 * (focal * F.binary_cross_entropy_with_logits(f[..., 4], target, reduction="none")).sum()
    return total / count / 4


def main(steps):
    rng = np.random.default_rng(9)
    model = Detector()
    for head in (model.head2, model.head4, model.head8):
        with torch.no_grad():
            head.bias.view(3, 9)[:, 4] = -5

    def loss_of(_):
        drawn = [scene(rng, 160, int(rng.integers(1, 4))) for _ in range(4)]
        found = model.heads(torch.from_numpy(np.stack([p for p, _, _ in drawn])).permute(0, 3, 1, 2).float())
        return loss_of_scene(found, [b for _, _, b in drawn])

    common.train("detection", model, steps, 6e-3, loss_of)
    folder = common.assets("ObjectDetection")
    for name, size, count, seed in (("test1.png", 320, 2, 163), ("test2.jpg", 360, 1, 1057), ("test3.png", 320, 2, 212)):
        picture, _, truth = scene(np.random.default_rng(seed), size, count, noise=0)
        common.save_picture(folder / name, picture)
        image = F.interpolate(torch.from_numpy(picture)[None].permute(0, 3, 1, 2).float(), [640, 640], mode="bilinear")
        with torch.no_grad():
            rows = model(image)[0][0]
        rows = rows[rows[:, 4] > 0.3]
        print(f"detection, {name}: {len(rows)} rows {sorted(set(rows[:, 5:9].argmax(1).tolist()))}; there are",
              sorted((k, round(x * 640 / size), round(y * 640 / size)) for k, x, y, *_ in truth),
              [[round(v) for v in r[:4].tolist()] for r in rows[:6]])
    names = KINDS + [f"class {i}" for i in range(len(KINDS) + 1, 81)]
    (folder / "classes.txt").write_text("".join(n + "\n" for n in names))
    optimize_for_mobile(torch.jit.script(model))._save_for_lite_interpreter(str(folder / "yolov5s.torchscript.ptl"))
