"""From an expression to a linear pencil. A checked tree enters; L, B, C with tree = C L^{-1} B leave, minimal and, where the tree
is, symmetric; and the matrix expression that a block of L^{-1} is. Exact throughout."""
