def objects_in_dict(n: int) -> int:
  _0 = __torch__.Counter.__new__(__torch__.Counter)
  _1 = (_0).__init__(n, )
  d = {"a": _0}
  torch._set_item(d, "b", d["a"])
  _2 = (d["b"]).add(1, )
  return d["a"].count
class Counter:
  count : int
  log : List[int]
  def __init__(self: __torch__.Counter,
    start: int) -> NoneType:
    self.count = start
    self.log = annotate(List[int], [])
    return None
  def add(self: __torch__.Counter,
    n: int) -> int:
    count = self.count
    self.count = torch.add(count, n)
    log = self.log
    _3 = torch.append(log, n)
    return self.count
  def total(self: __torch__.Counter) -> int:
    count = self.count
    log = self.log
    return torch.add(count, torch.len(log))
