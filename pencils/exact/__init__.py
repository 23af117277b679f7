"""Arithmetic, exact and certified: rationals, balls, rational functions, series, resultants, inertia. Numbers and polynomials
enter, numbers and polynomials leave, enclosed or proved; nothing here knows a matrix model."""
