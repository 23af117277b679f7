"""Entries on the risk after a large step, exactly in the limit (statements.md, section 5a).

Each module's ``ENTRIES`` name what they have in common (``theory.large_step.forms``), computations, chapters and second routes.
"""
