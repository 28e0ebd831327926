// Code that was compiled stays where it is, however many functions follow.
#include "runtime/code_cache.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "ir/program.h"

namespace wick::runtime {
namespace {

// A function that gives its number back.
const ir::Function& add_function(ir::Program& program) {
  auto f = std::make_unique<ir::Function>();
  f->name = "f" + std::to_string(program.functions.size());
  f->has_schema = false;
  ir::Graph& graph = f->graph;
  graph.set_results(graph.body(),
                    {graph.constant(graph.body(), IValue(static_cast<int64_t>(program.functions.size())))});
  return *program.add(std::move(f));
}

int64_t number_in(const Code& code) { return code.constants.at(0).to_int(); }

TEST(CodeCache, CompilesOnceAndKeepsItsPlaces) {
  ir::Program program;
  CodeCache cache;
  std::vector<const Code*> codes;
  for (int i = 0; i < 100; ++i) codes.push_back(&cache.of(add_function(program)));
  for (size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(&cache.of(*program.functions[i]), codes[i]);
    EXPECT_EQ(number_in(*codes[i]), static_cast<int64_t>(i));
  }
}

TEST(CodeCache, AFunctionThatTakesTheNameOfAnotherHasCodeOfItsOwn) {
  ir::Program program;
  CodeCache cache;
  const ir::Function& old = add_function(program);
  const uint32_t old_number = old.number;
  EXPECT_EQ(number_in(cache.of(old)), 0);
  auto made = std::make_unique<ir::Function>();
  made->name = old.name;
  made->graph.set_results(made->graph.body(), {made->graph.constant(made->graph.body(), IValue(7))});
  const ir::Function& fresh = *program.replace(std::move(made));
  EXPECT_NE(fresh.number, old_number);
  EXPECT_EQ(number_in(cache.of(fresh)), 7);
  program.remove(fresh);
  EXPECT_GT(add_function(program).number, old_number + 1);
}

TEST(CodeCache, ThreadsGetTheSameCode) {
  ir::Program program;
  CodeCache cache;
  for (int i = 0; i < 64; ++i) add_function(program);
  std::vector<std::vector<const Code*>> found(4, std::vector<const Code*>(64));
  std::vector<std::thread> threads;
  for (auto& own : found) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < 64; ++i) own[i] = &cache.of(*program.functions[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : found) EXPECT_EQ(own, found[0]);
  EXPECT_EQ(std::set<const Code*>(found[0].begin(), found[0].end()).size(), 64u);
}

}  // namespace
}  // namespace wick::runtime
