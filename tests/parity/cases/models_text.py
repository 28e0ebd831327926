"""Whole text and sequence models as .ptl files: recurrent nets, transformers, embeddings."""
import math
from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn
from torch.utils.mobile_optimizer import optimize_for_mobile

from lib.case import *


class Classifier(nn.Module):
    """Embedding, a recurrent net and a linear layer on the last step."""

    def __init__(self, rnn: nn.Module, width: int):
        super().__init__()
        self.embedding = nn.Embedding(100, 16, padding_idx=0)
        self.rnn = rnn
        self.out = nn.Linear(width, 5)

    def forward(self, tokens: Tensor) -> Tensor:
        states, _ = self.rnn(self.embedding(tokens))
        return torch.log_softmax(self.out(states[:, -1]), dim=-1)


class PackedTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 12, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        states, (h, c) = self.rnn(packed)
        padded, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True)
        return padded, h


class Encoder(nn.Module):
    def __init__(self, norm_first: bool, activation: str):
        super().__init__()
        self.embedding = nn.Embedding(50, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, activation=activation, batch_first=True,
                                           norm_first=norm_first)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.register_buffer("positions", self.table(40, 32))

    @staticmethod
    def table(length: int, width: int) -> Tensor:
        position = torch.arange(length).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        out = torch.zeros(length, width)
        out[:, 0::2] = torch.sin(position * rate)
        out[:, 1::2] = torch.cos(position * rate)
        return out

    def forward(self, tokens: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = self.embedding(tokens) + self.positions[: tokens.size(1)]
        return self.encoder(x, src_key_padding_mask=mask)


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source = nn.Embedding(50, 16)
        self.target = nn.Embedding(50, 16)
        self.body = nn.Transformer(16, 2, 2, 2, 32, batch_first=True)
        self.out = nn.Linear(16, 50)

    def forward(self, source: Tensor, steps: int) -> Tensor:
        """Greedy decoding, one token a step."""
        tokens = torch.ones(source.size(0), 1, dtype=torch.long)
        memory = self.body.encoder(self.source(source))
        for _ in range(steps):
            n = tokens.size(1)
            mask = torch.full((n, n), float("-inf")).triu(1)
            states = self.body.decoder(self.target(tokens), memory, tgt_mask=mask)
            tokens = torch.cat([tokens, self.out(states[:, -1]).argmax(-1, keepdim=True)], dim=1)
        return tokens


class Vocabulary(nn.Module):
    """Strings in, labels out: dictionaries, lists and string methods around a bag of embeddings."""

    def __init__(self):
        super().__init__()
        self.words: Dict[str, int] = {"good": 1, "bad": 2, "film": 3, "the": 4}
        self.labels: List[str] = ["negative", "positive"]
        self.bag = nn.EmbeddingBag(6, 8, mode="mean")
        self.out = nn.Linear(8, 2)

    def forward(self, texts: List[str]) -> Tuple[List[str], Tensor]:
        indices: List[int] = []
        offsets: List[int] = []
        for text in texts:
            offsets.append(len(indices))
            for word in text.lower().split():
                indices.append(self.words[word] if word in self.words else 0)
        scores = torch.softmax(self.out(self.bag(torch.tensor(indices), torch.tensor(offsets))), dim=1)
        best: List[int] = scores.argmax(1).tolist()
        return [self.labels[b] for b in best], scores


class Speech(nn.Module):
    """Convolutions over frames, a GRU and a greedy CTC read-out."""

    def __init__(self):
        super().__init__()
        self.front = nn.Sequential(nn.Conv1d(20, 24, 5, padding=2), nn.BatchNorm1d(24), nn.GELU(),
                                   nn.Conv1d(24, 24, 3, stride=2, groups=4), nn.GLU(dim=1))
        self.rnn = nn.GRU(12, 16, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, 9)

    def forward(self, x: Tensor) -> Tuple[Tensor, List[List[int]]]:
        y = self.front(x).transpose(1, 2)
        y = self.rnn(y)[0]
        scores = torch.nn.functional.log_softmax(self.out(y), dim=-1)
        texts: List[List[int]] = []
        for row in scores.argmax(-1):
            text: List[int] = []
            last = 0
            for i in range(row.size(0)):
                label = int(row[i].item())
                if label != 0 and label != last:
                    text.append(label)
                last = label
            texts.append(text)
        return scores, texts


def built(make, *args, **kwargs):
    torch.manual_seed(3)
    return make(*args, **kwargs).eval()


def tokens(batch, length, limit, seed=4):
    return torch.randint(0, limit, (batch, length), generator=torch.Generator().manual_seed(seed))


def forms(name, net, *args):
    scripted = torch.jit.script(net)
    yield model(name, scripted, *args, rtol=1e-4)
    yield model(f"{name} optimized", optimize_for_mobile(scripted)._save_to_buffer_for_lite_interpreter(), *args, rtol=1e-4)


def cases():
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        for layers, both in ((1, False), (2, True)):
            net = built(lambda: Classifier(kind(16, 24, layers, batch_first=True, bidirectional=both), 48 if both else 24))
            yield from forms(f"{kind.__name__} classifier {layers} layers", net, tokens(3, 11, 100))
    yield from forms("LSTM with projection", built(lambda: Classifier(nn.LSTM(16, 24, proj_size=8, batch_first=True), 8)),
                     tokens(2, 7, 100))
    yield from forms("packed tagger", built(PackedTagger), torch.randn(3, 6, 8, generator=torch.Generator().manual_seed(5)),
                     torch.tensor([6, 2, 4]))
    padding = torch.tensor([[False] * 9, [False] * 6 + [True] * 3])
    for norm_first in (False, True):
        for activation in ("relu", "gelu"):
            net = built(Encoder, norm_first, activation)
            yield from forms(f"transformer encoder {activation} norm_first={norm_first}", net, tokens(2, 9, 50))
            yield from forms(f"transformer encoder {activation} norm_first={norm_first} padded", net, tokens(2, 9, 50), padding)
    yield from forms("translator", built(Translator), tokens(2, 6, 50), 5)
    yield from forms("vocabulary", built(Vocabulary), ["The film good", "bad bad unknown film"])
    yield from forms("speech", built(Speech), torch.randn(2, 20, 33, generator=torch.Generator().manual_seed(6)))
