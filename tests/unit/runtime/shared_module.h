// A module of TorchScript source that several threads call at once: for tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "unit/frontend/script/run.h"

namespace wick::script {

// Class M of the text, its attributes set in the order of their declaration.
struct SharedModule {
  SharedModule(const std::string& text, std::vector<IValue> attributes) : code(text) {
    code.importer.class_named("__torch__.M");
    code.importer.lower_all();
    for (const auto& f : code.program->functions) ir::verify(*f);
    root->cls = *code.program->classes.find("__torch__.M");
    for (size_t i = 0; i < attributes.size(); ++i) root->set(i, std::move(attributes[i]));
    code.program->root = IValue(root);
  }
  IValue call(std::string_view name, bool planned, std::vector<IValue> args = {}) {
    args.insert(args.begin(), code.program->root);
    const ir::Function& method = *code.program->find_method(name);
    return planned ? code.planner.run(method, std::move(args)) : code.executor->run(method, std::move(args));
  }
  // False: it has thrown an Error.
  bool try_call(std::string_view name, bool planned, std::vector<IValue> args = {}) {
    try {
      call(name, planned, std::move(args));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  Text code;
  Ref<ObjectImpl> root = make_ref<ObjectImpl>();
};

// Runs work(k) for k below `count` at once, each on a thread of its own; what one throws fails the test.
inline void at_once(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  std::vector<std::string> failures(static_cast<size_t>(count));
  for (int k = 0; k < count; ++k) {
    threads.emplace_back([&, k] {
      try {
        work(k);
      } catch (const std::exception& e) {
        failures[static_cast<size_t>(k)] = e.what();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

inline Tensor filled_with(float value, IntVec sizes) {
  Tensor t = Tensor::empty(sizes);
  std::fill_n(t.data<float>(), t.numel(), value);
  return t;
}

}  // namespace wick::script
