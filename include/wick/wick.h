// Wick: runs PyTorch model files without PyTorch. Include this.
#pragma once

#include "wick/error.h"
#include "wick/index.h"
#include "wick/ivalue.h"
#include "wick/module.h"
#include "wick/tensor.h"
#ifndef WICK_BUILDING
#include "wick/functions.h"
#include "wick/operators.h"
#endif
