def primes(n: int) -> List[int]:
  _0 = uninitialized(bool)
  found = annotate(List[int], [])
  for _1 in range(torch.__range_length(2, n, 1)):
    i = torch.__derive_index(_1, 2, 1)
    _2 = torch.len(found)
    ok = True
    _3 = 0
    _4 = torch.gt(_2, 0)
    while _4:
      p = found[_3]
      if torch.gt(torch.mul(p, p), i):
        _5, _6, _7, _8, _9 = True, False, ok, _0, _0
      else:
        _10 = torch.eq(torch.remainder(i, p), 0)
        if _10:
          _11, _12, _13, ok0 = True, False, False, False
        else:
          _11, _12, _13, ok0 = False, _0, _0, ok
        _5, _6, _7, _8, _9 = _11, _12, _13, True, ok0
      if _5:
        _14, _15 = _6, _7
      else:
        _14, _15 = _8, _9
      _16 = torch.add(_3, 1)
      _17 = torch.__and__(torch.lt(_16, _2), _14)
      _4, ok, _3 = _17, _15, _16
    if ok:
      _18 = torch.append(found, i)
    else:
      pass
  return found
