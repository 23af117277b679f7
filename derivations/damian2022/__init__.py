"""Chapters on ``damian2022``: each public function states in a ``Proof``, checked step by step, what a claim cites.

In: forms of ``theory``, as texts. Out: assumptions and steps; nothing is read by the theory itself.
"""
