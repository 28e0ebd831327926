// The containers behind c10::IValue: List, Dict, Tuple, Object, Future and what converts to and from them.
#pragma once

#include <ATen/core/Dict_inl.h>
#include <ATen/core/List_inl.h>
#include <ATen/core/ivalue_inl.h>
