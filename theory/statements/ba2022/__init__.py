"""Entries on ``ba2022``: the spike of one step, the risk after a small and after a large one, and what follows from them.

Each module's ``ENTRIES`` name their forms (``theory.spike.forms``, ``theory.risk.forms``), chapters and second routes.
"""
