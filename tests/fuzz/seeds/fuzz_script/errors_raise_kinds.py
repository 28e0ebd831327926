def raise_kinds(n: int) -> int:
  if torch.eq(n, 0):
    ops.prim.RaiseException("bad value", "builtins.ValueError")
  else:
    if torch.eq(n, 1):
      ops.prim.RaiseException("no key", "builtins.KeyError")
    else:
      if torch.eq(n, 2):
        ops.prim.RaiseException("plain", "builtins.Exception")
      else:
        pass
  return n
