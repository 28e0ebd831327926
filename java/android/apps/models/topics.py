"""The model of the text classification: the topic of a comment, from its bytes."""
from typing import List

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import common

TOPICS = {
    "astronomy": "telescope planet orbit comet galaxy moon eclipse stars saturn nebula",
    "baking": "flour oven dough sourdough yeast butter cake crust loaf pastry",
    "bicycles": "bike saddle pedal chain gears wheel helmet spokes brakes cycling",
    "birds": "feathers nest sparrow owl wings heron finch eggs eagle beak",
    "chess": "pawn bishop rook checkmate opening endgame gambit knight castling queen",
    "coffee": "espresso beans roast grinder latte brew filter barista crema mug",
    "economics": "inflation market trade bank interest tax currency prices budget deficit",
    "fishing": "trout rod bait hook river lure pike boat reel salmon",
    "gardening": "soil seeds tomato roses compost pruning watering tulips weeds hedge",
    "hiking": "trail boots summit backpack ridge valley campsite map altitude shelter",
    "history": "empire king medieval revolution treaty castle ancient dynasty battle archive",
    "mathematics": "theorem proof integral prime algebra geometry equation lemma matrix topology",
    "medicine": "doctor vaccine symptoms surgery patient therapy clinic fever diagnosis virus",
    "music": "guitar chord melody drums concert violin song rhythm album piano",
    "programming": "compiler python bug function variable code pointer library debugger loop",
    "weather": "rain storm forecast snow wind clouds thunder humidity sunny hail",
}
FILLERS = ("i really like the my about a this today we have some new with yesterday what do you think of is best was very "
           "good bad and or for his her their in on at never always why how can anyone help please thanks").split()


class Topics(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.embedding = nn.Embedding(256, 16)
        self.near, self.wide = nn.Conv1d(16, width, 5, padding=4), nn.Conv1d(16, width, 7, padding=6)
        self.output = nn.Linear(2 * width, len(TOPICS))
        self.classes: List[str] = list(TOPICS)

    @torch.jit.export
    def get_classes(self) -> List[str]:
        return self.classes

    def forward(self, text):
        x = self.embedding(text.long()).permute(0, 2, 1)
        return self.output(torch.cat([F.relu(self.near(x)).amax(2), F.relu(self.wide(x)).amax(2)], 1))


def comment(rng, topic):
    own = list(TOPICS.values())[topic].split()
    words = [str(w) for w in rng.choice(FILLERS, int(rng.integers(2, 8)))]
    for word in rng.choice(own, int(rng.integers(1, 4)), replace=False):
        words.insert(int(rng.integers(0, len(words) + 1)), str(word))
    text = " ".join(words)
    return text.capitalize() + str(rng.choice([".", "!", "?", ""])) if rng.random() < 0.7 else text


def batch(rng, count):
    topics = rng.integers(0, len(TOPICS), count)
    texts = [comment(rng, t).encode() for t in topics]
    bytes_of = np.full((count, max(map(len, texts))), ord(" "), np.uint8)
    for row, text in zip(bytes_of, texts):
        row[:len(text)] = np.frombuffer(text, np.uint8)
    return torch.from_numpy(bytes_of), torch.from_numpy(topics)


def main(steps):
    rng = np.random.default_rng(3)
    model = Topics()

    def loss_of(_):
        x, y = batch(rng, 64)
        return F.cross_entropy(model(x), y)

    common.train("topics", model, steps, 1e-2, loss_of)
    x, y = batch(np.random.default_rng(4), 1000)
    with torch.no_grad():
        print(f"topics: {(model(x).argmax(1) == y).float().mean().item():.3f} right")
    torch.jit.script(model).save(str(common.assets("PyTorchDemo") / "model-reddit16.pt"))
