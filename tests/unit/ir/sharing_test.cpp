// Which programs have threads that may meet at a value one of them changes.
#include "ir/sharing.h"

#include <gtest/gtest.h>

#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

constexpr const char* kModule =
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  state : Tensor\n"
    "  names : List[str]\n";

// Of a module M with the methods, and functions before it.
bool has_hazards(const std::string& methods, const std::string& functions = "") {
  Text code(functions + kModule + methods);
  code.importer.class_named("__torch__.M");
  code.importer.lower_all();
  Ref<ObjectImpl> root = make_ref<ObjectImpl>();
  root->cls = *code.program->classes.find("__torch__.M");
  root->set(0, IValue(Tensor::zeros({2})));
  root->set(1, IValue::list(types::string(), {}));
  code.program->root = IValue(root);
  return ir::Sharing(*code.program).has_hazards();
}

TEST(Sharing, ChangesOfWhatACallMadeAreItsOwn) {
  EXPECT_FALSE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    return torch.relu(torch.add(x, self.state))\n"));
  EXPECT_FALSE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    y = torch.add(x, self.state)\n"
                  "    return torch.relu_(y)\n"));
  EXPECT_FALSE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> List[int]:\n"
                  "    sizes = annotate(List[int], [])\n"
                  "    for i in range(3):\n"
                  "      _0 = torch.append(sizes, torch.size(x, 0))\n"
                  "    return sizes\n"));
  // A cache that grows by being replaced.
  EXPECT_FALSE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    self.state = torch.cat([self.state, x])\n"
                  "    return self.state\n"));
}

TEST(Sharing, ChangesAreFollowedThroughCalls) {
  const std::string act = "  def act(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.relu_(x)\n";
  const std::string function = "def act(x: Tensor) -> Tensor:\n  return torch.relu_(x)\n";
  // `act` itself is a method of the root, which the host may call with a tensor it keeps.
  EXPECT_TRUE(has_hazards(act));
  EXPECT_FALSE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    return __torch__.act(torch.add(x, 1), )\n",
                  function));
  EXPECT_TRUE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    return __torch__.act(x, )\n",
                  function));
  EXPECT_TRUE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    return __torch__.act(torch.slice(self.state, 0, 0, 1), )\n",
                  function));
}

TEST(Sharing, ChangesOfArgumentsAndAttributes) {
  EXPECT_TRUE(has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.relu_(x)\n"));
  EXPECT_TRUE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> NoneType:\n"
                  "    _0 = torch.append(self.names, \"x\")\n"
                  "    return None\n"));
  // By way of a storage that a tensor was given.
  EXPECT_TRUE(
      has_hazards("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                  "    y = torch.add(x, 1)\n"
                  "    _0 = torch.set_(y, self.state)\n"
                  "    return torch.add_(y, 1)\n"));
  const auto norm = [](const std::string& training) {
    return "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
           "    return torch.batch_norm(x, None, None, self.state, self.state, " +
           training + ", 0.1, 0.001, True)\n";
  };
  EXPECT_FALSE(has_hazards(norm("False")));
  EXPECT_TRUE(has_hazards(norm("True")));
}

TEST(Sharing, TasksShareWhatTheyAreGiven) {
  const auto forking = [](const std::string& task, const std::string& after) {
    return "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
           "    y = torch.add(x, 1)\n"
           "    def __forked():\n"
           "      return " +
           task +
           "\n"
           "    task = fork(__forked)\n" +
           after + "    return torch.add(y, torch.wait(task))\n";
  };
  EXPECT_FALSE(has_hazards(forking("torch.relu(y)", "")));
  EXPECT_FALSE(has_hazards(forking("torch.relu_(torch.add(y, 1))", "")));
  EXPECT_TRUE(has_hazards(forking("torch.relu_(y)", "")));
  EXPECT_TRUE(has_hazards(forking("torch.relu(y)", "    _0 = torch.add_(y, 1)\n")));
}

// A file may declare what it likes. What is relied on is checked when it runs.
TEST(Sharing, ReliesOnNoDeclarationThatIsNotTrue) {
  EXPECT_EQ(result_of("def f(x: Any) -> List[int]:\n"
                      "  number = unchecked_cast(int, x)\n"
                      "  list = unchecked_cast(List[int], number)\n"
                      "  _0 = torch.append(list, 1)\n"
                      "  return list\n",
                      {IValue::int_list({1})}),
            "error: a value that the model declares to be a number or a string is a GenericList");
}

}  // namespace
}  // namespace wick::script
