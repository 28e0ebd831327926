def augmented(a: int,
    b: int) -> List[float]:
  x = float(a)
  x0 = torch.add(x, b)
  x1 = torch.sub(x0, 1.5)
  x2 = torch.mul(x1, 2.)
  x3 = torch.div(x2, 4.)
  y = torch.floordiv(a, 2)
  y0 = torch.mul(y, y)
  z = torch.remainder(a, b)
  z0 = torch.__lshift__(z, 3)
  z1 = torch.__or__(z0, 1)
  z2 = torch.__xor__(z1, 5)
  z3 = torch.__and__(z2, 13)
  z4 = torch.__rshift__(z3, 1)
  return [x3, float(y0), float(z4)]
