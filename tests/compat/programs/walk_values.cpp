// What IValues contain and share; walking and copying lists and dicts; named tuples; streams.
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "common.h"

using torch::IValue;

template <class Call>
void fails(Call call) {
  try {
    call();
    std::cout << "no error\n";
  } catch (const std::exception&) {
    std::cout << "error\n";
  }
}

int main(int, char** argv) {
  const auto t = torch::ones({2});
  const c10::List<at::Tensor> list({t, t, torch::zeros({2})});
  IValue::HashAliasedIValues found;
  IValue(list).getSubValues(found);
  std::cout << found.size() << found.count(IValue(list)) << found.count(IValue(t)) << found.count(IValue(t.view({2})))
            << found.count(IValue(torch::ones({2}))) << "\n";
  IValue::HashAliasedIValues in_tuple;
  IValue(std::make_tuple(1, std::string("x"), t, list)).getSubValues(in_tuple);
  std::cout << in_tuple.size() << in_tuple.count(IValue(1)) << in_tuple.count(IValue(t)) << "\n";
  IValue::HashAliasedIValueMap memo;
  memo.emplace(IValue(t), IValue(5));
  std::cout << memo.at(IValue(t.view({1, 2}))).toInt() << IValue(list).overlaps(IValue(t))
            << IValue(list).overlaps(IValue(torch::ones({2}))) << "\n";

  // A copy holds a shared tensor once.
  IValue::HashAliasedIValueMap copied;
  const auto deep = IValue(list).deepcopy(copied).toTensorList();
  std::cout << deep.get(0).is_same(deep.get(1)) << deep.get(0).is_same(t) << deep.size() << "\n";
  const auto simple = IValue(list).deepcopy().toTensorList();
  std::cout << simple.get(0).is_same(simple.get(1)) << simple.get(0).is_same(t) << "\n";

  c10::Dict<std::string, at::Tensor> dict;
  dict.insert("a", t);
  dict.insert_or_assign("b", t * 2);
  for (auto& e : dict) {
    std::cout << e.key() << e.value().sum().item<float>();
    e.setValue(e.value() + 1);
  }
  for (const auto& e : dict) std::cout << e.key() << e.value().sum().item<float>();
  const auto other = dict.copy();
  dict.insert_or_assign("a", torch::zeros({1}));
  std::cout << other.at("a").numel() << dict.at("a").numel() << other.is(dict) << "\n";
  c10::impl::GenericDict generic(c10::StringType::get(), c10::IntType::get());
  std::cout << generic.insert("one", 1).second << generic.insert("one", 2).second
            << generic.insert_or_assign("one", 3).second << generic.at("one") << generic.begin()->key() << "\n";
  auto it = generic.find("one");
  it->setValue(7);
  std::cout << it->value() << (++it == generic.end()) << IValue(generic) << "\n";
  const auto numbers = IValue(std::vector<int64_t>{3, 1, 2}).toIntList();
  std::vector<int64_t> sorted = numbers.vec();
  std::sort(sorted.begin(), sorted.end());
  std::cout << sorted.front() << numbers.get(0) << std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) << "\n";
  for (const auto i : c10::irange(numbers.size())) std::cout << numbers[i];
  for (int64_t v : numbers) std::cout << v;
  std::cout << "\n";

  const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("__torch__.Point"), std::vector<std::string>{"x", "y"},
                                  {c10::IntType::get(), c10::FloatType::get()});
  const auto point = c10::ivalue::Tuple::createNamed({IValue(1), IValue(2.5)}, type);
  std::cout << point->elements().size() << point->type()->name()->name() << IValue(point) << type->str() << " "
            << type->elements().size() << type->schema()->arguments()[1].name() << "\n";
  std::cout << (c10::TupleType::create({c10::IntType::get()})->schema() == nullptr) << "\n";

  std::ostringstream text;
  IValue(std::vector<std::string>{"a", "b"}).repr(text, [](std::ostream& out, const IValue& v) {
    if (!v.isString()) return false;
    out << "<" << v.toStringRef() << ">";
    return true;
  });
  IValue(std::make_tuple(1, 2.0, true, IValue())).repr(text, [](std::ostream&, const IValue&) { return false; });
  IValue(generic).repr(text, [](std::ostream&, const IValue&) { return false; });
  IValue("q\"\n\x01'").repr(text, [](std::ostream&, const IValue&) { return false; });
  std::cout << text.str() << "\n";
  for (const IValue& v : {IValue(), IValue(1), IValue(2.0), IValue("s"), IValue(t), IValue(list), IValue(dict)})
    std::cout << v.isPtrType() << v.isStorage() << v.isStream() << v.isGenerator() << v.isBlob() << v.isPyObject();
  std::cout << "\n";
  fails([&] { IValue(1).toStorage(); });
  const IValue generator(at::detail::createCPUGenerator(3));
  std::cout << generator.isGenerator() << generator.toGenerator().current_seed() << generator.type()->str() << "\n";
  std::cout << IValue(list).use_count() << c10::ivalue::ConstantString::create("c")->string() << "\n";
}
