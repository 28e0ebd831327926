// The IR: functions as typed SSA graphs with structured control flow, the one form every frontend
// produces and the executor runs.
//
// A Graph owns its blocks, nodes and values. A node has inputs (values), outputs (values it defines) and,
// for If and Loop, nested blocks. A block has parameters, a list of nodes and results. Values of an outer
// block may be used in an inner one; a value is used only after it is defined.
//
//   If    inputs: condition               blocks: then, else (no parameters; as many results as outputs)
//   Loop  inputs: max trips, condition,   block: parameters trip index, carried...; results: condition,
//         carried...                             carried...; outputs: carried...
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/operator.h"
#include "core/schema.h"
#include "wick/ivalue.h"

namespace wick::ir {

class Graph;
struct Node;
struct Block;
struct Function;
struct Program;

enum class NodeKind : uint8_t {
  kConstant,  // value -> output
  kOp,        // an operator: op (null when this build lacks it) and op_name
  kIf,
  kLoop,
  kGetAttr,         // object -> attribute (slot in `index`, name in `name` when known)
  kSetAttr,         // object, value
  kCreateObject,    // type -> object with empty slots
  kTupleConstruct,  // items -> tuple (named when types[0] is a named tuple)
  kTupleUnpack,     // tuple -> items
  kTupleSlice,      // tuple -> tuple of `count` items from `index`
  kListConstruct,   // items -> list (types[0] is the list type)
  kListUnpack,      // list -> items; the length is checked
  kDictConstruct,   // k, v, k, v ... -> dict (types[0] is the dict type)
  kIsInstance,      // value -> bool: is of any of `types`
  kUninitialized,   // -> placeholder
  kCallFunction,    // args -> results of `callee`
  kCallMethod,      // object, args -> result of the method `name` of the object's class
  kFork,            // args -> future of `callee` run on another thread
  kWait,            // future -> value
  kEnter,           // object -> result of its __enter__; it is left by kExit, or when an error passes
  kExit,            // object: calls its __exit__(None, None, None)
};

struct Value {
  uint32_t id;
  TypePtr type;              // never null; any() when unknown
  Node* def = nullptr;       // null for a block parameter
  Block* block;              // where it is defined
  std::string name;          // for printing; may be empty
  std::vector<Node*> users;  // one entry a use by a node; block results are not listed
};

struct Node {
  NodeKind kind;
  Block* block;
  std::vector<Value*> inputs;
  std::vector<Value*> outputs;
  std::vector<Block*> blocks;
  // Attributes; which are used depends on the kind.
  const Operator* op = nullptr;
  std::string op_name;  // kOp: full name as the file has it
  IValue constant;
  std::vector<TypePtr> types;
  std::string name;
  int64_t index = 0;
  int64_t count = 0;  // kTupleSlice
  Function* callee = nullptr;
  int64_t source = -1;               // debug handle: key of Program::sources
  int32_t call_site = -1;            // index in Function::call_sites when the node came here by inlining
  std::list<Node*>::iterator place;  // in block->nodes; kept by Graph
};

// Gives `to` the attributes of `from`: all but its kind, place, inputs, outputs, blocks and call site.
void copy_attributes(const Node& from, Node& to);

struct Block {
  Graph* graph;
  Node* owner;  // the If or Loop; null for the graph's own block
  std::vector<Value*> params;
  std::list<Node*> nodes;
  std::vector<Value*> results;
};

// All changes go through Graph, which keeps uses right.
class Graph {
 public:
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Whoever asks may keep what it finds and change it: from then on the graph stays in memory.
  Block* body() {
    if (!stays_.load(std::memory_order_acquire)) keep();
    return body_;
  }
  const Block* body() const { return const_cast<Graph*>(this)->body(); }

  // The graph can be made anew by `remake`, which gives a function with one that is the same, and so need not stay in
  // memory: release() frees what it holds until it is asked for.
  void set_remake(std::function<std::unique_ptr<Function>()> remake);
  // The body for who only looks at it, and no longer than until the next release(): callers of the two exclude each
  // other by Program::graphs_mutex.
  const Block* peek() const { return const_cast<Graph*>(this)->restored(); }
  void release();

  Value* add_param(Block* block, const TypePtr& type, std::string_view name = {});
  Block* add_block(Node* owner);
  // Appends a node to the block, or inserts it before `before`.
  Node* append(Block* block, NodeKind kind, const std::vector<Value*>& inputs = {}) {
    return append(block, kind, std::span(inputs));
  }
  Node* append(Block* block, NodeKind kind, std::span<Value* const> inputs);
  Node* insert_before(Node* before, NodeKind kind, const std::vector<Value*>& inputs = {});
  Value* add_output(Node* node, const TypePtr& type, std::string_view name = {});
  void add_input(Node* node, Value* value);
  void set_input(Node* node, size_t i, Value* value);
  void set_results(Block* block, std::vector<Value*> results);
  void replace_uses(Value* from, Value* to);  // block results included
  // The node's outputs must have no uses left. Nested blocks are removed with it.
  void erase(Node* node);
  // One output, input or block parameter less. The output or parameter must have no uses left; what belongs to it
  // (block results, carried values) is the caller's concern.
  void remove_output(Node* node, size_t i);
  void remove_input(Node* node, size_t i);
  void remove_param(Block* block, size_t i);
  // Moves all nodes of the block to before `before`, which stands in another block.
  void move_nodes(Block* from, Node* before);

  // Shorthands.
  Value* constant(Block* block, IValue value);
  Value* constant_before(Node* before, IValue value);
  Node* call_op(Block* block, const Operator* op, std::vector<Value*> inputs);  // outputs from the schema
  Node* call_op_before(Node* before, const Operator* op, std::vector<Value*> inputs);

  uint32_t value_count() const { return next_value_; }

 private:
  Value* new_value(const TypePtr& type, std::string_view name, Node* def, Block* block);
  Block* new_block(Node* owner);
  Node* new_node(Block* block, NodeKind kind, std::span<Value* const> inputs);
  Value* set_constant(Node* node, IValue value);
  Node* set_op(Node* node, const Operator* op);
  void keep();
  const Block* restored();
  void restore();
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Value>> values_;
  Block* body_;  // null while it is released
  uint32_t next_value_ = 0;
  std::atomic<bool> stays_{true};
  std::mutex mutex_;  // of the two below, and of what is released
  std::function<std::unique_ptr<Function>()> remake_;
};

// A call that inlining has replaced by the callee's body; kept to say where an error happened.
struct CallSite {
  std::string caller;  // qualified names
  std::string callee;
  int64_t source = -1;  // of the call
  int32_t parent = -1;  // call site of the calling function's own body, when that was inlined too
};

struct Function {
  std::string name;        // qualified: "__torch__.M.forward"
  FunctionSchema schema;   // arguments with types and defaults; `self` first for a method
  bool has_schema = true;  // false: an old file that does not state it; any arguments are passed on
  Graph graph;
  std::vector<CallSite> call_sites;
  // Of its program, given by Program::add and never given again; kOfNoProgram otherwise. By it others keep what they
  // know of the function in tables of their own.
  uint32_t number = kOfNoProgram;
  static constexpr uint32_t kOfNoProgram = UINT32_MAX;

  // "forward": the name without that of the class or module.
  std::string_view own_name() const { return std::string_view(name).substr(name.rfind('.') + 1); }
};

// "aten::add.Tensor", "prim::GetAttr": the operator's full name, or what TorchScript calls the kind of node.
std::string name_of(const Node& node);

// Text as TorchScript's `print(m.graph)`, with overload names: "%3 : Tensor = aten::add.Tensor(%1, %2)". With the
// program, each node has its place in the model's code behind it: "# code/__torch__/m.py:12".
std::string to_text(const Function& function);
std::string to_text(const Function& function, const Program& program);

// Checks that the graph is well formed: uses dominated by definitions, arities of nodes and blocks,
// operator argument counts, types of conditions. Throws kInternal naming the node.
void verify(const Function& function);

}  // namespace wick::ir
