// The stack machine that reads one pickle. Use read_pickle; this is for files that hold several in a row.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "archive/pickle.h"
#include "archive/pickle_tensor.h"
#include "archive/pickle_values.h"
#include "config/build.h"
#include "core/word_map.h"

namespace wick {

class PickleReader {
 public:
  PickleReader(Bytes pickle, const std::string& record, const PickleEnvironment& environment);

  // Reads up to STOP.
  IValue run();
  // Length of the pickle that was read.
  size_t consumed() const { return at_; }

 private:
  struct Item {
    [[no_unique_address]] IValue value;  // the others are in what is left of its two words
    uint32_t depth = 0;                  // how deep containers nest in it; a list or dict knows its own
    bool internal = false;               // is, or is a tuple that holds, a PickleInternal
  };

  // Input.
  const uint8_t* take(size_t n);
  uint8_t byte() { return *take(1); }
  std::string text(size_t n);
  std::string_view line();
  int64_t long1();
  double big_endian_double();

  // Stack and memo.
  void push(IValue&& value, uint32_t depth = 0) { stack_.push_back({std::move(value), depth, false}); }
  void push_internal(IValue&& value) { stack_.push_back({std::move(value), 0, true}); }
  size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
  void expect_items(size_t n) const;
  size_t pop_mark();
  void drop_to(size_t first);
  void put(uint32_t index);
  void get(uint32_t index);

  // Containers.
  uint32_t settle(const Item& item);
  void check_depth(uint32_t depth) const;
  void refuse_internal(const Item& item) const;
  Item make_tuple(size_t first);
  void tuple_of(size_t count);
  void append_from(size_t first);
  void append_to(OpenList& list, size_t first);
  void set_items_from(size_t first);
  void set_items_in(OpenDict& dict, size_t first);
  void set_item(OpenDict& dict, const Item& key, const Item& value);
  OpenList& open_list(const Item& item);
  OpenDict& open_dict(const Item& item);
  void new_list_from(size_t first);
  void new_dict_from(size_t first);

  // Globals, calls and objects.
  void global();
  void reduce();
  static const GlobalRef* global_in(const IValue& value);  // null: it is another value
  Item called(const IValue& callee, const IValue& args);
  Item call(const GlobalRef& function, const std::vector<IValue>& args);
  Item call_saved(const GlobalRef& function, const std::vector<IValue>& args);
  Item refuse_call(const GlobalRef& function) const;
  Item typed_list(const GlobalRef& function, const std::vector<IValue>& args, const TypePtr& element);
  Item restore_type_tag(const GlobalRef& function, const std::vector<IValue>& args);
  Item torch_size(const GlobalRef& function, const std::vector<IValue>& args);
  Item complex_number(const GlobalRef& function, const std::vector<IValue>& args) const;
  Item layout(const GlobalRef& function, const std::vector<IValue>& args) const;
  Item ordered_dict(const std::vector<IValue>& args);
  Tensor rebuild_from_type(const std::vector<IValue>& args);
  IValue device(const std::vector<IValue>& args) const;
  void new_object();
  Item made(const IValue& cls, const Item& args);
  void build();
  void expect_args(const GlobalRef& function, const std::vector<IValue>& args, size_t least, size_t most) const;

  bool plain(uint8_t opcode, IValue& value);
  bool step();

  Bytes pickle_;
  size_t at_ = 0;
  const PickleEnvironment& environment_;
  PickleContext context_;
  std::conditional_t<build::kTensors, TensorBuilder, NoTensors> tensors_;
  std::vector<Item> stack_;
  std::vector<size_t> marks_;
  std::string first_unknown_;  // name of a global
  std::vector<Item> memo_;     // of indices that were given in order
  WordMap high_memo_places_;   // of others: one more than the place in high_memo_
  std::vector<Item> high_memo_;
  WordMap tag_places_;  // by a tag's string object: one more than the place in tags_
  std::vector<TypePtr> tag_types_;
  std::vector<IValue> tags_;  // keeps the string objects
};

}  // namespace wick
