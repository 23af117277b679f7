"""Functions of one real variable, and nothing of networks: text in, checked SymPy expressions out.

Of an expression: proven bounds and growth, its smooth pieces, majorants, asymptotes, and Gaussian means in closed form.
"""
