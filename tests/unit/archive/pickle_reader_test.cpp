// The pickle reader: values, memo, globals, and the refusal of malformed, cyclic or oversized streams.
#include <map>
#include <random>

#include "unit/archive/archive_util.h"
#include "unit/archive/pickle_text.h"

namespace wick::test {
namespace {

IValue read(const std::string& body, const PickleEnvironment& environment = {}) {
  return read_pickle(bytes_of(pickled(body)), "test.pkl", environment);
}

void expect_refused(const std::string& body, const std::string& reason, ErrorCode code = ErrorCode::kCorruptFile,
                    const PickleEnvironment& environment = {}) {
  SCOPED_TRACE(reason);
  expect_error(code, reason, [&] { read(body, environment); });
}

// Keeps objects and enum members as ("name", state) tuples.
PickleEnvironment recording() {
  PickleEnvironment environment;
  environment.object = [](const std::string& name, IValue state) {
    return IValue::tuple({IValue(name), std::move(state)});
  };
  environment.enumeration = environment.object;
  return environment;
}

TEST(Pickle, Scalars) {
  EXPECT_TRUE(read("N").is_none());
  EXPECT_TRUE(read("\x88").to_bool());
  EXPECT_FALSE(read("\x89").to_bool());
  EXPECT_EQ(read("K\xff").to_int(), 255);
  EXPECT_EQ(read("M\x2c\x01").to_int(), 300);
  EXPECT_EQ(read("J\xfb\xff\xff\xff").to_int(), -5);
  EXPECT_EQ(read("G\x3f\xf8\0\0\0\0\0\0"s).to_double(), 1.5);
  EXPECT_EQ(read(str("text")).to_string(), "text");
  EXPECT_EQ(read("U\x03"
                 "abc")
                .to_string(),
            "abc");
  EXPECT_EQ(read("C\x03"
                 "abc")
                .to_string(),
            "abc");
  EXPECT_EQ(read(call("builtins", "complex",
                      "K\x01"
                      "G\x40\0\0\0\0\0\0\0"s))
                .to_complex(),
            std::complex<double>(1, 2));
  EXPECT_EQ(read(call("__builtin__", "complex", "K\x01K\x02")).to_complex(), std::complex<double>(1, 2));
}

TEST(Pickle, LongIntegers) {
  EXPECT_EQ(read("\x8a\0"s).to_int(), 0);
  EXPECT_EQ(read("\x8a\x01\xff").to_int(), -1);
  EXPECT_EQ(read("\x8a\x02\x00\x80"s).to_int(), -32768);
  EXPECT_EQ(read("\x8a\x06\0\0\0\0\0\x01"s).to_int(), int64_t{1} << 40);
  EXPECT_EQ(read("\x8a\x08\0\0\0\0\0\0\0\x80"s).to_int(), INT64_MIN);
  EXPECT_EQ(read("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\0"s).to_int(), INT64_MAX);
  expect_refused("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\0"s, "64 bits");
  expect_refused("\x8a\x09\0\0\0\0\0\0\0\0\x01"s, "64 bits");
  expect_refused("\x8a\xff\x01", "ends in the middle");
}

TEST(Pickle, Containers) {
  EXPECT_TRUE(read(")").to_tuple().items.empty());
  EXPECT_EQ(read("K\x01\x85").to_tuple().items.size(), 1u);
  EXPECT_EQ(read("K\x01K\x02\x86").to_tuple().items[1].to_int(), 2);
  EXPECT_EQ(read("K\x01K\x02K\x03\x87").to_tuple().items[2].to_int(), 3);
  EXPECT_EQ(read("(K\x01K\x02K\x03K\x04t").to_tuple().items.size(), 4u);
  EXPECT_EQ(read("]").to_list().items.size(), 0u);
  EXPECT_EQ(read("](K\x01K\x02"
                 "e(K\x03"
                 "eK\x04"
                 "a")
                .to_list()
                .items.size(),
            4u);
  EXPECT_EQ(read("(K\x01K\x02l").to_list().items[1].to_int(), 2);
  IValue d = read("}(" + str("b") + "K\x01" + str("a") + "K\x02uK\x05K\x06s");
  EXPECT_EQ(d.to_dict().size(), 3u);
  EXPECT_EQ(d.to_dict().entries()[0].first.to_string(), "b");
  EXPECT_EQ(d.to_dict().find(IValue(5))->to_int(), 6);
  EXPECT_EQ(read("(K\x01K\x02"
                 "d")
                .to_dict()
                .find(IValue(1))
                ->to_int(),
            2);
  IValue o = read(global("collections", "OrderedDict") + ")R(" + str("k") + "K\x01u}" + str("_metadata") + "}sb");
  EXPECT_EQ(o.to_dict().size(), 1u);
  EXPECT_EQ(read(call("collections", "OrderedDict", list(tuple("K\x01K\x02") + list("K\x03K\x04")))).to_dict().size(),
            2u);
}

TEST(Pickle, StackInstructions) {
  EXPECT_EQ(read("K\x01K\x02"
                 "0")
                .to_int(),
            1);
  EXPECT_EQ(read("K\x01(K\x02K\x03"
                 "1")
                .to_int(),
            1);
  EXPECT_EQ(read("K\x01(0").to_int(), 1);
  EXPECT_EQ(read("K\x07"
                 "2\x86")
                .to_tuple()
                .items[1]
                .to_int(),
            7);
}

TEST(Pickle, MemoKeepsIdentity) {
  const IValue v = read(
      "(](K\x01"
      "eq\x05h\x05r\x00\x00\x01\x00j\x00\x00\x01\x00t"s);
  const auto& items = v.to_tuple().items;
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(&items[0].to_list(), &items[1].to_list());
  EXPECT_EQ(&items[0].to_list(), &items[2].to_list());
  EXPECT_EQ(read("Nq\x00"
                 "0K\x01h\x00\x86"s)
                .to_tuple()
                .items.size(),
            2u);
  expect_refused("h\x03", "memo 3 is used before it is set");
  expect_refused(
      "Nr\xff\xff\xff\xff"
      "0j\xfe\xff\xff\xff",
      "memo 4294967294");
  EXPECT_TRUE(read("Nr\xff\xff\xff\xff"
                   "0j\xff\xff\xff\xff")
                  .is_none());
}

TEST(Pickle, TypedLists) {
  const auto element = [](const IValue& v) { return v.to_list().element_type->str(); };
  EXPECT_EQ(element(read(call("torch.jit._pickle", "build_intlist", list("K\x01")))), "int");
  EXPECT_EQ(element(read(call("torch.jit._pickle", "build_doublelist", list("")))), "float");
  EXPECT_EQ(element(read(call("torch.jit._pickle", "build_boollist", list("\x88")))), "bool");
  EXPECT_EQ(element(read(call("torch.jit._pickle", "build_tensorlist", list("N")))), "Tensor");
  EXPECT_EQ(element(read("]")), "Any");
  expect_refused(call("torch.jit._pickle", "build_intlist", list("\x88")), "tagged as int");
  expect_refused(call("torch.jit._pickle", "build_intlist", "K\x01"), "needs a list");
  expect_refused(call("torch.jit._pickle", "build_intlist", ""), "0 arguments");
}

TEST(Pickle, TypeTagsReachNestedContainers) {
  const auto tagged = [](const std::string& value, const std::string& type, const PickleEnvironment& e = {}) {
    return read(call("torch.jit._pickle", "restore_type_tag", value + str(type)), e);
  };
  const IValue lists = tagged(list(list("K\x01") + list("")), "List[List[int]]");
  EXPECT_EQ(lists.to_list().element_type->str(), "List[int]");
  EXPECT_EQ(lists.to_list().items[1].to_list().element_type->str(), "int");
  const IValue table =
      tagged(dict(str("k") + tuple(list(str("v")) + "N")), "Dict[str, Tuple[List[str], Optional[List[int]]]]");
  EXPECT_EQ(table.to_dict().key_type->str(), "str");
  const IValue pair = table.to_dict().entries()[0].second;
  EXPECT_EQ(pair.to_tuple().items[0].to_list().element_type->str(), "str");

  PickleEnvironment environment;
  environment.named_type = [](const std::string& name) -> TypePtr {
    return name == "__torch__.P"
               ? types::named_tuple(name, {"x", "y"}, {types::integer(), types::list(types::integer())})
               : nullptr;
  };
  const IValue points = tagged(list(tuple("K\x01" + list("K\x02"))), "List[__torch__.P]", environment);
  const TupleImpl& point = points.to_list().items[0].to_tuple();
  ASSERT_TRUE(point.named_type);
  EXPECT_EQ(point.named_type->name(), "__torch__.P");
  EXPECT_EQ(point.items[1].to_list().element_type->str(), "int");

  expect_error(ErrorCode::kCorruptFile, "tagged as str", [&] { tagged(list("K\x01"), "List[str]"); });
  expect_error(ErrorCode::kCorruptFile, "tagged as Dict", [&] { tagged(list(""), "Dict[str, int]"); });
  expect_error(ErrorCode::kCorruptFile, "tagged as Tuple", [&] { tagged(list(tuple("N")), "List[Tuple[int, int]]"); });
  expect_error(ErrorCode::kCorruptFile, "type", [&] { tagged(list(""), "List[int"); });
}

TEST(Pickle, GlobalsThatAreValues) {
  EXPECT_EQ(read(global("torch", "float16")).to_int(), 5);
  EXPECT_EQ(read(global("torch", "per_channel_affine")).to_int(), 1);
  EXPECT_EQ(read(global("torch", "channels_last")).to_int(), 2);
  EXPECT_EQ(read(call("torch", "device", str("cuda:1"))).to_device().str(), "cuda:1");
  EXPECT_EQ(read(call("torch", "device", str("cuda") + "K\x01")).to_device().str(), "cuda:1");
  EXPECT_EQ(read(call("torch", "Size", tuple("K\x01K\x02"))).to_int_vec(), (IntVec{1, 2}));
  EXPECT_EQ(read(call("torch.serialization", "_get_layout", str("torch.sparse_csr"))).to_int(), 2);
  expect_refused(call("torch", "device", str("nonsense")), "nonsense");
}

TEST(Pickle, ObjectsAndEnums) {
  const std::string object = global("__torch__.m", "M") + ")\x81" + dict(str("a") + "K\x01") + "b";
  const IValue v = read("(" + object + "q\x07h\x07t", recording());
  const auto& items = v.to_tuple().items;
  EXPECT_EQ(items[0].to_tuple().items[0].to_string(), "__torch__.m.M");
  EXPECT_TRUE(items[0].is_same(items[1]));
  // Memoized before the state is given, as Python's pickler does.
  const IValue w = read("(" + global("__torch__", "M") + ")\x81q\x01Nbh\x01t", recording());
  EXPECT_TRUE(w.to_tuple().items[0].is_same(w.to_tuple().items[1]));
  EXPECT_EQ(read(global("__torch__", "Color") + "K\x02R", recording()).to_tuple().items[1].to_int(), 2);

  expect_refused(object, "__torch__.m.M", ErrorCode::kUnsupported);
  expect_refused(global("__torch__", "Color") + "K\x02R", "__torch__.Color", ErrorCode::kUnsupported);
  expect_refused(global("__torch__", "Color") + ")R", "__torch__.Color", ErrorCode::kCorruptFile, recording());
  expect_refused(global("__torch__", "M") + "K\x01\x85\x81", "with arguments", ErrorCode::kCorruptFile, recording());
  expect_refused(global("__torch__", "M") + ")\x81", "__torch__.M", ErrorCode::kUnsupported, recording());
}

TEST(Pickle, RefusesGlobalsItDoesNotKnow) {
  for (const char* module : {"os", "posix", "builtins", "numpy.core.multiarray"}) {
    expect_refused(call(module, "system", str("ls")), std::string(module) + ".system", ErrorCode::kUnsupported);
    expect_refused(global(module, "system"), std::string(module) + ".system", ErrorCode::kUnsupported);
    expect_refused(list(global(module, "system")), std::string(module) + ".system", ErrorCode::kUnsupported);
    expect_refused(list(tuple("N" + global(module, "system"))), std::string(module) + ".system",
                   ErrorCode::kUnsupported);
    expect_refused(dict("K\x01" + global(module, "system")), std::string(module) + ".system", ErrorCode::kUnsupported);
    expect_refused(global(module, "system") + ")\x81", std::string(module) + ".system", ErrorCode::kUnsupported);
  }
}

TEST(Pickle, RefusesTensorsOfATableOutsideTheFile) {
  expect_refused(call("torch.jit._pickle", "build_tensor_from_id", "K\x01"), "build_tensor_from_id",
                 ErrorCode::kUnsupported);
  expect_refused(call("__main__", "TensorID", "K\x01"), "TensorID", ErrorCode::kUnsupported);
}

TEST(Pickle, RefusesMalformedStreams) {
  expect_refused("", "more values");
  expect_refused("K\x01\x86", "more values");
  expect_refused("t", "mark");
  expect_refused("1", "mark");
  expect_refused("(e", "no list");
  expect_refused(
      "K\x01(K\x02"
      "e",
      "appended to a Int");
  expect_refused(")(K\x01K\x02u", "set in a Tuple");
  expect_refused("}(K\x01u", "without a value");
  expect_refused("]K\x01(a", "more values");
  expect_refused("}K\x01(NNs", "more values");
  expect_refused("}()Nu", "key that is a Tuple", ErrorCode::kUnsupported);
  expect_refused("}(]Nu", "key that is a GenericList", ErrorCode::kUnsupported);
  expect_refused("K\x01)R", "a Int is called");
  expect_refused(global("collections", "OrderedDict") + "K\x01R", "called with a Int");
  expect_refused("K\x01)\x81", "made of a Int");
  expect_refused("K\x01Nb", "a state is given to a Int");
  expect_refused("NQ", "not a tuple");
  expect_refused(")Q", "does not name a storage", ErrorCode::kUnsupported);
  expect_refused("\x80\x03N", "protocol 3", ErrorCode::kUnsupported);
  expect_refused("N\x95", "unknown pickle instruction 149");
  expect_refused("Nz", "('z')");
  expect_refused("cno newline", "ends in the middle");
  expect_refused("X\xff\xff\xff\xff", "ends in the middle");
  expect_refused("U\x7f", "ends in the middle");
  expect_error(ErrorCode::kCorruptFile, "record 'r', offset 3", [] { read_pickle(bytes_of("\x80\x02Nt"), "r", {}); });
  expect_error(ErrorCode::kCorruptFile, "ends in the middle", [] { read_pickle({}, "r", {}); });
}

TEST(Pickle, RefusesCycles) {
  expect_refused(
      "]q\x01h\x01"
      "a",
      "cyclic");
  expect_refused(
      "]q\x01(h\x01"
      "e",
      "cyclic");
  expect_refused(
      "]q\x01h\x01\x85"
      "a",
      "cyclic");
  expect_refused(
      "]q\x01]h\x01"
      "aa",
      "cyclic");
  expect_refused("}q\x01K\x01h\x01s", "cyclic");
  expect_refused("}q\x01(K\x01h\x01K\x02Nu", "cyclic");
  expect_refused("}q\x01K\x01h\x01\x85s", "cyclic");
  expect_refused(
      "]q\x01}(K\x01h\x01u"
      "a",
      "cyclic");
  expect_refused(global("__torch__", "M") +
                     ")\x81q\x01h\x01\x85"
                     "b",
                 "__torch__.M", ErrorCode::kUnsupported, recording());
}

TEST(Pickle, LimitsNesting) {
  const auto repeat = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  EXPECT_NO_THROW(read("N" + repeat("\x85", 512)));
  expect_refused("N" + repeat("\x85", 513), "nested deeper", ErrorCode::kLimitExceeded);
  expect_refused("N" + repeat("\x85", 200000), "nested deeper", ErrorCode::kLimitExceeded);
  expect_refused(repeat("]", 100000) + repeat("a", 99999), "nested deeper", ErrorCode::kLimitExceeded);
  expect_refused(repeat("}K\x01", 100000) + "N" + repeat("s", 100000), "nested deeper", ErrorCode::kLimitExceeded);
  std::string objects = "N";
  for (int i = 0; i < 600; ++i) objects = "(" + global("__torch__", "M") + ")\x81" + objects + "bt";
  expect_refused(objects, "nested deeper", ErrorCode::kLimitExceeded, recording());
  // A list that is already inside another one cannot become deeper afterwards.
  expect_refused(
      "]q\x01]h\x01"
      "a0h\x01Na",
      "cyclic");
}

TEST(Pickle, WorkIsBoundedByTheInput) {
  // A long list tagged again and again, with two types in turn.
  std::string body = "](";
  for (int i = 0; i < 20000; ++i) body += "N";
  body +=
      "eq\x01"
      "0" +
      str("List[Optional[int]]") +
      "q\x02"
      "0" +
      str("List[Optional[str]]") +
      "q\x03"
      "0";
  body += global("torch.jit._pickle", "restore_type_tag") +
          "q\x04"
          "0";
  for (int i = 0; i < 20000; ++i) body += i % 2 ? "h\x04h\x01h\x02\x86R0" : "h\x04h\x01h\x03\x86R0";
  const double seconds = seconds_of([&] { expect_refused(body + "N", "work", ErrorCode::kLimitExceeded); });
  EXPECT_LT(seconds, 5);

  // Shared containers that nest: 2^60 paths, 60 lists.
  std::string shared = "]q\x01";
  std::string type = "List[int]";
  for (int i = 2; i < 60; ++i) {
    shared += "0](h" + std::string(1, static_cast<char>(i - 1)) + "h" + std::string(1, static_cast<char>(i - 1)) +
              "eq" + std::string(1, static_cast<char>(i));
    type = "List[" + type + "]";
  }
  EXPECT_NO_THROW(read(global("torch.jit._pickle", "restore_type_tag") + shared + str(type) + "\x86R"));

  // A long key set many times.
  std::string keys = str(std::string(100000, 'k')) +
                     "q\x01"
                     "0}(";
  for (int i = 0; i < 100000; ++i) keys += "h\x01N";
  EXPECT_LT(seconds_of([&] { expect_refused(keys + "u", "work", ErrorCode::kLimitExceeded); }), 5);
}

// Multiples of a bucket count of the standard library's table.
TEST(Pickle, KeysCannotBeChosenToCollide) {
  std::string body = "}(";
  for (int64_t i = 0; i < 80000; ++i) {
    const int64_t key = i * 172933;
    body += "\x8a\x08" + std::string(reinterpret_cast<const char*>(&key), 8) + "N";
  }
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(read(body + "u").to_dict().size(), 80000u); }), 5);
}

TEST(Pickle, ObjectsAreCounted) {
  EXPECT_NO_THROW(read(std::string(100000, '}')));
  expect_refused(std::string((1 << 22) + 1, ')'), "objects", ErrorCode::kLimitExceeded);
}

TEST(Pickle, SurvivesRandomStreams) {
  std::mt19937 random(11);
  const std::string opcodes =
      "\x80.()\x85\x86\x87t]ea]l}usdXKMJ\x8aG\x88\x89Nccqrhj\x52\x81"
      "bQ012UC";
  for (int i = 0; i < 20000; ++i) {
    std::string body;
    for (unsigned k = 0; k < 5 + random() % 60; ++k) {
      const char op = opcodes[random() % opcodes.size()];
      if (op == 'c') {
        body += random() % 2 ? global("collections", "OrderedDict") : global("torch.jit._pickle", "build_intlist");
      } else {
        body += op;
        if (op == 'q' || op == 'h' || op == 'K') body += static_cast<char>(random() % 4);
      }
    }
    error_of([&] { read(body, recording()); });
  }
}

}  // namespace
}  // namespace wick::test
