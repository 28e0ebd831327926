def assignment(x: Tensor) -> Tensor:
  _0 = torch.select(x, 0, 0)
  _1 = torch.tensor(5., dtype=ops.prim.dtype(_0), device=ops.prim.device(_0))
  _2 = torch.copy_(_0, _1)
  _3 = torch.select(torch.select(x, 0, 1), 0, 2)
  _4 = torch.tensor(-1., dtype=ops.prim.dtype(_3), device=ops.prim.device(_3))
  _5 = torch.copy_(_3, _4)
  _6 = torch.select(torch.slice(x), 1, 0)
  _7 = torch.copy_(torch.select(torch.slice(x), 1, 3), _6)
  _8 = torch.slice(torch.select(x, 0, 2), 0, None, 2)
  _9 = torch.add_(_8, 100)
  return x
