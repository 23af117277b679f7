"""One step with eta ~ n^alpha: one spike a degree in the feature matrix, and what they gain. Source: ``moniri2024``.

In: ratios, penalty, noise, exponent, activation and teacher. Out: drops of both errors, strengths and positions of the spikes
in the limit and at n samples, second routes, and what a simulated step shows.
"""
