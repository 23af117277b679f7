"""The risk of ridge regression on random features, before and after one small step.

In: ratios, penalty, noise and Hermite data of a model. Out: the closed forms as texts (``forms``, ``limit_forms``,
``rational_forms``), their values certified and in float64, the best penalty, and second routes by pencils.
"""
