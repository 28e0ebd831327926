// torch::nn::functional: functions with options. Nothing has gradients.
#pragma once

#include <torch/nn/functional/activation.h>
#include <torch/nn/functional/conv.h>
#include <torch/nn/functional/linear.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/functional/normalization.h>
#include <torch/nn/functional/pooling.h>
#include <torch/nn/functional/vision.h>
