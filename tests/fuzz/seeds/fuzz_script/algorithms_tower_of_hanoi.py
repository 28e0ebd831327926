def tower_of_hanoi(n: int) -> int:
  work = [(n, 0, 2)]
  moves = 0
  _0 = torch.gt(torch.len(work), 0)
  while _0:
    k, a, b, = torch.pop(work)
    if torch.eq(k, 1):
      moves0 = torch.add(moves, 1)
    else:
      c = torch.sub(torch.sub(3, a), b)
      _1 = torch.append(work, (torch.sub(k, 1), c, b))
      _2 = torch.append(work, (1, a, b))
      _3 = torch.append(work, (torch.sub(k, 1), a, c))
      moves0 = moves
    _0, moves = torch.gt(torch.len(work), 0), moves0
  return moves
