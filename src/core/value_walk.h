// Walks over values. A program can make values that contain themselves, that nest a million deep, or that hold the same
// parts so often that visiting every path to them takes forever. Whatever goes through containers and objects uses one
// of these two: walk_value where each part counts once, a Descent where each place counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/build.h"
#include "core/callback.h"
#include "wick/ivalue.h"

namespace wick {

// Lists, tuples, dicts and objects.
inline bool holds_others(const IValue& v) { return v.is_list() || v.is_tuple() || v.is_dict() || v.is_object(); }

// How many items a list or tuple holds; of a dict, keys and items (key, item, key, item ...); 0 for other values.
size_t item_count(const IValue& value);
// One of them. Valid until the container is changed.
const IValue& item_at(const IValue& container, size_t at);

// Calls visit(item) for each of them.
template <class Visit>
void each_item(const IValue& value, const Visit& visit) {
  for (size_t i = 0; i < item_count(value); ++i) visit(item_at(value, i));
}

// What a walk does after a visit: goes on to what the value holds, leaves that out, or ends.
enum class Walk : uint8_t { kEnter, kSkip, kStop };

// Calls visit(value) for the value and all that it holds, a container before its items, items in order (of a dict: key,
// item, key, item; of an object: by slot). Every container and object is visited once, however often it is held; others
// at every place. Does not recurse; memory in proportion to the containers. The visitor changes no container that is
// yet to be visited. False when a visit has ended the walk.
bool walk_value(const IValue& value, const Callback<Walk(const IValue&)>& visit);

// Calls visit(object) for the object, if it is one, and the objects in its attributes, in the attributes' and so on:
// each once, an object before those in it. Containers are not entered. The visitor may set attributes.
void walk_objects(const IValue& root, const Callback<void(ObjectImpl&)>& visit);

// An attribute below an object.
struct Attribute {
  const ObjectImpl& owner;
  const std::string& name;
  const std::string& path;  // "block.conv.weight"
  const IValue& value;
};
// Calls visit(attribute) for the named attributes of the object and of the objects in them, in order, each object once;
// containers are not entered. Throws kLimitExceeded where objects nest deeper than a Descent may.
void walk_attributes(const ObjectImpl& root, const Callback<void(const Attribute&)>& visit);

// Bounds a recursion into a value by depth (limits::kMaxValueDepth), by the parts it visits in all
// (limits::kMaxValueParts; those of the outermost container are free) and by the stack that is left. One Level for each
// container on the way; throws kLimitExceeded.
//
//   bool same(const IValue& a, const IValue& b, Descent& descent) {
//     const Descent::Level level(descent, a.to_list().items.size());
class Descent {
 public:
  // `purpose` ends "a value ... cannot be ": "compared".
  explicit Descent(const char* purpose) : purpose_(purpose) {}

  class Level {
   public:
    Level(Descent& descent, size_t items) : descent_(descent) {
      // Without containers in code, values nest as far as a pickle may.
      if constexpr (build::kContainers) descent.enter(items);
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() {
      if constexpr (build::kContainers) --descent_.depth_;
    }

   private:
    Descent& descent_;
  };

 private:
  void enter(size_t items);

  const char* purpose_;
  size_t depth_ = 0;
  size_t parts_ = 0;
};

}  // namespace wick
