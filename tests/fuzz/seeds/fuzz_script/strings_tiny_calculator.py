def tiny_calculator(s: str) -> int:
  _0 = uninitialized(int)
  parts = torch.split(s, " ")
  a = int(parts[0])
  b = int(parts[2])
  if torch.eq(parts[1], "+"):
    _1, _2 = True, torch.add(a, b)
  else:
    if torch.eq(parts[1], "-"):
      _3, _4 = True, torch.sub(a, b)
    else:
      if torch.eq(parts[1], "*"):
        _5, _6 = True, torch.mul(a, b)
      else:
        _5, _6 = False, _0
      _3, _4 = _5, _6
    _1, _2 = _3, _4
  if _1:
    _7 = _2
  else:
    _8 = torch.add("unknown operator ", parts[1])
    ops.prim.RaiseException(_8, "builtins.RuntimeError")
    _7 = _0
  return _7
