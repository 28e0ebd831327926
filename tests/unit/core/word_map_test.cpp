// Maps and sorting of words, callbacks, counted types, and dictionaries under many changes.
#include "core/word_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/callback.h"
#include "wick/ivalue.h"

namespace wick {
namespace {

// Numbers that look random and are the same in every run.
uint64_t mixed(uint64_t i) { return (i * 0x9e3779b97f4a7c15u) ^ (i << 7); }

TEST(WordMap, FindsWhatWasAdded) {
  WordMap map;
  EXPECT_EQ(map.find(uint64_t{0}), nullptr);
  EXPECT_EQ(map.get(7), 0u);
  for (uint64_t i = 0; i < 5000; ++i) map[mixed(i)] = i + 1;
  map[~uint64_t{0}] = 77;
  map[uint64_t{0}] += 1;  // key 0 was added with 1
  for (uint64_t i = 1; i < 5000; ++i) ASSERT_EQ(map.get(mixed(i)), i + 1);
  EXPECT_EQ(map.get(0), 2u);
  EXPECT_EQ(map.get(~uint64_t{0}), 77u);
  EXPECT_EQ(map.find(mixed(5000)), nullptr);
  EXPECT_EQ(map[mixed(5000)], 0u);
  EXPECT_NE(map.find(mixed(5000)), nullptr);
}

TEST(NameMap, TellsNamesApart) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back("layer." + std::to_string(i) + ".weight");
  NameMap map;
  EXPECT_EQ(map.get("layer.0.weight"), 0u);
  for (size_t i = 0; i < names.size(); ++i) map[names[i]] = i + 1;
  for (size_t i = 0; i < names.size(); ++i) ASSERT_EQ(map.get(names[i]), i + 1);
  EXPECT_EQ(map.get("layer.0"), 0u);
  EXPECT_EQ(map.get(""), 0u);
  map[names[3]] = 9;
  EXPECT_EQ(map.get(names[3]), 9u);
}

TEST(SortByKey, SortsAnyOrder) {
  for (size_t n : {0, 1, 2, 3, 7, 8, 100, 1000}) {
    for (int order = 0; order < 4; ++order) {
      std::vector<KeyedWord> words;
      for (size_t i = 0; i < n; ++i) {
        const uint64_t key = order == 0 ? i : order == 1 ? n - i : order == 2 ? i % 3 : mixed(i);
        words.push_back({key, key + 1});
      }
      std::vector<uint64_t> expected;
      for (const KeyedWord& w : words) expected.push_back(w.key);
      std::sort(expected.begin(), expected.end());
      sort_by_key(words);
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(words[i].key, expected[i]) << n << " words, order " << order;
        ASSERT_EQ(words[i].word, words[i].key + 1);
      }
    }
  }
}

TEST(Callback, CallsWithWhatItHolds) {
  Callback<int(int)> none;
  EXPECT_FALSE(none);
  int calls = 0;
  const int more = 3;
  Callback<int(int)> add = [&calls, more](int x) {
    ++calls;
    return x + more;
  };
  none = add;
  EXPECT_TRUE(none);
  EXPECT_EQ(none(4) + add(1), 11);
  EXPECT_EQ(calls, 2);
  Callback<std::string(std::string)> echo = [](std::string s) { return s; };
  EXPECT_EQ(echo("words"), "words");
}

TEST(TypePtr, CountsAndCompares) {
  TypePtr list = types::list(types::integer());
  const TypePtr same = list;
  EXPECT_EQ(list, same);
  EXPECT_NE(list, types::list(types::integer()));
  list = types::dict(types::string(), std::move(list));
  EXPECT_EQ(list->element(1), same);
  EXPECT_EQ(list->str(), "Dict[str, List[int]]");
  list = list->element(1);  // the type that holds it goes first
  EXPECT_EQ(list->str(), "List[int]");
  list = nullptr;
  EXPECT_FALSE(list);
  EXPECT_EQ(same->str(), "List[int]");
  EXPECT_EQ(types::any(), types::basic(TypeKind::kAny));
}

TEST(Dict, AgreesWithAMapUnderManyChanges) {
  DictImpl dict;
  std::map<int64_t, int64_t> expected;
  for (uint64_t step = 0; step < 20000; ++step) {
    const auto key = static_cast<int64_t>(mixed(step) % 97);
    if (mixed(step + 7) % 3 == 0) {
      ASSERT_EQ(dict.erase(IValue(key)), expected.erase(key) != 0);
    } else {
      dict.set(IValue(key), IValue(static_cast<int64_t>(step)));
      expected[key] = static_cast<int64_t>(step);
    }
    ASSERT_EQ(dict.size(), expected.size());
    if (step % 1000 == 0) {
      ASSERT_EQ(dict.entries().size(), expected.size());
      for (const auto& [k, v] : dict.entries()) ASSERT_EQ(expected.at(k.to_int()), v.to_int());
    }
    const IValue* found = dict.find(IValue(key));
    ASSERT_EQ(found != nullptr, expected.contains(key));
    if (found) {
      ASSERT_EQ(found->to_int(), expected.at(key));
    }
  }
  dict.clear();
  EXPECT_EQ(dict.size(), 0u);
  EXPECT_EQ(dict.find(IValue(1)), nullptr);
  for (int64_t i = 0; i < 1000; ++i) dict.set(IValue(std::to_string(i)), IValue(i));
  int64_t next = 0;
  for (const auto& [key, value] : dict.entries()) ASSERT_EQ(value.to_int(), next++);
}

}  // namespace
}  // namespace wick
