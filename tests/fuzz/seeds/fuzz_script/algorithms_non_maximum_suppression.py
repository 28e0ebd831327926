def non_maximum_suppression(boxes: Tensor,
    scores: Tensor,
    threshold: float) -> List[int]:
  order = annotate(List[int], torch.argsort(scores, -1, True).tolist())
  kept = annotate(List[int], [])
  for _0 in range(torch.len(order)):
    i = order[_0]
    _1 = torch.len(kept)
    ok = True
    _2 = 0
    _3 = torch.gt(_1, 0)
    while _3:
      j = kept[_2]
      _4 = torch.select(torch.select(boxes, 0, i), 0, 2)
      _5 = float(_4)
      _6 = torch.select(torch.select(boxes, 0, j), 0, 2)
      _7 = ops.prim.min(_5, float(_6))
      _8 = torch.select(torch.select(boxes, 0, i), 0, 0)
      _9 = float(_8)
      _10 = torch.select(torch.select(boxes, 0, j), 0, 0)
      w = torch.sub(_7, ops.prim.max(_9, float(_10)))
      _11 = torch.select(torch.select(boxes, 0, i), 0, 3)
      _12 = float(_11)
      _13 = torch.select(torch.select(boxes, 0, j), 0, 3)
      _14 = ops.prim.min(_12, float(_13))
      _15 = torch.select(torch.select(boxes, 0, i), 0, 1)
      _16 = float(_15)
      _17 = torch.select(torch.select(boxes, 0, j), 0, 1)
      h = torch.sub(_14, ops.prim.max(_16, float(_17)))
      both = torch.mul(ops.prim.max(0., w), ops.prim.max(0., h))
      _18 = torch.select(torch.select(boxes, 0, i), 0, 2)
      _19 = torch.select(torch.select(boxes, 0, i), 0, 0)
      _20 = torch.sub(_18, _19)
      _21 = torch.select(torch.select(boxes, 0, i), 0, 3)
      _22 = torch.select(torch.select(boxes, 0, i), 0, 1)
      _23 = torch.mul(_20, torch.sub(_21, _22))
      a = float(_23)
      _24 = torch.select(torch.select(boxes, 0, j), 0, 2)
      _25 = torch.select(torch.select(boxes, 0, j), 0, 0)
      _26 = torch.sub(_24, _25)
      _27 = torch.select(torch.select(boxes, 0, j), 0, 3)
      _28 = torch.select(torch.select(boxes, 0, j), 0, 1)
      _29 = torch.mul(_26, torch.sub(_27, _28))
      b = float(_29)
      _30 = torch.div(both, torch.sub(torch.add(a, b), both))
      if torch.gt(_30, threshold):
        _31, _32 = False, False
      else:
        _31, _32 = True, ok
      _33 = torch.add(_2, 1)
      _34 = torch.__and__(torch.lt(_33, _1), _31)
      _3, ok, _2 = _34, _32, _33
    if ok:
      _35 = torch.append(kept, i)
    else:
      pass
  return kept
