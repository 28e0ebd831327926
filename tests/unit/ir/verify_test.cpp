// The verifier finds graphs that a pass has broken, and says which pass it was.
#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/program.h"
#include "wick/error.h"

namespace wick {
namespace {

// x -> If(c) { y = const } else { y = const } -> y
struct Example {
  ir::Function function;
  ir::Node* branch;
  ir::Value* inner;

  Example() {
    function.name = "f";
    ir::Graph& graph = function.graph;
    ir::Value* condition = graph.add_param(graph.body(), types::boolean(), "c");
    branch = graph.append(graph.body(), ir::NodeKind::kIf, {condition});
    for (int64_t i = 0; i < 2; ++i) {
      ir::Block* block = graph.add_block(branch);
      inner = graph.constant(block, IValue(i));
      graph.set_results(block, {inner});
    }
    graph.set_results(graph.body(), {graph.add_output(branch, types::integer(), "y")});
  }

  std::string complaint() const {
    try {
      ir::verify(function);
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInternal);
      return e.what();
    }
  }
};

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Verify, AcceptsAWellFormedGraph) { EXPECT_EQ(Example().complaint(), ""); }

TEST(Verify, RefusesAValueUsedOutsideItsBlock) {
  Example e;
  e.function.graph.set_results(e.function.graph.body(), {e.inner});
  EXPECT_TRUE(holds(e.complaint(), "is used where it is not defined")) << e.complaint();
}

TEST(Verify, RefusesBlocksWhoseResultsDoNotFit) {
  Example e;
  e.function.graph.set_results(e.branch->blocks[0], {});
  EXPECT_TRUE(holds(e.complaint(), "one result an output")) << e.complaint();
}

TEST(Verify, RefusesAConditionThatIsNotABool) {
  Example e;
  e.branch->inputs[0]->type = types::string();
  EXPECT_TRUE(holds(e.complaint(), "a condition has type str")) << e.complaint();
}

TEST(Verify, RefusesUsesThatAreNotListed) {
  Example e;
  e.branch->inputs[0]->users.clear();
  EXPECT_TRUE(holds(e.complaint(), "lists 0 uses, has 1")) << e.complaint();
}

TEST(Verify, NamesThePassInBuildsWithAssertions) {
  Example e;
  e.function.graph.set_results(e.branch->blocks[0], {});
#ifdef NDEBUG
  EXPECT_NO_THROW(ir::debug_verify(e.function, "folding"));
#else
  try {
    ir::debug_verify(e.function, "folding");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(holds(error.what(), "after folding: ")) << error.what();
  }
#endif
}

}  // namespace
}  // namespace wick
