"""What one step learns of a teacher's Hessian: Algorithm 1, its population gradient, a lower bound. Source: ``damian2022``."""
