// c10::Dict: an insertion-ordered dictionary that copies share, as a model sees it.
#pragma once

#include <ATen/core/ivalue.h>
