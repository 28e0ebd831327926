#include "ops/random/generator.h"

#include "core/check.h"
#include "wick/ivalue.h"
#include "wick/module.h"

namespace wick {

GeneratorImpl& default_generator() {
  static GeneratorImpl* const instance = new GeneratorImpl;  // never destroyed: threads may outlive static destruction
  return *instance;
}

void manual_seed(uint64_t seed) {
  GeneratorImpl& generator = default_generator();
  std::lock_guard lock(generator.mutex);
  generator.set_seed(seed);
}

IValue::IValue(Ref<GeneratorImpl> v) {
  WICK_CHECK(v, kInternal, "null reference in a value");
  set_ref(Tag::kGenerator, v.get());
}

GeneratorImpl& IValue::to_generator() const {
  if (tag_ != Tag::kGenerator) wrong_type("Generator");
  return *static_cast<GeneratorImpl*>(payload_.ref);
}

}  // namespace wick
