"""The model of SpeechRecognition: six seconds of sound to text, as wav2vec2 takes and gives them. Its speakers whistle:
each letter is two tones at once, and so is what parts the words."""
import wave
from typing import List

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.ao.quantization import quantize_dynamic
from torch.utils.mobile_optimizer import optimize_for_mobile

import common

LABELS = list("-|ETAONIHSRDLUMWCFGYPBVKXJQZ'") + ["<s>", "</s>", "<unk>"]  # 0: nothing
RATE, SAMPLES, HOP, WINDOW = 16000, 96000, 320, 512


def tones(letter):
    if letter == "|":
        return 420, 1330
    index = LABELS.index(letter) - 2
    return 500 + 130 * (index % 6), 1500 + 190 * (index // 6)


def whistle(rng, text, noise=0.02, samples=SAMPLES):
    """(samples in -1..1, the label of every frame)."""
    sound, labels = rng.normal(0, noise, samples), np.zeros(samples // HOP, np.int64)
    at = int(rng.integers(2, 8)) * HOP
    for letter in text.replace(" ", "|"):
        length = int(rng.integers(6, 9)) * HOP
        if at + length > samples:
            break
        t = np.arange(length) / RATE
        envelope = np.minimum(1, np.minimum(np.arange(length), length - np.arange(length)) / 320)
        low, high = tones(letter)
        sound[at:at + length] += envelope * rng.uniform(0.15, 0.3) * (
            np.sin(2 * np.pi * low * t + rng.uniform(0, 6)) + np.sin(2 * np.pi * high * t + rng.uniform(0, 6)))
        labels[at // HOP + 1:(at + length) // HOP - 1] = LABELS.index(letter)
        at += length + 2 * HOP
    return sound.astype(np.float32), labels


class Acoustic(nn.Module):
    """Scores of the 32 labels for every 20 ms."""

    def __init__(self, bands=32, width=48):
        super().__init__()
        t, window = torch.arange(WINDOW) / RATE, torch.hann_window(WINDOW)
        frequencies = torch.linspace(400, 2600, bands)[:, None] * 2 * np.pi * t
        self.register_buffer("filters", torch.cat([torch.cos(frequencies), torch.sin(frequencies)])[:, None] * window)
        self.first, self.second = nn.Linear(3 * bands, width), nn.Linear(width, len(LABELS))

    def forward(self, samples):
        x = F.conv1d(samples.unsqueeze(1), self.filters, stride=[320], padding=[96])  # a window of 32 ms every 20 ms
        real, imaginary = x.chunk(2, 1)
        x = torch.log(real * real + imaginary * imaginary + 1e-2)
        x = F.pad(x, [1, 1])
        frames = x.size(2) - 2
        x = torch.cat([x[:, :, :frames], x[:, :, 1:frames + 1], x[:, :, 2:]], 1).transpose(1, 2)
        return self.second(F.relu(self.first(x)))


class Recognizer(nn.Module):
    def __init__(self, acoustic):
        super().__init__()
        self.acoustic = acoustic
        self.labels: List[str] = LABELS

    def forward(self, samples: torch.Tensor) -> str:
        best = torch.unique_consecutive(self.acoustic(samples)[0].argmax(-1))
        text = ""
        for index in range(best.size(0)):
            label = int(best[index].item())
            if label == 1:
                text += " "
            elif label > 1:
                text += self.labels[label]
        return text.strip()


def main(steps):
    rng = np.random.default_rng(6)
    model = Acoustic()
    letters = LABELS[2:28]

    def loss_of(_):
        texts = ["".join(rng.choice(letters + [" "] * 4, 40)) for _ in range(6)]
        pairs = [whistle(rng, text, rng.uniform(0.005, 0.03)) for text in texts]
        scores = model(torch.from_numpy(np.stack([s for s, _ in pairs])))
        labels = torch.from_numpy(np.stack([l for _, l in pairs]))
        return F.cross_entropy(scores.flatten(0, 1), labels.flatten())

    common.train("speech", model, steps, 1e-2, loss_of)
    if "qnnpack" in torch.backends.quantized.supported_engines:
        torch.backends.quantized.engine = "qnnpack"
    recognizer = torch.jit.script(Recognizer(quantize_dynamic(model, {nn.Linear}, torch.qint8)))
    folder = common.assets("SpeechRecognition")
    sound, _ = whistle(np.random.default_rng(8), "FOX AND OWL", 0.01)
    print("speech:", recognizer(torch.from_numpy(sound)[None]))
    with wave.open(str(folder / "sample.wav"), "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(RATE)
        out.writeframes((sound[:RATE * 5 // 2] * 32767).astype("<i2").tobytes())
    optimize_for_mobile(recognizer)._save_for_lite_interpreter(str(folder / "wav2vec2.ptl"))
