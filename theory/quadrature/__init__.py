"""Means under N(0, 1) as numbers, in two families that share no code.

Balls and floats for first routes: ``half_line`` (proven errors), ``line``, ``gauss`` and ``field`` (arrays of floats or of balls),
``grid`` (float64 alone). mpmath for second routes alone: ``mp``.
"""
