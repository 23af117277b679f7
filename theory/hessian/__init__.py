"""What one step learns of a teacher's Hessian: Algorithm 1, its population gradient, a lower bound. Source: ``damian2022``.

In: a polynomial teacher, dimension and width. Out: gradients, weights, moment matrices and bounds, exact or in balls, second
routes, and what the algorithm shows at finite size.
"""
