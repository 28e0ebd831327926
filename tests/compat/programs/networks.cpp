// Networks written in C++ with torch::nn and used for inference. (C++17)
#include <torch/torch.h>
#include <iostream>
struct Net : torch::nn::Module {
  Net()
      : conv1(torch::nn::Conv2dOptions(1, 10, 5)),
        conv2(torch::nn::Conv2dOptions(10, 20, 5)),
        fc1(320, 50),
        fc2(50, 10) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("conv2_drop", conv2_drop);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = torch::relu(torch::max_pool2d(conv2_drop->forward(conv2->forward(x)), 2));
    x = x.view({-1, 320});
    x = torch::relu(fc1->forward(x));
    x = torch::dropout(x, 0.5, is_training());
    x = fc2->forward(x);
    return torch::log_softmax(x, 1);
  }
  torch::nn::Conv2d conv1, conv2;
  torch::nn::Dropout2d conv2_drop;
  torch::nn::Linear fc1, fc2;
};
struct BasicBlockImpl : torch::nn::Module {
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  torch::nn::Sequential down{nullptr};
  BasicBlockImpl(int64_t in, int64_t out, int64_t stride = 1) {
    conv1 = register_module(
        "conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false)));
    bn1 = register_module("bn1", torch::nn::BatchNorm2d(out));
    conv2 = register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(out, out, 3).padding(1).bias(false)));
    bn2 = register_module("bn2", torch::nn::BatchNorm2d(out));
    if (stride != 1 || in != out) {
      down = torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 1).stride(stride).bias(false)),
                                   torch::nn::BatchNorm2d(out));
      register_module("downsample", down);
    }
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = bn2(conv2(torch::relu(bn1(conv1(x)))));
    return torch::relu(y + (down ? down->forward(x) : x));
  }
};
TORCH_MODULE(BasicBlock);
struct ResNetImpl : torch::nn::Module {
  torch::nn::Sequential layers;
  torch::nn::Linear fc{nullptr};
  ResNetImpl() {
    layers->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 7).stride(2).padding(3).bias(false)));
    layers->push_back("bn", torch::nn::BatchNorm2d(8));
    layers->push_back(torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)));
    layers->push_back(torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(3).stride(2).padding(1)));
    layers->push_back(BasicBlock(8, 8));
    layers->push_back(BasicBlock(8, 16, 2));
    layers->push_back(torch::nn::AdaptiveAvgPool2d(1));
    layers->push_back(torch::nn::Flatten());
    register_module("layers", layers);
    fc = register_module("fc", torch::nn::Linear(16, 5));
    for (auto& m : modules(false))
      if (auto* c = m->as<torch::nn::Conv2d>())
        torch::nn::init::kaiming_normal_(c->weight, 0.0, torch::kFanOut, torch::kReLU);
      else if (auto* b = m->as<torch::nn::BatchNorm2d>()) {
        torch::nn::init::constant_(b->weight, 1);
        torch::nn::init::constant_(b->bias, 0);
      }
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(layers->forward(x)); }
};
TORCH_MODULE(ResNet);
void mnist() {
  torch::manual_seed(1);
  Net net;
  net.eval();
  torch::NoGradGuard g;
  auto x = torch::arange(0, 784, torch::kFloat).view({1, 1, 28, 28}).div(784);
  std::cout << net.forward(x) << net.is_training() << net.parameters().size() << net.name() << "\n";
  for (auto& p : net.named_parameters()) std::cout << p.key() << p.value().sizes() << p->requires_grad() << "\n";
  auto sp = std::make_shared<Net>();
  sp->to(torch::kCPU);
  sp->to(torch::kDouble);
  std::cout << sp->fc1->weight.dtype() << *sp << "\n";
  torch::save(sp, "net.pt");
  auto back = std::make_shared<Net>();
  back->to(torch::kFloat64);
  torch::load(back, "net.pt");
  std::cout << torch::equal(back->fc2->bias, sp->fc2->bias) << "\n";
  for (auto& m : sp->named_children()) std::cout << m.key() << " ";
  for (auto& m : sp->named_modules("net")) std::cout << m.key() << " ";
  std::cout << "\n";
}
void resnet() {
  torch::manual_seed(2);
  ResNet net;
  net->eval();
  c10::InferenceMode m;
  auto y = net->forward(torch::ones({2, 3, 32, 32}));
  std::cout << y << net << "\n";
  for (const auto& b : net->named_buffers()) std::cout << b.key() << " ";
  std::cout << net->layers->size() << net->layers[0]->name() << "\n";
  torch::save(net, "resnet.pt");
  ResNet n2;
  torch::load(n2, "resnet.pt");
  n2->eval();
  std::cout << torch::allclose(n2->forward(torch::ones({2, 3, 32, 32})), y) << "\n";
  net->train();
  std::cout << net->layers->at<BasicBlockImpl>(4).bn1->is_training() << "\n";
  net->apply([](torch::nn::Module& m) {
    if (auto* l = m.as<torch::nn::Linear>()) {
      torch::NoGradGuard g;
      l->weight.fill_(0.01);
      l->bias.zero_();
    }
  });
  net->eval();
  std::cout << net->forward(torch::ones({1, 3, 32, 32})) << "\n";
}
void rnn() {
  torch::manual_seed(3);
  using namespace torch::nn;
  LSTM l(LSTMOptions(4, 5).num_layers(2).batch_first(true).bidirectional(true));
  l->eval();
  auto x = torch::arange(0, 24, torch::kFloat).view({2, 3, 4}).sin();
  auto [out, state] = l->forward(x);
  std::cout << out.sum().item<float>() << std::get<0>(state).sizes() << std::get<1>(state).sum().item<float>() << "\n";
  auto [o2, s2] = l(x, std::make_tuple(torch::ones({4, 2, 5}), torch::zeros({4, 2, 5})));
  std::cout << o2[0][0] << "\n";
  GRU g(4, 3);
  std::cout << std::get<0>(g(x.transpose(0, 1)))[0] << "\n";
  RNN r(RNNOptions(4, 3).nonlinearity(torch::kReLU));
  std::cout << std::get<1>(r(x.transpose(0, 1))) << "\n";
  LSTMCell c(4, 3);
  auto [h, cc] = c(x.select(1, 0));
  std::cout << h << cc << GRUCell(4, 3)(x.select(1, 0)).sum() << RNNCell(4, 3)(x.select(1, 0)).sizes() << "\n";
  auto packed = utils::rnn::pack_padded_sequence(x, torch::tensor({3, 2}), true);
  auto [po, ps] = l->forward_with_packed_input(packed);
  auto [pad, len] = utils::rnn::pad_packed_sequence(po, true);
  std::cout << pad.sizes() << len << pad.sum().item<float>() << "\n";
  try {
    l(torch::ones({2, 3, 9}));
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  std::cout << l->named_parameters().keys() << "\n";
}
void layers() {
  torch::manual_seed(4);
  using namespace torch::nn;
  auto x = torch::arange(0, 2 * 4 * 6 * 6, torch::kFloat).view({2, 4, 6, 6}).mul(0.1).cos();
  auto show = [](const char* n, torch::Tensor t) {
    std::cout << n << " " << t.sizes() << " " << t.abs().sum().item<float>() << "\n";
  };
  show("conv", Conv2d(Conv2dOptions(4, 6, 3).padding(torch::kSame).groups(2))(x));
  show("reflect", Conv2d(Conv2dOptions(4, 6, {3, 5}).padding({1, 2}).padding_mode(torch::kReflect))(x));
  show("circ", Conv2d(Conv2dOptions(4, 2, 3).padding(1).padding_mode(torch::kCircular))(x));
  show("convT", ConvTranspose2d(ConvTranspose2dOptions(4, 6, 3).stride(2).padding(1).output_padding(1))(x));
  show("c1", Conv1d(4, 3, 2)(x.flatten(2)));
  show("c3", Conv3d(1, 2, 2)(x.unsqueeze(1)));
  show("bn", BatchNorm2d(4)(x));
  show("in", InstanceNorm2d(4)(x));
  show("ln", LayerNorm(LayerNormOptions({6, 6}))(x));
  show("gn", GroupNorm(2, 4)(x));
  show("lrn", LocalResponseNorm(3)(x));
  show("avg", AvgPool2d(2)(x));
  show("ada", AdaptiveAvgPool2d(std::vector<int64_t>{3, 2})(x));
  show("adamax", AdaptiveMaxPool2d(2)(x));
  show("lp", LPPool2d(2., 2)(x));
  auto [p, i] = MaxPool2d(2)->forward_with_indices(x);
  show("unpool", MaxUnpool2d(2)(p, i));
  show("emb", Embedding(10, 3)(torch::tensor({1, 2, 9})));
  show("pre", Embedding::from_pretrained(torch::eye(4))(torch::tensor({1})));
  show("bag", EmbeddingBag(10, 3)(torch::tensor({1, 2, 4, 5}), torch::tensor({0, 2})));
  show("bil", Bilinear(3, 4, 2)(torch::ones({2, 3}), torch::ones({2, 4})));
  show("elu", ELU()(x));
  show("gelu", GELU(GELUOptions().approximate("tanh"))(x));
  show("prelu", PReLU()(x));
  show("glu", GLU(1)(x));
  show("softmax", Softmax(1)(x));
  show("hard", Hardtanh(HardtanhOptions().min_val(-.5).max_val(.5))(x));
  show("silu", SiLU()(x));
  show("mish", Mish()(x));
  show("soft", Softplus()(x));
  show("thr", Threshold(0.1, 20)(x));
  show("leaky", LeakyReLU(LeakyReLUOptions().negative_slope(0.2))(x));
  show("up",
       Upsample(UpsampleOptions().scale_factor(std::vector<double>({2, 2})).mode(torch::kBilinear).align_corners(true))(
           x));
  show("ps", PixelShuffle(2)(x));
  show("pad", ReflectionPad2d(ReflectionPad2dOptions({1, 2, 1, 0}))(x));
  show("zp", ZeroPad2d(1)(x));
  show("cp", ConstantPad2d(1, 2.)(x));
  show("rp", ReplicationPad2d(2)(x));
  show("flat", Flatten()(x));
  show("unf", Unflatten(UnflattenOptions(1, {2, 2}))(x));
  show("unfold", Unfold(UnfoldOptions(2))(x));
  show("fold", Fold(FoldOptions({6, 6}, {2, 2}))(Unfold(UnfoldOptions(2))(x)));
  show("drop", [&] {
    Dropout d(0.3);
    d->eval();
    return d(x);
  }());
  show("cos", CosineSimilarity()(x, x + 1));
  show("pd", PairwiseDistance()(x[0], x[1]));
  show("mse", MSELoss()(x, x * 2));
  show("ce",
       CrossEntropyLoss(CrossEntropyLossOptions().reduction(torch::kSum))(torch::ones({2, 3}), torch::tensor({0, 2})));
  show("bce", BCEWithLogitsLoss()(x, torch::ones_like(x)));
  show("id", Identity()(x));
  show("fn", Functional([](torch::Tensor t) { return t * 2; })(x));
  show("fn2", Functional(torch::elu, 1, 0, 1)(x));
}
void attention() {
  torch::manual_seed(5);
  using namespace torch::nn;
  auto x = torch::arange(0, 3 * 2 * 8, torch::kFloat).view({3, 2, 8}).sin();
  MultiheadAttention a(8, 2);
  a->eval();
  auto [o, w] = a(x, x, x);
  std::cout << o[0] << w << "\n";
  auto mask = torch::triu(torch::ones({3, 3}), 1).to(torch::kBool);
  std::cout << std::get<0>(a(x, x, x, torch::Tensor(), true, mask)).sum().item<float>() << "\n";
  TransformerEncoderLayer layer(
      TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0.).activation(torch::kGELU));
  TransformerEncoder enc(TransformerEncoderOptions(layer, 2));
  enc->eval();
  std::cout << enc(x)[0] << enc->parameters().size() << "\n";
  Transformer t(TransformerOptions(8, 2).num_encoder_layers(1).num_decoder_layers(1).dim_feedforward(16));
  t->eval();
  std::cout << t(x, x)[1] << t->generate_square_subsequent_mask(3) << "\n";
}
void containers() {
  torch::manual_seed(6);
  using namespace torch::nn;
  Sequential s({{"a", Linear(2, 3)}, {"act", ReLU()}});
  std::cout << s << s->forward(torch::ones({1, 2})).sizes() << s[0]->name() << "\n";
  ModuleList ml;
  for (int i = 0; i < 3; ++i) ml->push_back(Linear(2, 2));
  auto x = torch::ones({1, 2});
  for (const auto& m : *ml) x = m->as<Linear>()->forward(x);
  std::cout << x << ml->size() << ml[1]->parameters().size() << ml->at<LinearImpl>(0).weight.sizes() << "\n";
  auto c = std::dynamic_pointer_cast<SequentialImpl>(s->clone());
  {
    torch::NoGradGuard g;
    c->at<LinearImpl>(0).bias.fill_(9);
  }
  std::cout << s->at<LinearImpl>(0).bias[0].item<float>() - c->at<LinearImpl>(0).bias[0].item<float>() << "\n";
  AnyModule any(Linear(2, 4));
  std::cout << any.forward(torch::ones({1, 2})).sizes() << any.get<Linear>()->options.out_features() << "\n";
  Sequential lstm(LSTM(3, 4));
  auto r = lstm->forward<std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>>>(torch::ones({1, 1, 3}));
  std::cout << std::get<0>(r).sizes() << "\n";
  auto shared = std::make_shared<LinearImpl>(2, 2);
  torch::OrderedDict<std::string, AnyModule> d;
  d.insert("x", AnyModule(shared));
  Sequential sd(std::move(d));
  std::cout << sd->named_parameters().keys() << "\n";
  try {
    sd->forward(1);
  } catch (const c10::Error& e) {
    std::cout << "bad arg\n";
  }
  try {
    torch::nn::Linear e = nullptr;
    e->bias;
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  try {
    Net n;
    n.register_module("conv1", Linear(1, 1));
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  try {
    sd->register_parameter("a.b", torch::ones({1}));
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  std::cout << torch::nn::utils::parameters_to_vector(s->parameters()).numel() << "\n";
  ParameterList pl(torch::ones({2}));
  std::cout << pl->size() << pl->at(0) << "\n";
  ModuleDict md;
  md->update(std::vector<std::pair<std::string, std::shared_ptr<Module>>>{{"lin", Linear(1, 2).ptr()}});
  std::cout << md->contains("lin") << md["lin"]->name() << md->keys() << "\n";
}
void inits() {
  torch::manual_seed(8);
  using namespace torch::nn::init;
  auto t = torch::empty({3, 4});
  for (auto f :
       {+[](torch::Tensor x) { return xavier_uniform_(x); }, +[](torch::Tensor x) { return xavier_normal_(x); },
        +[](torch::Tensor x) { return kaiming_uniform_(x); },
        +[](torch::Tensor x) { return kaiming_normal_(x, 0.1, torch::kFanOut, torch::kReLU); },
        +[](torch::Tensor x) { return normal_(x, 1, 2); }, +[](torch::Tensor x) { return uniform_(x, -1, 1); },
        +[](torch::Tensor x) { return constant_(x, 3); }, +[](torch::Tensor x) { return eye_(x); },
        +[](torch::Tensor x) { return ones_(x); }, +[](torch::Tensor x) { return orthogonal_(x).abs(); }})
    std::cout << f(t) << "\n";
  std::cout << dirac_(torch::empty({2, 2, 3})) << calculate_gain(torch::kReLU) << "\n";
}
struct Policy : torch::nn::Module {
  Policy() : a(4, 8), mu(8, 2), v(8, 1) {
    register_module("a", a);
    register_module("mu", mu);
    register_module("v", v);
    log_std = register_parameter("log_std", torch::full({1, 2}, -0.5));
    obs_mean = register_buffer("obs_mean", torch::zeros({4}));
  }
  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor o) {
    auto h = torch::tanh(a(o - obs_mean));
    return {mu(h), v(h)};
  }
  torch::nn::Linear a, mu, v;
  torch::Tensor log_std, obs_mean;
};
void rl() {
  torch::manual_seed(9);
  Policy p;
  torch::NoGradGuard g;
  auto obs = torch::tensor({{0.1, -0.2, 0.3, 0.}});
  double ret = 0;
  for (int step = 0; step < 4; ++step) {
    auto [mu, v] = p.forward(obs);
    auto act = mu + p.log_std.exp() * torch::randn_like(mu);
    auto lp = -0.5 * (((act - mu) / p.log_std.exp()).pow(2) + 2 * p.log_std + std::log(2 * M_PI)).sum(-1);
    ret += v.item<double>() + lp.item<double>();
    obs = torch::cat({act, act.neg()}, 1);
  }
  std::cout << ret << "\n";
  auto probs = torch::softmax(torch::tensor({1., 2., 3.}), 0);
  std::cout << torch::multinomial(probs, 1).item<int64_t>() << (-(probs * probs.log()).sum()) << "\n";
}
int main() {
#define RUN(f)                                                           \
  std::cout << "== " #f "\n";                                            \
  try {                                                                  \
    f();                                                                 \
  } catch (const std::exception& e) {                                    \
    std::cout << "EXC " << std::string(e.what()).substr(0, 200) << "\n"; \
  }
  RUN(mnist) RUN(resnet) RUN(rnn) RUN(layers) RUN(attention) RUN(containers) RUN(inits) RUN(rl)
}
