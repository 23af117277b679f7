"""What one step learns of a teacher's Hessian: Algorithm 1, its population gradient, and its lower bound. Source: ``damian2022``."""
