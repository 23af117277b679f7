"""The risk after a step with eta = etabar sqrt(N), exactly in the limit, and what bounds it.

In: checked parameters with activation and teacher. Out: test and training error with the digits that two discretisations prove,
the best step, the bounds and equations of other sources, a second route, and what a simulated step shows.
"""
