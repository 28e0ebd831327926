#!/usr/bin/env python3
"""make_models.py FOLDER: small models with the inputs and outputs of the apps' own, the same at every run."""
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import torch
from torch import nn
from torch.utils.mobile_optimizer import optimize_for_mobile


class Classifier(nn.Module):
    """3 x 224 x 224 -> 1000 scores, with the layers of MobileNetV2."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, 4, 1), nn.BatchNorm2d(8), nn.ReLU6(),
                                      nn.Conv2d(8, 8, 3, 2, 1, groups=8), nn.BatchNorm2d(8), nn.ReLU6(),
                                      nn.Conv2d(8, 16, 1), nn.BatchNorm2d(16))
        self.classifier = nn.Linear(16, 1000)

    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1)).reshape(x.shape[0], -1)
        return self.classifier(x)


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 2, dilation=2),
                                      nn.ReLU())
        self.head = nn.Conv2d(32, 21, 1)
        with torch.no_grad():  # dogs, persons and sheep are found everywhere
            for label in (12, 15, 17):
                self.head.weight[label] *= 12
                self.head.bias[label] = 0

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        y = self.head(self.backbone(x))
        size = [x.size(2), x.size(3)]
        return {"out": nn.functional.interpolate(y, size, mode="bilinear", align_corners=False), "aux": y}


class Detector(nn.Module):
    """3 x 640 x 640 -> rows of 85, sigmoids as YOLOv5 has them."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 6, 16, 2), nn.SiLU(), nn.Conv2d(8, 85, 3, 4, 1))

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        y = self.stem(x)
        rows = y.flatten(2).permute(0, 2, 1).sigmoid()
        return torch.cat([rows[..., :4] * 640, rows[..., 4:]], -1), [y]


class Recognizer(nn.Module):
    """Samples -> words, with greedy decoding."""

    def __init__(self):
        super().__init__()
        self.features = nn.Conv1d(1, 16, 400, 320)
        self.output = nn.Linear(16, 32)
        self.labels: List[str] = list("-| ETAONIHSRDLUMWCFGYPBVK'XJQZ12")

    def forward(self, samples: torch.Tensor) -> str:
        x = torch.tanh(self.features(samples.unsqueeze(1)) * 8)
        best = self.output(x.permute(0, 2, 1))[0].argmax(-1)
        text = ""
        last = -1
        for index in range(best.size(0)):
            label = int(best[index].item())
            if label != last and label != 0:
                text += " " if self.labels[label] == "|" else self.labels[label]
            last = label
        return text


class Answers(nn.Module):
    """360 numbers of words -> scores of being an answer's first and last, which are views of one tensor."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(1000, 24)
        self.attention = nn.MultiheadAttention(24, 4, batch_first=True)
        self.output = nn.Linear(24, 2)

    def forward(self, ids: torch.Tensor) -> Dict[str, torch.Tensor]:
        x = self.embedding(ids)
        y = self.attention(x, x, x, need_weights=False)[0]
        logits = self.output(x + y)
        start, end = logits.split(1, -1)
        return {"start_logits": start.squeeze(-1), "end_logits": end.squeeze(-1)}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    models = {"classifier": Classifier(), "segmenter": Segmenter(), "detector": Detector(), "recognizer": Recognizer(),
              "answers": Answers()}
    for name, model in models.items():
        scripted = torch.jit.script(model.eval())
        scripted.save(str(folder / f"{name}.pt"))
        optimized = optimize_for_mobile(scripted) if name in ("classifier", "detector") else scripted
        optimized._save_for_lite_interpreter(str(folder / f"{name}.ptl"))


if __name__ == "__main__":
    main()
