"""Gaussian means in float64: sums over a fine grid, exponentially good for smooth functions and to 1e-4 at kinks."""

from __future__ import annotations

import numpy as np

LINE = np.linspace(-9.0, 9.0, 721)
WEIGHT = np.exp(-(LINE**2) / 2) / np.exp(-(LINE**2) / 2).sum()
