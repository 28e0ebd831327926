// The part of LibTorch's frontend that inference needs: tensors, operators, models, torch::nn.
#pragma once

#include <forward_list>
#include <queue>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/data.h>
#include <torch/fft.h>
#include <torch/linalg.h>
#include <torch/nn/functional.h>
#include <torch/nn/modules.h>
#include <torch/nn/utils.h>
#include <torch/script.h>
#include <torch/special.h>
