// IValues: what they hold, print, compare, convert and copy.
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

using torch::IValue;

int main() {
  std::vector<IValue> values;
  values.emplace_back();
  values.emplace_back(true);
  values.emplace_back(42);
  values.emplace_back(int64_t(-7));
  values.emplace_back(2.5);
  values.emplace_back(3.0);
  values.emplace_back(1e20);
  values.emplace_back("text \"quoted\"\n");
  values.emplace_back(std::string("plain"));
  values.emplace_back(torch::tensor({1, 2}));
  values.emplace_back(std::vector<int64_t>{1, 2, 3});
  values.emplace_back(std::vector<double>{0.5, 1});
  values.emplace_back(std::vector<bool>{true, false});
  values.emplace_back(std::vector<std::string>{"a", "b"});
  values.emplace_back(std::vector<at::Tensor>{torch::ones({1})});
  values.emplace_back(c10::List<int64_t>({4, 5}));
  values.emplace_back(std::make_tuple(1, 2.0, std::string("x")));
  values.emplace_back(c10::ivalue::Tuple::create(std::vector<IValue>{IValue(1)}));
  values.emplace_back(torch::Device("cpu"));
  values.emplace_back(at::Scalar(4.5));
  values.emplace_back(c10::complex<double>(1, -2));
  values.emplace_back(torch::kFloat);
  c10::Dict<std::string, int64_t> dict;
  dict.insert("one", 1);
  dict.insert("two", 2);
  values.emplace_back(dict);
  c10::Dict<int64_t, std::vector<double>> by_int;
  values.emplace_back(c10::optional<int64_t>(6));
  values.emplace_back(c10::optional<int64_t>());
  values.emplace_back(std::unordered_map<std::string, double>{{"k", 1.5}});
  values.emplace_back(c10::impl::GenericList(c10::AnyType::get()));
  for (const auto& v : values) {
    std::cout << v.tagKind() << " | " << v << " | " << v.type()->str() << " |";
    for (bool b : {v.isNone(), v.isTensor(), v.isInt(), v.isDouble(), v.isBool(), v.isString(), v.isTuple(), v.isList(),
                   v.isIntList(), v.isDoubleList(), v.isBoolList(), v.isTensorList(), v.isGenericDict(), v.isScalar(),
                   v.isDevice(), v.isPtrType(), v.isObject(), v.isModule(), v.isComplexDouble()})
      std::cout << b;
    std::cout << "\n";
  }
  std::cout << (IValue(1) == IValue(1)) << (IValue(1) == IValue(2)) << (IValue(1) == IValue(1.0))
            << (IValue("a") == IValue(std::string("a"))) << (IValue() == IValue()) << (IValue(true) == IValue(1))
            << (values[10] == IValue(std::vector<int64_t>{1, 2, 3})) << (values[16] == values[16])
            << (IValue(1) != IValue(3)) << "\n";
  std::cout << IValue(1).is(IValue(1)) << values[9].is(values[9])
            << values[9].isAliasOf(IValue(values[9].toTensor().view({2}))) << values[10].isSameIdentity(values[10])
            << "\n";
  auto copy = values[10].deepcopy();
  values[10].toIntList().push_back(9);
  std::cout << copy << values[10] << values[10].toIntVector().size() << "\n";
  auto t = IValue(torch::ones({2}));
  at::Tensor moved = std::move(t).toTensor();
  std::cout << moved << t.isNone() << "\n";
  std::cout << values[4].toScalar().toDouble() << values[2].toScalar().type() << values[2].to<int>()
            << values[4].to<double>() << values[8].to<std::string>() << values[11].to<std::vector<double>>().size()
            << values[10].to<c10::List<int64_t>>().get(0) << values[2].to<int64_t>()
            << values[13].to<std::vector<std::string>>()[1] << "\n";
  std::cout << values[2].toOptional<int64_t>().value() << values[0].toOptional<int64_t>().has_value()
            << values[18].toDevice() << values[21].toScalarType() << values[20].toComplexDouble().imag() << "\n";
  auto list = values[14].toTensorList();
  for (const auto& e : list) std::cout << at::Tensor(e).sizes();
  for (at::Tensor e : values[14].toTensorVector()) std::cout << e.sizes();
  list.push_back(torch::zeros({3}));
  list[0] = torch::zeros({5});
  std::cout << values[14].toTensorList().size() << list.get(0).sizes() << list.extract(1).sizes() << list.empty()
            << "\n";
  auto generic = values[13].toList();
  generic.push_back("c");
  generic.emplace_back(IValue("d"));
  std::cout << generic.size() << generic.get(3).toStringRef() << values[13] << generic.elementType()->str() << "\n";
  for (const IValue& v : values[13].toListRef()) std::cout << v.toStringRef() << ",";
  auto d = values[22].toGenericDict();
  for (const auto& e : d) std::cout << e.key() << "=" << e.value() << ";";
  d.insert("three", 3);
  d.insert_or_assign("one", 11);
  d.erase("two");
  auto found = d.find("three");
  std::cout << (found != d.end()) << found->value().toInt() << (d.find("none") == d.end()) << d.size() << values[22]
            << dict.at("one") << d.keyType()->str() << d.valueType()->str() << "\n";
  auto typed = c10::impl::toTypedDict<std::string, int64_t>(d);
  std::cout << typed.at("three") << typed.contains("x") << "\n";
  auto tuple = values[16].toTuple();
  std::cout << tuple->elements()[2].toStringRef() << tuple->elements().size()
            << values[16].toTupleRef().elements()[0].toInt() << "\n";
  auto nested = IValue(std::make_tuple(std::vector<int64_t>{1}, dict, c10::optional<at::Tensor>()));
  std::cout << nested << " " << nested.type()->str() << "\n";
  auto un = nested.to<std::tuple<std::vector<int64_t>, c10::Dict<std::string, int64_t>, c10::optional<at::Tensor>>>();
  std::cout << std::get<0>(un).size() << std::get<1>(un).size() << std::get<2>(un).has_value() << "\n";
  auto future = c10::make_intrusive<c10::ivalue::Future>(c10::IntType::get());
  future->addCallback([](c10::ivalue::Future& f) { std::cout << "done " << f.value() << "\n"; });
  std::cout << future->completed() << "\n";
  future->markCompleted(IValue(12));
  future->wait();
  std::cout << future->completed() << future->value().toInt() << future->hasError() << IValue(future).isFuture()
            << "\n";
  auto chained =
      future->then([](c10::ivalue::Future& f) { return IValue(f.value().toInt() * 2); }, c10::IntType::get());
  chained->wait();
  std::cout << chained->value() << "\n";
  auto failed = c10::make_intrusive<c10::ivalue::Future>(c10::NoneType::get());
  failed->setError(std::make_exception_ptr(std::runtime_error("went wrong")));
  std::cout << failed->hasError() << failed->tryRetrieveErrorMessage() << "\n";
  c10::optional<std::string> os;
  std::cout << os.value_or("none") << c10::make_optional(3).value() << (c10::optional<int>(2) == 2) << "\n";
  at::IntArrayRef ref({1, 2, 3});
  std::cout << ref << ref.slice(1) << ref.front() << ref.back() << ref.equals({1, 2, 3}) << ref.vec().size()
            << at::ArrayRef<double>(std::vector<double>{1.5}).size() << "\n";
  std::cout << c10::str("a", 1, 2.5, torch::kFloat) << c10::Join(",", std::vector<int>{1, 2}) << "\n";
  IValue a(1), b("x");
  a.swap(b);
  std::cout << a << b << (IValue::hash(IValue(1)) == IValue::hash(IValue(1))) << "\n";
}
