// The pickle stack machine: reads one pickle within limits on depth, objects and work.
#include "archive/pickle_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "archive/zip_format.h"
#include "core/limits.h"

namespace wick {

PickleReader::PickleReader(Bytes pickle, const std::string& record, const PickleEnvironment& environment)
    : pickle_(pickle), environment_(environment), context_(record), tensors_(environment, context_) {}

IValue PickleReader::run() {
  while (step()) {
  }
  expect_items(1);
  refuse_internal(stack_.back());
  return std::move(stack_.back().value);
}

const uint8_t* PickleReader::take(size_t n) {
  if (n > pickle_.size() - at_) context_.bad("the pickle ends in the middle of an instruction");
  const uint8_t* p = pickle_.data() + at_;
  at_ += n;
  return p;
}

std::string PickleReader::text(size_t n) {
  context_.charge_object();
  const uint8_t* p = take(n);
  return std::string(reinterpret_cast<const char*>(p), n);
}

std::string_view PickleReader::line() {
  const auto* begin = pickle_.data() + at_;
  const auto* end = static_cast<const uint8_t*>(std::memchr(begin, '\n', pickle_.size() - at_));
  if (!end) context_.bad("the pickle ends in the middle of an instruction");
  const auto length = static_cast<size_t>(end - begin);
  at_ += length + 1;
  return {reinterpret_cast<const char*>(begin), length};
}

int64_t PickleReader::long1() {
  const size_t n = byte();
  const uint8_t* p = take(n);
  if (n == 0) return 0;
  const bool negative = (p[n - 1] & 0x80) != 0;
  uint64_t v = negative ? ~uint64_t{0} : 0;
  for (size_t i = 0; i < n; ++i) {
    if (i < 8) {
      v = (v & ~(uint64_t{0xff} << (8 * i))) | (uint64_t{p[i]} << (8 * i));
    } else if (p[i] != (negative ? 0xff : 0)) {
      context_.bad("an integer does not fit into 64 bits");
    }
  }
  if (n > 8 && (static_cast<int64_t>(v) < 0) != negative) context_.bad("an integer does not fit into 64 bits");
  return static_cast<int64_t>(v);
}

double PickleReader::big_endian_double() {
  uint8_t reversed[8];
  const uint8_t* p = take(8);
  std::reverse_copy(p, p + 8, reversed);
  return zip::load<double>(reversed);
}

void PickleReader::expect_items(size_t n) const {
  if (stack_.size() - bottom() < n) context_.bad("an instruction needs more values than the pickle has pushed");
}

size_t PickleReader::pop_mark() {
  if (marks_.empty()) context_.bad("an instruction needs a mark, but there is none");
  const size_t first = marks_.back();
  marks_.pop_back();
  return first;
}

void PickleReader::drop_to(size_t first) {
  while (stack_.size() > first) stack_.pop_back();
}

// Writers count up; other indices have a table of their own.
void PickleReader::put(uint32_t index) {
  expect_items(1);
  const Item& item = stack_.back();
  if (index < memo_.size()) {
    memo_[index] = item;
  } else if (index == memo_.size()) {
    memo_.push_back(Item(item));
  } else {
    uint64_t& place = high_memo_places_[index];
    if (place == 0) {
      high_memo_.push_back(Item(item));
      place = high_memo_.size();
    } else {
      high_memo_[place - 1] = item;
    }
  }
}

void PickleReader::get(uint32_t index) {
  const Item* item = nullptr;
  if (index < memo_.size()) {
    item = &memo_[index];
  } else if (const uint64_t place = high_memo_places_.get(index)) {
    item = &high_memo_[place - 1];
  }
  if (!item) context_.bad("memo ", index, " is used before it is set");
  stack_.push_back(Item(*item));
  if (!item->internal || !item->value.is_custom()) return;
  // An object made meanwhile stands for what was memoized of it.
  const auto* pending = cast_to<PendingObject>(&item->value.to_custom());
  if (pending && pending->done) stack_.back() = {pending->built, pending->depth};
}

// Marks the containers in an item as final, because it becomes part of another value. Returns its depth.
uint32_t PickleReader::settle(const Item& item) {
  if (item.value.is_list()) {
    if (auto* list = cast_to<OpenList>(&item.value.to_list())) {
      list->placed = true;
      return list->depth;
    }
  } else if (item.value.is_dict()) {
    if (auto* dict = cast_to<OpenDict>(&item.value.to_dict())) {
      dict->placed = true;
      return dict->depth;
    }
  }
  return item.depth;
}

void PickleReader::check_depth(uint32_t depth) const {
  if (depth > limits::kMaxPickleDepth) {
    context_.too_much("values are nested deeper than ", limits::kMaxPickleDepth);
  }
}

void PickleReader::refuse_internal(const Item& item) const {
  if (!item.internal) return;
  const IValue* value = &item.value;
  if (value->is_tuple()) {
    for (const IValue& part : value->to_tuple().items) {
      if (part.is_custom() && part.to_custom().type_mark()) value = &part;
    }
  }
  context_.unsupported(value->is_custom() ? value->to_custom().class_name() : "a global",
                       " is not supported as a value");
}

// Takes the items from `first` on off the stack.
PickleReader::Item PickleReader::make_tuple(size_t first) {
  context_.charge_object();
  auto tuple = make_ref<TupleImpl>();
  tuple->items.reserve(stack_.size() - first);
  Item result;
  for (size_t i = first; i < stack_.size(); ++i) {
    result.depth = std::max(result.depth, settle(stack_[i]));
    result.internal |= stack_[i].internal;
    tuple->items.push_back(std::move(stack_[i].value));
  }
  drop_to(first);
  check_depth(++result.depth);
  result.value = IValue(std::move(tuple));
  return result;
}

void PickleReader::tuple_of(size_t count) {
  expect_items(count);
  stack_.push_back(make_tuple(stack_.size() - count));
}

OpenList& PickleReader::open_list(const Item& item) {
  auto* list = item.value.is_list() ? cast_to<OpenList>(&item.value.to_list()) : nullptr;
  if (!list) context_.bad("items are appended to a ", item.value.tag_name());
  if (list->placed) {
    context_.bad("a list changes after it became part of another value; cyclic values are not supported");
  }
  return *list;
}

OpenDict& PickleReader::open_dict(const Item& item) {
  auto* dict = item.value.is_dict() ? cast_to<OpenDict>(&item.value.to_dict()) : nullptr;
  if (!dict) context_.bad("items are set in a ", item.value.tag_name());
  if (dict->placed) {
    context_.bad("a dict changes after it became part of another value; cyclic values are not supported");
  }
  return *dict;
}

// Appends the items from `first` on to the list below them.
void PickleReader::append_from(size_t first) {
  if (first <= bottom()) context_.bad("there is no list to append to");
  append_to(open_list(stack_[first - 1]), first);
}

// Takes the items from `first` on off the stack.
void PickleReader::append_to(OpenList& list, size_t first) {
  for (size_t i = first; i < stack_.size(); ++i) {
    refuse_internal(stack_[i]);
    list.depth = std::max(list.depth, settle(stack_[i]) + 1);
  }
  check_depth(list.depth);
  if (list.placed) context_.bad("a list contains itself; cyclic values are not supported");
  for (size_t i = first; i < stack_.size(); ++i) list.items.push_back(std::move(stack_[i].value));
  drop_to(first);
}

void PickleReader::set_item(OpenDict& dict, const Item& key, const Item& value) {
  refuse_internal(key);
  refuse_internal(value);
  const IValue& k = key.value;
  if (!k.is_string() && !k.is_number() && !k.is_tensor() && !k.is_enum() && !k.is_device()) {
    context_.unsupported("a dict has a key that is a ", k.tag_name());
  }
  if (k.is_string()) context_.charge_work(k.to_string().size() / 8);
  dict.depth = std::max(dict.depth, settle(value) + 1);
  check_depth(dict.depth);
  if (dict.placed) context_.bad("a dict contains itself; cyclic values are not supported");
  dict.set(key.value, value.value);
}

void PickleReader::set_items_from(size_t first) {
  if (first <= bottom()) context_.bad("there is no dict to set items in");
  set_items_in(open_dict(stack_[first - 1]), first);
}

// Takes the items from `first` on off the stack.
void PickleReader::set_items_in(OpenDict& dict, size_t first) {
  if ((stack_.size() - first) % 2 != 0) context_.bad("a dict has a key without a value");
  for (size_t i = first; i < stack_.size(); i += 2) set_item(dict, stack_[i], stack_[i + 1]);
  drop_to(first);
}

void PickleReader::new_list_from(size_t first) {
  context_.charge_object();
  auto list = make_ref<OpenList>();
  list->element_type = types::any();
  append_to(*list, first);
  push(IValue(Ref<ListImpl>(list)));
}

void PickleReader::new_dict_from(size_t first) {
  context_.charge_object();
  auto dict = make_ref<OpenDict>();
  dict->key_type = dict->value_type = types::any();
  set_items_in(*dict, first);
  push(IValue(Ref<DictImpl>(dict)));
}

// Whether the instruction pushes a plain value, and which.
bool PickleReader::plain(uint8_t opcode, IValue& value) {
  switch (opcode) {
    case 'X':
      value = IValue(text(zip::u32(take(4))));
      return true;
    case 'U':
    case 'C':
      value = IValue(text(byte()));
      return true;
    case 'K':
      value = IValue(static_cast<int64_t>(byte()));
      return true;
    case 'M':
      value = IValue(static_cast<int64_t>(zip::u16(take(2))));
      return true;
    case 'J':
      value = IValue(static_cast<int64_t>(zip::load<int32_t>(take(4))));
      return true;
    case 0x8a:
      value = IValue(long1());
      return true;
    case 'G':
      value = IValue(big_endian_double());
      return true;
    case 0x88:
    case 0x89:
      value = IValue(opcode == 0x88);
      return true;
    case 'N':
      return true;
    default:
      return false;
  }
}

// One instruction; false after STOP.
bool PickleReader::step() {
  context_.offset = at_;
  const uint8_t opcode = byte();
  if (IValue value; plain(opcode, value)) {
    push(std::move(value));
    return true;
  }
  switch (opcode) {
    case 0x80:
      if (const int version = byte(); version != 2) {
        context_.unsupported("pickle protocol ", version, " is not supported, only 2 is");
      }
      break;
    case '.':
      return false;
    case '(':
      marks_.push_back(stack_.size());
      break;
    case '0':
      // As in Python: a mark on top is what is dropped.
      if (stack_.size() == bottom() && !marks_.empty()) {
        pop_mark();
      } else {
        expect_items(1);
        stack_.pop_back();
      }
      break;
    case '1':
      drop_to(pop_mark());
      break;
    case '2':
      expect_items(1);
      stack_.push_back(Item(stack_.back()));
      break;
    case ')':
      tuple_of(0);
      break;
    case 0x85:
    case 0x86:
    case 0x87:
      tuple_of(opcode - size_t{0x84});
      break;
    case 't':
      stack_.push_back(make_tuple(pop_mark()));
      break;
    case ']':
      new_list_from(stack_.size());
      break;
    case 'l':
      new_list_from(pop_mark());
      break;
    case 'e':
      append_from(pop_mark());
      break;
    case 'a':
      expect_items(2);
      append_from(stack_.size() - 1);
      break;
    case '}':
      new_dict_from(stack_.size());
      break;
    case 'd':
      new_dict_from(pop_mark());
      break;
    case 'u':
      set_items_from(pop_mark());
      break;
    case 's':
      expect_items(3);
      set_items_from(stack_.size() - 2);
      break;
    case 'c':
      global();
      break;
    case 'q':
      put(byte());
      break;
    case 'r':
      put(zip::u32(take(4)));
      break;
    case 'h':
      get(byte());
      break;
    case 'j':
      get(zip::u32(take(4)));
      break;
    case 'R':
      reduce();
      break;
    case 0x81:
      new_object();
      break;
    case 'b':
      build();
      break;
    case 'Q':
      expect_items(1);
      context_.charge_object();
      stack_.back() = {IValue(Ref<CustomObject>(tensors_.storage(stack_.back().value))), 0, true};
      break;
    default:
      context_.bad("unknown pickle instruction ", static_cast<int>(opcode),
                   opcode > ' ' && opcode < 0x7f ? cat(" ('", static_cast<char>(opcode), "')") : std::string());
  }
  return true;
}

IValue read_pickle(Bytes pickle, const std::string& record, const PickleEnvironment& environment) {
  return PickleReader(pickle, record, environment).run();
}

}  // namespace wick
