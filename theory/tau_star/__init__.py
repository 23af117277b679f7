"""tau* of ``ba2022``, Theorem 11: two functions in, the global minimum of J(kappa) and what is proved of it out.

``objective`` and ``infinity`` enclose J, ``covering`` and ``global_minimum`` certify; ``route`` is Mehler's series.
"""
