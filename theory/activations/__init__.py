"""What a neuron or a teacher is: a text, an expression or a polynomial in, a checked function out.

Of it: moments and Hermite coefficients (exact or enclosed), its smoothing, its values in float64; ``route`` has them a second way.
"""
