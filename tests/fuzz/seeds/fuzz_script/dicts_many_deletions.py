def many_deletions(n: int) -> Tuple[int, int, List[int]]:
  d = annotate(Dict[int, int], {})
  for i in range(n):
    torch._set_item(d, i, torch.mul(i, i))
  for i0 in range(n):
    if torch.ne(torch.remainder(i0, 7), 0):
      torch.Delete(d, i0)
    else:
      pass
  _0 = torch.values(d)
  total = 0
  for _1 in range(torch.len(_0)):
    v = _0[_1]
    total = torch.add(total, v)
  _2 = (torch.len(d), total, torch.list(torch.keys(d)))
  return _2
