"""Gaussian equivalence on one simulated step: what it claims, and what its proof needs.

In: a simulated step and its task. Out: risks on the features and on linear ones with noise, risks of kernels, and the sizes
that the Lindeberg proof bounds, as named numbers; a picture of where equivalence breaks.
"""
