def operators_of_objects(a: float) -> Tuple[float, float, bool, bool, float]:
  _0 = __torch__.Vector.__new__(__torch__.Vector)
  _1 = (_0).__init__(a, 2., )
  _2 = __torch__.Vector.__new__(__torch__.Vector)
  _3 = (_2).__init__(1., 1., )
  v = (_0).__add__((_2).__mul__(2., ), )
  x = v.x
  y = v.y
  _4 = torch.add(a, 2.)
  _5 = __torch__.Vector.__new__(__torch__.Vector)
  _6 = (_5).__init__(_4, 4., )
  _7 = (v).__eq__(_5, )
  _8 = __torch__.Vector.__new__(__torch__.Vector)
  _9 = (_8).__init__(0., 0., )
  _10 = (x, y, _7, (v).__lt__(_8, ), ((v).__neg__()).norm())
  return _10
class Vector:
  x : float
  y : float
  def __add__(self: __torch__.Vector,
    other: __torch__.Vector) -> __torch__.Vector:
    x = self.x
    x0 = other.x
    _11 = torch.add(x, x0)
    y = self.y
    y0 = other.y
    _12 = torch.add(y, y0)
    _13 = __torch__.Vector.__new__(__torch__.Vector)
    _14 = (_13).__init__(_11, _12, )
    return _13
  def __eq__(self: __torch__.Vector,
    other: __torch__.Vector) -> bool:
    x = self.x
    x1 = other.x
    if torch.eq(x, x1):
      y = self.y
      y1 = other.y
      _15 = torch.eq(y, y1)
    else:
      _15 = False
    return _15
  def __init__(self: __torch__.Vector,
    x: float,
    y: float) -> NoneType:
    self.x = x
    self.y = y
    return None
  def __lt__(self: __torch__.Vector,
    other: __torch__.Vector) -> bool:
    x = self.x
    x2 = other.x
    return torch.lt(x, x2)
  def __mul__(self: __torch__.Vector,
    k: float) -> __torch__.Vector:
    x = self.x
    _16 = torch.mul(x, k)
    y = self.y
    _17 = torch.mul(y, k)
    _18 = __torch__.Vector.__new__(__torch__.Vector)
    _19 = (_18).__init__(_16, _17, )
    return _18
  def __neg__(self: __torch__.Vector) -> __torch__.Vector:
    x = self.x
    _20 = torch.neg(x)
    y = self.y
    _21 = torch.neg(y)
    _22 = __torch__.Vector.__new__(__torch__.Vector)
    _23 = (_22).__init__(_20, _21, )
    return _22
  def norm(self: __torch__.Vector) -> float:
    x = self.x
    x3 = self.x
    _24 = torch.mul(x, x3)
    y = self.y
    y2 = self.y
    _25 = torch.pow(torch.add(_24, torch.mul(y, y2)), 0.5)
    return _25
