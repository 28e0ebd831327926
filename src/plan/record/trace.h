// Trace: the tensor operators that a region of a program executed, in order, for inputs of certain shapes.
//
// Everything else in the region (numbers, lists, branches, loops) depends only on what the guards hold fixed, so it
// is not in the trace: its outcome is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/word_set.h"
#include "ir/graph.h"
#include "plan/record/guard.h"
#include "wick/ivalue.h"

namespace wick::plan {

using TensorId = uint32_t;
constexpr TensorId kNoTensor = UINT32_MAX;

// A tensor handle that took part. Two handles may share a storage.
struct TracedTensor {
  enum class Origin : uint8_t { kInput, kConstant, kComputed };
  Origin origin;
  DType dtype;
  IntVec sizes, strides;
  int64_t offset = 0;
  uint32_t storage = 0;                        // equal for handles of one storage
  uint32_t step = 0;                           // kComputed: which step gave it
  bool fixed = false;                          // its elements are the same in every run
  Tensor constant;                             // when fixed, and of a constant
  std::shared_ptr<const Quantizer> quantizer;  // of a quantized dtype, as it was recorded
};

struct TracedValue {
  enum class Kind : uint8_t { kStatic, kTensor, kTensorList } kind = Kind::kStatic;
  IValue value;               // kStatic
  std::vector<TensorId> ids;  // kTensor: one; kTensorList: any number; kNoTensor stands for None
  TypePtr element_type;       // kTensorList
};

// One call of an operator.
struct TracedStep {
  const ir::Node* node;  // of the program; says where an error happened
  const Operator* op;    // the node's, or the functional form of it
  std::vector<TracedValue> args;
  std::vector<TracedValue> outs;  // an unused output is static None
};

// Where a value is that a live-in is, or holds.
struct Place {
  uint32_t live_in = UINT32_MAX;
  std::vector<uint32_t> path;  // indices of items, from the outside in
};

// Where the trace takes a value from that was there before it.
struct LiveIn {
  uint32_t reg = UINT32_MAX;  // a register of the frame, or
  Ref<ObjectImpl> object;     // an attribute of an object, or
  Place holder;               // an attribute of an object that an earlier live-in holds
  size_t slot = 0;
  Guard guard;
  // Containers and objects in it (paths) that are those at a place noted before.
  std::vector<std::pair<std::vector<uint32_t>, Place>> same;
  // What it is or holds that was found to be something else than that at a place noted before.
  std::vector<std::pair<std::vector<uint32_t>, Place>> different;
  std::vector<TensorId> tensors;  // its tensors, in the order of each_tensor; none when they are constants
};

// How a register's value after the trace is made.
struct Recipe {
  enum class Kind : uint8_t { kStatic, kTensor, kLiveIn, kList, kTuple, kDict, kSame } kind = Kind::kStatic;
  IValue value;  // kStatic; for containers one of the same kind and types, its items not used
  TensorId tensor = kNoTensor;
  uint32_t index = 0;          // kLiveIn: which; kSame: the how-manyeth container made
  std::vector<uint32_t> path;  // kLiveIn: indices of items, from the outside in
  std::vector<Recipe> items;   // of a dict: key, value, key, value ...
};

struct Trace {
  size_t begin = 0, end = 0;  // instructions [begin, end) of the frame's code, as far as executed
  std::vector<LiveIn> live_ins;
  std::vector<TracedTensor> tensors;
  std::vector<TracedStep> steps;
  std::vector<std::pair<uint32_t, Recipe>> changes;  // registers that hold something else afterwards
  // Storages that a step changes in place, after make_functional those where this can't be avoided.
  WordSet changed_storages;
};

}  // namespace wick::plan
