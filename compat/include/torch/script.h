// Running TorchScript models: everything an application that loads one needs.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/library.h>
#include <torch/serialize.h>
#include <torch/types.h>
