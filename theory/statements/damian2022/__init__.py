"""Entries on ``damian2022``: its lemmas, rates and lower bound, and the misprints found in them.

Each module's ``ENTRIES`` name chapters of ``derivations.damian2022`` and functions of ``theory.hessian``.
"""
