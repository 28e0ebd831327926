"""Detection and video models as .pt files, scripted, with small backbones; weights are random from a fixed seed."""
import torch
from torch import nn
from torchvision.models import detection, video
from torchvision.models.detection.backbone_utils import resnet_fpn_backbone

from lib.case import model

SIZES = {"min_size": 96, "max_size": 128}


def settled(build):
    """Random weights large enough that scores differ, and statistics as after training."""
    torch.manual_seed(5)
    net = build().eval()
    for layer in net.modules():
        if isinstance(layer, (nn.BatchNorm2d, nn.BatchNorm3d)):
            layer.running_mean.uniform_(-0.1, 0.1)
            layer.running_var.uniform_(0.8, 1.2)
        if type(layer).__name__ == "FrozenBatchNorm2d":
            layer.running_var.uniform_(0.8, 1.2)
            layer.weight.uniform_(0.8, 1.2)
    if isinstance(net, detection.ssd.SSD):
        for layer in net.head.modules():
            if isinstance(layer, nn.Conv2d):
                nn.init.normal_(layer.weight, std=2.0 / layer.weight[0].numel() ** 0.5)
    return net


def backbone(**options):
    return resnet_fpn_backbone(backbone_name="resnet18", weights=None, **options)


def detectors():
    few = {"box_score_thresh": 0.05, "box_detections_per_img": 8, "rpn_post_nms_top_n_test": 20}
    yield "faster rcnn", lambda: detection.FasterRCNN(backbone(), 5, **SIZES, **few)
    yield "mask rcnn", lambda: detection.MaskRCNN(backbone(), 5, **SIZES, **few)
    yield "keypoint rcnn", lambda: detection.KeypointRCNN(backbone(), 3, num_keypoints=4, **SIZES, **few)
    yield "retinanet", lambda: detection.RetinaNet(backbone(returned_layers=[2, 3, 4]), 5, detections_per_img=8,
                                                   score_thresh=0.005, **SIZES)
    yield "fcos", lambda: detection.FCOS(backbone(returned_layers=[2, 3, 4]), 5, detections_per_img=8,
                                         score_thresh=0.005,
                                         anchor_generator=detection.anchor_utils.AnchorGenerator(
                                             ((8,), (16,), (32,), (64,)), ((1.0,),) * 4), **SIZES)
    yield "ssdlite", lambda: detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5,
                                                                      score_thresh=0.1, detections_per_img=3)


def pictures():
    generator = torch.Generator().manual_seed(6)
    return [torch.rand(3, 72, 100, generator=generator), torch.rand(3, 80, 64, generator=generator)]


def cases():
    for name, build in detectors():
        yield model(name, torch.jit.script(settled(build)), pictures(), form="script", rtol=1e-3, atol=1e-4)
    clip = torch.rand(1, 3, 6, 48, 48, generator=torch.Generator().manual_seed(7))
    for name in ("r3d_18", "mc3_18", "r2plus1d_18"):
        net = settled(lambda: getattr(video, name)(weights=None, num_classes=10))
        yield model(name, torch.jit.script(net), clip, form="script", rtol=1e-4)
        yield model(f"{name} traced", torch.jit.trace(net, clip), clip, form="script", rtol=1e-4)
