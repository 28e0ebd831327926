#!/usr/bin/env python3
"""Writes ../models/model.pt and ../models/model_lite.ptl: MobileNetV2, traced and optimized for mobile."""
from pathlib import Path

import torch
import torchvision
from torch.utils.mobile_optimizer import optimize_for_mobile

models = Path(__file__).resolve().parent.parent / "models"
models.mkdir(exist_ok=True)
torch.manual_seed(0)
model = torchvision.models.mobilenet_v2().eval()
traced = torch.jit.trace(model, torch.rand(1, 3, 224, 224))
optimized = optimize_for_mobile(traced)
torch.jit.save(optimized, str(models / "model.pt"))
optimized._save_for_lite_interpreter(str(models / "model_lite.ptl"))
