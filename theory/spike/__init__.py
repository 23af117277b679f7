"""The spike of one gradient step: a model in; theta1, theta2, the outlier and its overlaps out. Source: ``ba2022``, Theorem 3.

The forms are the statements'; here are the second routes, from the density alone, and what a simulation observes.
"""
