"""Entries on ``moniri2024``: the spikes of a step with eta ~ n^alpha and the drops of both errors.

Each module's ``ENTRIES`` name their forms (``theory.staircase.forms``), chapters and second routes.
"""
