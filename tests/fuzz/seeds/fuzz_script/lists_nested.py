def nested(n: int) -> List[List[int]]:
  grid = annotate(List[List[int]], [])
  for i in range(n):
    row = annotate(List[int], [])
    for j in range(n):
      _0 = torch.append(row, torch.add(torch.mul(i, n), j))
    _1 = torch.append(grid, row)
  _2 = torch._set_item(grid[0], 1, 100)
  _3 = torch._set_item(grid, 1, grid[2])
  _4 = torch.append(grid[1], -1)
  return grid
