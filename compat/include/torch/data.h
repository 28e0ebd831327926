// torch::data: datasets, samplers, transforms and the loader.
#pragma once

#include <torch/data/dataloader.h>
#include <torch/data/datasets/mnist.h>
#include <torch/data/transforms.h>

namespace torch {
namespace data {
// Some of the transforms' and samplers' names stand here, too.
using datasets::BatchDataset;
using datasets::Dataset;
}  // namespace data
}  // namespace torch
