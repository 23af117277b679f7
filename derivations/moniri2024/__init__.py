"""Chapters on ``moniri2024``: each public function takes a ``Proof`` and states in it, checked step by

step, what a claim cites. In: forms of ``theory``, as texts. Out: assumptions and steps; nothing is read by the theory itself.
"""
