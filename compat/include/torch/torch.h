// The part of LibTorch's frontend that inference needs: tensors, operators, models, torch::nn::functional.
#pragma once

#include <torch/nn/functional.h>
#include <torch/script.h>
